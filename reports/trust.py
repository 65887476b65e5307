"""Whether the judge behind verdicts may be believed: the one place that asks the package `judges`."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from judges import canaries


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeTrust:
    """Which judge it was, and why its scores may not be printed; no reasons: they may."""

    judge: str
    reasons: tuple[str, ...] = ()

    @property
    def trusted(self) -> bool:
        """Whether its scores may be printed."""
        return not self.reasons


Trusting = Callable[[Path], JudgeTrust]


def judge_trust(record: Path) -> JudgeTrust:
    """Return whether a judge's canaries came out as they must.

    Args:
        record: Its `judge_run.json`. Without it there is no trust.
    """
    if not record.is_file():
        return JudgeTrust(judge="unknown", reasons=(f"{record.name} is missing: not tested",))
    try:
        run = canaries.JudgeRun.model_validate_json(record.read_text(encoding="utf-8"))
    except ValidationError as error:
        reason = f"{record.name} is not a judge's: {error.errors()[0]['msg']}"
        return JudgeTrust(judge="unknown", reasons=(reason,))
    return JudgeTrust(judge=run.model, reasons=tuple(canaries.trusted(run).reasons))
