"""What a record says of a person's habits: usual glucose and insulin by time, usual effects."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eval_tasks.question import MINUTES_PER_DAY, SAMPLE_MINUTES
from eval_tasks.record.shown import Event, Shown

Series = NDArray[np.float64]
SAMPLES_PER_DAY = MINUTES_PER_DAY // SAMPLE_MINUTES
_FADE_MINUTES = 150.0
"""Time in which the present deviation from habit fades to a third."""
_HALF_HOUR = 6
_LEAST_KNOWN = 0.95
"""Share of a day's insulin that must be known, or its total says too little."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Habits:
    """The shown days before now.

    Attributes:
        now: Minute at which the record ends.
        start: Minute of the first shown sample.
        glucose: Readings that count, mg/dL, NaN where there is none.
        insulin: mU/min, NaN where unknown.
        doses: Boluses and injections.
        carbs: Carbohydrate entries.
        exercise: Bouts.
    """

    now: int
    start: int
    glucose: Series
    insulin: Series
    doses: Sequence[Event]
    carbs: Sequence[Event]
    exercise: Sequence[Event]

    @property
    def last(self) -> float:
        """The last reading, the mean where none is recent."""
        recent = self.glucose[-_HALF_HOUR:]
        present = recent[~np.isnan(recent)]
        return float(present[-1]) if present.size else float(np.nanmean(self.glucose))

    def days(self, first: int, minutes: int) -> list[Series]:
        """Return the readings from a minute of the day on, so many minutes, of each shown day.

        Args:
            first: Minute of the day; may be beyond its end.
            minutes: Length of the window.
        """
        windows = []
        for midnight in range(self.start // MINUTES_PER_DAY, self.now // MINUTES_PER_DAY + 1):
            begin = midnight * MINUTES_PER_DAY + first
            if begin >= self.start and begin + minutes <= self.now:
                place = (begin - self.start) // SAMPLE_MINUTES
                window = self.glucose[place : place + minutes // SAMPLE_MINUTES]
                if np.count_nonzero(~np.isnan(window)):
                    windows.append(window)
        return windows

    def usual(self, minute: int) -> float:
        """Return the mean reading at a time of day, within half an hour."""
        places = np.arange(len(self.glucose)) + self.start // SAMPLE_MINUTES
        apart = np.abs((places - minute // SAMPLE_MINUTES) % SAMPLES_PER_DAY)
        near = self.glucose[np.minimum(apart, SAMPLES_PER_DAY - apart) <= _HALF_HOUR]
        known = near[~np.isnan(near)]
        return float(known.mean()) if known.size else self.last

    def expected(self, ahead: int) -> float:
        """Return the expected reading so many minutes from now: habit, and what is left of now."""
        left = float(np.exp(-ahead / _FADE_MINUTES))
        return self.usual(self.now + ahead) + left * (self.last - self.usual(self.now))

    def expected_course(self, first: int, end: int) -> Series:
        """Return the expected readings from `first` to before `end` minutes from now."""
        return np.array([self.expected(ahead) for ahead in range(first, end, SAMPLE_MINUTES)])

    def change(self, spans: Iterable[tuple[int, int]]) -> float | None:
        """Return the mean change from the first to the last minute of spans; None without any."""
        changes = []
        for span in spans:
            one, other = ((minute - self.start) // SAMPLE_MINUTES for minute in span)
            if one >= 0 and other < len(self.glucose):
                changes.append(self.glucose[other] - self.glucose[one])
        known = [change for change in changes if not np.isnan(change)]
        return float(np.mean(known)) if known else None

    def bouts(self, *, cycling: bool) -> list[tuple[int, int]]:
        """Return start and end of the rides, or of the runs."""
        return [
            (event["time"], event["time"] + event["duration"])
            for event in self.exercise
            if event["exercise_type"].startswith("cycl") == cycling
        ]

    def insulin_by_day(self) -> dict[int, float]:
        """Return the insulin of each whole shown day of which 95 % is known, U, by its number."""
        first = -(-self.start // MINUTES_PER_DAY)
        totals = {}
        for day in range(first, self.now // MINUTES_PER_DAY):
            place = (day * MINUTES_PER_DAY - self.start) // SAMPLE_MINUTES
            rates = self.insulin[place : place + SAMPLES_PER_DAY]
            if np.count_nonzero(~np.isnan(rates)) >= _LEAST_KNOWN * SAMPLES_PER_DAY:
                totals[day + 1] = float(np.nansum(rates) * SAMPLE_MINUTES / 1000)
        return totals


def habits_of(shown: Shown) -> Habits:
    """Return the shown days of a record that ends now."""
    glucose = np.array(shown.context["bg_mgdl"], dtype=np.float64)
    return Habits(
        now=shown.end,
        start=shown.start,
        glucose=np.where(glucose > 0, glucose, np.nan),
        insulin=np.array(shown.context["insulin_mu_min"], dtype=np.float64),
        doses=shown.context["insulin_events"],
        carbs=shown.context["carb_events"],
        exercise=shown.context["exercise_events"],
    )


def steepest(window: Series) -> tuple[float, int]:
    """Return the largest 30-min rise of a window and the sample at which it starts."""
    rises = window[_HALF_HOUR:] - window[:-_HALF_HOUR]
    if not rises.size or np.isnan(rises).all():
        return 0.0, 0
    place = int(np.nanargmax(rises))
    return float(rises[place]), place
