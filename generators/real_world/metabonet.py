"""Reads MetaboNet: one Parquet table of 5-minute rows, many studies and subjects together.

Source: MetaboNet, 2026, arXiv:2601.11505, in the columns of its data dictionary: `date` (local
time), `id`, `source_file` (the study), `CGM` in mg/dL, `basal`, `bolus` and `insulin` (both
together) in U per 5 minutes, `carbs` in g, `meal_label`, `insulin_delivery_modality` (AID, SAP,
CSII, MDI), `age` in years. Any but the first four may be missing. Where both are given, `insulin`
tells whether a missing `bolus` means none; where it is not, a column that never holds 0 does.
Readings that were converted from mmol/L are whole mg/dL again once rounding errors are taken off.
Workouts, movement and everything about the person but age and therapy are not read.
"""

import io
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from generators.real_world.clock import monday_before, seconds_from
from generators.real_world.five_minutes import FiveMinuteRows, Values, observations_of
from generators.real_world.meals import stated_meal
from generators.real_world.recordings import LeftOut, RawDataError
from generators.real_world.selection import Subject, pseudonyms
from generators.trace import AgeGroup, PatientProfile, Therapy

SENSOR_RANGE = (40, 500)
"""mg/dL; the studies used sensors that report up to 400 (Dexcom, Medtronic) and 500 (Libre)."""
MAX_SUBJECT_ROWS = 2_000_000
"""Over ten years of rows twice; more is damaged."""
_NEEDED = ("date", "id", "CGM")
_NUMBERS = ("CGM", "basal", "bolus", "insulin", "carbs", "age")
_TEXTS = ("meal_label", "insulin_delivery_modality")
_WHOLE_MGDL = 0.02
"""mg/dL by which a converted reading may miss a whole number."""
_THERAPY: Mapping[str, Therapy] = MappingProxyType(
    {
        "AID": "hybrid_closed_loop",
        "SAP": "sensor_augmented_pump",
        "CSII": "sensor_augmented_pump",
        "MDI": "multiple_daily_injections",
    }
)
_AGE_GROUPS: tuple[tuple[int, AgeGroup], ...] = ((12, "child"), (18, "adolescent"), (150, "adult"))
_NUMBER_TYPES = (
    pa.types.is_integer,
    pa.types.is_floating,
    pa.types.is_decimal,
    pa.types.is_null,
)
_TIME_TYPES = (
    pa.types.is_timestamp,
    pa.types.is_string,
    pa.types.is_large_string,
    pa.types.is_null,
)
"""Whole numbers would be taken for microseconds, whatever they count."""
_UNREADABLE = (pa.ArrowInvalid, pa.ArrowNotImplementedError, pa.ArrowTypeError, pa.ArrowKeyError)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MetaboNet:
    """A Parquet file: where it lies, and its subjects by study and id with their rows."""

    place: str
    source: Path | bytes
    subjects: Mapping[tuple[str, str], int]


def open_metabonet(source: Path | bytes, place: str) -> MetaboNet:
    """Return which subjects a Parquet file holds; only their ids are read.

    Raises:
        RawDataError: Damaged, or not MetaboNet's columns.
    """
    try:
        with pq.ParquetFile(_opened(source)) as file:
            names = set(file.schema_arrow.names)
            missing = [name for name in _NEEDED if name not in names]
            if missing:
                raise RawDataError(f"{place}: there is no column {missing[0]}; use it as published")
            keys = [name for name in ("source_file", "id") if name in names]
            return MetaboNet(place=place, source=source, subjects=_counted(file, keys))
    except (*_UNREADABLE, OSError) as error:
        raise _damaged(place, error) from error


def metabonet_subjects(
    file: MetaboNet, *, most: int
) -> tuple[Iterator[Subject], tuple[LeftOut, ...]]:
    """Return what the file tells of at most so many subjects, one after the other.

    Args:
        file: From `open_metabonet`.
        most: How many subjects; the others are left out.

    Returns:
        The subjects as they are read, and who is left out from the start.
    """
    ids = pseudonyms("metabonet", ["\t".join(key) for key in file.subjects])
    order = sorted(file.subjects, key=lambda key: int(ids["\t".join(key)].split("_")[1]))
    left_out = tuple(
        LeftOut(
            source="metabonet",
            subject=ids["\t".join(key)],
            reason=f"only {most} subjects were asked for",
        )
        for key in order[most:]
    )
    return (_subject(ids["\t".join(key)], key, file) for key in order[:most]), left_out


def _opened(source: Path | bytes) -> Any:
    return source if isinstance(source, Path) else io.BytesIO(source)


def _damaged(place: str, error: Exception) -> RawDataError:
    reason = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
    return RawDataError(f"{place}: cannot be read as Parquet ({reason}); fetch it again")


def _counted(file: pq.ParquetFile, keys: list[str]) -> dict[tuple[str, str], int]:
    found: Counter[tuple[str, str]] = Counter()
    for batch in file.iter_batches(batch_size=65_536, columns=keys):
        columns = [pc.cast(batch.column(name), pa.string()) for name in keys]
        counted = pa.table(columns, names=keys).group_by(keys).aggregate([([], "count_all")])
        for row in counted.to_pylist():
            if row["id"] is not None:
                found[row.get("source_file") or "", row["id"]] += row["count_all"]
    return dict(found)


