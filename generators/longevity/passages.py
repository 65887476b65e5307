"""Passages of literature: the corpus format, and how passages stand above a prompt.

A corpus is a JSONL file with one note a line: id, title, abstract, year, doi. The default corpus
holds evidence notes written for this benchmark, each about one cited source or rule.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from generators.longevity.errors import LongevityError

DEFAULT_CORPUS = Path(__file__).with_name("evidence_notes.jsonl")


class Note(BaseModel):
    """A note of a corpus.

    Attributes:
        id: Unique in the corpus.
        title: Title of the work or the note.
        abstract: What is searched and shown.
        year: Year of publication, None where unknown.
        doi: DOI or another locator; empty where there is none.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(min_length=1)
    title: str = Field(min_length=1)
    abstract: str = Field(min_length=1)
    year: int | None = Field(default=None, ge=1800, le=2100)
    doi: str = ""


class Passage(Note):
    """A note that was retrieved.

    Attributes:
        score: Cosine similarity with the query.
    """

    score: float


def read_corpus(path: Path) -> Iterator[Note]:
    """Yield the notes of a corpus in the order of the file.

    Raises:
        LongevityError: The file cannot be read, a line is not a note, or an id occurs twice.
    """
    seen: set[str] = set()
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                note = _note(line, f"{path.name} line {number}")
                if note.id in seen:
                    raise LongevityError(f"{path.name} line {number}: the id {note.id!r} is taken")
                seen.add(note.id)
                yield note
    except (OSError, UnicodeDecodeError) as error:
        raise LongevityError(f"cannot read the corpus {path}: {error}") from error


def context(passages: Sequence[Passage]) -> str:
    """Return passages as they stand above a prompt, nothing where there are none."""
    if not passages:
        return ""
    entries = (
        f"[{place}] {passage.title} ({passage.year or 'no year'}): {passage.abstract}"
        for place, passage in enumerate(passages, start=1)
    )
    return "\n\n".join(("These passages were found in the literature:", *entries, ""))


def _note(line: str, where: str) -> Note:
    try:
        return Note.model_validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "line"
        raise LongevityError(
            f"{where}: {place}: {first['msg']}; a note needs id, title, abstract, year and doi"
        ) from error
