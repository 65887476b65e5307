"""AZT1D's files: what is read, what is refused and how it is said."""

from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from generators.errors import GeneratorError
from generators.real_world import files
from generators.real_world.azt1d import read_azt1d
from generators.real_world.recordings import ATTRIBUTION, LICENCE, RawDataError
from generators.trace import MISSING, Trace
from tests.generators.real_world.made_recordings import (
    COLUMNS,
    MONDAY,
    as_csv,
    every_five_minutes,
    meal,
    row,
    with_rows,
    write_subject,
    write_zip,
)

MONTH = every_five_minutes(31)
MONTH_CSV = as_csv(MONTH)
MEMBER = "CGM Records/Subject {0}/Subject {0}.csv"


def only_trace(raw_dir: Path) -> Trace:
    (trace,) = read_azt1d(raw_dir).traces
    return trace


def same(one: Trace, other: Trace) -> bool:
    return (
        np.array_equal(one.cgm, other.cgm)
        and np.array_equal(one.insulin, other.insulin)
        and (one.carbs, one.boluses) == (other.carbs, other.boluses)
    )


def test_known_recording_gives_known_trace(tmp_path: Path) -> None:
    write_subject(tmp_path, 7, as_csv(with_rows(MONTH, meal(600, grams=40, units=4))))
    trace = only_trace(tmp_path)
    assert (trace.trace_id, trace.patient_id, trace.source) == ("azt1d_01", "azt1d_01", "azt1d")
    assert len(trace) == 31 * 288
    assert set(trace.cgm.tolist()) == {120}
    assert trace.insulin[119] == 100  # 0.6 U/h are 10 mU/min
    assert trace.insulin[120] == 100 + 8000  # 4 U in 5 min are 800 mU/min
    assert [(one.minute, one.grams, one.meal) for one in trace.carbs] == [(600, 40, "unspecified")]
    assert [(one.minute, one.units, one.kind) for one in trace.boluses] == [(600, 4, "meal_bolus")]
    assert trace.profile.therapy == "hybrid_closed_loop"


def test_folder_may_be_the_one_of_the_source_or_the_one_above(tmp_path: Path) -> None:
    write_subject(tmp_path, 1, MONTH_CSV)
    assert same(only_trace(tmp_path), only_trace(tmp_path / "azt1d"))


def test_archive_gives_the_same_as_the_unpacked_tree(tmp_path: Path) -> None:
    write_subject(tmp_path / "tree", 1, MONTH_CSV)
    write_zip(tmp_path / "zip", {"AZT1D 2025/" + MEMBER.format(1): MONTH_CSV})
    assert same(only_trace(tmp_path / "tree"), only_trace(tmp_path / "zip"))


def test_archive_beside_its_unpacked_tree_counts_once(tmp_path: Path) -> None:
    write_subject(tmp_path, 1, MONTH_CSV)
    write_zip(tmp_path, {MEMBER.format(1): MONTH_CSV})
    assert only_trace(tmp_path).trace_id == "azt1d_01"


