from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from generators.fault_injected.detector import Recall, detect, recall_table
from generators.fault_injected.inject import FAULT_PATIENT_IDS, simulate_with_faults
from generators.trace import FAULT_LABELS, FaultLabel, Trace

PLAIN: tuple[FaultLabel, ...] = ("missing_signal", "zero_reading", "repeated_reading")
HIDDEN: tuple[FaultLabel, ...] = ("unknown_stop", "unknown_under")


@cache
def traces() -> tuple[Trace, ...]:
    return tuple(
        simulate_with_faults(patient_id, seed=1, days=30).trace
        for patient_id in FAULT_PATIENT_IDS[::3]
    )


def test_plain_faults_are_found_and_hidden_ones_are_hard() -> None:
    rows = {row.label: row for row in recall_table(traces())}

    assert all((rows[label].recall or 0) >= 0.9 for label in PLAIN)
    assert all((rows[label].recall or 0) >= 0.3 for label in HIDDEN)
    assert all((rows[label].precision or 0) < 0.8 for label in HIDDEN)


def test_the_rules_see_neither_truth_nor_labels() -> None:
    trace = traces()[0]
    blind = replace(trace, truth=None, faults=(), source="simulated")

    assert detect(blind) == detect(trace)


def test_a_healthy_flat_record_shows_nothing() -> None:
    n = 2 * 288
    cgm = (120 + np.arange(n) % 7).astype(np.int16)
    trace = Trace(
        trace_id="t",
        patient_id="p",
        source="simulated",
        cgm=cgm,
        insulin=(100 + np.arange(n) % 3).astype(np.int32),
    )
    found = detect(trace)
    # the pattern of 7 samples does not divide a day, so that nothing repeats yesterday
    assert {label for label in FAULT_LABELS if found[label]} == set()


@pytest.mark.parametrize(
    ("row", "recall", "precision"),
    [
        (Recall(label="max_basal", events=4, found=3, detections=6, right=3), 0.75, 0.5),
        (Recall(label="max_basal", events=0, found=0, detections=0, right=0), None, None),
    ],
)
def test_shares_are_of_what_there_is(
    row: Recall, recall: float | None, precision: float | None
) -> None:
    assert (row.recall, row.precision) == (recall, precision)


LITERAL: tuple[FaultLabel, ...] = (
    "positive_spike",
    "negative_spike",
    "max_reading",
    "min_reading",
    "repeated_episode",
    "false_meal",
    "false_bolus",
    "positive_basal",
    "max_basal",
    "negative_basal",
    "min_basal",
)


@pytest.mark.parametrize("label", LITERAL)
def test_an_instruction_taken_at_its_word_finds_the_faults_and_nearly_nothing_else(
    label: FaultLabel,
) -> None:
    """The rules are those that instructions state, so that a careful reader can do as well."""
    (row,) = (row for row in recall_table(traces()) if row.label == label)
    assert row.found == row.events > 0
    assert row.detections - row.right <= max(2, 0.2 * row.events)
