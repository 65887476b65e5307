"""Parameters of the 30 virtual patients of the S2008 model, read from the files of simglucose.

simglucose 0.2.11 ships `vpatient_params.csv` (model parameters and basal steady state) and
`Quest.csv` (carbohydrate ratio, age, total daily insulin). Only the files are read: importing the
package is slow and pulls in an old gym.
"""

import csv
import importlib.util
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from generators.errors import GeneratorError
from generators.trace import AgeGroup

PATIENT_IDS: tuple[str, ...] = tuple(
    f"{group}_{number:03d}" for group in ("adolescent", "adult", "child") for number in range(1, 11)
)
"""All patients, in the order of the parameter file."""

_STATES = 13


class Parameters(NamedTuple):
    """Parameters of the S2008 equations, named as in the parameter file (units: see physiology).

    The last one, hr_b, is the heart rate at rest in bpm and belongs to the exercise extension.
    """

    BW: float
    kabs: float
    kmax: float
    kmin: float
    b: float
    d: float
    Vg: float
    Vi: float
    Ib: float
    Vmx: float
    Km0: float
    k2: float
    k1: float
    p2u: float
    m1: float
    m2: float
    m4: float
    m30: float
    ki: float
    kp1: float
    kp2: float
    kp3: float
    f: float
    ke1: float
    ke2: float
    Fsnc: float
    Vm0: float
    kd: float
    ksc: float
    ka1: float
    ka2: float
    u2ss: float
    hr_b: float


_RESTING_HEART_RATE: dict[str, float] = {"child": 80.0, "adolescent": 70.0, "adult": 66.0}


_CORRECTION_FACTORS: dict[str, int] = {
    "adolescent_001": 16,
    "adolescent_002": 12,
    "adolescent_003": 42,
    "adolescent_004": 25,
    "adolescent_005": 24,
    "adolescent_006": 19,
    "adolescent_007": 13,
    "adolescent_008": 12,
    "adolescent_009": 25,
    "adolescent_010": 41,
    "adult_001": 8,
    "adult_002": 9,
    "adult_003": 18,
    "adult_004": 39,
    "adult_005": 8,
    "adult_006": 18,
    "adult_007": 34,
    "adult_008": 12,
    "adult_009": 7,
    "adult_010": 10,
    "child_001": 149,
    "child_002": 63,
    "child_003": 63,
    "child_004": 149,
    "child_005": 60,
    "child_006": 70,
    "child_007": 37,
    "child_008": 46,
    "child_009": 86,
    "child_010": 59,
}
"""0.9 x the fall in glucose per unit at the nadir after a fasting bolus of 2 % of the daily insulin,
rounded; computed once with the model of this package (a test repeats it)."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Patient:
    """One virtual patient.

    Attributes:
        patient_id: For example `adult_003`.
        age_group: Child, adolescent or adult.
        age_years: Age.
        weight_kg: Body weight.
        carbohydrate_ratio: g of carbohydrate covered by 1 U.
        correction_factor: Fall in mg/dL by 1 U.
        daily_insulin: Total daily insulin, U.
        basal_u_per_h: Insulin that holds the basal steady state, U/h.
        parameters: Parameters of the model.
        steady_state: The 13 states at basal steady state, in the order of the parameter file.
    """

    patient_id: str
    age_group: AgeGroup
    age_years: int
    weight_kg: float
    carbohydrate_ratio: float
    correction_factor: int
    daily_insulin: float
    basal_u_per_h: float
    parameters: Parameters
    steady_state: NDArray[np.float64]


@cache
def patients_of_file() -> dict[str, Patient]:
    """Return the patients of the parameter files by name.

    Raises:
        GeneratorError: The files are missing.
    """
    quest = {row["Name"]: row for row in _rows("Quest.csv")}
    rows = {row["Name"].replace("#", "_"): row for row in _rows("vpatient_params.csv")}
    return {name: _patient(name, rows[name], quest[rows[name]["Name"]]) for name in PATIENT_IDS}


def _patient(name: str, row: dict[str, str], quest: dict[str, str]) -> Patient:
    group = cast("AgeGroup", name.partition("_")[0])
    values = {field: float(row[field]) for field in Parameters._fields if field != "hr_b"}
    parameters = Parameters(**values, hr_b=_RESTING_HEART_RATE[group])
    return Patient(
        patient_id=name,
        age_group=group,
        age_years=int(quest["Age"]),
        weight_kg=parameters.BW,
        carbohydrate_ratio=float(quest["CR"]),
        correction_factor=_CORRECTION_FACTORS[name],
        daily_insulin=float(quest["TDI"]),
        basal_u_per_h=parameters.u2ss * parameters.BW / 100.0,
        parameters=parameters,
        steady_state=np.array([float(row[f"x0_{n:2d}"]) for n in range(1, _STATES + 1)]),
    )


def _rows(file: str) -> list[dict[str, str]]:
    package = importlib.util.find_spec("simglucose")
    folders = package.submodule_search_locations if package else None
    if not folders:
        raise GeneratorError(
            f"simglucose, whose {file} holds the virtual patients, is not installed; "
            "install it with pip install simglucose==0.2.11"
        )
    path = Path(folders[0]) / "params" / file
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))
