"""The review sheet shows what is judged; a review counts only for the text that was signed."""

import datetime as dt
import re
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from generators.longevity import cases
from generators.longevity.cases import ITEMS, longevity_rows
from generators.longevity.errors import LongevityError
from generators.longevity.review import (
    Review,
    committed_review,
    digest,
    read_review,
    review_sheet,
    reviewed_items,
)

SIGNED = {
    "reviewer": "A. Physician",
    "qualification": "internal medicine",
    "date": "2027-01-31",
    "signature": "A. Physician",
    "items": {"lv_01": digest(ITEMS[0])},
}


def written(folder: Path, content: object) -> Path:
    path = folder / "review.yaml"
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    return path


def test_nothing_is_reviewed_yet() -> None:
    assert committed_review() is None
    assert {row["physician_reviewed"] for row in longevity_rows()} == {False}


def test_the_sheet_shows_everything_that_is_judged() -> None:
    sheet = review_sheet(ITEMS)
    for item in ITEMS:
        section = sheet.split(f"## {item.id} (digest ")[1].split("\n## ")[0]
        for text in (item.commentary, item.key_hazard, item.next_step, *item.critical_facts):
            assert item.fill(text) in section
        assert item.rendered("list") in section
        assert section.startswith(digest(item))
        assert "[ ] approved" in section
    filled = [line for line in sheet.splitlines() if not line.startswith("Rule: ")]
    assert not [line for line in filled if re.search(r"[{}]", line)]


def test_a_signed_file_marks_exactly_its_items(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    review = read_review(written(tmp_path, SIGNED))
    assert review.date == dt.date(2027, 1, 31)
    assert reviewed_items(review, ITEMS) == {"lv_01"}
    monkeypatch.setattr(cases, "committed_review", lambda: review)
    marked = {row["item_id"] for row in longevity_rows() if row["physician_reviewed"]}
    assert marked == {"lv_01"}
    assert not any(row["physician_reviewed"] for row in longevity_rows("redrawn", seed=1))


def test_a_changed_item_is_no_longer_covered(tmp_path: Path) -> None:
    review = read_review(written(tmp_path, SIGNED))
    edited = replace(ITEMS[0], next_step="Wait.")
    with pytest.raises(LongevityError, match=r"lv_01 has changed since A\. Physician reviewed it"):
        reviewed_items(review, (edited, *ITEMS[1:]))


def test_an_unknown_item_is_refused() -> None:
    review = Review.model_validate({**SIGNED, "items": {"lv_99": "0"}})
    with pytest.raises(LongevityError, match="lv_99, which is no item"):
        reviewed_items(review, ITEMS)


@pytest.mark.parametrize("missing", sorted(SIGNED))
def test_an_unsigned_file_is_refused(tmp_path: Path, missing: str) -> None:
    content = {key: value for key, value in SIGNED.items() if key != missing}
    with pytest.raises(LongevityError, match=f"review.yaml: {missing}: Field required"):
        read_review(written(tmp_path, content))


def test_a_file_that_is_no_yaml_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "review.yaml"
    path.write_text("a: [", encoding="utf-8")
    with pytest.raises(LongevityError, match="cannot read the review file"):
        read_review(path)
