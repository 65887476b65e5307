"""Brings sources that are already tables of 5-minute rows to the common observations."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from generators.real_world.delivery import (
    MAX_BASAL_UNITS_PER_HOUR,
    MAX_BOLUS_UNITS,
    MAX_CARBS_GRAMS,
)
from generators.real_world.observations import Announcement, Bolus, Observations, nearest_sample
from generators.trace import MISSING, SAMPLES_PER_HOUR, MealType

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FiveMinuteRows:
    """A subject's distinct rows in time order, n each; NaN is unknown.

    Attributes:
        subject: Id of the trace.
        seconds: From a Monday 00:00.
        glucose: mg/dL.
        basal: U in the row's 5 minutes.
        bolus: U in the row's 5 minutes; 0 for none.
        grams: Carbohydrate, g; 0 or NaN for none.
        meals: What the carbohydrate is called; None where the source never tells.
        counts: What reading the table already found.
    """

    subject: str
    seconds: NDArray[np.int64]
    glucose: Values
    basal: Values
    bolus: Values
    grams: Values
    meals: tuple[MealType, ...] | None
    counts: Mapping[str, int]


def observations_of(rows: FiveMinuteRows, *, sensor_range: tuple[int, int]) -> Observations:
    """Return the observations of a table of 5-minute rows.

    Insulin is unknown in a sample without a row, with a missing or impossible amount, or with two
    rows that differ in it; and throughout where the basal column holds nothing but zeros, because
    nobody with type 1 diabetes lives without basal insulin.

    Args:
        rows: The rows.
        sensor_range: Lowest and highest value that the sensor reports, mg/dL.
    """
    samples = nearest_sample(rows.seconds)
    length = int(samples[-1]) + 1 if len(samples) else 0
    known = _possible(rows.basal, MAX_BASAL_UNITS_PER_HOUR / SAMPLES_PER_HOUR) & _possible(
        rows.bolus, MAX_BOLUS_UNITS
    )
    differing = _samples_with_differing(samples, rows.basal, rows.bolus)
    has_basal = bool((rows.basal > 0).any())
    basal = np.full(length, MISSING, dtype=np.int32)
    if has_basal:
        basal[samples[known]] = np.rint(12_000 * rows.basal[known]).astype(np.int32)
    basal[np.concatenate([samples[~known], differing])] = MISSING
    present = ~np.isnan(rows.glucose)
    announcements, impossible_carbs = _announcements(rows)
    return Observations(
        subject=rows.subject,
        seconds=rows.seconds[present],
        glucose=rows.glucose[present],
        sensor_range=sensor_range,
        basal=basal,
        boluses=_boluses(rows, set(differing.tolist())),
        announcements=announcements,
        counts={
            **rows.counts,
            "insulin_amounts_unknown_or_impossible": int((~known).sum()),
            "samples_with_differing_insulin": len(differing),
            "basal_is_zero_throughout": int(not has_basal and bool((rows.basal == 0).any())),
            "carbs_out_of_range_dropped": impossible_carbs,
        },
    )


def _possible(units: Values, highest: float) -> NDArray[np.bool_]:
    return np.asarray((units >= 0) & (units <= highest))


def _samples_with_differing(
    samples: NDArray[np.int64], basal: Values, bolus: Values
) -> NDArray[np.int64]:
    """Return the samples with two rows that do not tell the same insulin."""
    amounts = np.unique(np.stack([samples, np.nan_to_num(basal, nan=-1.0), bolus]), axis=1)
    at, number = np.unique(amounts[0], return_counts=True)
    return at[number > 1].astype(np.int64)


def _boluses(rows: FiveMinuteRows, differing: set[int]) -> tuple[Bolus, ...]:
    given = np.flatnonzero(_possible(rows.bolus, MAX_BOLUS_UNITS) & (rows.bolus > 0))
    boluses = {
        (second, milliunits): Bolus(
            second=second,
            milliunits=milliunits,
            kind="meal_bolus" if rows.grams[at] > 0 else "unspecified_bolus",
        )
        for at in given.tolist()
        for second, milliunits in [(int(rows.seconds[at]), round(1000 * rows.bolus[at]))]
        if nearest_sample(second) not in differing and milliunits
    }
    return tuple(boluses.values())


def _announcements(rows: FiveMinuteRows) -> tuple[tuple[Announcement, ...], int]:
    possible = (rows.grams > 0) & (rows.grams <= MAX_CARBS_GRAMS)
    impossible = int(((rows.grams < 0) | (rows.grams > MAX_CARBS_GRAMS)).sum())
    found = {
        (nearest_sample(one.second), one.grams): one
        for at in np.flatnonzero(possible).tolist()
        for one in [
            Announcement(
                second=int(rows.seconds[at]),
                grams=float(rows.grams[at]),
                meal=rows.meals[at] if rows.meals else "unspecified",
            )
        ]
    }
    return tuple(found.values()), impossible
