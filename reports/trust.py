"""Whether the judge behind verdicts may be believed: the one place that asks the package `judges`."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from judges import canaries, reasoning_canaries
from reports.judgements import REASONING_RUN


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeTrust:
    """Which judge it was, and why its scores may not be printed; no reasons: they may."""

    judge: str
    reasons: tuple[str, ...] = ()

    @property
    def trusted(self) -> bool:
        """Whether its scores may be printed."""
        return not self.reasons


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """Verdicts that are not reported, since their judge is not believed."""

    systems: tuple[str, ...]
    verdicts: int
    trust: JudgeTrust


Trusting = Callable[[Path], JudgeTrust]


def judge_trust(record: Path) -> JudgeTrust:
    """Return whether a judge's canaries came out as they must.

    Args:
        record: Its `judge_run.json`, or of a judge of reasoning its `reasoning_judge_run.json`.
            Without it there is no trust.
    """
    if not record.is_file():
        return JudgeTrust(judge="unknown", reasons=(f"{record.name} is missing: not tested",))
    try:
        model, trust = _trust(record)
    except ValidationError as error:
        reason = f"{record.name} is not a judge's: {error.errors()[0]['msg']}"
        return JudgeTrust(judge="unknown", reasons=(reason,))
    return JudgeTrust(judge=model, reasons=tuple(trust.reasons))


def _trust(record: Path) -> tuple[str, canaries.Trust]:
    text = record.read_text(encoding="utf-8")
    if record.name == REASONING_RUN:
        reasoned = reasoning_canaries.ReasoningRun.model_validate_json(text)
        return reasoned.model, reasoning_canaries.trusted_reasoning(reasoned)
    run = canaries.JudgeRun.model_validate_json(text)
    return run.model, canaries.trusted(run)
