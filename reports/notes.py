"""The notes of an entry in `.eval_results`: all that a leaderboard needs beside the value, as text.

They are `name=value` pairs, apart by `; `. One module writes and reads them. What is read may come
from anybody: every value is checked for its form and range.
"""

import math
import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from eval_tasks.extraction import Status
from eval_tasks.horizons import HORIZONS
from eval_tasks.record import Style
from eval_tasks.scoring import STATUSES
from eval_tasks.summary import LOWEST_SKILL, TASK_TYPES
from reports.bootstrap import Interval
from reports.traces import AGENT

NO_TOOLS = "none"
WEB_ADDRESS = r"https?://[A-Za-z0-9.-]{1,100}(:[0-9]{1,5})?(/[!#-;=?-~]{0,300})?"
MODEL_NAME = r"[A-Za-z0-9][A-Za-z0-9_.-]{0,95}/[A-Za-z0-9][A-Za-z0-9_.-]{0,95}"
TOOLS = r"[a-z0-9][a-z0-9 ,.+()_-]{0,59}"
ROUNDING = 5e-5
"""How far a number with four decimals may lie from the one that was rounded."""
MOST_ROWS = 10_000_000
_LONGEST = 4000
_PART = ("n", "skill", "score")
_MEASURED = re.compile(r"(-?\d\.\d{4})(?: \[(-?\d\.\d{4}), (-?\d\.\d{4})\])?", re.ASCII)
_PART_NAME = re.compile(rf"({'|'.join(_PART)})_({'|'.join(TASK_TYPES)})")


