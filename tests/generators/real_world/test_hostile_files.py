"""Over 200 spoilt files: each gives a right trace, with less in it at most, or a clear refusal."""

import json
import os
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from generators.real_world.importing import Wanted, import_recordings
from generators.real_world.recordings import RawDataError
from generators.trace import MISSING, Trace
from tests.generators.real_world.made_exports import (
    entries,
    hupa_csv,
    metabonet_columns,
    ohio_time,
    ohio_xml,
    profile,
    pump_events,
    treatment,
    write_metabonet,
)
from tests.generators.real_world.made_recordings import as_csv, every_five_minutes, meal, with_rows

Spoilt = Iterator[tuple[str, bytes]]
UNDECODABLE = b"\xff\xfe\x00\xd8"


def azt1d() -> bytes:
    return as_csv(with_rows(every_five_minutes(31), meal(720, 45, 4)))


def hupa() -> bytes:
    return hupa_csv({144: "130.0;4.8;70.5;0.0;0.05;4.0;4.5"})


def ohio() -> bytes:
    dose = (
        f'<event ts_begin="{ohio_time(720)}" ts_end="{ohio_time(720)}" type="normal" dose="4.0" '
        'bwz_carb_input="45"/>'
    )
    return ohio_xml(bolus=[dose], meal=[f'<event ts="{ohio_time(720)}" type="Lunch" carbs="45"/>'])


def nightscout() -> bytes:
    doses = [*pump_events(), treatment(720, "Meal Bolus", insulin=4.0, carbs=45)]
    return json.dumps(
        {"entries": entries(), "treatments": doses, "profile": [profile()]}, separators=(", ", ": ")
    ).encode()


