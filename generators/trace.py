"""The one trace type that every generator yields and every question reads.

A trace is a regular 5-minute grid from a Monday at 00:00. Sample i lies at minute 5 * i. What a
reader of the benchmark sees is "reported"; what happened is kept apart in `Truth`.
"""

from bisect import bisect_left
from dataclasses import dataclass, replace
from typing import Literal, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from generators.errors import GeneratorError

SAMPLE_MINUTES = 5
SAMPLES_PER_HOUR = 12
SAMPLES_PER_DAY = 288
MINUTES_PER_DAY = 1440
MISSING = -1
"""Marks a missing reading in `Trace.cgm` and unknown insulin in `Trace.insulin`."""

Source = Literal[
    "simulated", "fault_injected", "azt1d", "metabonet", "ohiot1dm", "hupa_ucm", "nightscout"
]
AgeGroup = Literal["child", "adolescent", "adult"]
Therapy = Literal["hybrid_closed_loop", "sensor_augmented_pump", "multiple_daily_injections"]
MealType = Literal[
    "breakfast",
    "lunch",
    "dinner",
    "morning_snack",
    "afternoon_snack",
    "late_snack",
    "rescue",
    "unspecified",
]
ExerciseType = Literal["run", "jog", "cycle", "walk"]
InsulinType = Literal[
    "basal",
    "meal_bolus",
    "correction_bolus",
    "automatic_correction",
    "unspecified_bolus",
    "long_acting",
]
FaultLabel = Literal[
    "missing_signal",
    "positive_spike",
    "negative_spike",
    "positive_bias",
    "negative_bias",
    "repeated_reading",
    "zero_reading",
    "min_reading",
    "max_reading",
    "repeated_episode",
    "false_meal",
    "false_bolus",
    "positive_basal",
    "negative_basal",
    "max_basal",
    "min_basal",
    "unknown_stop",
    "unknown_under",
]
FAULT_LABELS: tuple[FaultLabel, ...] = get_args(FaultLabel)


