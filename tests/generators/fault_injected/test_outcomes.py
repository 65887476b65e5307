from functools import cache

import numpy as np
import pytest

from generators.fault_injected.causes import CAUSES
from generators.fault_injected.outcomes import (
    LOWERS,
    RAISES,
    Outcome,
    harm_table,
    outcomes,
    true_episodes,
)
from generators.fault_injected.schedules import FAULT_PATIENT_IDS, release_schedule
from generators.fault_injected.twins import HORIZON, lives
from generators.trace import FaultEvent

PATIENTS = FAULT_PATIENT_IDS[::5]


@cache
def found(patient_id: str) -> list[Outcome]:
    faults = release_schedule(patient_id, seed=1)
    return outcomes(patient_id, faults, seed=1, days=30)


def test_faults_move_glucose_as_their_label_says() -> None:
    judged = [o for p in PATIENTS for o in found(p) if o.as_meant is not None]

    assert {o.event.label for o in judged} == {*RAISES, *LOWERS}
    assert np.mean([o.as_meant for o in judged]) >= 0.9


def test_a_hazard_is_an_episode_within_the_horizon_that_the_twin_is_spared() -> None:
    outcome = next(o for p in PATIENTS for o in found(p) if o.hazard == "hypoglycaemia")
    event, patient_id = outcome.event, outcome.patient_id
    faults = release_schedule(patient_id, seed=1)
    both = lives(patient_id, event, faults, seed=1, days=30)
    assert outcome.delay is not None
    first = event.start + outcome.delay // 5

    assert event.start <= first <= event.end + HORIZON
    assert first in [episode.first for episode in true_episodes(both.there, "hypoglycaemia")]
    assert both.there.truth is not None
    assert (both.there.truth.glucose[first : first + 3] < 70).all()
    spared = true_episodes(both.without, "hypoglycaemia")
    assert not any(episode.first <= first <= episode.last for episode in spared)


def test_the_twin_differs_from_the_start_of_the_fault_only() -> None:
    faults = release_schedule("adult_004", seed=1)
    event = next(fault for fault in faults if fault.label == "unknown_stop")
    both = lives("adult_004", event, faults, seed=1, days=30)
    assert both.there.truth is not None
    assert both.without.truth is not None

    before = slice(0, event.start + 1)
    assert np.array_equal(both.there.truth.glucose[before], both.without.truth.glucose[before])
    assert event not in both.without.faults
    assert both.difference.max() >= 15


def test_the_table_counts_by_cause_and_label() -> None:
    event = FaultEvent(label="max_basal", cause="remote_control", start=10, end=20)
    rows = [
        Outcome(
            patient_id="p", event=event, change=c, as_meant=True, hazard="hypoglycaemia", delay=d
        )
        for c, d in ((-10.0, 30), (-20.0, 50))
    ]
    rows.append(
        Outcome(patient_id="p", event=event, change=-3.0, as_meant=True, hazard=None, delay=None)
    )
    (harm,) = harm_table(rows)

    assert (harm.events, harm.hypoglycaemia, harm.hyperglycaemia) == (3, 2, 0)
    assert (harm.delay, harm.change) == (40, -10.0)


@pytest.mark.parametrize("patient_id", PATIENTS)
def test_every_cause_stands_in_the_table(patient_id: str) -> None:
    assert {harm.cause for harm in harm_table(found(patient_id))} == set(CAUSES)