def _subject(subject: str, key: tuple[str, str], file: MetaboNet) -> Subject:
    if file.subjects[key] > MAX_SUBJECT_ROWS:
        raise RawDataError(
            f"{file.place}, subject {subject}: {file.subjects[key]} rows, more than ten years; "
            "remove it"
        )
    table = _table(key, file)
    distinct = table.group_by(table.column_names, use_threads=False).aggregate([])
    ordered = distinct.sort_by("date")
    texts = {name: _text(ordered, name) for name in _TEXTS}
    therapy = _THERAPY.get(next(filter(None, texts["insulin_delivery_modality"]), ""))
    numbers = {name: _numbers(ordered, name, file.place) for name in _NUMBERS}
    seconds = _seconds(ordered, f"{file.place}, subject {subject}")
    basal, bolus = _insulin(ordered.column_names, numbers)
    rows = FiveMinuteRows(
        subject=subject,
        seconds=np.array(seconds, dtype=np.int64),
        glucose=_whole(numbers["CGM"]),
        basal=np.full_like(basal, np.nan) if therapy == "multiple_daily_injections" else basal,
        bolus=bolus,
        grams=numbers["carbs"],
        meals=tuple(
            stated_meal(label or "", second)
            for label, second in zip(texts["meal_label"], seconds, strict=True)
        ),
        counts={
            "rows": table.num_rows,
            "repeated_rows": table.num_rows - ordered.num_rows,
        },
    )
    return observations_of(rows, sensor_range=SENSOR_RANGE), _profile(numbers["age"], therapy)


def _table(key: tuple[str, str], file: MetaboNet) -> pa.Table:
    """Return a subject's rows, the known columns only."""
    try:
        with pq.ParquetFile(_opened(file.source)) as parquet:
            schema = parquet.schema_arrow
        columns = [n for n in dict.fromkeys((*_NEEDED, *_NUMBERS, *_TEXTS)) if n in schema.names]
        wanted = [(name, value) for name, value in zip(("source_file", "id"), key, strict=True)]
        filters = [
            (name, "=", _as_type(value, schema.field(name).type))
            for name, value in wanted
            if name in schema.names and value
        ]
        return pq.read_table(_opened(file.source), columns=columns, filters=filters).drop(["id"])
    except (*_UNREADABLE, OSError) as error:
        raise _damaged(file.place, error) from error


def _as_type(value: str, kind: pa.DataType) -> Any:
    return pc.cast(pa.scalar(value), kind.value_type if pa.types.is_dictionary(kind) else kind)


def _text(table: pa.Table, name: str) -> list[str | None]:
    if name not in table.column_names:
        return [None] * table.num_rows
    column = table.column(name)
    texts: list[str | None] = (
        [None if value is None else str(value) for value in column.to_pylist()]
        if not pa.types.is_null(column.type)
        else [None] * table.num_rows
    )
    return texts


def _numbers(table: pa.Table, name: str, place: str) -> Values:
    """Return a column as float64, NaN where it is null, missing or infinite."""
    if name not in table.column_names:
        return np.full(table.num_rows, np.nan)
    column = table.column(name)
    if not any(holds(column.type) for holds in _NUMBER_TYPES):
        raise RawDataError(f"{place}: column {name} holds no numbers; use it as published")
    values = pc.cast(column, pa.float64()).to_numpy()
    return np.where(np.isfinite(values), values, np.nan)


def _seconds(table: pa.Table, place: str) -> list[int]:
    column = table.column("date")
    if not any(holds(column.type) for holds in _TIME_TYPES):
        raise RawDataError(f"{place}: column date holds no times; use it as published")
    try:
        if pa.types.is_timestamp(column.type) and column.type.tz is not None:
            column = pc.local_timestamp(column)
        times = pc.cast(column, pa.timestamp("us"), safe=False).to_pylist()
    except (*_UNREADABLE, OverflowError) as error:
        raise RawDataError(f"{place}: column date holds no times; use it as published") from error
    present = [time for time in times if time is not None]
    if len(present) != len(times):
        raise RawDataError(f"{place}: a row has no date; correct or remove it")
    return seconds_from(monday_before(present[0]), present, place) if present else []


def _whole(glucose: Values) -> Values:
    """Take rounding errors of a conversion off readings that are whole mg/dL but for them."""
    nearest = np.rint(glucose)
    return np.where(np.abs(glucose - nearest) <= _WHOLE_MGDL, nearest, glucose)


def _insulin(columns: list[str], numbers: Mapping[str, Values]) -> tuple[Values, Values]:
    """Return basal and bolus insulin of each row in U, NaN where unknown."""
    basal, bolus, total = numbers["basal"], numbers["bolus"], numbers["insulin"]
    if "insulin" in columns:
        bolus = np.where(np.isnan(bolus), _difference(total, basal), bolus)
        basal = np.where(np.isnan(basal), _difference(total, bolus), basal)
    elif not (bolus == 0).any():
        bolus = np.nan_to_num(bolus, nan=0.0)
    return basal, bolus


def _difference(total: Values, part: Values) -> Values:
    rest = np.where(part >= 0, total - part, np.nan)
    return np.where(np.abs(rest) < 1e-6, 0.0, rest)


def _profile(ages: Values, therapy: Therapy | None) -> PatientProfile:
    known = ages[~np.isnan(ages)]
    if not known.size or not 0 <= known[0] < _AGE_GROUPS[-1][0]:
        return PatientProfile(therapy=therapy)
    years = int(known[0])
    group = next(group for below, group in _AGE_GROUPS if years < below)
    return PatientProfile(age_group=group, age_years=years, therapy=therapy)
