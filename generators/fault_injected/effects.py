"""What each fault label does inside the loop: a code and a size per sample."""

from collections.abc import Sequence
from dataclasses import dataclass

from generators.errors import GeneratorError
from generators.simulated.loop import (
    MOST_BASAL_PERCENT,
    PUMP_BASAL_SCALED,
    PUMP_BASAL_SET,
    PUMP_BASAL_SHIFTED,
    PUMP_REPEATED,
    PUMP_SCALED,
    SENSOR_HELD,
    SENSOR_OFFSET,
    SENSOR_REPLAYED,
    SENSOR_SET,
    SENSOR_SILENT,
    Plan,
)
from generators.simulated.meals import Meal
from generators.simulated.sensor import HIGHEST, LOWEST
from generators.trace import (
    MINUTES_PER_DAY,
    SAMPLE_MINUTES,
    SAMPLES_PER_DAY,
    SAMPLES_PER_HOUR,
    FaultEvent,
    FaultLabel,
    MealType,
)

LEAST_SPIKE = 60
"""Least deviation of a spike, mg/dL (HealthLoopQA, 2026)."""
USUAL_BIAS = 32
"""Deviation of a bias, mg/dL (HealthLoopQA, 2026)."""
LEAST_REPLAY = 2 * SAMPLES_PER_HOUR
"""Shortest replayed stretch, samples (HealthLoopQA, 2026)."""
LEAST_FROZEN = SAMPLES_PER_HOUR
"""Shortest stretch of a frozen sensor, samples: healthy readings repeat a value up to 8 times in a
row in the release's traces."""
_DAY, _MONTH = SAMPLES_PER_DAY, 30 * SAMPLES_PER_DAY
_LONGEST = 7 * SAMPLES_PER_DAY
_NOTHING = (0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What a label does, and within which limits.

    Attributes:
        sensor: Code on the reading, 0 for none.
        pump: Code on the dose, 0 for none.
        lasts: Fewest and most samples.
        sizes: Smallest and largest size that may be injected, both included.
        usual: Smallest and largest size that a schedule draws.
        base: What is added to the size to get the size of the code.
    """

    sensor: int = 0
    pump: int = 0
    lasts: tuple[int, int] = (1, _LONGEST)
    sizes: tuple[int, int] = _NOTHING
    usual: tuple[int, int] = _NOTHING
    base: int = 0


EFFECTS: dict[FaultLabel, Effect] = {
    "missing_signal": Effect(sensor=SENSOR_SILENT),
    "positive_spike": Effect(
        sensor=SENSOR_OFFSET, lasts=(1, 1), sizes=(LEAST_SPIKE, 500), usual=(LEAST_SPIKE, 120)
    ),
    "negative_spike": Effect(
        sensor=SENSOR_OFFSET, lasts=(1, 1), sizes=(-500, -LEAST_SPIKE), usual=(-120, -LEAST_SPIKE)
    ),
    "positive_bias": Effect(
        sensor=SENSOR_OFFSET, sizes=(20, 200), usual=(USUAL_BIAS, USUAL_BIAS + 16)
    ),
    "negative_bias": Effect(
        sensor=SENSOR_OFFSET, sizes=(-200, -20), usual=(-USUAL_BIAS - 16, -USUAL_BIAS)
    ),
    "repeated_reading": Effect(sensor=SENSOR_HELD, lasts=(LEAST_FROZEN, _LONGEST)),
    "zero_reading": Effect(sensor=SENSOR_SET),
    "min_reading": Effect(sensor=SENSOR_SET, sizes=(LOWEST, 69), usual=(LOWEST, LOWEST)),
    "max_reading": Effect(sensor=SENSOR_SET, sizes=(251, HIGHEST), usual=(HIGHEST, HIGHEST)),
    "repeated_episode": Effect(
        sensor=SENSOR_REPLAYED,
        lasts=(LEAST_REPLAY, _LONGEST),
        sizes=(LEAST_REPLAY, _MONTH),
        usual=(_DAY, 3 * _DAY),
    ),
    "false_meal": Effect(lasts=(1, 1), sizes=(5, 150), usual=(30, 60)),
    "false_bolus": Effect(
        pump=PUMP_REPEATED, lasts=(1, 1), sizes=(1, _MONTH), usual=(_DAY // 2, 3 * _DAY // 2)
    ),
    "positive_basal": Effect(
        pump=PUMP_BASAL_SHIFTED, sizes=(20, MOST_BASAL_PERCENT), usual=(210, 280)
    ),
    "negative_basal": Effect(pump=PUMP_BASAL_SCALED, sizes=(-90, -20), usual=(-85, -75), base=100),
    "max_basal": Effect(pump=PUMP_BASAL_SET, base=MOST_BASAL_PERCENT),
    "min_basal": Effect(pump=PUMP_BASAL_SET),
    "unknown_stop": Effect(pump=PUMP_SCALED),
    "unknown_under": Effect(pump=PUMP_SCALED, sizes=(-90, -20), usual=(-85, -70), base=100),
}
"""Every label. Sizes and lengths without a named source are ours."""


def apply_faults(plan: Plan, faults: Sequence[FaultEvent]) -> None:
    """Write faults that `check_schedule` has passed into a plan, in place.

    What lies beyond the end of the plan is left out. Meals that are never eaten belong into the
    diary (`false_meals`).
    """
    for fault in faults:
        effect = EFFECTS[fault.label]
        during = slice(fault.start, fault.end + 1)
        size = effect.base + fault.size
        if effect.sensor:
            plan.sensor_code[during], plan.sensor_size[during] = effect.sensor, size
        if effect.pump:
            plan.pump_code[during], plan.pump_size[during] = effect.pump, size


def false_meals(faults: Sequence[FaultEvent]) -> tuple[Meal, ...]:
    """Return the meals that are announced and dosed for, and that nobody eats."""
    meals = []
    for fault in faults:
        if fault.label == "false_meal":
            minute = fault.start * SAMPLE_MINUTES
            kind = _snack_at(minute % MINUTES_PER_DAY)
            meals.append(
                Meal(minute=minute, kind=kind, eaten=0, announced=fault.size, dosed=minute)
            )
    return tuple(meals)


def _snack_at(time: int) -> MealType:
    """Return as what a person would announce carbohydrate at a minute of the day."""
    if 300 <= time < 720:
        return "morning_snack"
    return "afternoon_snack" if 720 <= time < 1140 else "late_snack"


def check_schedule(faults: Sequence[FaultEvent], samples: int) -> None:
    """Check that faults can be injected into a run of so many samples.

    Raises:
        GeneratorError: A label is unknown, an event is out of order, overlaps the one before, starts
            at the first sample, ends beyond the last, has a length or size that its label does not
            allow, or has nothing to repeat.
    """
    free, silent = 1, False
    for fault in faults:
        if fault.label not in EFFECTS:
            raise GeneratorError(f"there is no fault {fault.label!r}, only {', '.join(EFFECTS)}")
        effect = EFFECTS[fault.label]
        if not free <= fault.start <= fault.end < samples:
            raise GeneratorError(
                f"{fault.label} at samples {fault.start} to {fault.end} overlaps what came before, "
                f"runs backwards or lies beyond the end; free are {free} to {samples - 1}"
            )
        if effect.sensor == SENSOR_HELD and silent and fault.start == free:
            raise GeneratorError(
                f"{fault.label} at sample {fault.start} has no reading before it to repeat"
            )
        _check_shape(fault, effect)
        free, silent = fault.end + 1, effect.sensor == SENSOR_SILENT


def _check_shape(fault: FaultEvent, effect: Effect) -> None:
    where = f"{fault.label} at samples {fault.start} to {fault.end}"
    length = fault.end - fault.start + 1
    if not effect.lasts[0] <= length <= effect.lasts[1]:
        raise GeneratorError(
            f"{where} lasts {length} samples; allowed are {effect.lasts[0]} to {effect.lasts[1]}"
        )
    if not effect.sizes[0] <= fault.size <= effect.sizes[1]:
        raise GeneratorError(
            f"{where} has size {fault.size}; allowed is {effect.sizes[0]} to {effect.sizes[1]}"
        )
    if effect.pump == PUMP_REPEATED or effect.sensor == SENSOR_REPLAYED:
        _check_source(where, fault, length)


def _check_source(where: str, fault: FaultEvent, length: int) -> None:
    if not length <= fault.size <= fault.start:
        raise GeneratorError(
            f"{where} repeats what was {fault.size} samples earlier, which must lie before it and "
            f"inside the record: {length} to {fault.start}"
        )