@dataclass(frozen=True, slots=True, kw_only=True)
class CarbEvent:
    """Carbohydrate.

    Attributes:
        minute: When eating starts.
        grams: What was announced (and is reported), g.
        meal: What kind of meal; `rescue` treats a low and is no meal.
        eaten: What was really eaten, g; None where only the announcement is known.
        inferred: Whether `meal` is a guess from time of day and size, not something recorded.
    """

    minute: int
    grams: float
    meal: MealType
    eaten: float | None = None
    inferred: bool = False

    def earlier(self, minutes: int) -> "CarbEvent":
        """Return the event so many minutes earlier."""
        return CarbEvent(
            minute=self.minute - minutes,
            grams=self.grams,
            meal=self.meal,
            eaten=self.eaten,
            inferred=self.inferred,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ExerciseEvent:
    """A bout of exercise: start and length in minutes, speed in mph (cycling: power in W)."""

    minute: int
    duration: int
    kind: ExerciseType
    magnitude: float

    def earlier(self, minutes: int) -> "ExerciseEvent":
        """Return the bout so many minutes earlier."""
        return ExerciseEvent(
            minute=self.minute - minutes,
            duration=self.duration,
            kind=self.kind,
            magnitude=self.magnitude,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class InsulinEvent:
    """A bolus or an injection, in U as reported."""

    minute: int
    units: float
    kind: InsulinType

    def earlier(self, minutes: int) -> "InsulinEvent":
        """Return the event so many minutes earlier."""
        return InsulinEvent(minute=self.minute - minutes, units=self.units, kind=self.kind)


Event = TypeVar("Event", CarbEvent, ExerciseEvent, InsulinEvent)


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """What a hypothetical adds after a cut; nothing else is eaten, dosed by hand or done then.

    Attributes:
        carbs: Eaten as announced unless `eaten` is given; nobody doses for them; in time order.
        exercise: Bouts, in time order.
        boluses: Given exactly as stated, on top of what an automated pump does, in time order.
    """

    carbs: tuple[CarbEvent, ...] = ()
    exercise: tuple[ExerciseEvent, ...] = ()
    boluses: tuple[InsulinEvent, ...] = ()

    def earlier(self, minutes: int) -> "Added":
        """Return the same so many minutes earlier."""
        return Added(
            carbs=tuple(event.earlier(minutes) for event in self.carbs),
            exercise=tuple(event.earlier(minutes) for event in self.exercise),
            boluses=tuple(event.earlier(minutes) for event in self.boluses),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultEvent:
    """A fault that was injected.

    Attributes:
        label: What happens to the signal.
        cause: The malfunction or attack it stands for.
        start: First sample affected.
        end: Last sample affected.
        size: How far it goes: mg/dL added by a spike or bias; mg/dL shown by min_reading and
            max_reading; % by which insulin is changed (positive_basal: of the scheduled basal,
            negative_basal and unknown_under: of the commanded insulin); grams of a false_meal;
            samples since what a repeated_episode or a false_bolus repeats; 0 where the label says
            it all.
    """

    label: FaultLabel
    cause: str
    start: int
    end: int
    size: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PatientProfile:
    """What a reader may know of the patient; None where the source does not tell.

    Attributes:
        age_group: Child, adolescent or adult.
        age_years: Age.
        weight_kg: Body weight.
        therapy: How insulin is given.
        carbohydrate_ratio: g of carbohydrate covered by 1 U.
        correction_factor: Fall in mg/dL per 1 U.
        target_mgdl: Glucose target.
    """

    age_group: AgeGroup | None = None
    age_years: int | None = None
    weight_kg: float | None = None
    therapy: Therapy | None = None
    carbohydrate_ratio: float | None = None
    correction_factor: float | None = None
    target_mgdl: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Truth:
    """What really happened in a simulation, n samples each.

    Attributes:
        glucose: True glucose at the sensor's site, whole mg/dL, int16.
        sensor: What the sensor would have reported without a fault, whole mg/dL, int16.
        insulin: What was delivered, tenths of mU/min, int32. Of injections: rapid insulin when it
            is injected, long-acting insulin as it is released.
        on_board: Insulin on board before the sample's dose as the therapy counts it: reported
            insulin beyond scheduled basal (of injections: boluses), mU, int32, negative where
            basal was withheld; None where not known.
        commanded: What controller and person asked for, tenths of mU/min, int32; differs from the
            reported insulin where a pump was made to do something else; None where not known.
    """

    glucose: NDArray[np.int16]
    sensor: NDArray[np.int16]
    insulin: NDArray[np.int32]
    on_board: NDArray[np.int32] | None = None
    commanded: NDArray[np.int32] | None = None

    def followed_by(self, later: "Truth") -> "Truth":
        """Return this with what happened later; what one of the two does not know is not known."""
        return Truth(
            glucose=np.concatenate((self.glucose, later.glucose)),
            sensor=np.concatenate((self.sensor, later.sensor)),
            insulin=np.concatenate((self.insulin, later.insulin)),
            on_board=_joined(self.on_board, later.on_board),
            commanded=_joined(self.commanded, later.commanded),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trace:
    """One patient's record, n samples from a Monday at 00:00.

    Attributes:
        trace_id: Unique in a release, for example `adult_003.s7`.
        patient_id: For example `adult_003`; several traces may share it.
        source: Which generator made it.
        cgm: Reported glucose, whole mg/dL, int16, MISSING where absent; 0 is a sensor fault.
        insulin: Reported basal and bolus insulin together, tenths of mU/min averaged over the
            sample, int32, MISSING where unknown. Of injections: all of a dose, long-acting ones
            too, in the sample of its injection, so that sums equal those of the events.
        carbs: Announced carbohydrate, in time order.
        exercise: Bouts, in time order.
        boluses: Boluses and injections, in time order.
        profile: What a reader may know of the patient.
        faults: Injected faults, in time order.
        truth: What really happened; None for recordings of real people.

    Raises:
        GeneratorError: An array has another type or length, an event lies outside the trace or
            out of order, or a value is outside its range.
    """

    trace_id: str
    patient_id: str
    source: Source
    cgm: NDArray[np.int16]
    insulin: NDArray[np.int32]
    carbs: tuple[CarbEvent, ...] = ()
    exercise: tuple[ExerciseEvent, ...] = ()
    boluses: tuple[InsulinEvent, ...] = ()
    profile: PatientProfile = PatientProfile()
    faults: tuple[FaultEvent, ...] = ()
    truth: Truth | None = None

    def __post_init__(self) -> None:
        self._check_array("cgm", self.cgm, np.dtype(np.int16), highest=600)
        self._check_array("insulin", self.insulin, np.dtype(np.int32), highest=1_000_000)
        if self.truth is not None:
            self._check_array("truth.glucose", self.truth.glucose, np.dtype(np.int16), highest=2000)
            self._check_array("truth.sensor", self.truth.sensor, np.dtype(np.int16), highest=600)
            self._check_array(
                "truth.insulin", self.truth.insulin, np.dtype(np.int32), highest=1_000_000
            )
        for name, minutes in (
            ("carbs", [event.minute for event in self.carbs]),
            ("exercise", [event.minute for event in self.exercise]),
            ("boluses", [event.minute for event in self.boluses]),
            ("faults", [event.start * SAMPLE_MINUTES for event in self.faults]),
        ):
            self._check_minutes(name, minutes)

    def __len__(self) -> int:
        return len(self.cgm)

    @property
    def minutes(self) -> int:
        """Length in minutes."""
        return len(self) * SAMPLE_MINUTES

    def between(self, start: int, end: int) -> "Trace":
        """Return the part with start <= minute < end, its times counted from start.

        A bout or fault that only overlaps is kept where it starts inside (faults: cut to the part).

        Args:
            start: First minute, a multiple of a day so that the weekday stays known.
            end: Minute after the last, a multiple of 5.

        Raises:
            GeneratorError: The bounds are no such multiples or lie outside the trace.
        """
        if start % MINUTES_PER_DAY or end % SAMPLE_MINUTES or not 0 <= start < end <= self.minutes:
            raise GeneratorError(
                f"{self.trace_id}: cannot cut minutes {start} to {end} out of {self.minutes}; "
                "start at a midnight and end on the 5-minute grid inside the trace"
            )
        first, last = start // SAMPLE_MINUTES, end // SAMPLE_MINUTES
        return replace(
            self,
            cgm=self.cgm[first:last],
            insulin=self.insulin[first:last],
            carbs=_between(self.carbs, start, end),
            exercise=_between(self.exercise, start, end),
            boluses=_between(self.boluses, start, end),
            faults=tuple(
                replace(e, start=max(e.start, first) - first, end=min(e.end, last - 1) - first)
                for e in self.faults
                if e.end >= first and e.start < last
            ),
            truth=self.truth
            and Truth(
                glucose=self.truth.glucose[first:last],
                sensor=self.truth.sensor[first:last],
                insulin=self.truth.insulin[first:last],
                on_board=_part(self.truth.on_board, first, last),
                commanded=_part(self.truth.commanded, first, last),
            ),
        )

    def followed_by(self, later: "Trace") -> "Trace":
        """Return this trace, which ends at a midnight, with a later one of the same person after it.

        Args:
            later: What follows; its minute 0 is the end of this one.

        Raises:
            GeneratorError: This trace does not end at a midnight, or only one of the two tells the
                truth.
        """
        if self.minutes % MINUTES_PER_DAY or (self.truth is None) != (later.truth is None):
            raise GeneratorError(
                f"{self.trace_id}: {later.trace_id} cannot follow its {self.minutes} minutes; only "
                "a whole number of days can be followed, and truth by truth"
            )
        return replace(
            self,
            cgm=np.concatenate((self.cgm, later.cgm)),
            insulin=np.concatenate((self.insulin, later.insulin)),
            carbs=(*self.carbs, *_between(later.carbs, -self.minutes, later.minutes)),
            exercise=(*self.exercise, *_between(later.exercise, -self.minutes, later.minutes)),
            boluses=(*self.boluses, *_between(later.boluses, -self.minutes, later.minutes)),
            faults=(
                *self.faults,
                *(
                    replace(e, start=e.start + len(self), end=e.end + len(self))
                    for e in later.faults
                ),
            ),
            truth=self.truth and later.truth and self.truth.followed_by(later.truth),
        )

    def _check_array(
        self, name: str, values: NDArray[np.generic], dtype: np.dtype[np.generic], highest: int
    ) -> None:
        if values.dtype != dtype or values.shape != (len(self.cgm),):
            raise GeneratorError(
                f"{self.trace_id}: {name} is {values.dtype}{values.shape}, "
                f"not {dtype}({len(self.cgm)},)"
            )
        if values.size and (values.min() < MISSING or values.max() > highest):
            outside = np.flatnonzero((values < MISSING) | (values > highest))  # type: ignore[operator]
            raise GeneratorError(
                f"{self.trace_id}: {name} is {values[outside[0]]} at minute "
                f"{outside[0] * SAMPLE_MINUTES}, outside 0 to {highest}"
            )

    def _check_minutes(self, name: str, minutes: list[int]) -> None:
        if minutes != sorted(minutes):
            raise GeneratorError(f"{self.trace_id}: {name} are not in time order")
        if minutes and not 0 <= minutes[0] <= minutes[-1] < self.minutes:
            raise GeneratorError(
                f"{self.trace_id}: {name} at minutes {minutes[0]} to {minutes[-1]} "
                f"lie outside the {self.minutes} minutes of the trace"
            )


def _part(values: NDArray[np.int32] | None, first: int, last: int) -> NDArray[np.int32] | None:
    return None if values is None else values[first:last]


def _joined(
    values: NDArray[np.int32] | None, later: NDArray[np.int32] | None
) -> NDArray[np.int32] | None:
    return None if values is None or later is None else np.concatenate((values, later))


def _between(events: tuple[Event, ...], start: int, end: int) -> tuple[Event, ...]:
    """Return the events of start <= minute < end, their times counted from start."""
    first = bisect_left(events, start, key=_minute)
    inside = events[first : bisect_left(events, end, key=_minute)]
    return tuple(event.earlier(start) for event in inside) if start else inside


def _minute(event: CarbEvent | ExerciseEvent | InsulinEvent) -> int:
    return event.minute
