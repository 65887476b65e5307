"""Import of the original BioChatter items, for people who have that YAML file.

The file holds one list. Its entries are the system messages (`general_system_messages`, five named
lists of lines, and the same with the suffix `_rag`) and the cases. Cases whose name begins with
`rag:` are copies with contexts; they are counted and left out, so that 25 cases become 1,000 rows
of the schema of the config `longevity`. What the file does not state stays null or empty.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from generators.longevity.errors import LongevityError
from generators.longevity.items import Background
from generators.longevity.profile import AgeGroup
from generators.longevity.prompts import ANSWER_FORM, SystemPromptLevel
from generators.longevity.render import ProfileForm
from generators.longevity.vocabulary import INTERVENTIONS

SYSTEM_MESSAGES = "general_system_messages"
RAG_PREFIX = "rag:"
_RAG_MESSAGES = f"{SYSTEM_MESSAGES}_rag"
_LEVELS: tuple[SystemPromptLevel, ...] = get_args(SystemPromptLevel)
_AGE_GROUPS: Mapping[str, AgeGroup] = {
    "young": "20-39",
    "mid-aged": "40-60",
    "pregeriatric": "40-60",
    "mid-aged/pregeriatric": "40-60",
    "geriatric": "over 60",
}
_SYNONYMS: Mapping[str, str] = {
    **{name: name for name in INTERVENTIONS.values()},
    "caloric restriction and exercise": "caloric restriction with exercise",
    "calorie restriction": "caloric restriction",
    "sirolimus": "rapamycin",
}
_UNSTATED = "not stated"


def _joined(value: object) -> object:
    """Return a list of lines as one text."""
    if isinstance(value, list) and all(isinstance(line, str) for line in value):
        return "\n".join(value)
    return value


def _as_text(value: object) -> object:
    return str(value) if isinstance(value, int) else value


Text = Annotated[str, BeforeValidator(_joined), Field(min_length=1)]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Backgrounds(_Model):
    short: Text
    verbose: Text


class _Profiles(_Model):
    as_list: Text = Field(alias="list")
    paragraph: Text


class _DistractorSentence(_Model):
    distractor: Text
    no_distractor: str | None = None


class _Prompt(_Model):
    background: _Backgrounds
    profile: _Profiles
    question: Text
    distractor_sentence: _DistractorSentence


class _Input(_Model):
    prompt: _Prompt


class _Expected(_Model):
    answer: tuple[Literal["Yes", "No"]]
    summary: Text
    key_words: tuple[str, ...]
    individual: Literal["young", "mid-aged", "pregeriatric", "mid-aged/pregeriatric", "geriatric"]


class _Case(_Model):
    case: str = Field(min_length=1)
    case_id: Annotated[str, BeforeValidator(_as_text), Field(min_length=1)]
    type: str = Field(min_length=1)
    input: _Input
    expected: _Expected


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What a file holds.

    Attributes:
        rows: Cases in the columns of the config `longevity`, without provenance.
        cases: Number of cases that were imported.
        left_out: Number of copies with contexts that were not.
    """

    rows: tuple[Mapping[str, object], ...]
    cases: int
    left_out: int


def import_biochatter(path: Path, types: Sequence[str] = ()) -> Imported:
    """Read a BioChatter file of longevity items.

    Args:
        path: The YAML file.
        types: Values of `type` that are accepted; without any, the one of the first case.

    Raises:
        LongevityError: The file is no such YAML, or a case is broken; the message names the case.
    """
    entries = _entries(path)
    messages = _system_messages(entries)
    raw = [entry for entry in entries if "case" in entry]
    wanted = [entry for entry in raw if not str(entry["case"]).startswith(RAG_PREFIX)]
    cases = [_case(entry) for entry in wanted]
    _check_together(cases, types)
    rows = tuple(row for case in cases for row in _rows(case, messages))
    return Imported(rows=rows, cases=len(cases), left_out=len(raw) - len(wanted))


def _entries(path: Path) -> list[Mapping[str, Any]]:
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, RecursionError, yaml.YAMLError) as error:
        raise LongevityError(f"cannot read {path.name}: {error}") from error
    if isinstance(content, dict) and len(content) == 1:
        content = next(iter(content.values()))
    if not isinstance(content, list) or not all(isinstance(entry, dict) for entry in content):
        raise LongevityError(f"{path.name}: one list of entries is expected at the top")
    for place, entry in enumerate(content, start=1):
        if not {"case", SYSTEM_MESSAGES, _RAG_MESSAGES} & set(entry):
            raise LongevityError(
                f"{path.name}: entry {place} is neither a case nor {SYSTEM_MESSAGES}; it has "
                f"{', '.join(map(str, entry)) or 'nothing'}"
            )
    return content


