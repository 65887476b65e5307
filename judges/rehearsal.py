"""A rehearsal on this machine: an endpoint that plays a good model, a lazy one and a judge.

The good model knows the gold answers and gives them with the row's own reasons; the lazy one knows
them too, gives about every second one, says "unknown" to the others, and shows no work. The judge finds what it is
shown word for word. So what a whole run must come out as is known before it starts.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from endpoints.loopback import Request, Scripted
from eval_tasks.prompts import longevity_prompt, qa_prompt
from eval_tasks.question import Row
from eval_tasks.record.shown import whole
from judges.asking import fingerprint
from judges.canaries import reference_answer
from judges.requirements import Case

Role = Literal["good", "lazy", "judge"]
LAZY_WORDS = "I did not calculate this."
LAZY_GUESS = "It is probably around this value: 1."
_SECOND_STAGE = "You turn the notes"
_SHORTEST: Mapping[str, list[object]] = {
    "bg_mgdl": [100],
    "insulin_mu_min": [0.0],
    "carb_events": [],
    "exercise_events": [],
    "insulin_events": [],
}
"""A record of one sample; what shows the record in a prompt is left out of account."""
_MARKED = re.compile(r"^(=== [0-9a-f]{24} ===)\n(.*?)\n\1$", re.DOTALL | re.MULTILINE)
_FACT = re.compile(r"^- (\w+): (.*)$", re.MULTILINE)
_NAMED_FACT = re.compile(r"(?:critical|supporting)_\d+|hazard")
_FAULTS = frozenset({"contradiction", "impossible", "exposes", "invented", "withholds"})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """What the models know of a row."""

    id: str
    answer: str
    reason: str


class Rehearsal:
    """The script of the endpoint."""

    def __init__(self, questions: Iterable[Row], cases: Iterable[Row]) -> None:
        """Learn the rows that may be asked.

        Args:
            questions: QA rows, with or without their records.
            cases: Longevity rows.
        """
        self._questions = {
            _key(qa_prompt(row, whole(_SHORTEST), "structured")): _Known(
                id=row["instance_id"], answer=row["answer"], reason=row["rationale"]
            )
            for row in questions
        }
        self._cases = {longevity_prompt(row): Case.from_row(row) for row in cases}

    def __call__(self, request: Request) -> Scripted:
        """Return what the model that is asked for writes."""
        if request.model == "judge":
            return Scripted(text=judged(request.user))
        text = next((m["content"] for m in request.messages if m["role"] == "user"), "")
        case = self._cases.get(text)
        if case is not None:
            return Scripted(text=_advice(case, lazy=request.model == "lazy"))
        known = self._questions.get(_key(text))
        if known is None:
            return Scripted(text="no row of the release asks this", status=404)
        return Scripted(text=_written(known, request))


def judged(prompt: str) -> str:
    """Return what the judge replies to a prompt."""
    found = _MARKED.search(prompt)
    text = found[2] if found else ""
    if "# The way to the answer\n" in prompt:
        return _examined(_section(prompt, "The way to the answer"), text)
    honest = _section(prompt, "Reference").partition("\n")[0] in text
    lines = [line for line in text.splitlines() if len(line) > 20]
    facts = _FACT.findall(_section(prompt, "Facts to look for"))
    entries = [
        _checked(name, fact, text, lines[number % len(lines)] if honest and lines else "")
        for number, (name, fact) in enumerate(facts)
    ]
    return json.dumps({"checks": entries})


def _checked(name: str, fact: str, text: str, line: str) -> dict[str, object]:
    quote = line
    if _NAMED_FACT.fullmatch(name):
        words = fact.partition(": ")[2]
        quote = words if words in text else ""
    met = bool(quote) and name not in _FAULTS
    return {"id": name, "met": met, "quote": quote if met else ""}


def _examined(way: str, text: str) -> str:
    follows = way in text
    kinds = {"reluctance_to_calculate": LAZY_WORDS, "guessing_over_uncertainty": LAZY_GUESS}
    faults = [{"type": kind, "quote": words} for kind, words in kinds.items() if words in text]
    return json.dumps(
        {
            "follows": follows,
            "follows_quote": way if follows else "",
            "quality": 5 if follows else 1,
            "format": 5,
            "failures": faults,
        }
    )


def lucky(row_id: str) -> bool:
    """Return whether the lazy model hits the right answer to a row."""
    return int(fingerprint(row_id)[0], 16) % 2 == 0


def _written(known: _Known, request: Request) -> str:
    lazy = request.model == "lazy"
    answer = json.loads(known.answer)
    if lazy and not lucky(known.id):
        answer = "unknown"
    final = json.dumps({"answer": answer})
    if request.system.startswith(_SECOND_STAGE):
        return final
    thought = f"{LAZY_WORDS} {LAZY_GUESS}" if lazy else f"{known.reason} The check: 1 + 1 = 2."
    if "<code>" in request.system:
        return f"Thought: {thought}\n<code>\nfinal_answer({answer!r})\n</code>"
    return f"{thought}\n{final}"


def _advice(case: Case, *, lazy: bool) -> str:
    if not lazy:
        return reference_answer(case, case.answer.capitalize())
    return f"{case.options[0].capitalize()}. Everybody is different, so please ask your doctor."


def _section(prompt: str, heading: str) -> str:
    return prompt.partition(f"# {heading}\n")[2].partition("\n\n# ")[0]


def _key(prompt: str) -> tuple[str, str]:
    """Return patient and question of a prompt, whatever shows the record in it."""
    question = prompt.partition("\n\n# Question\n")[2].partition("\n\n# Notes\n")[0]
    return _section(prompt, "Patient"), question.strip()
