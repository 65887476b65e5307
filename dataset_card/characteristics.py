"""Glycaemic characteristics of the records of a config, as in table 9 of HealthLoopQA (2026).

They are computed from the rows: of each trace the longest record that a question shows, the first of
equal ones. Readings count as reported, faulty ones too; as in the questions, 0 is no reading. Sums are
exact, so that any machine writes the same figures.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from generators.trace import MINUTES_PER_DAY, MISSING, SAMPLE_MINUTES

_DAYS_PER_WEEK = 7
_MILLI = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A record that questions show.

    Attributes:
        glucose: mg/dL every 5 minutes, MISSING where there is no reading.
        insulin: mU/min of the samples whose insulin is known.
        grams: Carbohydrate of each entry.
        exercise: Minutes of each bout.
    """

    glucose: NDArray[np.int16]
    insulin: NDArray[np.float64]
    grams: tuple[float, ...]
    exercise: tuple[int, ...]

    @property
    def readings(self) -> NDArray[np.int64]:
        """The readings that are there, mg/dL."""
        there: NDArray[np.int64] = self.glucose[self.glucose > 0].astype(np.int64)
        return there

    @property
    def days(self) -> float:
        """Its length."""
        return len(self.glucose) * SAMPLE_MINUTES / MINUTES_PER_DAY


@dataclass(frozen=True, slots=True, kw_only=True)
class Characteristic:
    """A line of the table.

    Attributes:
        name: What it is, with its unit.
        of: Its value for a record; None where the record does not tell.
        decimals: How many are shown.
    """

    name: str
    of: Callable[[Record], float | None]
    decimals: int = 1


def records_of(rows: pa.Table) -> list[Record]:
    """Return the longest record of each trace, the first of equal ones, in the order of the rows.

    Args:
        rows: Rows of a config of questions.
    """
    readings = pc.struct_field(rows.column("input_context"), "bg_mgdl")
    lengths = pc.list_value_length(readings).to_pylist()
    longest: dict[str, int] = {}
    for place, trace in enumerate(rows.column("trace_id").to_pylist()):
        if lengths[place] > lengths[longest.setdefault(trace, place)]:
            longest[trace] = place
    shown = rows.column("input_context").take(pa.array(longest.values(), pa.int64()))
    return [_record(one) for one in shown]


def table_of(groups: Sequence[Sequence[Record]]) -> dict[str, list[str]]:
    """Return the table's cells: per line one for each group, mean (SD) [lowest, highest].

    Args:
        groups: The records of each group.
    """
    return {
        line.name: [_cell([line.of(one) for one in group], line.decimals) for group in groups]
        for line in CHARACTERISTICS
    }


def _record(shown: pa.StructScalar) -> Record:
    return Record(
        glucose=pc.fill_null(shown["bg_mgdl"].values, MISSING).to_numpy(),
        insulin=shown["insulin_mu_min"].values.drop_null().to_numpy(),
        grams=tuple(shown["carb_events"].values.field("carbs").to_pylist()),
        exercise=tuple(shown["exercise_events"].values.field("duration").to_pylist()),
    )


def _cell(values: Sequence[float | None], decimals: int) -> str:
    known = [value for value in values if value is not None]
    if not known:
        return "none recorded"
    shown = [f"{value:.{decimals}f}" for value in (fmean(known), min(known), max(known))]
    spread = f" ({stdev(known):.{decimals}f})" if len(known) > 1 else ""
    fewer = f", n = {len(known)}" if len(known) < len(values) else ""
    return f"{shown[0]}{spread} [{shown[1]}, {shown[2]}]{fewer}"


def _mean(record: Record) -> float | None:
    readings = record.readings
    return int(readings.sum()) / len(readings) if len(readings) else None


def _deviation(record: Record) -> float | None:
    """Return the sample standard deviation, from sums of whole numbers."""
    readings = record.readings
    n = len(readings)
    if n < 2:
        return None
    squares = n * int((readings * readings).sum()) - int(readings.sum()) ** 2
    return math.sqrt(squares / (n * (n - 1)))


def _variation(record: Record) -> float | None:
    mean, deviation = _mean(record), _deviation(record)
    return 100.0 * deviation / mean if mean and deviation is not None else None


def _management_indicator(record: Record) -> float | None:
    """Return the glucose management indicator, % (Bergenstal et al. 2018)."""
    mean = _mean(record)
    return None if mean is None else 3.31 + 0.02392 * mean


def _share(low: int, high: int) -> Callable[[Record], float | None]:
    """Return the function that tells the share of readings from `low` to `high`, %."""

    def share(record: Record) -> float | None:
        readings = record.readings
        within = int(((readings >= low) & (readings <= high)).sum())
        return 100.0 * within / len(readings) if len(readings) else None

    return share


def _present(record: Record) -> float | None:
    return 100.0 * len(record.readings) / len(record.glucose)


def _insulin(record: Record) -> float | None:
    """Return units a day over the samples whose insulin is known."""
    known = record.insulin.tolist()
    return fmean(known) * MINUTES_PER_DAY / _MILLI if known else None


def _carbohydrate(record: Record) -> float | None:
    return math.fsum(record.grams) / record.days if record.grams else None


def _exercise(record: Record) -> float | None:
    return _DAYS_PER_WEEK * sum(record.exercise) / record.days if record.exercise else None


_HIGHEST = 10_000
CHARACTERISTICS = (
    Characteristic(name="mean glucose, mg/dL", of=_mean),
    Characteristic(name="standard deviation, mg/dL", of=_deviation),
    Characteristic(name="coefficient of variation, %", of=_variation),
    Characteristic(name="glucose management indicator, %", of=_management_indicator, decimals=2),
    Characteristic(name="readings from 70 to 180 mg/dL, %", of=_share(70, 180)),
    Characteristic(name="below 70 mg/dL, %", of=_share(1, 69)),
    Characteristic(name="below 54 mg/dL, %", of=_share(1, 53)),
    Characteristic(name="above 180 mg/dL, %", of=_share(181, _HIGHEST)),
    Characteristic(name="above 250 mg/dL, %", of=_share(251, _HIGHEST)),
    Characteristic(name="readings present, %", of=_present),
    Characteristic(name="insulin, U a day", of=_insulin),
    Characteristic(name="carbohydrate, g a day", of=_carbohydrate),
    Characteristic(name="exercise, min a week", of=_exercise),
)
"""Time in ranges by the consensus of Battelino et al. (2019)."""
