"""Daily life: what a person eats, doses for and does, drawn by key for each patient and day.

A persona fixes the habits of a patient (hours, appetite, snacking, sport); every day varies around
them. Carbohydrate is estimated by the person: the regression that public simulators take from
Roversi et al. 2020, with a lognormal factor of ours, so that announced and eaten grams differ.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import exp, floor

from generators.simulated.exercise import LONGEST, RANGES, SHORTEST, feasible_range
from generators.simulated.meals import NEVER, VARIATION_KINDS, Meal
from generators.simulated.patients import Patient, patient
from generators.simulated.scenario import Scenario, varied
from generators.streams import Stream
from generators.trace import (
    MINUTES_PER_DAY,
    AgeGroup,
    ExerciseEvent,
    ExerciseType,
    MealType,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Persona:
    """Habits of a patient.

    Attributes:
        shifts: Minutes by which each slot's habitual time differs from the usual one.
        appetite: Factor on grams.
        snacking: Factor on the chance of a snack.
        regularity: Factor on the spread of times and grams.
        forgetful: Chance that a meal is not dosed for.
        tardy: Chance that a dose comes after eating has started.
        sporty: Chance of a bout on a day.
        sports: Kinds of exercise, the favourite twice.
        sport_minute: Habitual minute of the day of exercise on weekdays.
    """

    shifts: tuple[float, ...]
    appetite: float
    snacking: float
    regularity: float
    forgetful: float
    tardy: float
    sporty: float
    sports: tuple[ExerciseType, ...]
    sport_minute: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Slot:
    """A meal of the day: usual minute, its spread, shift at weekends, grams, chance."""

    kind: MealType
    minute: int
    spread: float
    weekend: int
    grams: dict[str, int]
    chance: float

    @property
    def snack(self) -> bool:
        return self.kind.endswith("snack")


_SLOTS = (
    _Slot(
        kind="breakfast",
        minute=435,
        spread=15,
        weekend=70,
        grams={"child": 45, "adolescent": 53, "adult": 65},
        chance=0.96,
    ),
    _Slot(
        kind="morning_snack",
        minute=615,
        spread=15,
        weekend=40,
        grams={"child": 18, "adolescent": 20, "adult": 22},
        chance=0.4,
    ),
    _Slot(
        kind="lunch",
        minute=750,
        spread=18,
        weekend=30,
        grams={"child": 55, "adolescent": 66, "adult": 82},
        chance=0.97,
    ),
    _Slot(
        kind="afternoon_snack",
        minute=945,
        spread=20,
        weekend=0,
        grams={"child": 20, "adolescent": 25, "adult": 24},
        chance=0.5,
    ),
    _Slot(
        kind="dinner",
        minute=1125,
        spread=22,
        weekend=20,
        grams={"child": 60, "adolescent": 74, "adult": 95},
        chance=0.98,
    ),
    _Slot(
        kind="late_snack",
        minute=1290,
        spread=20,
        weekend=25,
        grams={"child": 15, "adolescent": 20, "adult": 22},
        chance=0.3,
    ),
)
_TYPICAL_WEIGHT: dict[AgeGroup, float] = {"child": 36.0, "adolescent": 46.0, "adult": 86.0}
_ENERGY_EXPONENT = 0.75
"""Portions grow with body weight as energy needs do (Kleiber)."""
_DRAWS = 5
_DAYS_PER_BLOCK = 32
_LEAST_GAP = 60
_LATEST = MINUTES_PER_DAY - 20
_APPETITE_SPREAD, _GRAM_SPREAD, _COUNTING_SPREAD = 0.1, 0.25, 0.2
_FORGOTTEN, _LATE = (0.02, 0.13), (0.05, 0.25)
_LEADS = (0, 5, 10, 15, 15)
_SNACK_DOSED = 0.65
_LOOKS = ((600, 690), (870, 960), (1260, 1350))


@lru_cache(maxsize=256)
def persona(seed: int, patient_id: str) -> Persona:
    """Return the habits of a patient in the release with that seed."""
    stream = Stream(seed, "persona", patient_id)
    normal = [max(-2.0, min(2.0, z)) for z in stream.normal(len(_SLOTS) + 2).tolist()]
    snacking, regularity, forgetful, tardy, sporty, hour = stream.uniform(6).tolist()
    possible = [kind for kind in RANGES if feasible_range(patient_id, kind) is not None]
    return Persona(
        shifts=tuple(20.0 * z for z in normal[:-2]),
        appetite=exp(_APPETITE_SPREAD * normal[-1]),
        snacking=0.5 + snacking,
        regularity=0.6 + 0.8 * regularity,
        forgetful=_FORGOTTEN[0] + _FORGOTTEN[1] * forgetful,
        tardy=_LATE[0] + _LATE[1] * tardy,
        sporty=0.3 + 0.4 * sporty,
        sports=(*possible, stream.choice(possible)),
        sport_minute=(990, 1005, 1020, 1230)[int(4 * hour)],
    )


@lru_cache(maxsize=256)
def _block(
    seed: int, name: str, patient_id: str, block: tuple[int, int], size: int
) -> tuple[list[list[float]], list[list[float]]]:
    """Return uniform and normal numbers for every day of a (member, block of days)."""
    stream = Stream(seed, name, patient_id, *block)
    uniform = stream.uniform(_DAYS_PER_BLOCK * size).reshape(_DAYS_PER_BLOCK, size)
    normal = stream.normal(_DAYS_PER_BLOCK * size).reshape(_DAYS_PER_BLOCK, size)
    return uniform.tolist(), normal.tolist()


def _draws(
    seed: int, name: str, patient_id: str, when: tuple[int, int], size: int
) -> tuple[list[float], list[float]]:
    """Return uniform and normal numbers of a (day, member); drawing days together is faster."""
    day, member = when
    block, place = divmod(day, _DAYS_PER_BLOCK)
    uniform, normal = _block(seed, name, patient_id, (member, block), size)
    return uniform[place], normal[place]


def meals_of_day(
    seed: int, patient_id: str, habits: Persona, day: int, *, member: int = 0
) -> list[Meal]:
    """Return the meals and snacks of a day (0 is a Monday), in time order."""
    uniform, normal = _draws(seed, "meals", patient_id, (day, member), _DRAWS * len(_SLOTS))
    who = patient(patient_id)
    meals: list[Meal] = []
    for n, slot in enumerate(_SLOTS):
        draws = slice(_DRAWS * n, _DRAWS * (n + 1))
        chance = slot.chance * (habits.snacking if slot.snack else 1.0)
        if uniform[draws.start] >= chance:
            continue
        minute = _minute(slot, habits, habits.shifts[n], day, normal[draws.start])
        earliest = meals[-1].minute + _LEAST_GAP if meals else day * MINUTES_PER_DAY
        if minute >= earliest:
            meals.append(_meal(slot, who, habits, minute, (uniform[draws], normal[draws])))
    return meals


def varied_meals_of_day(
    seed: int, patient_id: str, scenario: Scenario, meals: list[Meal], when: tuple[int, int]
) -> list[Meal]:
    """Return the meals of a (day, member) as a scenario varies them, in time order."""
    if not scenario.variations:
        return meals
    kinds = len(VARIATION_KINDS)
    uniform, _ = _draws(seed, "variations", patient_id, when, kinds * len(_SLOTS))
    draws = {slot.kind: uniform[kinds * n : kinds * (n + 1)] for n, slot in enumerate(_SLOTS)}
    return varied(meals, scenario, draws)


def exercise_of_day(
    seed: int, patient_id: str, habits: Persona, day: int, *, member: int = 0
) -> ExerciseEvent | None:
    """Return the bout of a day (0 is a Monday), or None on a day without."""
    uniform, normal = _draws(seed, "exercise", patient_id, (day, member), 5)
    active, late, length, effort, which = uniform
    if active >= habits.sporty:
        return None
    weekend = day % 7 >= 5 and late < 0.6
    usual = 630 if weekend else habits.sport_minute
    shift = max(-2.0, min(2.0, normal[0])) * 15.0 * habits.regularity
    kind = habits.sports[int(which * len(habits.sports))]
    low, high = feasible_range(patient_id, kind) or (0.0, 0.0)
    step = RANGES[kind][2]
    steps = floor((high - low) / step + 0.5)
    return ExerciseEvent(
        minute=day * MINUTES_PER_DAY + floor(usual + shift),
        duration=SHORTEST + 5 * floor(length * ((LONGEST - SHORTEST) / 5 + 1)),
        kind=kind,
        magnitude=round(low + step * floor(effort * (steps + 1)), 1),
    )


def looks_of_day(seed: int, patient_id: str, day: int, *, member: int = 0) -> list[int]:
    """Return the minutes of a day at which the person looks whether to correct."""
    uniform, _ = _draws(seed, "looks", patient_id, (day, member), len(_LOOKS))
    return [
        day * MINUTES_PER_DAY + floor(first + u * (last - first))
        for u, (first, last) in zip(uniform, _LOOKS, strict=True)
    ]


def _minute(slot: _Slot, habits: Persona, shift: float, day: int, normal: float) -> int:
    spread = slot.spread * habits.regularity * max(-2.5, min(2.5, normal))
    weekend = slot.weekend if day % 7 >= 5 else 0
    return day * MINUTES_PER_DAY + min(floor(slot.minute + shift + weekend + spread), _LATEST)


def _meal(
    slot: _Slot,
    who: Patient,
    habits: Persona,
    minute: int,
    draws: tuple[list[float], list[float]],
) -> Meal:
    uniform, normal = draws
    spread = _GRAM_SPREAD * habits.regularity * max(-2.5, min(2.5, normal[1]))
    size = (who.weight_kg / _TYPICAL_WEIGHT[who.age_group]) ** _ENERGY_EXPONENT
    eaten = floor(slot.grams[who.age_group] * size * habits.appetite * exp(spread) + 0.5)
    estimate = eaten + 9.22 - 0.34 * eaten + 0.09 * who.weight_kg + _COUNTING[slot.kind]
    announced = max(1, floor(estimate * exp(_COUNTING_SPREAD * normal[2]) + 0.5))
    return Meal(
        minute=minute,
        kind=slot.kind,
        eaten=eaten,
        announced=announced,
        dosed=_dosed(slot, habits, minute, uniform),
    )


_COUNTING: dict[MealType, float] = {
    "breakfast": 0.0,
    "lunch": 3.11,
    "dinner": 0.68,
    "morning_snack": -7.05,
    "afternoon_snack": -7.05,
    "late_snack": -7.05,
}


def _dosed(slot: _Slot, habits: Persona, minute: int, uniform: list[float]) -> int:
    forgotten = 1.0 - _SNACK_DOSED if slot.snack else habits.forgetful
    if uniform[1] < forgotten:
        return NEVER
    if uniform[2] < habits.tardy:
        return minute + 10 + 5 * int(uniform[3] * 3)
    return max(0, minute - _LEADS[int(uniform[3] * len(_LEADS))])
