"""Review by physicians: the sheet they read, the file they sign, and what counts as reviewed.

Nothing counts as reviewed until the file `review.yaml` beside this module names reviewer, date and
items. It binds each item by the digest printed on the sheet: an item that was edited afterwards
stops the build until it is reviewed again or taken from the file.
"""

import datetime as dt
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from generators.longevity.errors import LongevityError
from generators.longevity.items import Item, ground_truth
from generators.longevity.vocabulary import INTERVENTIONS

REVIEW_FILE = Path(__file__).with_name("review.yaml")
_DIGEST_LENGTH = 16


class Review(BaseModel):
    """A signed review file.

    Attributes:
        reviewer: Name of the physician.
        qualification: For example the speciality and the register number.
        date: Day of the signature.
        signature: The name again, or a reference to the signed paper.
        items: Digest of the reviewed text by item.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    reviewer: str = Field(min_length=1)
    qualification: str = Field(min_length=1)
    date: dt.date
    signature: str = Field(min_length=1)
    items: Mapping[str, str] = Field(min_length=1)


def read_review(path: Path) -> Review:
    """Read a signed review file.

    Raises:
        LongevityError: The file cannot be read or lacks reviewer, qualification, date, signature
            or items.
    """
    try:
        return Review.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, RecursionError, yaml.YAMLError) as error:
        raise LongevityError(f"cannot read the review file {path.name}: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"])) or "file"
        raise LongevityError(f"review file {path.name}: {field}: {first['msg']}") from error


def committed_review() -> Review | None:
    """Return the review that belongs to this version, None while there is none."""
    return read_review(REVIEW_FILE) if REVIEW_FILE.exists() else None


def reviewed_items(review: Review | None, items: Iterable[Item]) -> frozenset[str]:
    """Return the identifiers of the items that a review covers as they stand now.

    Raises:
        LongevityError: The review names an unknown item, or one that has changed since.
    """
    if review is None:
        return frozenset()
    digests = {item.id: digest(item) for item in items}
    for name, signed in review.items.items():
        if name not in digests:
            raise LongevityError(f"the review names {name}, which is no item")
        if signed != digests[name]:
            raise LongevityError(
                f"{name} has changed since {review.reviewer} reviewed it on {review.date}; have it "
                "reviewed again or take it from the review file"
            )
    return frozenset(review.items)


def digest(item: Item) -> str:
    """Return what identifies the reviewed text of an item."""
    text = "\n".join(_body(item))
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGEST_LENGTH]


def review_sheet(items: Iterable[Item]) -> str:
    """Return the sheet for clinicians, in Markdown.

    Raises:
        LongevityError: An item fails a check.
    """
    return "\n".join((*_HEADER, *(line for item in items for line in _section(item))))


_HEADER = (
    "# Review of the longevity items",
    "",
    "For each item: are the values plausible, is the answer right, are reasons, hazard and next "
    "step medically sound, is a fact missing? Mark one box and sign each item. The review file "
    "`generators/longevity/review.yaml` then holds reviewer, qualification, date, signature and, "
    "under items, the digest of every approved item, for example `lv_01: 0123456789abcdef`.",
    "",
)


def _section(item: Item) -> Iterator[str]:
    yield f"## {item.id} (digest {digest(item)})"
    yield ""
    yield from _body(item)
    yield "- [ ] approved  - [ ] approved with changes  - [ ] rejected"
    yield ""
    yield "Remarks: ______________________________  Initials, date: ______________"
    yield ""


def _body(item: Item) -> Iterator[str]:
    """Yield everything about an item that a reviewer judges."""
    decision = ground_truth(item)
    yield item.background("verbose")
    yield ""
    yield item.rendered("list")
    yield ""
    yield f"Question ({INTERVENTIONS[item.profile.request.intervention]}): {item.fill(item.question)}"
    yield f"Distractor: {item.distractor.text}"
    yield ""
    yield f"**Answer: {decision.answer}.** Conditions: {', '.join(decision.conditions) or 'none'}."
    yield from (f"Rule: {rule.cite()}" for rule in decision.deciding)
    yield ""
    yield f"Commentary: {item.fill(item.commentary)}"
    yield from (f"- critical: {item.fill(fact)}" for fact in item.critical_facts)
    yield from (f"- supporting: {item.fill(fact)}" for fact in item.supporting_facts)
    yield f"Key hazard: {item.fill(item.key_hazard)}"
    yield f"Next step: {item.fill(item.next_step)}"
    yield ""
