"""The structured profile of a fictional person, from which every text and verdict is made.

For benchmarking only: not medical advice, written by engineers, not reviewed by a physician.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from generators.longevity.errors import LongevityError
from generators.longevity.markers import MARKERS, Marker, Reference
from generators.longevity.vocabulary import Facts, Intervention, Sex

AgeGroup = Literal["20-39", "40-60", "over 60"]
_NOTHING: Mapping[str, str] = MappingProxyType({})
_TYPICAL: Mapping[str, Reference] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """A value with the reference range that is printed beside it.

    Attributes:
        field: Key of the marker.
        value: In the marker's unit, with no more decimals than are printed.
        reference: Replaces the marker's typical range; None keeps it.
        meant: Why the value may lie near a cut-off; empty where it must not.
    """

    field: str
    value: float
    reference: Reference | None = None
    meant: str = ""

    @property
    def marker(self) -> Marker:
        """What is measured.

        Raises:
            LongevityError: No marker has this field.
        """
        marker = MARKERS.get(self.field)
        if marker is None:
            raise LongevityError(f"there is no marker {self.field!r}; see markers.py")
        return marker

    @property
    def text(self) -> str:
        """Value and unit as printed."""
        return self.marker.text(self.value)

    def printed_range(self, sex: Sex) -> Reference | None:
        """Return the reference range that is printed, None where there is none."""
        return self.reference or self.marker.references[sex]

    def fact(self, sex: Sex) -> tuple[str, float]:
        """Return the name and number that rules read.

        Raises:
            LongevityError: Rules read a multiple of the upper limit and no upper limit is printed.
        """
        name = self.marker.fact
        if not name.endswith("_x"):
            return name, self.value
        printed = self.printed_range(sex)
        if printed is None or printed.high is None:
            raise LongevityError(f"{self.field} needs a reference range with an upper limit")
        return name, self.value / printed.high


def measured(
    values: Mapping[str, float],
    *,
    meant: Mapping[str, str] = _NOTHING,
    references: Mapping[str, Reference] = _TYPICAL,
) -> tuple[Measurement, ...]:
    """Return measurements in the order of the markers.

    Args:
        values: Value by field, in the marker's unit.
        meant: Why a value may lie near a cut-off, by field.
        references: Reference ranges that replace the typical ones, by field.

    Raises:
        LongevityError: A field has no marker, or a reason or range has no value.
    """
    unknown = [field for field in values if field not in MARKERS]
    idle = [field for field in (*meant, *references) if field not in values]
    if unknown or idle:
        raise LongevityError(f"no marker has the field {unknown}; no value is given for {idle}")
    return tuple(
        Measurement(
            field=field,
            value=values[field],
            reference=references.get(field),
            meant=meant.get(field, ""),
        )
        for field in MARKERS
        if field in values
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something known about the person: the words that are printed and the flags they set."""

    text: str
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the person wants to do.

    Attributes:
        intervention: Code of the intervention.
        regimen: What exactly, as printed in the question.
        flags: What the regimen implies, for example asked_strenuous.
    """

    intervention: Intervention
    regimen: str
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A fictional person.

    Attributes:
        sex: F or M.
        age: In completed years.
        measurements: What was measured, in the order of the markers.
        history: Complaints, history and what was asked and denied.
        medication: Drugs and supplements; empty means none.
        request: What the person wants to do.
    """

    sex: Sex
    age: int
    measurements: tuple[Measurement, ...]
    history: tuple[Finding, ...]
    medication: tuple[Finding, ...] = ()
    request: Request

    @property
    def age_group(self) -> AgeGroup:
        """The group that an analysis by age uses."""
        if self.age < 40:
            return "20-39"
        return "40-60" if self.age <= 60 else "over 60"

    def facts(self) -> Facts:
        """Return what the rules may read: nothing but what a rendering prints."""
        return Facts(
            sex=self.sex,
            numbers={"age": float(self.age), **dict(self._numbers())},
            flags=frozenset(self.flags()),
        )

    def flags(self) -> tuple[str, ...]:
        """Return every flag that a finding or the request sets."""
        findings = (*self.history, *self.medication)
        return (*(flag for f in findings for flag in f.flags), *self.request.flags)

    def texts(self) -> Mapping[str, str]:
        """Return what an author's text may name in braces: age, regimen and the measurements."""
        return {
            "age": str(self.age),
            "regimen": self.request.regimen,
            **{m.field: m.text for m in self.measurements},
        }

    def _numbers(self) -> Iterator[tuple[str, float]]:
        return (m.fact(self.sex) for m in self.measurements)
