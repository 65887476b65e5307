"""From keys to the plan of a run: the diary and the streams, laid out on the grid.

Member 0 is what happens; other members are other draws after a cut, for the same person.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from generators.simulated import sensor
from generators.simulated.controllers import SLEEPING, WAKING
from generators.simulated.daily_life import (
    exercise_of_day,
    looks_of_day,
    meals_of_day,
    persona,
    varied_meals_of_day,
)
from generators.simulated.exercise import heart_rate_rise
from generators.simulated.injections import (
    ACTING_MINUTES,
    BEFORE_START,
    LongActingDose,
    doses,
    injected,
    released,
)
from generators.simulated.loop import Plan
from generators.simulated.meals import NEVER, Meal
from generators.simulated.scenario import USUAL, Scenario
from generators.simulated.therapy import Regimen
from generators.streams import Stream
from generators.trace import (
    MINUTES_PER_DAY,
    SAMPLE_MINUTES,
    SAMPLES_PER_DAY,
    ExerciseEvent,
)

_DAY_SPREAD, _DAY_PERSISTENCE = 0.13, 0.5
_PROFILE_MINUTES = (0, 270, 330, 600, 660, 930, 990, 1290, 1350, 1440)
_PROFILE = (1.05, 1.05, 0.85, 0.85, 1.05, 1.05, 1.0, 1.0, 1.05, 1.05)
"""Insulin sensitivity over the day: lowest in the morning, as Visentin et al. 2018 describe; the
values are ours."""
_DRAWN_AHEAD, _DAYS_AHEAD, _REMEMBERED = 256, 64, 256
"""Numbers of a stream are drawn in such lots (numbers, days), and that many lots are kept, since an
ensemble asks for the same streams again and again."""
EXERCISE_AHEAD = 60
"""Minutes before exercise at which a closed loop is told of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Diary:
    """What a person eats, does and looks at, each in time order.

    Attributes:
        meals: Meals and snacks.
        exercise: Bouts.
        looks: Minutes at which the person looks whether to correct.
        doses: Doses of long-acting insulin, also those before the trace that still act.
    """

    meals: tuple[Meal, ...]
    exercise: tuple[ExerciseEvent, ...]
    looks: tuple[int, ...]
    doses: tuple[LongActingDose, ...] = ()

    def between(self, start: int, end: int) -> "Diary":
        """Return what matters in a span: what begins in it, is dosed for, under way or still acts.

        Of long-acting doses those of all days of the span, since another day may have them earlier.
        """
        return Diary(
            meals=tuple(
                meal
                for meal in self.meals
                if (meal.minute >= start or meal.dosed >= start) and _begun(meal) < end
            ),
            exercise=tuple(
                bout
                for bout in self.exercise
                if bout.minute - EXERCISE_AHEAD < end and bout.minute + bout.duration > start
            ),
            looks=tuple(look for look in self.looks if start <= look < end),
            doses=tuple(
                dose
                for dose in self.doses
                if dose.minute >= start - ACTING_MINUTES and dose.day * MINUTES_PER_DAY < end
            ),
        )

    def earlier(self, minutes: int) -> "Diary":
        """Return the diary with everything so many minutes earlier."""
        return Diary(
            meals=tuple(meal.earlier(minutes) for meal in self.meals),
            exercise=tuple(bout.earlier(minutes) for bout in self.exercise),
            looks=tuple(look - minutes for look in self.looks),
            doses=tuple(dose.earlier(minutes) for dose in self.doses),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Streams:
    """Random streams laid out in time.

    Attributes:
        process: Sensor error on its knots.
        noise: Sensor error per sample, mg/dL.
        rescue_delay: Samples from a low to rescue carbohydrate, if it starts at this sample.
        days: Autoregressive day factor of insulin sensitivity, standard normal.
    """

    process: NDArray[np.float64]
    noise: NDArray[np.float64]
    rescue_delay: NDArray[np.int8]
    days: NDArray[np.float64]

    def since(self, day: int) -> "Streams":
        """Return the streams from a day on."""
        first = day * SAMPLES_PER_DAY
        return Streams(
            process=self.process[first // sensor.SAMPLES_PER_KNOT :],
            noise=self.noise[first:],
            rescue_delay=self.rescue_delay[first:],
            days=self.days[day:],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Keys:
    """What addresses every draw of a run, and how the person is treated and eats.

    Attributes:
        seed: Release seed.
        patient_id: Patient.
        regimen: Treatment.
        scenario: Variations of eating.
    """

    seed: int
    patient_id: str
    regimen: Regimen
    scenario: Scenario = USUAL


def diary(keys: Keys, days: range, member: int = 0) -> Diary:
    """Return the diary of some days; from day 0 on also doses before it."""
    pages = [_page(keys, day, member) for day in days]
    dose_days = range(days.start or -BEFORE_START, days.stop)
    by_pen = keys.regimen == "injections"
    return Diary(
        meals=tuple(meal for page in pages for meal in page.meals),
        exercise=tuple(bout for page in pages for bout in page.exercise),
        looks=tuple(look for page in pages for look in page.looks),
        doses=doses(keys.seed, keys.patient_id, dose_days, member=member) if by_pen else (),
    )


@lru_cache(maxsize=_REMEMBERED)
def _page(keys: Keys, day: int, member: int) -> Diary:
    """Return the diary of a day, without long-acting doses."""
    seed, patient_id = keys.seed, keys.patient_id
    habits = persona(seed, patient_id)
    usual = meals_of_day(seed, patient_id, habits, day, member=member)
    bout = exercise_of_day(seed, patient_id, habits, day, member=member)
    return Diary(
        meals=tuple(varied_meals_of_day(seed, patient_id, keys.scenario, usual, (day, member))),
        exercise=() if bout is None else (bout,),
        looks=tuple(looks_of_day(seed, patient_id, day, member=member)),
    )


def other_diary(keys: Keys, original: Diary, cut: int, until: int, member: int) -> Diary:
    """Return a diary that is the original before the cut and another draw after it.

    What had begun by the cut (a meal already dosed for, a bout that the pump was told of) goes on as
    it was. On the day of the cut, what the other draw would have put before the cut keeps its
    original hour.
    """
    drawn = diary(keys, range(cut // MINUTES_PER_DAY, -(-until // MINUTES_PER_DAY)), member)
    meals = [meal for meal in original.meals if _begun(meal) < cut]
    taken = {(meal.kind, meal.minute // MINUTES_PER_DAY) for meal in meals}
    early = {meal.kind for meal in drawn.meals if _begun(meal) < cut}
    later = [meal for meal in drawn.meals if _begun(meal) >= cut] + [
        meal
        for meal in original.meals
        if _begun(meal) >= cut
        and meal.kind in early
        and meal.minute // MINUTES_PER_DAY == cut // MINUTES_PER_DAY
    ]
    meals += [m for m in later if (m.kind, m.minute // MINUTES_PER_DAY) not in taken]
    return Diary(
        meals=tuple(sorted(meals, key=lambda meal: meal.minute)),
        exercise=_other_exercise(original, drawn, cut),
        looks=(
            *(minute for minute in original.looks if minute < cut),
            *(minute for minute in drawn.looks if minute >= cut),
        ),
        doses=_other_doses(original, drawn, cut),
    )


def _other_doses(original: Diary, drawn: Diary, cut: int) -> tuple[LongActingDose, ...]:
    """Return the doses given before the cut, and later ones, one a day, none before the cut."""
    other = {dose.day: dose for dose in drawn.doses if dose.minute >= cut}
    return tuple(
        dose if dose.minute < cut else other.get(dose.day, dose) for dose in original.doses
    )


def _other_exercise(original: Diary, drawn: Diary, cut: int) -> tuple[ExerciseEvent, ...]:
    today = cut // MINUTES_PER_DAY
    done = tuple(bout for bout in original.exercise if bout.minute - EXERCISE_AHEAD < cut)
    missed = any(bout.minute < cut for bout in drawn.exercise)
    source = original.exercise if missed else drawn.exercise
    rest_of_today = tuple(
        bout for bout in source if bout.minute >= cut and bout.minute // MINUTES_PER_DAY == today
    )
    if done and done[-1].minute // MINUTES_PER_DAY == today:
        rest_of_today = ()
    later = tuple(bout for bout in drawn.exercise if bout.minute // MINUTES_PER_DAY > today)
    return (*done, *rest_of_today, *later)


def _begun(meal: Meal) -> int:
    """Return the minute from which a meal can no longer be undone, on the grid."""
    first = meal.minute if meal.dosed == NEVER else min(meal.minute, meal.dosed)
    return first // SAMPLE_MINUTES * SAMPLE_MINUTES


def streams(keys: Keys, days: int) -> Streams:
    """Return the random streams of a run of some days."""
    samples = days * SAMPLES_PER_DAY
    process = sensor.autoregressive(_normal(keys, "sensor", sensor.knots_for(samples)))
    return Streams(
        process=process,
        noise=sensor.noise(process, samples),
        rescue_delay=_rescue_delay(keys, samples),
        days=_day_process(_normal(keys, "sensitivity", days)),
    )


def other_streams(keys: Keys, original: Streams, cut: int, until: int, member: int) -> Streams:
    """Return streams that are the original before the cut and another draw after it."""
    first, last = cut // SAMPLE_MINUTES, until // SAMPLE_MINUTES
    knot = sensor.first_free_knot(first)
    process = original.process[: sensor.knots_for(last)].copy()
    fresh = _normal(keys, "sensor", len(process) - knot, member)
    process[knot:] = sensor.autoregressive(fresh, process[knot - 1] if knot else None)
    span = first // sensor.SAMPLES_PER_KNOT
    start = span * sensor.SAMPLES_PER_KNOT
    noise = original.noise[:last].copy()
    noise[start:] = sensor.noise(process[span:], last - start)
    delay = original.rescue_delay[:last].copy()
    delay[first:] = _rescue_delay(keys, last, member)[first:]
    tomorrow = cut // MINUTES_PER_DAY + 1
    days = original.days[: -(-until // MINUTES_PER_DAY)].copy()
    other = _normal(keys, "sensitivity", len(days), member)
    days[tomorrow:] = _day_process(other[tomorrow:], days[tomorrow - 1])
    return replace(original, process=process, noise=noise, rescue_delay=delay, days=days)


def _normal(keys: Keys, name: str, size: int, member: int = 0) -> NDArray[np.float64]:
    where = (keys.seed, name, keys.patient_id, member)
    return _normals(where, -(-size // _DRAWN_AHEAD) * _DRAWN_AHEAD)[:size]


def _rescue_delay(keys: Keys, samples: int, member: int = 0) -> NDArray[np.int8]:
    days = -(-samples // (_DAYS_AHEAD * SAMPLES_PER_DAY)) * _DAYS_AHEAD
    return _delays((keys.seed, "rescue", keys.patient_id, member), days)[:samples]


@lru_cache(maxsize=_REMEMBERED)
def _normals(where: tuple[int, str, str, int], size: int) -> NDArray[np.float64]:
    values = Stream(*where).normal(size)
    values.flags.writeable = False
    return values


@lru_cache(maxsize=_REMEMBERED)
def _delays(where: tuple[int, str, str, int], days: int) -> NDArray[np.int8]:
    samples = days * SAMPLES_PER_DAY
    uniform = Stream(*where).uniform(samples)
    of_day = np.arange(samples) % SAMPLES_PER_DAY
    awake = (of_day >= WAKING) & (of_day < SLEEPING)
    delays = np.where(awake, 1 + np.floor(3 * uniform), 2 + np.floor(5 * uniform)).astype(np.int8)
    delays.flags.writeable = False
    return delays


def _day_process(
    innovations: NDArray[np.float64], before: float | None = None
) -> NDArray[np.float64]:
    values = innovations.copy()
    last = before
    for day, innovation in enumerate(innovations.tolist()):
        if last is not None:
            fresh = (1.0 - _DAY_PERSISTENCE**2) ** 0.5 * innovation
            values[day] = _DAY_PERSISTENCE * last + fresh
        last = values[day]
    return values


def sensitivity(days: NDArray[np.float64], samples: int) -> NDArray[np.float64]:
    """Return the factor on insulin sensitivity per sample: hour of the day times day factor."""
    factors = 1.0 + _DAY_SPREAD * np.clip(days, -2.5, 2.5)
    return (factors[:, None] * _day_profile()).reshape(-1)[:samples]


@cache
def _day_profile() -> NDArray[np.float64]:
    minutes = np.arange(SAMPLES_PER_DAY) * SAMPLE_MINUTES
    return np.interp(minutes, _PROFILE_MINUTES, _PROFILE)


def lay_out(keys: Keys, book: Diary, drawn: Streams, samples: int) -> Plan:
    """Return the plan of a run without faults or additions; the diary may begin before it."""
    eaten = np.zeros(samples * SAMPLE_MINUTES)
    announced = np.zeros(samples, dtype=np.int32)
    looks = np.zeros(samples, dtype=np.int8)
    for meal in book.meals:
        if 0 <= meal.minute < len(eaten):
            eaten[meal.minute] += meal.eaten
        if 0 <= meal.dosed < len(eaten):
            announced[meal.dosed // SAMPLE_MINUTES] += meal.announced
    looks[[minute // SAMPLE_MINUTES for minute in book.looks if minute < len(eaten)]] = 1
    return Plan(
        eaten=eaten,
        heart=heart_rates(keys.patient_id, book.exercise, len(eaten)),
        announced=announced,
        by_hand=np.zeros(samples, dtype=np.int32),
        looks=looks,
        rescue_delay=drawn.rescue_delay[:samples],
        noise=drawn.noise[:samples],
        sensitivity=sensitivity(drawn.days, samples),
        exercise_mode=exercise_mode(book.exercise, samples),
        long_acting=injected(book.doses, samples),
        released=released(book.doses, samples),
        sensor_code=np.zeros(samples, dtype=np.int32),
        sensor_size=np.zeros(samples, dtype=np.int32),
        pump_code=np.zeros(samples, dtype=np.int32),
        pump_size=np.zeros(samples, dtype=np.int32),
        disturbance=0.0,
    )


def exercise_mode(bouts: Sequence[ExerciseEvent], samples: int) -> NDArray[np.int8]:
    """Return 1 from an hour before a bout to its end, else 0, int8 (samples,)."""
    mode = np.zeros(samples, dtype=np.int8)
    for bout in bouts:
        first = max(0, bout.minute - EXERCISE_AHEAD) // SAMPLE_MINUTES
        mode[first : -(-(bout.minute + bout.duration) // SAMPLE_MINUTES)] = 1
    return mode


def heart_rates(
    patient_id: str, bouts: tuple[ExerciseEvent, ...], minutes: int
) -> NDArray[np.int16]:
    """Return the heart rate above rest per minute, bpm, int16 (minutes,).

    Raises:
        GeneratorError: A bout is beyond the patient's capacity.
    """
    heart = np.zeros(minutes, dtype=np.int16)
    for bout in bouts:
        rise = heart_rate_rise(patient_id, bout.kind, bout.magnitude)
        heart[max(bout.minute, 0) : bout.minute + bout.duration] = rise
    return heart
