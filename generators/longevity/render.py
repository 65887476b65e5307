"""A profile as text, as a list or as a paragraph, from nothing but its structured data."""

from collections.abc import Callable, Mapping
from itertools import groupby
from types import MappingProxyType
from typing import Literal

from generators.longevity.markers import Group
from generators.longevity.profile import Finding, Measurement, Profile
from generators.longevity.vocabulary import Sex

ProfileForm = Literal["list", "paragraph"]

_LEADS: Mapping[Group, str] = MappingProxyType(
    {
        "body": "Body measurements:",
        "circulation": "Heart and circulation, at rest:",
        "metabolism": "Sugar metabolism:",
        "lipids": "Blood lipids:",
        "hormones": "Hormones:",
        "organs": "Kidneys, liver and muscles:",
        "blood": "Blood count, iron and inflammation:",
        "minerals": "Minerals, vitamins and proteins:",
        "function": "Strength and body composition:",
        "bone": "Bone density:",
    }
)
_SEX_WORDS: Mapping[Sex, tuple[str, str]] = MappingProxyType(
    {"F": ("female", "woman"), "M": ("male", "man")}
)


def as_list(profile: Profile) -> str:
    """Return the profile with one line per fact."""
    sex, _ = _SEX_WORDS[profile.sex]
    lines = [
        f"Sex: {sex}",
        f"Age: {profile.age} years",
        *(_line(measurement, profile.sex) for measurement in profile.measurements),
        f"Complaints and history: {_joined(profile.history) or 'none'}",
        f"Medication and supplements: {_joined(profile.medication) or 'none'}",
    ]
    return "\n".join(f"- {line}" for line in lines)


def as_paragraph(profile: Profile) -> str:
    """Return the profile as running text."""
    _, noun = _SEX_WORDS[profile.sex]
    article = "an" if str(profile.age).startswith(("8", "11", "18")) else "a"
    history = _joined(profile.history)
    medication = _joined(profile.medication)
    return " ".join(
        (
            f"I am {article} {profile.age}-year-old {noun}.",
            *(
                f"{_LEADS[group]} {_enumerated(tuple(members), profile.sex)}."
                for group, members in groupby(profile.measurements, lambda m: m.marker.group)
            ),
            f"My complaints and history: {history}." if history else "I have no complaints.",
            f"I take: {medication}." if medication else "I take no medication and no supplements.",
        )
    )


RENDERINGS: Mapping[ProfileForm, Callable[[Profile], str]] = MappingProxyType(
    {"list": as_list, "paragraph": as_paragraph}
)
"""The two forms of a profile."""


def _line(measurement: Measurement, sex: Sex) -> str:
    name = measurement.marker.name
    first = name.split()[0]
    title = name[0].upper() + name[1:] if first.islower() else name
    return f"{title}: {measurement.text}{_range(measurement, sex)}"


def _enumerated(measurements: tuple[Measurement, ...], sex: Sex) -> str:
    entries = [f"{m.marker.name} {m.text}{_range(m, sex)}" for m in measurements]
    if len(entries) == 1:
        return entries[0]
    return f"{', '.join(entries[:-1])} and {entries[-1]}"


def _range(measurement: Measurement, sex: Sex) -> str:
    printed = measurement.printed_range(sex)
    if printed is None:
        return ""
    return f" (reference {printed.text(measurement.marker.decimals)})"


def _joined(findings: tuple[Finding, ...]) -> str:
    return "; ".join(finding.text for finding in findings)