def everywhere(content: bytes) -> Spoilt:
    """What can happen to any file."""
    for part in range(1, 20):
        yield f"cut to {part}/20", content[: len(content) * part // 20]
    for part in range(1, 8):
        place = len(content) * part // 8
        yield (
            f"bytes of another encoding at {part}/8",
            (content[:place] + UNDECODABLE + content[place:]),
        )
    yield "byte-order mark", b"\xef\xbb\xbf" + content
    yield "UTF-16", content.decode().encode("utf-16")
    yield "UTF-16 without a mark", content.decode().encode("utf-16-be")
    yield "CRLF", content.replace(b"\n", b"\r\n")
    yield "zeros", bytes(len(content))
    yield "nothing", b""
    yield "nulls inside", content.replace(b"2024", b"20\x0024", 5)


def in_lines(content: bytes, comma: bytes) -> Spoilt:
    """What can happen to a table of lines."""
    lines = content.split(b"\n")
    for place in (1, 2000, 8000):
        yield (
            f"row {place} repeated",
            b"\n".join(lines[:place] + [lines[place]] * 500 + lines[place:]),
        )
        yield f"row {place} lost", b"\n".join(lines[:place] + lines[place + 1 :])
        yield (
            f"row {place} moved",
            b"\n".join(
                lines[:place]
                + lines[place + 2 : place + 900]
                + [lines[place]]
                + lines[place + 900 :]
            ),
        )
        for cell in (b"NaN", b"1e9", b"-1", b"high", b"1,5", b"inf", b"1e999", b"0x10", b"--"):
            cells = lines[place].split(comma)
            last = [*cells[:-1], cell]
            yield (
                f"last cell of row {place} is {cell!r}",
                b"\n".join([*lines[:place], comma.join(last), *lines[place + 1 :]]),
            )
        yield (
            f"row {place} has a cell more",
            b"\n".join([*lines[:place], lines[place] + comma, *lines[place + 1 :]]),
        )
    columns = [line.split(comma) for line in lines if line]
    yield "columns in another order", b"".join(comma.join(row[::-1]) + b"\n" for row in columns)
    yield "a column twice", b"".join(comma.join([*row, row[-1]]) + b"\n" for row in columns)
    yield "a column less", b"".join(comma.join(row[:-1]) + b"\n" for row in columns)
    yield "no header", b"\n".join(lines[1:])
    yield "another delimiter", content.replace(comma, b"\t")
    for wrong in (b"01/%d/2024", b"%d/01/2024", b"%d.01.2024"):
        other = content
        for day in range(1, 32):
            other = other.replace(b"2024-01-%02d" % day, wrong % day)
        yield f"dates as {wrong!r}", other


def in_xml(content: bytes) -> Spoilt:
    for order in ("{m}-{d}-{y}", "{y}-{m}-{d}", "{m}/{d}/{y}"):
        other = content.decode()
        for day in range(1, 32):
            written = order.format(d=f"{day:02d}", m="01", y="2024")
            other = other.replace(f"{day:02d}-01-2024", f"@{written}@")
        yield f"dates as {order}", other.replace("@", "").encode()
    for value in ("NaN", "1e9", "-1", "high", "0,6", "inf", ""):
        yield f"basal {value}", content.replace(b'value="0.6"', f'value="{value}"'.encode())
        yield f"dose {value}", content.replace(b'dose="4.0"', f'dose="{value}"'.encode())
        yield f"carbs {value}", content.replace(b'carbs="45"', f'carbs="{value}"'.encode())
        yield f"glucose {value}", content.replace(b'value="107"', f'value="{value}"'.encode())
    yield (
        "external entity",
        content.replace(
            b"<patient",
            b'<!DOCTYPE p [<!ENTITY x SYSTEM "file:///etc/passwd">]><patient',
        ),
    )
    bomb = "".join(f'<!ENTITY a{i + 1} "{f"&a{i};" * 20}">' for i in range(12))
    yield (
        "bomb",
        content.replace(
            b"<patient", f'<!DOCTYPE p [<!ENTITY a0 "x">{bomb}]><patient'.encode()
        ).replace(b"<sleep>", b"<sleep>&a12;"),
    )


def in_json(content: bytes) -> Spoilt:
    document: dict[str, list[dict[str, Any]]] = json.loads(content)
    spoilt: tuple[tuple[str, tuple[Any, ...]], ...] = (
        ("sgv", (None, "NaN", 1e9, -1, "high-ish", "7,5", True, [], {}, 10**400)),
        ("date", (None, "NaN", 1e9, -1, "01/02/2024", True, [], 10**400)),
        ("type", ("cal", None, 7)),
    )
    for field, values in spoilt:
        for value in values:
            changed = [dict(one) for one in document["entries"]]
            changed[77][field] = value
            if field == "date":
                changed[77]["dateString"] = value
            yield (
                f"{field} {str(value)[:20]}",
                json.dumps({**document, "entries": changed}).encode(),
            )
    for field in ("insulin", "carbs", "created_at", "duration", "eventType"):
        for value in ("NaN", 1e9, -1, "high", True, [], None, float("nan")):
            doses = [dict(one) for one in document["treatments"]]
            doses[-1][field] = value
            yield f"{field} {value}", json.dumps({**document, "treatments": doses}).encode()
    yield "deep", b'{"entries": ' + b"[" * 50_000
    yield (
        "sgv again and again",
        json.dumps({**document, "entries": document["entries"] * 5}).encode(),
    )


def check(place: Path, whole: Trace) -> bool:
    """Return whether a trace was read; every number in it must be one of the whole file's."""
    try:
        found = import_recordings(Wanted(path=place)).recordings
    except RawDataError as error:
        refusal = str(error)
    else:
        (trace,) = found.traces
        check_values(trace, whole)
        return True
    assert len(refusal.splitlines()) == 1
    return False


def check_values(trace: Trace, whole: Trace) -> None:
    values = trace.cgm[: len(whole)]
    assert ((values == whole.cgm[: len(values)]) | (values == MISSING)).all()
    dosed = {(one.minute, one.units) for one in trace.boluses}
    eaten = {(one.minute, one.grams) for one in trace.carbs}
    assert dosed <= {(one.minute, one.units) for one in whole.boluses}
    assert eaten <= {(one.minute, one.grams) for one in whole.carbs}
    known = trace.insulin[: len(whole)] != MISSING
    right = np.isin(trace.insulin[: len(whole)], np.unique(whole.insulin))
    assert (right | ~known).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "name", "others", "least"),
    [
        (azt1d, "Subject 1.csv", lambda content: in_lines(content, b","), 80),
        (hupa, "HUPA0001P.csv", lambda content: in_lines(content, b";"), 80),
        (ohio, "559-ws-training.xml", in_xml, 60),
        (nightscout, "everything.json", in_json, 90),
    ],
)
def test_spoilt_file_gives_less_or_a_refusal_and_never_a_wrong_number(
    tmp_path: Path,
    make: Callable[[], bytes],
    name: str,
    others: Callable[[bytes], Spoilt],
    least: int,
) -> None:
    content = make()
    path = tmp_path / name
    path.write_bytes(content)
    (whole,) = import_recordings(Wanted(path=path)).recordings.traces
    read: dict[str, bool] = {}
    for kind, spoilt in (*everywhere(content), *others(content)):
        path.write_bytes(spoilt)
        read[kind] = check(path, whole)
    assert len(read) >= least
    assert read["byte-order mark"]
    assert 0 < sum(read.values()) < len(read)