class _Checked(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Measured(_Checked):
    """A mean with its 95 % interval from drawing whole patients or items; None where there is none."""

    value: float = Field(allow_inf_nan=False)
    low: float | None = Field(default=None, allow_inf_nan=False)
    high: float | None = Field(default=None, allow_inf_nan=False)

    @classmethod
    def of(cls, interval: Interval) -> "Measured":
        """Return what an interval says, with four decimals."""
        value = round(interval.value, 4)
        if math.isnan(interval.low) or math.isnan(interval.high):
            return cls(value=value)
        low, high = min(interval.low, interval.value), max(interval.high, interval.value)
        return cls(value=value, low=round(low, 4), high=round(high, 4))

    @model_validator(mode="after")
    def _ordered(self) -> "Measured":
        if (self.low is None) != (self.high is None):
            raise ValueError("an interval has two bounds")
        low = self.value if self.low is None else self.low
        high = self.value if self.high is None else self.high
        if not low <= self.value <= high:
            raise ValueError("the interval does not hold its own value")
        return self

    def __str__(self) -> str:
        if self.low is None:
            return f"{self.value:.4f}"
        return f"{self.value:.4f} [{self.low:.4f}, {self.high:.4f}]"

    def within(self, least: float) -> "Measured":
        """Return this if all of it lies in [least, 1].

        Raises:
            ValueError: It does not.
        """
        bounds = [bound for bound in (self.value, self.low, self.high) if bound is not None]
        if min(bounds) < least or max(bounds) > 1.0:
            raise ValueError(f"lies outside [{least:g}, 1]")
        return self


def _measured(value: object) -> object:
    if not isinstance(value, str):
        return value
    found = _MEASURED.fullmatch(value)
    if found is None:
        raise ValueError("is no number with four decimals and an interval")
    return dict(zip(("value", "low", "high"), found.groups(), strict=True))


def _skill(value: Measured) -> Measured:
    return value.within(LOWEST_SKILL)


def _score(value: Measured) -> Measured:
    return value.within(0.0)


_Skill = Annotated[Measured, BeforeValidator(_measured), AfterValidator(_skill)]
_Score = Annotated[Measured, BeforeValidator(_measured), AfterValidator(_score)]


class Part(_Checked):
    """Rows of one task type, or all rows of a config; no skill where no task has one."""

    n: int = Field(ge=1, le=MOST_ROWS)
    skill: _Skill | None = None
    score: _Score


class Notes(Part):
    """What an entry's notes say.

    Attributes:
        model: Repository of the model.
        version: Release version.
        prompt: Prompt style; None of longevity, whose cases have one prompt only.
        horizon: Days of record that a prompt shows, as in `7d`; None of longevity.
        tools: What the model may use, `none` where nothing.
        prompts: Version of the prompts.
        reference: Whether it is one of the reference models.
        clusters: Patients, or longevity items.
        statuses: Number of rows by status.
        parts: By task type, where a config has several.
        content: Start of the content hash of the rows.
    """

    model: str = Field(pattern=rf"^{MODEL_NAME}$")
    version: str = Field(pattern=r"^[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}$")
    prompt: Literal[Style, "agent"] | None = None
    horizon: str | None = Field(default=None, pattern=rf"^({'|'.join(map(str, HORIZONS))})d$")
    tools: str = Field(pattern=rf"^{TOOLS}$")
    prompts: int = Field(ge=1, le=10_000)
    reference: Literal["yes", "no"] = "no"
    clusters: int = Field(ge=1, le=MOST_ROWS)
    skill: _Skill
    statuses: Mapping[Status, Annotated[int, Field(ge=0)]]
    parts: Mapping[str, Part] = Field(default_factory=dict)
    content: str = Field(pattern=r"^[0-9a-f]{16}$")

    @model_validator(mode="after")
    def _whole(self) -> "Notes":
        if sum(self.statuses.values()) != self.n:
            raise ValueError("the statuses do not add up to n")
        if self.parts and sum(part.n for part in self.parts.values()) != self.n:
            raise ValueError("the task types do not add up to n")
        if self.clusters > self.n:
            raise ValueError("there are more patients or items than rows")
        if self.score.value > self.statuses.get("ok", 0) / self.n + ROUNDING:
            raise ValueError("the score is higher than the share of answers that could be read")
        if (self.prompt is None) != (self.horizon is None):
            raise ValueError("prompt and horizon belong together")
        if self.prompt == AGENT and self.tools == NO_TOOLS:
            raise ValueError("an agent has tools")
        return self

    def as_text(self) -> str:
        """Return the notes as an entry holds them."""
        return "; ".join(f"{name}={value}" for name, value in self._pairs() if value is not None)

    def _pairs(self) -> Iterator[tuple[str, object]]:
        for name in ("model", "version", "prompt", "horizon", "tools", "prompts"):
            yield name, getattr(self, name)
        yield "reference", None if self.reference == "no" else self.reference
        for name in ("n", "clusters", "skill", "score"):
            yield name, getattr(self, name)
        yield from self.statuses.items()
        for kind, part in self.parts.items():
            yield from ((f"{name}_{kind}", getattr(part, name)) for name in _PART)
        yield "content", self.content

    @classmethod
    def parse(cls, text: str) -> "Notes":
        """Return what notes say.

        Raises:
            ValueError: They are none of this benchmark's, or one of their values cannot be.
        """
        if len(text) > _LONGEST:
            raise ValueError(f"the notes are longer than {_LONGEST} characters")
        pairs = [entry.partition("=")[::2] for entry in text.split("; ")]
        named = dict(pairs)
        if len(named) < len(pairs):
            raise ValueError("the notes say something twice")
        return cls.model_validate(_nested(named))


def _nested(named: Mapping[str, str]) -> dict[str, Any]:
    """Return the fields of notes, statuses and task types apart from the rest."""
    parts: dict[str, dict[str, str]] = {}
    rest: dict[str, Any] = {}
    for name, value in named.items():
        if found := _PART_NAME.fullmatch(name):
            parts.setdefault(found[2], {})[found[1]] = value
        elif name not in STATUSES:
            rest[name] = value
    statuses = {name: value for name, value in named.items() if name in STATUSES}
    return {"statuses": statuses, "parts": parts, **rest}
