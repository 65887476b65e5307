"""Profiles: derived values, plausibility, distance from cut-offs."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from generators.longevity.derived import ckd_epi_2021
from generators.longevity.errors import LongevityError
from generators.longevity.markers import MARKERS, Reference, parse_markers
from generators.longevity.profile import Finding, Measurement, Profile, Request, measured
from generators.longevity.validation import check_profile, near_cutoffs

OBESE = {"height": 170.0, "weight": 101.0, "bmi": 34.9}
REQUEST = Request(intervention="CR", regimen="eating less")


def profile(*, sex: str = "F", age: int = 45, **values: float) -> Profile:
    return Profile(
        sex="M" if sex == "M" else "F",
        age=age,
        measurements=measured({**OBESE, **values}),
        history=(),
        request=REQUEST,
    )


def test_a_consistent_profile_passes() -> None:
    check_profile(
        profile(
            chol=230,
            hdl=58,
            tg=120,
            ldl=148,
            crea=0.85,
            egfr=86,
            glu=84,
            insulin=9.0,
            homa=1.9,
            tt=40,
            shbg=40,
            fai=3.5,
            iron=105,
            tibc=300,
            tsat=35,
            ca=9.4,
            alb=4.2,
            ca_corr=9.2,
        ),
        "here",
    )


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"bmi": 36.0}, "bmi is 36.0 but weight / height2 gives 34.9"),
        ({"crea": 0.85, "egfr": 95}, "egfr is 95 but CKD-EPI 2021 gives 86"),
        ({"glu": 84, "insulin": 9.0, "homa": 1.5}, "homa is 1.5 but .* gives 1.9"),
        ({"chol": 230, "hdl": 58, "tg": 120, "ldl": 160}, "ldl is 160 but Friedewald gives 148"),
        ({"tt": 40, "shbg": 40, "fai": 3.9}, "fai is 3.9 but .* gives 3.5"),
        ({"iron": 105, "tibc": 300, "tsat": 30}, "tsat is 30 but .* gives 35"),
        ({"ca": 9.4, "alb": 4.2, "ca_corr": 9.6}, "ca_corr is 9.6 but .* gives 9.2"),
        ({"homa": 1.5, "glu": 84}, "homa is stated without insulin"),
        ({"ldl": 148}, "ldl is stated without chol, hdl, tg"),
        ({"tsh": 400}, "tsh 400 lies outside the plausible 0.1-150.0 mIU/L"),
        ({"tsh": 1.85}, "tsh 1.85 has more than the 1 printed decimals"),
        ({"tsh": 9.5}, "tsh 9.5 lies within 10% of the cut-off 10.0"),
    ],
)
def test_the_validator_says_what_is_wrong_and_where(values: dict[str, float], message: str) -> None:
    stated = replace(profile(), measurements=measured({**OBESE, **values}))
    with pytest.raises(LongevityError, match=f"^here: .*{message}"):
        check_profile(stated, "here")


def test_friedewald_does_not_apply_to_very_high_triglycerides() -> None:
    check_profile(profile(chol=250, hdl=60, tg=420, ldl=140), "here")


def test_all_problems_are_reported_together() -> None:
    with pytest.raises(LongevityError, match=r"tsh 400 lies .*; bmi is 36\.0"):
        check_profile(profile(bmi=36.0, tsh=400), "here")


@pytest.mark.parametrize(
    ("sex", "age", "crea", "expected"),
    [
        # The published equation computed by hand, both sides of kappa; at kappa only age is left.
        ("F", 50, 0.7, 142 * 0.9938**50 * 1.012),
        ("M", 50, 0.9, 142 * 0.9938**50),
        ("M", 60, 1.8, 142 * 2**-1.2 * 0.9938**60),
        ("F", 40, 0.35, 142 * 2**0.241 * 0.9938**40 * 1.012),
    ],
)
def test_ckd_epi_2021(sex: str, age: int, crea: float, expected: float) -> None:
    result = ckd_epi_2021("M" if sex == "M" else "F", age, {"crea": crea})
    assert result == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("sex", "field", "value", "near"),
    [
        ("F", "tsh", 9.1, (10.0,)),
        ("F", "tsh", 9.0, ()),
        ("F", "tsh", 11.0, ()),
        ("F", "tsh", 10.9, (10.0,)),
        ("F", "tscore", -2.3, (-2.5,)),
        ("F", "tscore", -3.0, ()),
        ("F", "hb", 13.3, ()),
        ("M", "hb", 13.3, (13.0,)),
        ("M", "ck", 210.0, (1.0,)),
        ("F", "ck", 210.0, ()),
        ("F", "ldl", 111.0, (116.0,)),
    ],
)
def test_distance_from_cutoffs(sex: str, field: str, value: float, near: tuple[float, ...]) -> None:
    person = profile(sex=sex)
    assert near_cutoffs(person, Measurement(field=field, value=value)) == near


def test_a_value_may_be_near_a_cutoff_only_if_it_is_meant_and_meant_only_if_near() -> None:
    person = profile(tsh=9.5)
    reason = {"tsh": "subclinical on purpose"}
    values = {m.field: m.value for m in person.measurements}
    check_profile(replace(person, measurements=measured(values, meant=reason)), "here")
    far = measured({**values, "tsh": 2.0}, meant=reason)
    with pytest.raises(LongevityError, match="marked as meant but lies near no cut-off"):
        check_profile(replace(person, measurements=far), "here")


def test_what_a_profile_must_have() -> None:
    person = profile()
    for edit, message in EDITS:
        with pytest.raises(LongevityError, match=message):
            check_profile(edit(person), "here")


EDITS: tuple[tuple[Callable[[Profile], Profile], str], ...] = (
    (lambda p: replace(p, age=17), "age 17"),
    (
        lambda p: replace(p, age=49, measurements=measured({**OBESE, "tscore": -1.5})),
        "tscore is read from 50 years on; state a zscore at 49",
    ),
    (lambda p: replace(p, measurements=p.measurements[:1]), "bmi is missing"),
    (lambda p: replace(p, measurements=p.measurements * 2), "height is stated twice"),
    (lambda p: replace(p, history=(Finding(text="x", flags=("dizzy",)),)), "no flag 'dizzy'"),
    (lambda p: replace(p, history=(Finding(text="x", flags=("snoring",)),) * 2), "set twice"),
    (
        lambda p: replace(p, measurements=(*p.measurements, Measurement(field="luck", value=1))),
        "here: there is no marker 'luck'",
    ),
    (
        lambda p: replace(
            p,
            measurements=(
                *p.measurements,
                Measurement(field="k", value=4.2, reference=Reference(low=5.0, high=3.5)),
            ),
        ),
        "upside down",
    ),
)


def test_measured_refuses_unknown_fields_and_idle_reasons() -> None:
    with pytest.raises(LongevityError, match="luck"):
        measured({"luck": 3})
    with pytest.raises(LongevityError, match="tsh"):
        measured({"ft4": 1.2}, meant={"tsh": "why"})


def test_multiples_are_taken_of_the_printed_upper_limit() -> None:
    typical, own = (
        Measurement(field="igf1", value=600, reference=reference)
        for reference in (None, Reference(low=100, high=300))
    )
    assert own.fact("F") == ("igf1_x", 2.0)
    with pytest.raises(LongevityError, match="igf1 needs a reference range"):
        typical.fact("F")


def test_facts_hold_the_numbers_and_every_flag() -> None:
    person = replace(
        profile(tsh=2.0),
        history=(Finding(text="snores", flags=("snoring",)),),
        medication=(Finding(text="insulin glargine", flags=("on_insulin",)),),
        request=Request(intervention="EX", regimen="sprints", flags=("asked_strenuous",)),
    )
    facts = person.facts()
    assert facts.numbers == {"age": 45.0, **OBESE, "tsh": 2.0}
    assert facts.flags == {"snoring", "on_insulin", "asked_strenuous"}


@pytest.mark.parametrize(
    ("age", "group"), [(39, "20-39"), (40, "40-60"), (60, "40-60"), (61, "over 60")]
)
def test_age_groups(age: int, group: str) -> None:
    assert profile(age=age).age_group == group


@pytest.mark.parametrize("marker", MARKERS.values(), ids=lambda marker: marker.field)
def test_typical_ranges_and_cutoffs_are_plausible(marker: object) -> None:
    found = next(m for m in MARKERS.values() if m is marker)
    low, high = found.plausible
    assert low < high
    for reference in found.references.values():
        ends = [e for e in (reference.low, reference.high) if e is not None] if reference else []
        assert ends == sorted(ends)
        assert all(low <= end <= high for end in ends)
    if found.fact == found.field:
        assert all(low <= cut <= high for cuts in found.cutoffs.values() for cut in cuts)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a | a | A | g | 0 | body | 1..2 | - | = | -", "needs the columns"),
        ("a | a | A | g | 0 | soul | 1..2 | - | = | - | =", "unknown group 'soul'"),
        ("a | a | A | g | 0 | body | 1.. | - | = | - | =", "needs both ends"),
        ("a | a | A | g | 0 | body | 1..2 | 4 | = | - | =", "'4' is no range"),
    ],
)
def test_a_bad_marker_line_is_refused(line: str, message: str) -> None:
    with pytest.raises(LongevityError, match=message):
        parse_markers(line)
