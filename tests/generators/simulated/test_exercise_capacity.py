import pytest

from generators.errors import GeneratorError
from generators.simulated.exercise import (
    RANGES,
    feasible_range,
    fitness,
    heart_rate_rise,
    share_of_reserve,
)
from generators.simulated.patients import PATIENT_IDS, patient


def test_highest_heart_rate_follows_age() -> None:
    assert fitness("adult_003").most == 189


def test_acsm_running_at_six_mph_costs_36_ml_per_kg_and_min() -> None:
    share = share_of_reserve("adult_003", "run", 6.0)

    assert share * (fitness("adult_003").uptake - 3.5) + 3.5 == pytest.approx(35.66)


def test_everyone_can_walk_and_nobody_of_sixty_runs() -> None:
    for patient_id in PATIENT_IDS:
        assert feasible_range(patient_id, "walk") is not None
        if patient(patient_id).age_years >= 60:
            assert feasible_range(patient_id, "run") is None
            assert feasible_range(patient_id, "jog") is None


@pytest.mark.parametrize("patient_id", PATIENT_IDS)
def test_what_is_feasible_takes_at_most_85_percent_of_the_reserve(patient_id: str) -> None:
    for kind in RANGES:
        allowed = feasible_range(patient_id, kind)
        if allowed is not None:
            assert allowed[0] <= allowed[1]
            assert share_of_reserve(patient_id, kind, allowed[0]) > 0
            assert share_of_reserve(patient_id, kind, allowed[1]) <= 0.85
            rise = heart_rate_rise(patient_id, kind, allowed[1])
            assert 0 < rise <= 0.85 * (fitness(patient_id).most - fitness(patient_id).rest) + 0.5


def test_an_effort_beyond_capacity_is_refused_with_the_range() -> None:
    low, high = feasible_range("child_001", "cycle") or (0, 0)

    with pytest.raises(GeneratorError, match=f"at 300 W; allowed are {low:g} to {high:g} W"):
        heart_rate_rise("child_001", "cycle", 300)
    with pytest.raises(GeneratorError, match="cannot run at 6 mph; not at all"):
        heart_rate_rise("adult_010", "run", 6.0)
