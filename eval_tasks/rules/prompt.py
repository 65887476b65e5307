"""What the text of a prompt says, and nothing else."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from eval_tasks.errors import EvaluationError
from eval_tasks.record import read_record
from eval_tasks.record.shown import Shown
from eval_tasks.solver.record import Record, record_of

_SECTION = re.compile(r"^# (.+)\n", re.MULTILINE)
_PROFILE_LINE = re.compile(r"^(.+): ([\d.]+) (g/U|mg/dL per U|mg/dL|kg|years)$", re.MULTILINE)
_OPTIONS = re.compile(r"^One of: (.+)\.$", re.MULTILINE)
_NEEDED = {"Patient", "Record", "Instruction", "Form of the answer"}
_ADDED = "What is added after the end of the record"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Prompt:
    """A prompt as a reader without any other source reads it.

    Attributes:
        shown: The record.
        record: The same as tables; nothing is known outside the shown part.
        profile: Numbers of the patient's profile by their name in the prompt.
        instruction: The instruction.
        added: What is added after the record; empty where nothing is.
        options: Allowed answers.
    """

    shown: Shown
    record: Record
    profile: Mapping[str, float]
    instruction: str
    added: str
    options: tuple[str, ...]


def read_prompt(text: str) -> Prompt:
    """Return what a QA prompt says.

    Raises:
        EvaluationError: The text is no QA prompt.
    """
    sections = _sections(text)
    if not sections.keys() >= _NEEDED:
        raise EvaluationError("the text is no prompt of a QA config")
    shown = read_record(sections["Record"])
    options = _OPTIONS.search(sections["Form of the answer"])
    return Prompt(
        shown=shown,
        record=record_of({"input_context": shown.padded()}),
        profile={
            name: float(number) for name, number, _ in _PROFILE_LINE.findall(sections["Patient"])
        },
        instruction=sections["Instruction"],
        added=sections.get(_ADDED, ""),
        options=tuple(options[1].split(", ")) if options else (),
    )


def _sections(text: str) -> dict[str, str]:
    _, *parts = _SECTION.split(text)
    return {
        heading: body.strip("\n") for heading, body in zip(parts[::2], parts[1::2], strict=True)
    }
