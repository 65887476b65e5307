"""All answers that a report is on, with what the release and the judges say of them."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from eval_tasks.forms import DEFAULT_FORM
from eval_tasks.question import LONGEVITY
from eval_tasks.release import Release
from reports.details import check_statuses, read_details
from reports.errors import ReportError
from reports.facts import KEYS, row_facts
from reports.judgements import (
    REASONING,
    REASONING_RUN,
    ReasoningLine,
    files_below,
    homes_of,
    read_lines,
)
from reports.traces import AGENT, with_traces
from reports.trust import Refused, Trusting, judge_trust

RIGHT = 0.95
"""Raw score from which an answer counts as right, as for the judge of reasoning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """What a report is on.

    Attributes:
        rows: A line an answer, as `details.read_details` says, with cost and seconds; the facts of
            `facts.row_facts`; `system` (the model, and whether as an agent or with retrieved
            passages), `right`, and `outcome`, `quality`, `failures` where reasoning was judged. None
            where no answers were saved.
        release: What was asked.
        refused: Verdicts on reasoning that were left out, since their judge is not believed.
    """

    rows: pd.DataFrame
    release: Release
    refused: tuple[Refused, ...] = ()

    def main(self) -> pd.DataFrame:
        """Return the answers over whole records in the default style, and those of agents."""
        rows = self.rows
        plain = (rows["style"] == DEFAULT_FORM.style) & (rows["days"] == DEFAULT_FORM.days)
        return rows[plain | (rows["style"] == AGENT)]

    def questions(self) -> pd.DataFrame:
        """Return the main answers to questions about records."""
        rows = self.main()
        return rows[rows["config"] != LONGEVITY]

    def cases(self) -> pd.DataFrame:
        """Return the answers to longevity cases."""
        return self.rows[self.rows["config"] == LONGEVITY]


def read_answers(
    sources: Sequence[Path], release: Release, trusting: Trusting = judge_trust
) -> Answers:
    """Return the answers below folders.

    Args:
        sources: Folders with lighteval's output, and what agents and judges left beside it.
        release: What was asked; a folder.
        trusting: Whether a judge of reasoning may be believed.

    Raises:
        ReportError: They do not belong together, or are to another release.
    """
    answers = with_traces(read_details(sources, release), sources, release)
    if not len(answers):
        return Answers(
            rows=pd.DataFrame(columns=["system", "config", "id", "home"]), release=release
        )
    check_statuses(answers)
    asked = set(zip(answers["config"], answers["split"], strict=True))
    if unknown := sorted(f"{c}/{s}" for c, s in asked if s not in release.rows.get(c, {})):
        raise ReportError(
            f"{release.repo} has no {', '.join(unknown)}; name the one that was asked"
        )
    facts = row_facts(release, asked)
    known = [name for name in facts.columns if name in KEYS or name not in answers.columns]
    rows = answers.merge(facts[known], on=KEYS, how="left", validate="many_to_one")
    _check_golds(rows, release)
    rows["system"] = _systems(rows)
    _check_once(rows)
    rows["right"] = rows["value"] >= RIGHT
    rows, refused = _with_reasoning(rows, sources, trusting)
    return Answers(rows=rows, release=release, refused=refused)


def system_name(model: str, *, agent: bool = False, retrieved: bool = False) -> str:
    """Return what a report calls a model, told how it was asked."""
    return f"{model}{' (agent)' if agent else ''}{' (retrieval)' if retrieved else ''}"


def _systems(rows: pd.DataFrame) -> pd.Series:
    kinds = zip(rows["model"], rows["style"] == AGENT, rows["retrieved"].astype(bool), strict=True)
    names = [system_name(model, agent=agent, retrieved=shown) for model, agent, shown in kinds]
    return pd.Series(names, index=rows.index)


def _check_once(rows: pd.DataFrame) -> None:
    """Check that a system answers a row once in one form; two runs of an agent may not."""
    keys = ["system", "config", "split", "style", "days", "id"]
    twice = rows[rows.duplicated(keys, keep=False)].sort_values(keys, kind="stable")
    if len(twice):
        first, second = twice["file"].iloc[:2]
        raise ReportError(
            f"{twice['system'].iloc[0]} answers {len(twice) // 2} rows in {first} and again in "
            f"{second}; report one of these runs"
        )


def _check_golds(rows: pd.DataFrame, release: Release) -> None:
    stated = [json.loads(text)["answer"] for text in rows["question"]]
    strange = rows[rows["gold"].isna() | (rows["gold"] != pd.Series(stated, index=rows.index))]
    if len(strange):
        raise ReportError(
            f"{strange.iloc[0]['file']}: row {strange.iloc[0]['id']} is not asked, or has another "
            f"answer, in {release.repo} ({len(strange)} such rows); name the release that was "
            "evaluated with --release"
        )


def _with_reasoning(
    rows: pd.DataFrame, sources: Sequence[Path], trusting: Trusting
) -> tuple[pd.DataFrame, tuple[Refused, ...]]:
    """Return answers with what judges of reasoning found of them, and who is not believed."""
    rows = rows.assign(outcome=None, quality=np.nan, failures="")
    refused = []
    for file in files_below(sources, REASONING):
        mine = rows[rows["home"].isin(homes_of(file, rows["home"].unique()))]
        places = {name: place for place, name in mine["id"].items()}
        if len(places) != len(mine):
            raise ReportError(
                f"{file}: the answers around it ask a row more than once; judge the answers of each "
                "form and model in a folder of its own"
            )
        found = pd.DataFrame(_reasons(file), columns=["id", "outcome", "quality", "failures"])
        found = found[found["id"].isin(list(places))]
        trust = trusting(file.parent / REASONING_RUN)
        if not trust.trusted:
            systems = tuple(sorted(mine["system"].unique()))
            refused.append(Refused(systems=systems, verdicts=len(found), trust=trust))
            continue
        index = [places[name] for name in found["id"]]
        for column in ("outcome", "quality", "failures"):
            rows.loc[index, column] = found[column].to_numpy()
    return rows, tuple(refused)


def _reasons(file: Path) -> Iterator[tuple[str, str | None, float, str]]:
    for line in read_lines(file, ReasoningLine):
        kinds = sorted({failure.type for failure in line.failures})
        quality = float("nan") if line.quality is None else float(line.quality)
        yield line.id, line.outcome, quality, ", ".join(kinds)
