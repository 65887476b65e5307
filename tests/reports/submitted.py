"""Results as models' owners submit them, open to changes."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import yaml

from eval_tasks.question import LONGEVITY
from eval_tasks.release import HUB_REPOSITORY
from eval_tasks.scoring import STATUSES
from reports.notes import Measured, Notes, Part

CONTENT = "0123456789abcdef"


@dataclass(frozen=True, slots=True, kw_only=True)
class Submitted:
    """An entry with an interval of a tenth to both sides of its skill."""

    model: str = "lab/one"
    config: str = "simulated"
    skill: float = 0.5
    version: str = "0.1.0"
    prompt: str = "structured"
    horizon: str = "30d"
    tools: str = "none"
    n: int = 100
    reference: str = "no"
    content: str = CONTENT
    day: str = "2026-05-04"
    url: str = ""
    more: Mapping[str, Any] = field(default_factory=dict)

    def notes(self) -> Notes:
        recorded = self.config != LONGEVITY
        unread = 0 if self.skill > 0.9 else 3
        score = round((1.0 + self.skill) / 2.0, 4)
        parts = {}
        if self.config == "simulated":
            part = Part(n=self.n // 2, skill=self._interval(), score=Measured(value=score))
            parts = {"process_mining": part, "prediction": part}
        return Notes.model_validate(
            {
                "model": self.model,
                "version": self.version,
                "prompt": self.prompt if recorded else None,
                "horizon": self.horizon if recorded else None,
                "tools": self.tools,
                "prompts": 2,
                "reference": self.reference,
                "n": self.n,
                "clusters": 30,
                "skill": self._interval(),
                "score": Measured(value=score),
                "statuses": {**dict.fromkeys(STATUSES, 0), "ok": self.n - unread, "empty": unread},
                "parts": parts,
                "content": self.content,
            }
            | dict(self.more)
        )

    def _interval(self) -> Measured:
        return Measured(
            value=self.skill,
            low=round(max(self.skill - 0.1, -1.0), 4),
            high=round(min(self.skill + 0.1, 1.0), 4),
        )

    def item(self) -> dict[str, Any]:
        """Return the entry as the Hub's format has it."""
        return {
            "dataset": {"id": HUB_REPOSITORY, "task_id": self.config, "revision": self.version},
            "value": self.skill,
            "date": self.day,
            **({"source": {"url": self.url}} if self.url else {}),
            "notes": self.notes().as_text(),
        }


def write(folder: Path, *entries: Submitted) -> Path:
    """Write each entry into a file of its own in its model's folder."""
    for number, entry in enumerate(entries):
        write_items(folder / entry.model, f"{number}.yaml", [entry.item()])
    return folder


def write_items(home: Path, name: str, items: object) -> Path:
    """Write a file of entries into a model's folder."""
    path = home / ".eval_results" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    text = items if isinstance(items, str) else yaml.safe_dump(items, sort_keys=False)
    path.write_text(text, encoding="utf-8")
    return path


def many() -> list[Submitted]:
    """Return what a busy leaderboard holds: settings, references, close results, longevity."""
    close = [
        Submitted(model="lab/one", skill=0.62, url="https://example.org/logs?a=1&b=2"),
        Submitted(model="lab/two", skill=0.55),
        Submitted(
            model="a-rather-long-organisation/a-model-with-a-long-name-70b-instruct", skill=0.21
        ),
        Submitted(model="other/below", skill=-0.35),
    ]
    references = [
        Submitted(model=f"healthloopqa/{name}", skill=skill, reference="yes")
        for name, skill in (("gold", 1.0), ("rules", 0.8), ("constant", -0.02))
    ]
    return [
        *close,
        *references,
        *(replace(one, config="fault_injected", skill=one.skill / 2) for one in close),
        *(replace(one, prompt="timelined", horizon="7d", n=60) for one in close[:2]),
        *(replace(one, prompt="agent", tools="python", skill=one.skill + 0.2) for one in close[:2]),
        *(replace(one, config="longevity", n=1000) for one in close[:2]),
        replace(close[0], version="0.0.9", skill=0.3),
    ]
