from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators.errors import GeneratorError
from generators.simulated.cohort import Simulation, simulate
from generators.simulated.meals import VARIATION_KINDS, Meal, VariationKind
from generators.simulated.scenario import (
    LEAST_SHIFT,
    MAIN_MEALS,
    REGULAR,
    USUAL,
    Scenario,
    Variation,
    varied,
)
from generators.trace import MealType

DAY, DAYS, PATIENT = 1440, 20, "adult_004"
ASKED = (3, 8, 15)
SLOTS: tuple[MealType, ...] = (
    "breakfast",
    "morning_snack",
    "lunch",
    "afternoon_snack",
    "dinner",
    "late_snack",
)


@cache
def run(scenario: Scenario) -> Simulation:
    return simulate(PATIENT, seed=2, days=DAYS, scenario=scenario)


def only(kind: VariationKind, meal: MealType = "lunch", strength: float = 1.0) -> Scenario:
    variation = Variation(kind=kind, share=1.0, meals=(meal,), days=ASKED, strength=strength)
    return Scenario(name="one", variations=(variation,))


def by_slot(simulation: Simulation) -> dict[tuple[int, MealType], Meal]:
    return {(meal.minute // DAY, meal.kind): meal for meal in simulation.book.meals}


def pairs(scenario: Scenario) -> list[tuple[Meal, Meal | None]]:
    """Every meal of a regular life beside the same one in the scenario."""
    varied_meals = by_slot(run(scenario))
    return [(meal, varied_meals.get(slot)) for slot, meal in by_slot(run(REGULAR)).items()]


def asked(meal: Meal) -> bool:
    return meal.kind == "lunch" and meal.minute // DAY in ASKED


@pytest.mark.parametrize("kind", VARIATION_KINDS)
def test_what_was_not_asked_for_stays_as_it_was(kind: VariationKind) -> None:
    untouched = [(a, b) for a, b in pairs(only(kind)) if not asked(a)]

    assert len(untouched) > 50
    assert all(a == b for a, b in untouched)
    assert run(REGULAR).trace.exercise == run(only(kind)).trace.exercise


@pytest.mark.parametrize(("kind", "factor"), [("heavy", 1.6), ("light", 0.5)])
def test_sizes_change_where_asked(kind: VariationKind, factor: float) -> None:
    hit = [(a, b) for a, b in pairs(only(kind)) if asked(a)]

    assert hit
    for usual, other in hit:
        assert other is not None
        assert other.variation == kind
        assert other.eaten == pytest.approx(factor * usual.eaten, abs=0.51)
        assert other.announced == pytest.approx(factor * usual.announced, abs=0.51)
        assert (other.minute, other.dosed) == (usual.minute, usual.dosed)


@pytest.mark.parametrize(("kind", "low", "high"), [("early", -60, -30), ("delayed", 30, 75)])
def test_times_change_where_asked(kind: VariationKind, low: int, high: int) -> None:
    hit = [(a, b) for a, b in pairs(only(kind)) if asked(a)]

    assert hit
    for usual, other in hit:
        assert other is not None
        assert other.variation == kind
        assert low <= other.minute - usual.minute <= high
        assert (other.eaten, other.announced) == (usual.eaten, usual.announced)


def test_a_skipped_meal_is_gone_and_nobody_doses_for_it() -> None:
    hit = [(a, b) for a, b in pairs(only("skipped")) if asked(a)]

    assert hit
    assert all(b is None for _, b in hit)
    for usual, _ in hit:
        doses = [e.minute for e in run(only("skipped")).trace.boluses if e.kind == "meal_bolus"]
        assert not any(abs(minute - usual.minute) < 30 for minute in doses)


def test_the_trace_shows_the_heavier_meal() -> None:
    usual = {e.minute: e.grams for e in run(REGULAR).trace.carbs if e.meal == "lunch"}
    heavy = {e.minute: e.grams for e in run(only("heavy")).trace.carbs if e.meal == "lunch"}
    changed = {minute // DAY for minute in usual if heavy[minute] != usual[minute]}

    assert changed == {m.minute // DAY for m in run(REGULAR).book.meals if asked(m)}


def test_strength_scales_what_is_done() -> None:
    mild = [(a, b) for a, b in pairs(only("heavy", strength=0.5)) if asked(a)]

    assert all(b and b.eaten == pytest.approx(1.3 * a.eaten, abs=0.51) for a, b in mild)


def test_the_release_varies_now_and_then() -> None:
    meals = [
        meal
        for patient_id in ("adult_001", "child_003", "adolescent_008")
        for meal in simulate(patient_id, seed=3, days=38).book.meals
        if meal.kind in MAIN_MEALS
    ]
    share = sum(meal.variation is not None for meal in meals) / len(meals)

    assert 0.07 < share < 0.22
    assert {m.variation for m in meals} >= {None, "heavy", "light", "early", "delayed"}


def test_other_members_keep_to_the_scenario() -> None:
    scenario = Scenario(name="heavy", variations=(Variation(kind="heavy", share=1.0),))
    cut = 5 * DAY
    trace = run(scenario).resume(cut, until=9 * DAY, member=3)
    plain = run(REGULAR).resume(cut, until=9 * DAY, member=3)
    grams = [e.grams for e in trace.carbs if e.minute >= cut and e.meal in MAIN_MEALS]
    usual = [e.grams for e in plain.carbs if e.minute >= cut and e.meal in MAIN_MEALS]

    assert grams == pytest.approx([1.6 * g for g in usual], abs=0.51)


@given(
    times=st.lists(st.integers(300, 1380), min_size=1, max_size=6, unique=True),
    kind=st.sampled_from(VARIATION_KINDS),
    strength=st.floats(0.1, 1.5),
)
def test_varied_meals_stay_in_order_and_apart(
    times: list[int], kind: VariationKind, strength: float
) -> None:
    meals = [
        Meal(minute=minute, kind=slot, eaten=50, announced=50, dosed=minute - 5)
        for minute, slot in zip(sorted(times), SLOTS, strict=False)
    ]
    scenario = Scenario(
        name="all", variations=(Variation(kind=kind, share=1.0, strength=strength),)
    )
    found = varied(meals, scenario, {meal.kind: [0.5] * 5 for meal in meals})

    minutes = [meal.minute for meal in found]
    assert minutes == sorted(minutes)
    for meal in found:
        usual = next(m for m in meals if m.kind == meal.kind)
        assert meal == usual or meal.variation == kind
        assert meal.minute == usual.minute or abs(meal.minute - usual.minute) >= LEAST_SHIFT
        assert meal.minute // DAY == 0


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"share": 1.2}, "share 1.2"),
        ({"share": -0.1}, "0 to 1"),
        ({"strength": 0.0}, "strength 0"),
        ({"strength": 2.0}, "above 0 to 1.5"),
        ({"kind": "huge"}, "no variation 'huge', only heavy, light"),
    ],
)
def test_impossible_variations_are_refused(changes: dict[str, object], reason: str) -> None:
    usual = Variation(kind="heavy", share=0.5)

    with pytest.raises(GeneratorError, match=reason):
        replace(usual, **changes)  # type: ignore[arg-type]


def test_the_usual_scenario_names_every_variation() -> None:
    assert {variation.kind for variation in USUAL.variations} == set(VARIATION_KINDS)
