"""What each fault label does inside the loop: a code and a size per sample."""

from collections.abc import Sequence
from dataclasses import dataclass

from generators.errors import GeneratorError
from generators.simulated.loop import (
    PUMP_SCALED,
    SENSOR_HELD,
    SENSOR_OFFSET,
    SENSOR_SILENT,
    Plan,
)
from generators.trace import FaultEvent, FaultLabel

LEAST_SPIKE = 60
"""Least deviation of a spike, mg/dL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What a label does.

    Attributes:
        sensor: Code on the reading, 0 for none.
        pump: Code on the dose, 0 for none.
        single: Whether it may last one sample only.
        sign: Sign that the event's size must have, 0 when it has no size.
        least: Least absolute size.
    """

    sensor: int = 0
    pump: int = 0
    single: bool = False
    sign: int = 0
    least: int = 0


EFFECTS: dict[FaultLabel, Effect] = {
    "missing_signal": Effect(sensor=SENSOR_SILENT),
    "positive_spike": Effect(sensor=SENSOR_OFFSET, single=True, sign=1, least=LEAST_SPIKE),
    "negative_spike": Effect(sensor=SENSOR_OFFSET, single=True, sign=-1, least=LEAST_SPIKE),
    "repeated_reading": Effect(sensor=SENSOR_HELD),
    "unknown_stop": Effect(pump=PUMP_SCALED),
}


def apply_faults(plan: Plan, faults: Sequence[FaultEvent]) -> None:
    """Write faults that `check_schedule` has passed into a plan, in place.

    What lies beyond the end of the plan is left out.
    """
    for fault in faults:
        effect = EFFECTS[fault.label]
        during = slice(fault.start, fault.end + 1)
        if effect.sensor:
            plan.sensor_code[during], plan.sensor_size[during] = effect.sensor, fault.size
        if effect.pump:
            plan.pump_code[during], plan.pump_size[during] = effect.pump, fault.size


def check_schedule(faults: Sequence[FaultEvent], samples: int) -> None:
    """Check that faults can be injected into a run of so many samples.

    Raises:
        GeneratorError: A label has no effect yet, an event is out of order, overlaps the one before,
            starts at the first sample, ends beyond the last, or has a length or size that its label
            does not allow; a repeated reading has none before it to repeat.
    """
    free, silent = 1, False
    for fault in faults:
        effect = EFFECTS.get(fault.label)
        if effect is None:
            raise GeneratorError(
                f"{fault.label} cannot be injected; possible are {', '.join(EFFECTS)}"
            )
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
    if effect.single and fault.start != fault.end:
        raise GeneratorError(
            f"{fault.label} at samples {fault.start} to {fault.end} must last one sample"
        )
    if (effect.sign == 0 and fault.size != 0) or fault.size * effect.sign < effect.least:
        raise GeneratorError(
            f"{fault.label} at sample {fault.start} has size {fault.size}; allowed is "
            + (f"{effect.sign * effect.least} or beyond" if effect.sign else "0")
        )
