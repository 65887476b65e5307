"""Score and skill of groups of rows, with intervals from drawing whole patients or items."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from eval_tasks.summary import (
    LEVELS,
    TASK_TYPES,
    ScoredRow,
    Summary,
    TaskKey,
    sampled_skill,
    summarise,
)
from eval_tasks.unvaried import unvaried
from reports.bootstrap import Interval, Numbers, interval, resamples

OVERALL = "overall"
_TASK = ["task_id", "task_type", "level"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """Score and skill of a group of rows.

    Attributes:
        group: `overall`, a task type, or a level.
        n: Rows.
        clusters: Patients, or longevity items, that they belong to.
        score: Mean raw score.
        skill: As `eval_tasks.summary` defines it.
    """

    group: str
    n: int
    clusters: int
    score: Interval
    skill: Interval


def measures(rows: pd.DataFrame) -> list[Measure]:
    """Return score and skill of rows of one system: overall, by task type, by level.

    Groups without rows are left out. A skill has an interval only where it can be had: not of a
    single cluster.
    """
    columns = [*_TASK, "cluster", "floor", "value", "strict", "status"]
    records = rows[columns].to_dict(orient="records")
    summary = summarise([ScoredRow(**{str(k): v for k, v in one.items()}) for one in records])
    table = _Table.of(rows)
    found = []
    for name, (skill, within) in _groups(summary, table).items():
        counts = table.counts[:, within]
        filled = counts.sum(axis=1) > 0
        if not filled.any():
            continue
        value = float(table.sums[:, within].sum() / counts.sum())
        found.append(
            Measure(
                group=name,
                n=int(counts.sum()),
                clusters=int(filled.sum()),
                score=_score(value, table, within, filled),
                skill=_skill(skill, table, within, filled),
            )
        )
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    """Sums and counts by cluster and task, shape (clusters, tasks)."""

    tasks: Sequence[TaskKey]
    floors: Numbers
    sums: Numbers
    counts: Numbers

    @classmethod
    def of(cls, rows: pd.DataFrame) -> "_Table":
        grouped = rows.groupby(_TASK, sort=True)
        floors = grouped["floor"].first()
        tasks = [(str(one), str(kind), str(level)) for one, kind, level in floors.index]
        places = grouped.ngroup().to_numpy()
        clusters, names = pd.factorize(rows["cluster"], sort=True)
        sums = np.zeros((len(names), len(tasks)))
        counts = np.zeros_like(sums)
        np.add.at(sums, (clusters, places), rows["value"].to_numpy(dtype=float))
        np.add.at(counts, (clusters, places), 1.0)
        return cls(tasks=tasks, floors=floors.to_numpy(dtype=float), sums=sums, counts=counts)


def _groups(summary: Summary, table: _Table) -> Mapping[str, tuple[float, np.ndarray]]:
    kinds = np.array([kind for _, kind, _ in table.tasks])
    levels = np.array([level for _, _, level in table.tasks])
    return {
        OVERALL: (summary.overall.skill, np.ones(len(table.tasks), dtype=bool)),
        **{name: (summary.by_type[name].skill, kinds == name) for name in TASK_TYPES},
        **{name: (summary.by_level[name].skill, levels == name) for name in LEVELS},
    }


def _score(value: float, table: _Table, within: np.ndarray, filled: np.ndarray) -> Interval:
    if filled.sum() < 2:
        return Interval(value=value)
    weights = resamples(len(filled))
    sums, counts = table.sums[:, within].sum(axis=1), table.counts[:, within].sum(axis=1)
    with np.errstate(invalid="ignore"):
        samples = (weights @ sums) / (weights @ counts)
    return interval(value, samples, unvaried(value, int(filled.sum())))


def _skill(value: float, table: _Table, within: np.ndarray, filled: np.ndarray) -> Interval:
    if filled.sum() < 2 or np.isnan(value):
        return Interval(value=value)
    weights = resamples(len(filled))
    with np.errstate(invalid="ignore"):
        means = (weights @ table.sums) / (weights @ table.counts)
    observed = table.sums.sum(axis=0) / table.counts.sum(axis=0)
    extremes = np.array(unvaried(observed, int(filled.sum())))
    low, high, *drawn = sampled_skill(
        table.tasks, table.floors, np.vstack([extremes, means]), within
    )
    return interval(value, np.array(drawn), (low, high))
