"""Both forms of a profile carry the same measurements: read back out of the text."""

import re

import pytest

from generators.longevity.cases import ITEMS
from generators.longevity.items import Item
from generators.longevity.markers import MARKERS, Reference
from generators.longevity.profile import Finding, Profile, Request, measured
from generators.longevity.render import as_list, as_paragraph

_VALUE = r" (?P<value>-?\d+(?:\.\d+)?)(?P<unit>[^(,;]*?)(?: \(reference (?P<range>[^)]*)\))?"


def read_list(text: str) -> dict[str, tuple[float, str, str | None]]:
    found = {}
    for line in text.splitlines():
        name, _, rest = line.removeprefix("- ").partition(":")
        match = re.fullmatch(_VALUE, rest)
        if match and name != "Age":
            found[name.lower()] = (float(match["value"]), match["unit"].strip(), match["range"])
    return found


def read_paragraph(text: str) -> dict[str, tuple[float, str, str | None]]:
    found = {}
    for marker in MARKERS.values():
        pattern = rf"(?<![\w(/-]){re.escape(marker.name)}{_VALUE}(?=, | and |\. |$)"
        matches = list(re.finditer(pattern, text))
        assert len(matches) <= 1, marker.name
        for match in matches:
            found[marker.name.lower()] = (
                float(match["value"]),
                match["unit"].strip(),
                match["range"],
            )
    return found


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_list_and_paragraph_carry_every_measurement(item: Item) -> None:
    stated = {m.marker.name.lower(): m.value for m in item.profile.measurements}
    in_list, in_paragraph = (
        read_list(as_list(item.profile)),
        read_paragraph(as_paragraph(item.profile)),
    )
    assert {name: value for name, (value, _, _) in in_list.items()} == stated
    assert in_list == in_paragraph


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_both_forms_carry_sex_age_and_every_finding(item: Item) -> None:
    profile = item.profile
    for text in (as_list(profile), as_paragraph(profile)):
        assert str(profile.age) in text
        assert re.search({"F": r"\b(female|woman)\b", "M": r"\b(male|man)\b"}[profile.sex], text)
        for finding in (*profile.history, *profile.medication):
            assert finding.text in text


@pytest.mark.parametrize(
    ("reference", "decimals", "text"),
    [
        (Reference(low=0.4, high=4.0), 1, "0.4-4.0"),
        (Reference(high=5.7), 1, "below 5.7"),
        (Reference(low=90), 0, "90 or above"),
    ],
)
def test_reference_ranges_as_printed(reference: Reference, decimals: int, text: str) -> None:
    assert reference.text(decimals) == text


def test_a_bare_profile_reads_well() -> None:
    bare = Profile(
        sex="F",
        age=81,
        measurements=measured({"tscore": -3.1}),
        history=(),
        medication=(Finding(text="calcium"), Finding(text="paracetamol")),
        request=Request(intervention="EX", regimen="walking"),
    )
    assert as_paragraph(bare) == (
        "I am an 81-year-old woman. Bone density: hip T-score -3.1 (reference -1.0 or above). "
        "I have no complaints. I take: calcium; paracetamol."
    )
    assert as_list(bare).splitlines()[-3:] == [
        "- Hip T-score: -3.1 (reference -1.0 or above)",
        "- Complaints and history: none",
        "- Medication and supplements: calcium; paracetamol",
    ]
