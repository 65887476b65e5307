from dataclasses import replace

import numpy as np
import pytest

from generators.errors import GeneratorError
from generators.trace import CarbEvent, FaultEvent, Trace, Truth
from tests.generators.questions.hand_made import flat


def test_between_renumbers_and_cuts() -> None:
    trace = replace(
        flat(days=3),
        carbs=tuple(CarbEvent(minute=m, grams=10, meal="lunch") for m in (0, 1440, 2879, 2880)),
        faults=(
            FaultEvent(label="missing_signal", cause="x", start=280, end=300),
            FaultEvent(label="missing_signal", cause="x", start=570, end=600),
        ),
        truth=Truth(
            glucose=np.arange(864, dtype=np.int16),
            sensor=np.full(864, 100, dtype=np.int16),
            insulin=np.zeros(864, dtype=np.int32),
        ),
    )
    day = trace.between(1440, 2880)
    assert len(day) == 288
    assert [event.minute for event in day.carbs] == [0, 1439]
    assert [(fault.start, fault.end) for fault in day.faults] == [(0, 12), (282, 287)]
    assert day.truth is not None
    assert day.truth.glucose[0] == 288


@pytest.mark.parametrize(("start", "end"), [(5, 1440), (0, 0), (0, 1441), (1440, 5000), (-1440, 5)])
def test_bad_cuts_are_refused(start: int, end: int) -> None:
    with pytest.raises(GeneratorError, match="cannot cut"):
        flat(days=2).between(start, end)


def test_parts_put_together_again_give_the_whole() -> None:
    whole = replace(
        flat(days=3),
        carbs=tuple(CarbEvent(minute=m, grams=10, meal="lunch") for m in (0, 1439, 1440, 4319)),
        faults=(FaultEvent(label="missing_signal", cause="x", start=290, end=300),),
        truth=Truth(
            glucose=np.arange(864, dtype=np.int16),
            sensor=np.full(864, 100, dtype=np.int16),
            insulin=np.zeros(864, dtype=np.int32),
            on_board=np.arange(864, dtype=np.int32),
        ),
    )
    again = whole.between(0, 1440).followed_by(whole.between(1440, whole.minutes))
    assert np.array_equal(again.cgm, whole.cgm)
    assert np.array_equal(again.insulin, whole.insulin)
    assert (again.carbs, again.faults) == (whole.carbs, whole.faults)
    assert again.truth is not None
    assert whole.truth is not None
    assert np.array_equal(again.truth.glucose, whole.truth.glucose)
    assert again.truth.on_board is not None
    assert np.array_equal(again.truth.on_board, np.arange(864))
    assert again.truth.commanded is None


def test_only_whole_days_are_followed_and_truth_by_truth() -> None:
    trace = flat(days=2)
    for first in (trace.between(0, 1435), with_truth(trace)):
        with pytest.raises(GeneratorError, match="cannot follow"):
            first.followed_by(trace)


def with_truth(trace: Trace) -> Trace:
    return replace(trace, truth=Truth(glucose=trace.cgm, sensor=trace.cgm, insulin=trace.insulin))


def changed(**parts: object) -> Trace:
    return replace(flat(days=1), **parts)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"cgm": np.full(288, 100.0)}, "cgm is float64"),
        ({"cgm": np.full(288, 601, dtype=np.int16)}, "cgm is 601 at minute 0"),
        ({"cgm": np.full(288, -2, dtype=np.int16)}, "cgm is -2"),
        ({"insulin": np.zeros(10, dtype=np.int32)}, "insulin is int32"),
        ({"carbs": (CarbEvent(minute=1440, grams=1, meal="lunch"),)}, "outside the 1440 minutes"),
        ({"carbs": (CarbEvent(minute=-1, grams=1, meal="lunch"),)}, "outside the 1440 minutes"),
        (
            {"carbs": tuple(CarbEvent(minute=m, grams=1, meal="lunch") for m in (9, 8))},
            "not in time order",
        ),
    ],
)
def test_bad_traces_are_refused(parts: dict[str, object], message: str) -> None:
    with pytest.raises(GeneratorError, match=message):
        changed(**parts)
