"""What a hypothetical adds after a cut: its limits, and how it enters a diary and a plan."""

from math import floor

from generators.errors import GeneratorError
from generators.simulated.loop import Plan
from generators.simulated.meals import NEVER, Meal
from generators.simulated.planning import Diary, Keys, exercise_mode, heart_rates
from generators.simulated.pump import BOLUS_STEP, COUNTS_PER_UNIT
from generators.trace import SAMPLE_MINUTES, Added

MOST_GRAMS = 300.0
MOST_UNITS = 30.0
MOST_EXERCISE = 180


def until_cut(book: Diary, cut: int) -> Diary:
    """Return the diary before a cut, and the daily long-acting doses, which go on."""
    return Diary(
        meals=tuple(meal for meal in book.meals if meal.minute < cut),
        exercise=tuple(bout for bout in book.exercise if bout.minute < cut),
        looks=(),
        doses=book.doses,
    )


def rewritten(book: Diary, added: Added, cut: int) -> Diary:
    """Return the diary before a cut, followed by what is added alone."""
    extra = [
        Meal(
            minute=carbs.minute,
            kind=carbs.meal,
            eaten=floor(carbs.grams if carbs.eaten is None else carbs.eaten),
            announced=floor(carbs.grams),
            dosed=NEVER,
        )
        for carbs in added.carbs
    ]
    return Diary(
        meals=(*(meal for meal in book.meals if meal.minute < cut), *extra),
        exercise=(*(bout for bout in book.exercise if bout.minute < cut), *added.exercise),
        looks=tuple(minute for minute in book.looks if minute < cut),
        doses=book.doses,
    )


def with_added(keys: Keys, plan: Plan, book: Diary, added: Added, cut: int) -> Plan:
    """Return a plan in which what is added is all that happens after the cut.

    Args:
        keys: Whose plan.
        plan: Laid out without additions.
        book: The diary before the cut.
        added: What is added.
        cut: Minute.
    """
    first = cut // SAMPLE_MINUTES
    eaten = plan.eaten.copy()
    eaten[cut:] = 0.0
    for carbs in added.carbs:
        eaten[carbs.minute] += carbs.grams if carbs.eaten is None else carbs.eaten
    by_hand = plan.by_hand.copy()
    for bolus in added.boluses:
        by_hand[bolus.minute // SAMPLE_MINUTES] += round(bolus.units * COUNTS_PER_UNIT)
    bouts = (*book.exercise, *added.exercise)
    announced, looks, delay = plan.announced, plan.looks, plan.rescue_delay.copy()
    announced[first:], looks[first:], delay[first:] = 0, 0, -1
    mode = plan.exercise_mode.copy()
    mode[first:] = exercise_mode(bouts, len(mode))[first:]
    return plan._replace(
        eaten=eaten,
        by_hand=by_hand,
        rescue_delay=delay,
        exercise_mode=mode,
        heart=heart_rates(keys.patient_id, bouts, len(eaten)),
    )


def check_added(patient_id: str, added: Added, cut: int, until: int) -> None:
    """Check that something can be added between a cut and the end of a run.

    Raises:
        GeneratorError: A time lies outside, or a size is not allowed.
    """
    minutes = [event.minute for event in added.carbs]
    minutes += [event.minute for event in added.boluses]
    minutes += [event.minute for event in added.exercise]
    for minute in minutes:
        if not cut <= minute < until:
            raise GeneratorError(
                f"{patient_id}: something is added at minute {minute}, outside {cut} to {until - 1}"
            )
    for carbs in added.carbs:
        eaten = carbs.grams if carbs.eaten is None else carbs.eaten
        if not 0 < carbs.grams <= MOST_GRAMS or not 0 <= eaten <= MOST_GRAMS:
            raise GeneratorError(
                f"{patient_id}: {carbs.grams:g} g announced and {eaten:g} g eaten at minute "
                f"{carbs.minute}; allowed are up to {MOST_GRAMS:g} g"
            )
    _check_doses(patient_id, added)


def _check_doses(patient_id: str, added: Added) -> None:
    for bolus in added.boluses:
        steps = bolus.units * COUNTS_PER_UNIT / BOLUS_STEP
        if not 0 < bolus.units <= MOST_UNITS or abs(steps - round(steps)) > 1e-6:
            raise GeneratorError(
                f"{patient_id}: a bolus of {bolus.units:g} U at minute {bolus.minute}; allowed are "
                f"multiples of 0.05 U up to {MOST_UNITS:g} U"
            )
    for bout in added.exercise:
        if not 1 <= bout.duration <= MOST_EXERCISE:
            raise GeneratorError(
                f"{patient_id}: a bout of {bout.duration} min at minute {bout.minute}; allowed are "
                f"1 to {MOST_EXERCISE} min"
            )
