"""Records with one injected fault of any label, and the truth about them, made by hand."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from builder.rows import context_of
from generators.trace import (
    CarbEvent,
    ExerciseEvent,
    FaultEvent,
    FaultLabel,
    InsulinEvent,
    PatientProfile,
    Trace,
    Truth,
)

SAMPLES = 30 * 288
BIAS, SPIKE, BOLUS = 32, 70, 5000
"""Size of a bias and of a spike in mg/dL, of a bolus in tenths of mU/min."""
SINGLE: tuple[FaultLabel, ...] = ("positive_spike", "negative_spike", "false_meal", "false_bolus")
"""Labels whose events last one sample."""


def healthy_sensor() -> NDArray[np.int16]:
    """A restless curve between 60 and 260 mg/dL without equal neighbours."""
    place = np.arange(SAMPLES)
    curve = 160 + 80 * np.sin(place / 37) + 17 * np.sin(place / 11.3) + 3 * (place % 2)
    return np.asarray(curve.round(), dtype=np.int16)


def healthy_insulin() -> NDArray[np.int32]:
    """Basal insulin that is never at its limits of 50 and 400 but twice, in tenths of mU/min."""
    place = np.arange(SAMPLES)
    rate = (200 + 5 * np.round(20 * np.sin(place / 41))).astype(np.int32)
    rate[[5, 6]] = 50, 400
    return rate


@dataclass(frozen=True, slots=True)
class Faulty:
    """A trace and the insulin that was asked for."""

    trace: Trace
    commanded: NDArray[np.int32]

    def truth_row(self) -> dict[str, Any]:
        """What the config `traces` holds of it, with the commanded insulin."""
        truth = self.trace.truth
        assert truth is not None
        return {
            **context_of(self.trace)[0].as_py(),
            "fault_free_reading": truth.sensor.tolist(),
            "delivered_mu_min": (truth.insulin / 10).tolist(),
            "commanded_mu_min": (self.commanded / 10).tolist(),
            "carbs_eaten": [event.eaten for event in self.trace.carbs],
        }


def healthy() -> Faulty:
    """A record in which nothing is wrong, with lunch at 12:00 and a run at 12:30 every day."""
    sensor, insulin = healthy_sensor(), healthy_insulin()
    days = range(0, SAMPLES * 5, 1440)
    trace = Trace(
        trace_id="faulty",
        patient_id="faulty",
        source="fault_injected",
        cgm=sensor,
        insulin=insulin,
        carbs=tuple(CarbEvent(minute=d + 720, grams=50, meal="lunch", eaten=45) for d in days),
        exercise=tuple(
            ExerciseEvent(minute=d + 750, duration=30, kind="run", magnitude=5.0) for d in days
        ),
        profile=PatientProfile(),
        truth=Truth(glucose=sensor, sensor=sensor, insulin=insulin),
    )
    return Faulty(trace, insulin)


def faulty(label: FaultLabel, start: int, samples: int) -> Faulty:
    """A record with one fault from sample `start` on.

    What the pump is made to do is reported; only insulin that it fails to deliver is not.
    """
    base = healthy()
    last = start if label in SINGLE else start + samples - 1
    inside = slice(start, last + 1)
    trace = replace(
        base.trace,
        faults=(FaultEvent(label=label, cause="test", start=start, end=last, size=0),),
    )
    if label == "false_meal":
        phantom = CarbEvent(minute=5 * start, grams=40, meal="unspecified", eaten=0)
        events = sorted((*trace.carbs, phantom), key=lambda event: event.minute)
        return Faulty(replace(trace, carbs=tuple(events)), base.commanded)
    if label in _READINGS:
        cgm = trace.cgm.copy()
        cgm[inside] = _READINGS[label](trace.cgm, inside)
        return Faulty(replace(trace, cgm=cgm), base.commanded)
    return _with_insulin(base, trace, label, inside)


def _with_insulin(base: Faulty, trace: Trace, label: FaultLabel, inside: slice) -> Faulty:
    delivered = base.commanded.copy()
    delivered[inside] = _DOSES[label](base.commanded[inside])
    reported = base.commanded if label.startswith("unknown") else delivered
    truth = trace.truth
    assert truth is not None
    boluses = trace.boluses
    if label == "false_bolus":
        boluses = (InsulinEvent(minute=5 * inside.start, units=2.5, kind="meal_bolus"),)
    return Faulty(
        replace(trace, insulin=reported, boluses=boluses, truth=replace(truth, insulin=delivered)),
        base.commanded,
    )


_READINGS: dict[FaultLabel, Any] = {
    "missing_signal": lambda _cgm, _inside: -1,
    "positive_spike": lambda cgm, inside: cgm[inside] + SPIKE,
    "negative_spike": lambda cgm, inside: cgm[inside] - SPIKE,
    "positive_bias": lambda cgm, inside: np.clip(cgm[inside] + BIAS, 40, 400),
    "negative_bias": lambda cgm, inside: np.clip(cgm[inside] - BIAS, 40, 400),
    "repeated_reading": lambda cgm, inside: cgm[inside.start - 1],
    "zero_reading": lambda _cgm, _inside: 0,
    "min_reading": lambda _cgm, _inside: 40,
    "max_reading": lambda _cgm, _inside: 400,
    "repeated_episode": lambda cgm, inside: cgm[inside.start - 288 : inside.stop - 288],
}
_DOSES: dict[FaultLabel, Any] = {
    "false_bolus": lambda asked: asked + BOLUS,
    "positive_basal": lambda asked: asked + 30,
    "negative_basal": lambda asked: asked // 2,
    "max_basal": lambda _asked: 400,
    "min_basal": lambda _asked: 50,
    "unknown_stop": lambda _asked: 0,
    "unknown_under": lambda asked: asked // 2,
}
