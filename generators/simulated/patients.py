"""Who can be simulated: the 30 virtual patients of the S2008 model and siblings of theirs."""

import difflib
import re
from functools import cache
from typing import Literal

from generators.errors import GeneratorError
from generators.simulated.parameters import PATIENT_IDS, Parameters, Patient, patients_of_file
from generators.simulated.siblings import sibling

__all__ = [
    "COHORTS",
    "PATIENT_IDS",
    "Cohort",
    "Parameters",
    "Patient",
    "parent_of",
    "patient",
    "scaled_cohort",
]

Cohort = Literal["test", "validation", "train"]
COHORTS: dict[Cohort, tuple[str, ...]] = {
    "test": PATIENT_IDS,
    "validation": tuple(f"{name}.sib1" for name in PATIENT_IDS),
    "train": tuple(f"{name}.sib{n}" for n in (2, 3) for name in PATIENT_IDS),
}
"""Patients of each split of the release; no patient is in two of them."""
FIRST_SCALED = 1001
"""Number of the first siblings in scaled cohorts; those below are left to splits of releases."""
_LAST_SIBLING = 999_999
MOST_SCALED = len(PATIENT_IDS) * (_LAST_SIBLING - FIRST_SCALED + 1)

_SIBLING = re.compile(r"(?P<parent>.+)\.sib(?P<number>[1-9][0-9]{0,5})")


@cache
def patient(patient_id: str) -> Patient:
    """Return a patient of the parameter files, or a sibling, for example `adult_003.sib2`.

    Raises:
        GeneratorError: No patient has that name, or the parameter files are missing.
    """
    patients = patients_of_file()
    found = _SIBLING.fullmatch(patient_id)
    parent = found["parent"] if found else patient_id
    if parent not in patients:
        near = difflib.get_close_matches(patient_id, PATIENT_IDS, n=3, cutoff=0.4)
        raise GeneratorError(
            f"unknown patient {patient_id!r}; "
            f"did you mean {', '.join(near or PATIENT_IDS[:1])}? "
            f"There are {PATIENT_IDS[0]} to {PATIENT_IDS[-1]}, 001 to 010 in each age group, "
            "and siblings of each, .sib1 to .sib999999"
        )
    return sibling(patients[parent], int(found["number"])) if found else patients[parent]


def scaled_cohort(count: int) -> tuple[str, ...]:
    """Return a cohort of any size, a first sibling of each of the 30 patients, a second, and so on.

    A smaller cohort is the beginning of a larger one, and none holds a patient of a release's splits.

    Args:
        count: Number of patients.

    Raises:
        GeneratorError: There are not so many siblings, or none are asked for.
    """
    if not 1 <= count <= MOST_SCALED:
        raise GeneratorError(f"a cohort of {count} patients; allowed are 1 to {MOST_SCALED}")
    parents = len(PATIENT_IDS)
    return tuple(
        f"{PATIENT_IDS[place % parents]}.sib{FIRST_SCALED + place // parents}"
        for place in range(count)
    )


def parent_of(patient_id: str) -> str:
    """Return the patient of the parameter files whose sibling this is, or the patient itself."""
    return patient_id.partition(".sib")[0]