def _system_messages(entries: Sequence[Mapping[str, Any]]) -> Mapping[SystemPromptLevel, str]:
    """Return the five system prompts; lists under other names count in the order of the file."""
    found = [entry[SYSTEM_MESSAGES] for entry in entries if SYSTEM_MESSAGES in entry]
    if len(found) != 1 or not isinstance(found[0], dict) or len(found[0]) != len(_LEVELS):
        raise LongevityError(f"{SYSTEM_MESSAGES}: one mapping of {len(_LEVELS)} lists is expected")
    named = {_plain(name): lines for name, lines in found[0].items()}
    known = set(named) & set(_LEVELS)
    if known and known != set(_LEVELS):
        unknown = sorted(set(named) - known)
        raise LongevityError(f"{SYSTEM_MESSAGES}: unknown list {', '.join(unknown)}")
    ordered = [named[level] for level in _LEVELS] if known else list(named.values())
    return {level: _lines(level, lines) for level, lines in zip(_LEVELS, ordered, strict=True)}


def _plain(name: object) -> str:
    return str(name).lower().replace("-", "_").replace(" ", "_")


def _lines(level: str, lines: object) -> str:
    text = _joined(lines)
    if not isinstance(text, str) or not text:
        raise LongevityError(f"{SYSTEM_MESSAGES}: the list for {level} holds no lines of text")
    return text


def _case(entry: Mapping[str, Any]) -> _Case:
    try:
        return _Case.model_validate(entry)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise LongevityError(f"case {entry['case']!r}: {where}: {first['msg']}") from error


def _check_together(cases: Sequence[_Case], types: Sequence[str]) -> None:
    if not cases:
        raise LongevityError("the file holds no case without contexts")
    accepted = set(types) or {cases[0].type}
    for case in cases:
        if case.type not in accepted:
            raise LongevityError(
                f"case {case.case!r}: unknown type {case.type!r}; accepted: "
                f"{', '.join(sorted(accepted))}"
            )
    for name, count in Counter(case.case_id for case in cases).items():
        if count > 1:
            twice = [case.case for case in cases if case.case_id == name]
            raise LongevityError(f"case {twice[-1]!r}: the case_id {name} is taken by {twice[0]!r}")


def _rows(case: _Case, messages: Mapping[SystemPromptLevel, str]) -> Iterator[Mapping[str, object]]:
    item_id = f"biochatter_{case.case_id}"
    backgrounds: tuple[Background, ...] = get_args(Background)
    forms: tuple[ProfileForm, ...] = get_args(ProfileForm)
    for background, form, distractor, level in product(backgrounds, forms, (False, True), _LEVELS):
        facts = "distracted" if distractor else "plain"
        yield {
            "case_id": f"{item_id}.{background}.{form}.{facts}.{level}",
            "item_id": item_id,
            "item_variant": "imported",
            "background": background,
            "profile_form": form,
            "distractor": distractor,
            "system_prompt_level": level,
            "system_prompt": messages[level],
            "user_prompt": _user_prompt(case.input.prompt, background, form, distractor=distractor),
            **_truth(case),
        }


def _user_prompt(
    prompt: _Prompt, background: Background, form: ProfileForm, *, distractor: bool
) -> str:
    backgrounds = {"short": prompt.background.short, "verbose": prompt.background.verbose}
    forms = {"list": prompt.profile.as_list, "paragraph": prompt.profile.paragraph}
    sentence = prompt.distractor_sentence
    extra = sentence.distractor if distractor else sentence.no_distractor
    parts = (backgrounds[background], forms[form], extra, prompt.question, ANSWER_FORM)
    return "\n\n".join(part.strip() for part in parts if part)


def _truth(case: _Case) -> Mapping[str, object]:
    expected = case.expected
    return {
        "intervention": _intervention(f"{case.input.prompt.question} {case.case}"),
        "age_group": _AGE_GROUPS[expected.individual],
        "age_years": None,
        "sex": None,
        "conditions": [],
        "passages": [],
        "options": ["yes", "no"],
        "answer": f'"{expected.answer[0].lower()}"',
        "deciding_rules": [],
        "commentary": expected.summary,
        "keywords": list(expected.key_words),
        "critical_facts": [],
        "supporting_facts": [],
        "key_hazard": "",
        "next_step": "",
        "physician_reviewed": False,
    }


def _intervention(text: str) -> str:
    """Return the intervention that a text names, the longest name first."""
    plain = text.lower().replace("_", " ")
    names = (name for name in sorted(_SYNONYMS, key=len, reverse=True) if name in plain)
    return next((_SYNONYMS[name] for name in names), _UNSTATED)