@pytest.mark.slow
def test_spoilt_parquet_is_refused_or_right(tmp_path: Path) -> None:
    path = write_metabonet(tmp_path / "metabonet.parquet", metabonet_columns())
    (whole,) = import_recordings(Wanted(path=path)).recordings.traces
    content = path.read_bytes()
    for part in range(1, 25):
        path.write_bytes(content[: len(content) * part // 25])
        assert not check(path, whole)
    for value in (float("nan"), float("inf"), 1e9, -1.0):
        for name in ("CGM", "basal", "bolus", "insulin", "carbs"):
            columns = metabonet_columns()
            columns[name][50] = value
            write_metabonet(path, columns)
            check(path, whole)


def write_archive(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def test_archive_whose_paths_climb_out_writes_and_reads_nothing_outside(tmp_path: Path) -> None:
    names = ("../HUPA0002P.csv", "/HUPA0003P.csv", "a/../../HUPA0004P.csv", "C:\\HUPA0005P.csv")
    folder = tmp_path / "in"
    folder.mkdir()
    path = write_archive(
        folder / "all.zip",
        {"HUPA0001P.csv": hupa(), **dict.fromkeys(names, b"junk")},
    )
    found = import_recordings(Wanted(path=path)).recordings
    assert [one.trace_id for one in found.traces] == ["hupa_ucm_01"]
    assert sorted(one.name for one in tmp_path.iterdir()) == ["in"]


def test_archive_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    path = write_archive(tmp_path / "bomb.zip", {"HUPA0001P.csv": bytes(101_000_000)})
    assert path.stat().st_size < 200_000
    with pytest.raises(RawDataError, match="bytes, more than"):
        import_recordings(Wanted(path=path))


def test_archive_that_lies_about_its_size_is_refused(tmp_path: Path) -> None:
    path = write_archive(tmp_path / "liar.zip", {"HUPA0001P.csv": bytes(5_000_000)})
    size = (5_000_000).to_bytes(4, "little")
    path.write_bytes(path.read_bytes().replace(size, (100).to_bytes(4, "little")))
    with pytest.raises(RawDataError, match="damaged zip archive"):
        import_recordings(Wanted(path=path))


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2, zipfile.ZIP_DEFLATED])
def test_damaged_archive_is_refused(tmp_path: Path, method: int) -> None:
    path = tmp_path / "all.zip"
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("HUPA0001P.csv", hupa())
    content = bytearray(path.read_bytes())
    content[1000:1060] = bytes(60)
    path.write_bytes(content)
    with pytest.raises(RawDataError, match=r"all\.zip.*\([^()N]") as error:
        import_recordings(Wanted(path=path))
    assert "None" not in str(error.value)


def test_every_archive_is_read_or_told(tmp_path: Path) -> None:
    (tmp_path / "deep" / "deeper").mkdir(parents=True)
    path = write_archive(tmp_path / "deep" / "deeper" / "X.ZIP", {"HUPA0001P.csv": hupa()})
    inner = path.read_bytes()
    write_archive(tmp_path / "outer.zip", {"inner.zip": inner, "../HUPA0002P.csv": hupa()})
    found = import_recordings(Wanted(path=tmp_path))
    assert [one.trace_id for one in found.recordings.traces] == ["hupa_ucm_01"]
    assert [Path(place).name for place in found.unknown] == [
        "HUPA0002P.csv",
        "outer.zip: inner.zip",
    ]


def test_archives_of_one_name_are_two_persons(tmp_path: Path) -> None:
    for name in ("alice", "bob"):
        (tmp_path / name).mkdir()
        write_archive(tmp_path / name / "all.zip", {"entries.json": nightscout()})
    found = import_recordings(Wanted(path=tmp_path)).recordings
    assert len(found.traces) == 2


def test_folder_that_may_not_be_looked_into_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = tmp_path / "closed"
    closed.mkdir()
    (tmp_path / "HUPA0001P.csv").write_bytes(hupa())
    look = os.scandir

    def guarded(path: str) -> Any:
        if Path(path) == closed:
            raise PermissionError(13, "Permission denied", str(path))
        return look(path)

    monkeypatch.setattr(os, "scandir", guarded)
    with pytest.raises(RawDataError, match=r"closed: cannot be read \(Permission denied\)"):
        import_recordings(Wanted(path=tmp_path))


def test_text_called_an_archive_is_told(tmp_path: Path) -> None:
    (tmp_path / "fake.zip").write_text("no archive")
    for path in (tmp_path, tmp_path / "fake.zip"):
        with pytest.raises(RawDataError, match=r"fake\.zip"):
            import_recordings(Wanted(path=path))


def test_endless_attribute_is_refused_at_once(tmp_path: Path) -> None:
    content = ohio().replace(b'weight="99"', b'weight="' + b"9" * 20_000_000 + b'"')
    (tmp_path / "559-ws-training.xml").write_bytes(content)
    with pytest.raises(RawDataError, match="bytes without a tag"):
        import_recordings(Wanted(path=tmp_path))


def test_truncated_archive_is_refused(tmp_path: Path) -> None:
    path = write_archive(tmp_path / "all.zip", {"HUPA0001P.csv": hupa()})
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(RawDataError):
        import_recordings(Wanted(path=tmp_path))
