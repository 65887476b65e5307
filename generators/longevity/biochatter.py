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
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
)

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
_DEEPEST = 100


_YAML = "tag:yaml.org,2002:"
_KINDS = ("null", "str", "seq", "map", "merge")


class _Texts(yaml.SafeLoader):
    """Reads every scalar but null as text.

    YAML 1.1 would make a truth value of an unquoted Yes or No and a date or a number of an
    identifier. Other tags are refused.
    """


_Texts.yaml_implicit_resolvers = {
    first: [(tag, form) for tag, form in forms if tag.removeprefix(_YAML) in _KINDS]
    for first, forms in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Texts.yaml_constructors = {
    tag: build
    for tag, build in yaml.SafeLoader.yaml_constructors.items()
    if tag is None or tag.removeprefix(_YAML) in _KINDS
}


def _joined(value: object) -> object:
    """Return a list of lines as one text."""
    if isinstance(value, list) and all(isinstance(line, str) for line in value):
        return "\n".join(value)
    return value


Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Text = Annotated[Line, BeforeValidator(_joined)]


def _one_answer(value: object) -> object:
    """Return a list of one answer, a yes or no in any case of letters written as in the rows.

    Raises:
        ValueError: The value is no list of one text.
    """
    if not isinstance(value, list) or len(value) != 1:
        raise ValueError("write a list that holds either Yes or No")
    return [value[0].strip().capitalize() if isinstance(value[0], str) else value[0]]


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
    no_distractor: Annotated[str | None, BeforeValidator(_joined)] = None


class _Prompt(_Model):
    background: _Backgrounds
    profile: _Profiles
    question: Text
    distractor_sentence: _DistractorSentence


class _Input(_Model):
    prompt: _Prompt


class _Expected(_Model):
    answer: Annotated[tuple[Literal["Yes", "No"]], BeforeValidator(_one_answer)]
    summary: Text
    key_words: tuple[Line, ...]
    individual: Literal["young", "mid-aged", "pregeriatric", "mid-aged/pregeriatric", "geriatric"]


class _Case(_Model):
    case: Line
    case_id: Line
    type: Line
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
    content = _content(path)
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


def _content(path: Path) -> Any:
    try:
        text = path.read_text(encoding="utf-8")
        return yaml.load(text, Loader=_Texts)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise LongevityError(f"cannot read {path.name}: {error}") from error
    except RecursionError as error:
        raise LongevityError(f"{path.name}: {_too_deep(text)}") from error


def _too_deep(text: str) -> str:
    """Say in which case and line a YAML text first is nested too deeply."""
    depth, key, case = 0, "", ""
    for event in yaml.parse(text):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        elif isinstance(event, yaml.ScalarEvent):
            case = event.value if key == "case" else case
            key = event.value
        if depth > _DEEPEST and event.start_mark:
            where = f"line {event.start_mark.line + 1}"
            return f"case {case!r}: {where} is nested more than {_DEEPEST} levels deep"
    return "nested too deeply"


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
    if not isinstance(text, str) or not text.strip():
        raise LongevityError(f"{SYSTEM_MESSAGES}: the list for {level} holds no lines of text")
    return text


def _case(entry: Mapping[str, Any]) -> _Case:
    try:
        return _Case.model_validate(entry)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        reason = first["msg"].removeprefix("Value error, ")
        raise LongevityError(f"case {entry['case']!r}: {where}: {reason}") from error


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
    return "\n\n".join(part.strip() for part in parts if part and part.strip())


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
