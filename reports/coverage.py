"""Of how many rows a report has answers, where a split has more."""

from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd

from eval_tasks.forms import DEFAULT_FORM
from eval_tasks.question import LONGEVITY
from eval_tasks.release import Release
from reports.answers import Answers
from reports.measures import OVERALL
from reports.traces import AGENT

JUDGED = "judged"
"""Stands for the style where cases are counted on which there are verdicts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fewer:
    """A system with fewer rows than the split has.

    Attributes:
        system: Its name.
        config: What it was asked.
        split: Split of it.
        style: Style of the prompt, `agent`, or `judged`.
        n: Rows that there are.
        of: Rows that the split has.
    """

    system: str
    config: str
    split: str
    style: str
    n: int
    of: int

    def __str__(self) -> str:
        """Return how many of how many rows of what."""
        told = (
            [self.split] if self.style in (DEFAULT_FORM.style, AGENT) else [self.split, self.style]
        )
        return f"{self.n:,} of {self.of:,} rows of {self.config} ({', '.join(told)})"


def fewer_rows(answers: Answers, stated: pd.DataFrame, verdicts: pd.DataFrame) -> list[Fewer]:
    """Return the systems that were not asked all rows of a split, or not judged on all cases.

    Prompts over fewer days than the whole record are not among them: fewer questions can be asked.

    Args:
        answers: Answers, row by row; may be none.
        stated: What runs without answers state, as `results.read_results` says.
        verdicts: Verdicts on advice, as `longevity.Verdicts` says; counted where a system has no
            answers to cases, or more of them.
    """
    release = answers.release
    found = [one for table in (answers.rows, stated) for one in _asked(table, release)]
    return sorted([*found, *_judged(answers, verdicts)], key=_names)


def _names(one: Fewer) -> tuple[str, str, str, str]:
    return one.system, one.config, one.split, one.style


def _asked(table: pd.DataFrame, release: Release) -> Iterator[Fewer]:
    if not len(table):
        return
    if "portion" in table:
        whole = table[table["group"] == OVERALL].rename(columns={"portion": "config"})
    else:
        whole = table.assign(n=1)
    whole = whole[whole["days"] == DEFAULT_FORM.days]
    counts = whole.groupby(["system", "config", "split", "style"], as_index=False)["n"].sum()
    for system, config, split, style, n in counts.itertuples(index=False, name=None):
        of = release.rows.get(config, {}).get(split, 0)
        if n < of:
            yield Fewer(system=system, config=config, split=split, style=style, n=int(n), of=of)


def _judged(answers: Answers, verdicts: pd.DataFrame) -> Iterator[Fewer]:
    if not len(verdicts):
        return
    answered = answers.cases()["system"].value_counts()
    for system, n in verdicts.groupby("system", sort=True)["id"].nunique().items():
        for split, of in answers.release.rows[LONGEVITY].items():
            if n < answered.get(system, of):
                yield Fewer(
                    system=str(system), config=LONGEVITY, split=split, style=JUDGED, n=int(n), of=of
                )
