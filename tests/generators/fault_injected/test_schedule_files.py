from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators.errors import GeneratorError
from generators.fault_injected.schedule_files import read_schedule, write_schedule
from generators.fault_injected.schedules import release_schedule
from generators.trace import FaultEvent

HEADER = "label,cause,start,end,size\n"
GAP = "missing_signal,communication_loss,2000,2100,0\n"


def test_a_schedule_survives_being_written_and_read(tmp_path: Path) -> None:
    faults, path = release_schedule("adult_004", seed=1), tmp_path / "faults.csv"
    write_schedule(faults, path)

    assert path.read_text().startswith(HEADER)
    assert read_schedule(path, samples=30 * 288) == faults


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("label,start,end\n", 1, "columns are label, start, end; they must be label, cause"),
        ("", 1, "columns are absent"),
        (HEADER + GAP + "flood,communication_loss,3000,3010,0\n", 3, "label is 'flood'"),
        (HEADER + "missing_signal,communication_loss,-5,10,0\n", 2, "start is '-5'"),
        (HEADER + "missing_signal,communication_loss,1001,1010,0\n", 2, "start is '1001'"),
        (HEADER + "missing_signal,communication_loss,1000,soon,0\n", 2, "end is 'soon'"),
        (HEADER + "missing_signal,communication_loss,1000,900,0\n", 2, "runs backwards"),
        (HEADER + GAP + "zero_reading,loss_of_sensitivity,2100,2200,0\n", 3, "overlaps what came"),
        (HEADER + "missing_signal,communication_loss,1000,43200,0\n", 2, "beyond the end"),
        (HEADER + "missing_signal,flooding,1000,1010,0\n", 2, "no cause of missing_signal"),
        (HEADER + "zero_reading,bias_injection,1000,1010,0\n", 2, "no cause of zero_reading"),
        (HEADER + "positive_spike,motion_spikes,1000,1000,10\n", 2, "allowed is 60 to 500"),
        (HEADER + "missing_signal,communication_loss,1000\n", 2, "there must be 5 values"),
        (HEADER + "missing_signal,communication_loss,1000,1010,0,9\n", 2, "there must be 5 values"),
    ],
)
def test_a_file_that_makes_no_sense_is_refused_with_its_line(
    tmp_path: Path, text: str, line: int, reason: str
) -> None:
    path = tmp_path / "faults.csv"
    path.write_text(text)

    with pytest.raises(GeneratorError, match=f"line {line}: .*{reason}"):
        read_schedule(path, samples=30 * 288)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GeneratorError, match="cannot be read as a schedule"):
        read_schedule(tmp_path / "absent.csv", samples=288)


@given(starts=st.lists(st.integers(1, 8000), unique=True, max_size=8))
def test_any_allowed_schedule_survives(
    tmp_path_factory: pytest.TempPathFactory, starts: list[int]
) -> None:
    faults = tuple(
        FaultEvent(label="negative_spike", cause="motion_spikes", start=n, end=n, size=-60 - n % 60)
        for n in sorted(starts)
    )
    path = tmp_path_factory.mktemp("schedules") / "faults.csv"
    write_schedule(faults, path)

    assert read_schedule(path, samples=30 * 288) == faults
