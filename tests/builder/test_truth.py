"""Every kind of fault is told by its form from the truth alone, wherever it lies."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.truth import Deviation, Signals, deviations, mask_of, signals_of, spans_of
from generators.trace import FAULT_LABELS, FaultLabel
from tests.builder.faulty_traces import SAMPLES, SINGLE, Faulty, faulty, healthy


def found_in(record: Faulty) -> list[Deviation]:
    return deviations(signals_of(record.truth_row(), SAMPLES))


def test_nothing_is_wrong_in_a_healthy_record() -> None:
    assert found_in(healthy()) == []


@pytest.mark.parametrize("samples", [12, 40])
@pytest.mark.parametrize("label", FAULT_LABELS)
def test_each_label_is_told_from_the_others(label: FaultLabel, samples: int) -> None:
    length = max(samples, 24) if label == "repeated_episode" else samples
    (found,) = found_in(faulty(label, 2000, length))
    last = 2000 if label in SINGLE else 2000 + length - 1
    assert found.label == label
    assert 2000 <= found.core[0] <= found.core[1] <= last
    assert found.reach[0] <= 2000
    assert found.reach[1] >= last
    assert found.reach[1] - found.reach[0] < length + 3


@pytest.mark.parametrize("start", [300, SAMPLES - 24])
@pytest.mark.parametrize("label", FAULT_LABELS)
def test_it_does_not_matter_where(label: FaultLabel, start: int) -> None:
    (found,) = found_in(faulty(label, start, 24))
    assert found.label == label


def test_a_spike_of_60_is_one_and_one_of_59_is_not() -> None:
    record = healthy()
    for size, label in ((60, "positive_spike"), (59, "positive_bias")):
        cgm = record.trace.cgm.copy()
        cgm[700] += size
        (found,) = found_in(Faulty(replace(record.trace, cgm=cgm), record.commanded))
        assert found.label == label


def test_a_frozen_value_that_happens_to_be_right_may_but_need_not_belong() -> None:
    signals = signals_of(faulty("repeated_reading", 2000, 20).truth_row(), SAMPLES)
    fault_free = signals.fault_free.copy()
    fault_free[2019] = signals.reported[2019]
    (found,) = deviations(replace(signals, fault_free=fault_free))
    assert found.core[1] == 2018
    assert found.reach == (2000, 2019)


def test_insulin_withheld_while_none_is_due_may_but_need_not_belong() -> None:
    record = faulty("unknown_stop", 2000, 20)
    row = record.truth_row()
    for name in ("insulin_mu_min", "commanded_mu_min"):
        row[name][2000:2003] = [0.0] * 3
    (found,) = deviations(signals_of(row, SAMPLES))
    assert found.core == (2003, 2019)
    assert found.reach == (2000, 2019)


def test_a_bias_is_told_where_the_range_ends() -> None:
    record = faulty("positive_bias", 2000, 30)
    cgm, truth = record.trace.cgm.copy(), record.trace.truth
    assert truth is not None
    sensor = truth.sensor.copy()
    sensor[2010:2015] = (380, 390, 400, 395, 385)
    cgm[2010:2015] = 400
    trace = replace(record.trace, cgm=cgm, truth=replace(truth, sensor=sensor))
    (found,) = found_in(Faulty(trace, record.commanded))
    assert found.label == "positive_bias"
    assert found.core == (2000, 2029)


def test_without_commanded_insulin_the_reported_one_stands_for_it() -> None:
    row = faulty("unknown_under", 2000, 20).truth_row()
    del row["commanded_mu_min"]
    (found,) = deviations(signals_of(row, SAMPLES))
    assert found.label == "unknown_under"


def test_the_part_that_is_shown_is_looked_at() -> None:
    row = faulty("zero_reading", 2000, 20).truth_row()
    assert deviations(signals_of(row, 2000)) == []
    assert [d.core for d in deviations(signals_of(row, 2005))] == [(2000, 2004)]
    assert signals_of(faulty("false_meal", 2000, 1).truth_row(), 2000).uneaten == ()


@given(st.lists(st.booleans(), max_size=60))
def test_spans_and_masks_are_inverse(flags: list[bool]) -> None:
    mask = np.array(flags, dtype=np.bool_)
    assert mask_of(spans_of(mask), len(mask)).tolist() == flags


@given(st.lists(st.booleans(), max_size=60), st.integers(1, 8))
def test_spans_are_apart(flags: list[bool], apart: int) -> None:
    spans = spans_of(np.array(flags, dtype=np.bool_), apart)
    for (_, last), (first, _) in pairwise(spans):
        assert first - last > apart


def test_series_have_one_length() -> None:
    signals = signals_of(healthy().truth_row(), 288)
    assert isinstance(signals, Signals)
    for name in ("reported", "fault_free", "insulin", "delivered", "commanded", "bolus"):
        assert len(getattr(signals, name)) == 288
