"""What judges and agents left beside the answers: verdicts, how answers were reached, traces.

The files are those of `scripts/judge.py` and `scripts/agent.py`: `verdicts.jsonl` with
`judge_run.json`, `reasoning.jsonl` with `reasoning_judge_run.json`, `traces.jsonl`. A judge's file belongs to the answers (a folder
`details`, or `traces.jsonl`) in its own folder, else to those in the nearest folder above that has
some, else to those below it.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from eval_tasks.json_lines import json_lines
from reports.errors import ReportError

VERDICTS = "verdicts.jsonl"
JUDGE_RUN = "judge_run.json"
REASONING = "reasoning.jsonl"
REASONING_RUN = "reasoning_judge_run.json"
TRACES = "traces.jsonl"


class VerdictLine(BaseModel):
    """What the report uses of a verdict on advice."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    case_id: str
    requirement: str
    truth_shown: bool
    replicate: int
    passed: bool | None
    runs: tuple[bool | None, bool | None]
    split: bool


class FailureLine(BaseModel):
    """A fault in a reasoning."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    type: str
    quote: str


class ReasoningLine(BaseModel):
    """What the report uses of a verdict on how an answer was reached."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    outcome: str | None
    quality: int | None = None
    failures: tuple[FailureLine, ...] = ()


class StepLine(BaseModel):
    """A step of an agent."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    written: str = ""
    code: str = ""
    observed: str = ""
    error: str = ""


class TraceLine(BaseModel):
    """What the report uses of an agent's trace."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    model: str
    status: str
    steps: tuple[StepLine, ...] = ()
    completion: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    seconds: float = 0.0

    def text(self) -> str:
        """Return the trace as a reader sees it: words, code and results in order."""
        parts = []
        for step in self.steps:
            parts += [step.written or step.code, step.observed, step.error]
        return "\n\n".join([part for part in parts if part] + [self.completion])


Line = TypeVar("Line", bound=BaseModel)


def files_below(sources: Sequence[Path], name: str) -> list[Path]:
    """Return the files of a name in folders and below, in order."""
    found = {file.resolve() for source in sources if source.is_dir() for file in source.rglob(name)}
    return sorted(found)


def homes_of(file: Path, homes: Iterable[str]) -> frozenset[str]:
    """Return the folders of the answers that a judge's file belongs to.

    Args:
        file: The file.
        homes: The folders of all answers.

    Raises:
        ReportError: It belongs to none.
    """
    known = frozenset(homes)
    for folder in file.parents:
        if str(folder) in known:
            return frozenset({str(folder)})
    below = frozenset(home for home in known if file.parent in Path(home).parents)
    if not below:
        raise ReportError(
            f"{file}: no answers lie around it; put it beside the folder `details` that was judged"
        )
    return below


def read_lines(file: Path, kind: type[Line]) -> Iterator[Line]:
    """Yield the records of a JSONL file; a last line that a kill has cut off is passed over.

    Raises:
        ReportError: Another line is none.
    """
    lines = json_lines(file)
    for number, line in enumerate(lines, start=1):
        try:
            yield kind.model_validate_json(line)
        except ValidationError as error:
            if number == len(lines) and not line.endswith("\n"):
                return
            about: Any = error.errors()[0]
            raise ReportError(f"{file}: line {number} is none ({about['msg']})") from error