def test_ids_are_numbered_by_digests_not_by_the_source(tmp_path: Path) -> None:
    days = {10: 31, 9: 32, 2: 33}
    recorded = {number: as_csv(every_five_minutes(length)) for number, length in days.items()}
    write_zip(tmp_path, {MEMBER.format(number): text for number, text in recorded.items()})
    for number, text in recorded.items():
        write_subject(tmp_path / "tree", number, text)
    by_digest = sorted(days, key=lambda number: sha256(f"azt1d {number}".encode()).digest())
    for folder in (tmp_path, tmp_path / "tree"):
        recordings = read_azt1d(folder)
        ids = [trace.trace_id for trace in recordings.traces]
        assert ids == list(recordings.counts) == ["azt1d_01", "azt1d_02", "azt1d_03"]
        assert [len(trace) // 288 for trace in recordings.traces] == [days[n] for n in by_digest]


def test_members_that_lead_out_of_the_archive_are_ignored(tmp_path: Path) -> None:
    names = ("../Subject 2.csv", "/Subject 3.csv", "a/../../Subject 4.csv", "C:/Subject 5.csv")
    write_zip(tmp_path, {MEMBER.format(1): MONTH_CSV, **dict.fromkeys(names, b"junk")})
    assert only_trace(tmp_path).trace_id == "azt1d_01"


def test_other_column_name_and_order_are_understood(tmp_path: Path) -> None:
    write_subject(tmp_path / "usual", 14, MONTH_CSV)
    renamed = [{**one, "Readings (CGM / BGM)": one["CGM"]} for one in MONTH]
    for one in renamed:
        del one["CGM"]
    columns = ("EventDateTime", "Basal", "Readings (CGM / BGM)", *COLUMNS[1:3], *COLUMNS[4:8])
    write_subject(tmp_path / "other", 14, as_csv(renamed, columns))
    assert same(only_trace(tmp_path / "usual"), only_trace(tmp_path / "other"))


def test_byte_order_mark_windows_lines_and_blank_lines_change_nothing(tmp_path: Path) -> None:
    write_subject(tmp_path / "plain", 1, MONTH_CSV)
    content = b"\xef\xbb\xbf" + MONTH_CSV.replace(b"\n", b"\r\n") + b"\r\n"
    write_subject(tmp_path / "windows", 1, content)
    assert same(only_trace(tmp_path / "plain"), only_trace(tmp_path / "windows"))


def test_trace_starts_on_a_monday_and_shows_no_date(tmp_path: Path) -> None:
    rows = every_five_minutes(35, first_day=4)  # from a Friday
    write_subject(tmp_path, 1, as_csv(with_rows(rows, meal(7 * 1440 + 480, 30, 3))))
    trace = only_trace(tmp_path)
    assert len(trace) == 32 * 288
    assert [one.minute for one in trace.carbs] == [480]
    assert str(MONDAY.year) not in repr(trace)


def test_longest_trace_is_cut_after_the_days_asked_for(tmp_path: Path) -> None:
    write_subject(tmp_path, 1, as_csv(every_five_minutes(45)))
    assert len(only_trace(tmp_path)) == 38 * 288
    assert len(read_azt1d(tmp_path, days=30).traces[0]) == 30 * 288
    with pytest.raises(GeneratorError, match="29 days asked for; at least 30"):
        read_azt1d(tmp_path, days=29)


def test_short_subject_is_left_out_with_the_reason(tmp_path: Path) -> None:
    write_subject(tmp_path, 1, as_csv(every_five_minutes(2)))
    write_subject(tmp_path, 2, MONTH_CSV)
    recordings = read_azt1d(tmp_path)
    assert [trace.trace_id for trace in recordings.traces] == ["azt1d_01"]
    (left_out,) = recordings.left_out
    assert (left_out.source, left_out.subject) == ("azt1d", "azt1d_02")
    assert "spans 2.0 days" in left_out.reason
    assert recordings.counts["azt1d_02"]["readings"] == 576


def test_smoothed_subject_is_left_out_with_the_reason(tmp_path: Path) -> None:
    smoothed = [{**one, "CGM": f"{120 + i % 5 / 5}"} for i, one in enumerate(MONTH)]
    write_subject(tmp_path, 1, as_csv(smoothed))
    write_subject(tmp_path, 2, MONTH_CSV)
    (left_out,) = read_azt1d(tmp_path).left_out
    assert "are no whole mg/dL" in left_out.reason


def test_subject_without_readings_is_left_out(tmp_path: Path) -> None:
    write_subject(tmp_path, 1, as_csv([]))
    write_subject(tmp_path, 2, MONTH_CSV)
    (left_out,) = read_azt1d(tmp_path).left_out
    assert left_out.reason == "it holds no reading"


def test_sparse_subject_is_left_out_with_its_share(tmp_path: Path) -> None:
    write_subject(tmp_path, 1, as_csv(MONTH[::2]))
    write_subject(tmp_path, 2, MONTH_CSV)
    (left_out,) = read_azt1d(tmp_path).left_out
    assert left_out.reason == "its best 30 days hold 50 % of the readings, 70 % are needed"


def refusal(raw_dir: Path) -> str:
    with pytest.raises(RawDataError) as caught:
        read_azt1d(raw_dir)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_missing_and_empty_folders_are_refused(tmp_path: Path) -> None:
    assert "nowhere: no such folder" in refusal(tmp_path / "nowhere")
    assert "no file 'Subject N/Subject N.csv'" in refusal(tmp_path)
    write_zip(tmp_path, {"readme.txt": b"nothing"})
    assert "no file 'Subject N/Subject N.csv'" in refusal(tmp_path)


def test_truncated_archive_is_refused(tmp_path: Path) -> None:
    path = write_zip(tmp_path, {MEMBER.format(1): MONTH_CSV})
    path.write_bytes(path.read_bytes()[:-100])
    assert "azt1d.zip: truncated or damaged zip archive" in refusal(tmp_path)


def test_damaged_member_is_refused(tmp_path: Path) -> None:
    path = write_zip(tmp_path, {MEMBER.format(1): MONTH_CSV})
    content = bytearray(path.read_bytes())
    content[2000:2100] = bytes(100)
    path.write_bytes(content)
    assert "azt1d.zip: truncated or damaged zip archive" in refusal(tmp_path)


def test_huge_member_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_FILE_BYTES", 1000)
    write_zip(tmp_path, {MEMBER.format(1): MONTH_CSV})
    assert "more than 1000" in refusal(tmp_path)


def test_two_versions_of_a_subject_are_refused(tmp_path: Path) -> None:
    write_subject(tmp_path, 1, MONTH_CSV)
    write_zip(tmp_path, {MEMBER.format(1): as_csv(every_five_minutes(32))})
    assert "subject 1 occurs twice with different content" in refusal(tmp_path)


def test_no_usable_subject_is_refused_with_the_reasons(tmp_path: Path) -> None:
    write_subject(tmp_path, 1, as_csv(every_five_minutes(2)))
    message = refusal(tmp_path)
    assert "no subject can be used (azt1d_01: no Monday is followed by 30" in message


def test_missing_column_is_named(tmp_path: Path) -> None:
    columns = [name for name in COLUMNS if name != "FoodDelivered"]
    write_subject(tmp_path, 1, as_csv([row(0)], columns))
    message = refusal(tmp_path)
    assert "Subject 1.csv: 0 columns named FoodDelivered instead of one" in message


def test_empty_file_is_refused(tmp_path: Path) -> None:
    write_subject(tmp_path, 1, b"")
    assert "0 columns named EventDateTime instead of one (found [])" in refusal(tmp_path)


@pytest.mark.parametrize(
    ("column", "cell", "expected"),
    [
        ("CGM", "high", "row 4, column CGM: 'high' is no finite number"),
        ("CGM", "nan", "row 4, column CGM: 'nan' is no finite number"),
        ("CGM", "1,5", "row 4, column CGM: '1,5' is no finite number"),
        ("Basal", "1e999", "row 4, column Basal: '1e999' is no finite number"),
        ("CarbSize", "ten", "row 4, column CarbSize: 'ten' is no finite number"),
        ("EventDateTime", "01/02/2024 00:10", "'01/02/2024 00:10' is no time YYYY-MM-DD hh:mm:ss"),
        ("EventDateTime", "2024-13-01 00:10:00", "'2024-13-01 00:10:00' is no time"),
        ("EventDateTime", "", "column EventDateTime: '' is no time"),
        ("EventDateTime", "2023-12-31 23:00:00", "row 4: EventDateTime lies before that of"),
        ("EventDateTime", "9999-12-31 23:00:00", "the times span more than ten years"),
    ],
)
def test_bad_cell_is_refused_with_its_place(
    tmp_path: Path, column: str, cell: str, expected: str
) -> None:
    rows = [row(0), row(5), {**row(10), column: cell}]
    write_subject(tmp_path, 1, as_csv(rows))
    message = refusal(tmp_path)
    assert "Subject 1.csv" in message
    assert expected in message


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (as_csv([row(0)]) + b"2024-01-01 00:05:00,,\n", "row 3: 3 cells instead of 9"),
        (as_csv([row(0)]) + b'"2024-01-01\n', "cannot be read as CSV"),
        (as_csv([row(0)]).decode().encode("utf-16"), "is not UTF-8 text"),
    ],
)
def test_broken_file_is_refused(tmp_path: Path, content: bytes, expected: str) -> None:
    write_subject(tmp_path, 1, content)
    assert expected in refusal(tmp_path)


def test_repeated_rows_are_counted_and_change_nothing(tmp_path: Path) -> None:
    write_subject(tmp_path / "once", 1, MONTH_CSV)
    repeated = [one for one in MONTH for _ in range(1 + (one is MONTH[100]) * 5)]
    write_subject(tmp_path / "often", 1, as_csv(repeated))
    often = read_azt1d(tmp_path / "often")
    assert often.counts["azt1d_01"]["repeated_rows"] == 5
    assert same(often.traces[0], only_trace(tmp_path / "once"))


def test_zero_marks_no_bolus(tmp_path: Path) -> None:
    zeros = dict.fromkeys(COLUMNS[1:3], "0") | dict.fromkeys(COLUMNS[4:8], "0.0")
    write_subject(tmp_path, 1, as_csv({**one, **zeros} for one in MONTH))
    trace = only_trace(tmp_path)
    assert (trace.boluses, trace.carbs) == ((), ())
    assert MISSING not in trace.insulin


def test_terms_of_use_are_stated() -> None:
    assert LICENCE["azt1d"] == "CC-BY-4.0"
    for fact in ("Khamesian", "arXiv:2506.14789", "10.17632/gk9m674wcx.1", "Changed"):
        assert fact in ATTRIBUTION["azt1d"]
