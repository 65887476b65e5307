"""Small made-up recordings in the exact shape of AZT1D's files."""

import csv
import io
import zipfile
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from pathlib import Path

MONDAY = datetime.fromisoformat("2024-01-01")
COLUMNS = (
    "EventDateTime",
    "DeviceMode",
    "BolusType",
    "Basal",
    "CorrectionDelivered",
    "TotalBolusInsulinDelivered",
    "FoodDelivered",
    "CarbSize",
    "CGM",
)
Row = dict[str, str]


def row(minute: float, glucose: float | str = 120, **cells: str) -> Row:
    """Return a row that many minutes after the Monday."""
    time = MONDAY + timedelta(minutes=minute)
    return {"EventDateTime": f"{time:%Y-%m-%d %H:%M:%S}", "CGM": str(glucose), **cells}


def meal(minute: float, grams: float, units: float) -> Row:
    """Return a row with a bolus that the pump's calculator dosed for food."""
    return row(
        minute,
        BolusType="Standard",
        Basal="0.6",
        CorrectionDelivered="0.0",
        TotalBolusInsulinDelivered=str(units),
        FoodDelivered=str(units),
        CarbSize=str(grams),
    )


def every_five_minutes(days: float, *, first_day: float = 0, basal: str = "0.6") -> list[Row]:
    """Return a complete recording: 120 mg/dL and the same basal insulin throughout."""
    start = round(1440 * first_day)
    return [row(minute, Basal=basal) for minute in range(start, start + round(1440 * days), 5)]


def with_rows(rows: Iterable[Row], *others: Row) -> list[Row]:
    """Return the rows with others in place of those of the same time, or added."""
    merged = {one["EventDateTime"]: one for one in (*rows, *others)}
    return [merged[time] for time in sorted(merged)]


def as_csv(rows: Iterable[Row], columns: Sequence[str] = COLUMNS) -> bytes:
    """Return the rows as a file's content."""
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def write_subject(raw_dir: Path, subject: int, content: bytes) -> Path:
    """Write a subject's file where the published archive would unpack it."""
    path = raw_dir / "azt1d" / "CGM Records" / f"Subject {subject}" / f"Subject {subject}.csv"
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    return path


def write_zip(raw_dir: Path, members: dict[str, bytes]) -> Path:
    """Write an archive with these members."""
    path = raw_dir / "azt1d" / "azt1d.zip"
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path
