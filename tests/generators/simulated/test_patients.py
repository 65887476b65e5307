import subprocess
import sys
from collections import Counter

import numpy as np
import pytest

from generators.errors import GeneratorError
from generators.simulated.patients import PATIENT_IDS, patient


def test_there_are_ten_patients_in_each_age_group() -> None:
    assert Counter(patient(p).age_group for p in PATIENT_IDS) == {
        "child": 10,
        "adolescent": 10,
        "adult": 10,
    }


def test_values_come_from_the_right_row_and_column() -> None:
    who = patient("adolescent_001")

    assert (who.weight_kg, who.age_years, who.carbohydrate_ratio) == (68.706, 18, 12.0)
    assert who.parameters.kp1 == 11.5048231338
    assert who.steady_state[3] == 250.621836
    assert who.basal_u_per_h == pytest.approx(1.21697571391 * 68.706 / 6000 * 60)


def test_steady_state_starts_fasting() -> None:
    for patient_id in PATIENT_IDS:
        state = patient(patient_id).steady_state
        assert np.array_equal(state[:3], [0, 0, 0])
        assert state[6] == 0


def test_reading_the_files_does_not_import_simglucose() -> None:
    code = "import sys, generators.simulated.cohort; sys.exit('simglucose' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("wrong", "near"),
    [
        ("adult_011", "adult_010"),
        ("child1", "child_001"),
        ("adult_01.sib2", "adult_01"),
        ("adult_001.sib0", "adult_001"),
    ],
)
def test_unknown_patient_is_refused_with_the_nearest_name(wrong: str, near: str) -> None:
    with pytest.raises(GeneratorError, match=f"unknown patient '{wrong}'.*{near}"):
        patient(wrong)
