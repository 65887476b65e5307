"""Where a slot lets a fault start, on records made by hand."""

import numpy as np

from generators.fault_injected.slots import before_a_new_hour_of_lows, while_high
from tests.generators.questions.hand_made import at, flat, reading


def test_high_is_half_an_hour_of_readings_above_180() -> None:
    trace = reading(reading(flat(), 600, *(181,) * 8), 900, *(181,) * 6)
    assert np.flatnonzero(while_high(trace)).tolist() == [123, 124]


def test_a_new_hour_of_lows_saw_none_before_the_last_week() -> None:
    late = reading(flat(69), at(3, "10:00"), *(70,) * 12)
    for day in (*range(1, 3), *range(4, 24)):
        late = reading(late, at(day, "10:00"), *(70,) * 12)
    allowed = np.flatnonzero(before_a_new_hour_of_lows(late)) % 288 * 5
    # 75 and 105 min later lie between 10:00 and 10:55
    assert set(allowed.tolist()) == {525, 530, 535, 540, 545, 550}


def test_a_sensor_at_zero_is_not_low() -> None:
    assert before_a_new_hour_of_lows(flat(0)).all()
    assert not before_a_new_hour_of_lows(flat(69)).any()
