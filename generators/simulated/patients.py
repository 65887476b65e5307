"""The 30 virtual patients of the S2008 model, read from the parameter files of simglucose.

simglucose 0.2.11 ships `vpatient_params.csv` (model parameters and basal steady state) and
`Quest.csv` (carbohydrate ratio, age, total daily insulin). Only the files are read: importing the
package is slow and pulls in an old gym.
"""

import csv
import difflib
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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Patient:
    """One virtual patient.

    Attributes:
        patient_id: For example `adult_003`.
        age_group: Child, adolescent or adult.
        age_years: Age.
        weight_kg: Body weight.
        carbohydrate_ratio: g of carbohydrate covered by 1 U.
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
    daily_insulin: float
    basal_u_per_h: float
    parameters: Parameters
    steady_state: NDArray[np.float64]


def patient(patient_id: str) -> Patient:
    """Return one of the 30 patients.

    Raises:
        GeneratorError: No patient has that name, or the parameter files are missing.
    """
    patients = _patients()
    if patient_id not in patients:
        near = difflib.get_close_matches(patient_id, PATIENT_IDS, n=3, cutoff=0.4)
        raise GeneratorError(
            f"unknown patient {patient_id!r}; "
            f"did you mean {', '.join(near or PATIENT_IDS[:1])}? "
            f"There are {PATIENT_IDS[0]} to {PATIENT_IDS[-1]}, 001 to 010 in each age group"
        )
    return patients[patient_id]


@cache
def _patients() -> dict[str, Patient]:
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
