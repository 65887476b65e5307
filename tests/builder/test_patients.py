"""An id to which a build is restricted is never dropped without a word."""

from dataclasses import replace

import pytest

from builder.errors import BuildError
from builder.generate import CLOSED_LOOP
from builder.patients import check_known, only_of, unasked
from builder.schema import QA_CONFIGS
from generators.real_world.recordings import DaysLeftOut, LeftOut, Recordings
from tests.generators.questions.hand_made import flat

RECORDINGS = Recordings(
    traces=tuple(
        replace(flat(100), trace_id=name, patient_id=name, source="azt1d")
        for name in ("azt1d_01", "azt1d_02")
    ),
    left_out=(LeftOut(source="azt1d", subject="azt1d_03", reason="too short"),),
    counts={"azt1d_01": {"a": 1}, "azt1d_02": {"a": 2}, "azt1d_03": {"a": 3}},
    days_left_out=(DaysLeftOut(source="azt1d", subject="azt1d_02", days=(4,), reason="gap"),),
)


def test_an_id_that_no_config_knows_is_refused_with_those_that_are_known() -> None:
    check_known(["adult_001", "azt1d_03"], QA_CONFIGS, RECORDINGS)
    with pytest.raises(
        BuildError,
        match=r"'azt1d_04'; simulated and fault_injected: .*adult_001.*; "
        "real_world: azt1d_01, azt1d_02, azt1d_03$",
    ):
        check_known(["adult_001", "azt1d_04"], QA_CONFIGS, RECORDINGS)
    with pytest.raises(BuildError, match=r"'azt1d_01'; simulated: .*adult_001"):
        check_known(["azt1d_01"], ["simulated"], None)
    with pytest.raises(BuildError, match="'adult_001'; real_world: no recordings"):
        check_known(["adult_001"], ["real_world"], None)
    with pytest.raises(BuildError, match="'adult_001'; none of them asks about patients"):
        check_known(["adult_001"], [], RECORDINGS)


def test_each_config_names_those_of_whom_it_asks_nothing() -> None:
    only = ("adult_001", "child_010", "azt1d_01")
    left = {
        config: [(one.subject, one.reason) for one in unasked(config, only, RECORDINGS)]
        for config in QA_CONFIGS
    }
    assert left == {
        "simulated": [("azt1d_01", "is no simulated patient")],
        "fault_injected": [("child_010", CLOSED_LOOP), ("azt1d_01", "is no simulated patient")],
        "real_world": [
            ("adult_001", "is no recorded subject"),
            ("child_010", "is no recorded subject"),
        ],
    }


@pytest.mark.parametrize(
    ("only", "traces", "left_out", "days"),
    [
        (("azt1d_02", "adult_001"), ["azt1d_02"], 0, 1),
        (("azt1d_03",), [], 1, 0),
        (("adult_001",), [], 0, 0),
    ],
)
def test_recordings_of_some_subjects(
    only: tuple[str, ...], traces: list[str], left_out: int, days: int
) -> None:
    kept = only_of(RECORDINGS, only)
    assert [trace.patient_id for trace in kept.traces] == traces
    assert (len(kept.left_out), len(kept.days_left_out)) == (left_out, days)
    assert set(kept.counts) == {name for name in only if name.startswith("azt1d")}
