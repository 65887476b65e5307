"""Texts fit the person's age and sex of speech, for the item and for its twin."""

import re
from dataclasses import replace

import pytest

from generators.longevity.cases import ITEMS
from generators.longevity.distractors import Distractor
from generators.longevity.errors import LongevityError
from generators.longevity.items import Item, Twin, ground_truth
from generators.longevity.profile import Finding
from generators.longevity.rules import age_limits
from generators.longevity.variants import age_twin
from generators.longevity.wording import age_talk, impossible_years, third_person

BY_ID = {item.id: item for item in ITEMS}
THIRD_PERSON_VERBS = (
    "bakes|bleeds|carries|climbs|comes|cycles|drinks|eats|enjoys|falls|feels|fell|gets|gives|goes|"
    "grows|has|hears|helps|hurts|is|keeps|knows|lifts|likes|lives|loses|needs|plays|reads|rides|"
    "rises|rows|runs|sees|shaves|sits|sleeps|smokes|sounds|stumbles|sweats|swims|takes|thinks|"
    "tires|trains|walks|wants|wears|weighs|works"
)


@pytest.mark.parametrize(
    ("text", "age", "said"),
    [
        ("My wisdom teeth have been out for forty years.", 48, "begins at 8"),
        ("My wisdom teeth have been out for forty years.", 56, ""),
        ("smoked for 30 years", 39, "begins at 9"),
        ("smoked for 30 years", 40, ""),
        ("Weight steady for twelve years.", 20, ""),
        ("a scar for 61 years", 60, "begins at -1"),
        ("heavy for decades", 19, "begins at -1"),
        ("heavy for decades", 20, ""),
        ("high since the age of 30", 29, "lies ahead"),
        ("high since the age of 30", 30, ""),
        ("last period at 44", 43, "lies ahead"),
        ("mother broke her hip at 79", 40, ""),
        ("already after 50 metres, at 50 metres", 40, ""),
        ("An app puts me ninety years above my age.", 30, ""),
    ],
)
def test_years_must_fit_into_the_life(text: str, age: int, said: str) -> None:
    found = list(impossible_years(text, age))
    assert bool(found) == bool(said)
    assert all(said in problem for problem in found)


@pytest.mark.parametrize(
    ("finding", "word"),
    [
        ("tightness when she walks uphill", "she"),
        ("like her sister-in-law", None),
        ("cholesterol like his own", "his"),
        ("mother broke her hip at 79", None),
        ("herself again after a rest", "herself"),
        ("tired, cold, the other day", None),
    ],
)
def test_a_finding_speaks_of_the_person_as_of_oneself(finding: str, word: str | None) -> None:
    assert third_person(finding) == word


@pytest.mark.parametrize(
    ("text", "crosses", "word"),
    [
        ("Bone is lost at this age.", False, "this age"),
        ("an age at which it is hard", False, "an age at which"),
        ("avoided in older people", False, None),
        ("avoided in older people", True, "older"),
        ("healthy adults under 65", True, "under 65"),
        ("known since the age of 30", False, None),
        ("A BMI of 24 hides it.", True, None),
    ],
)
def test_words_that_hang_on_the_age(text: str, crosses: bool, word: str | None) -> None:
    assert age_talk(text, crosses_a_limit=crosses) == word


def test_ages_at_which_baselines_change() -> None:
    assert age_limits("CR") == {50, 65}
    assert age_limits("EX") == {18}


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_findings_use_no_verb_in_the_third_person(item: Item) -> None:
    about_me = re.compile(rf"(?:^|[,;:] |\band |\bbut )(?:{THIRD_PERSON_VERBS})\b")
    for finding in (*item.profile.history, *item.profile.medication):
        assert not about_me.search(finding.text), finding.text


def test_a_twin_may_not_keep_what_hangs_on_the_age() -> None:
    item = replace(BY_ID["lv_12"], twin=Twin(age=64))
    with pytest.raises(LongevityError, match=r"lv_12: the twin keeps .*'older' hangs on the age"):
        ground_truth(item)


def test_a_history_must_be_possible_for_the_twin_too() -> None:
    teeth = Distractor(topics=("wisdom teeth",), text="My wisdom teeth went forty years ago.")
    with pytest.raises(LongevityError, match=r"lv_13: 'forty years' .* begins at 12"):
        ground_truth(replace(BY_ID["lv_13"], distractor=teeth))


def test_a_commentary_may_not_quote_a_rule_that_does_not_hold() -> None:
    twin = age_twin(BY_ID["lv_12"], 0)
    rule = "weight-reducing diets avoided in older people who are not obese"
    wrong = replace(twin, commentary=f'{twin.commentary} Another says "{rule}".')
    with pytest.raises(LongevityError, match="quotes a rule that does not hold here: BASE CR/NM"):
        ground_truth(wrong)


def test_a_profile_in_the_third_person_is_refused() -> None:
    item = BY_ID["lv_11"]
    history = (*item.profile.history, Finding(text="short of breath when she hurries"))
    told = replace(item, profile=replace(item.profile, history=history))
    with pytest.raises(LongevityError, match=r"lv_11: .*says 'she'"):
        ground_truth(told)


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_bone_density_is_a_z_score_below_fifty(item: Item) -> None:
    for person in (item.profile, age_twin(item, 0).profile):
        fields = {m.field for m in person.measurements}
        assert person.age >= 50 or "tscore" not in fields
