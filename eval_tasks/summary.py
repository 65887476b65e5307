"""From scored rows to what is reported: raw scores and skill, by task type and level, with counts.

A task's skill is (mean raw score - floor) / (1 - floor), never below -1: 0 is what the best trivial
model gets, 1 is perfect. It is averaged over the tasks of each task type and level, and then over
these cells. Tasks that share a gold rule under several wordings weigh as one. A task on which a
trivial model is perfect tells models apart by nothing; it has no skill and is left out of it.
Nothing is left out of the raw scores: what could not be read counts 0.

Standard errors are clustered: the rows of a patient, or of a longevity item, share a record or a
profile and are not independent. The deviations are summed within each of G clusters, and G / (G - 1)
times the sum of the squares of these sums, over n squared, is the variance of the mean (the
cluster-robust estimate of Liang and Zeger, Biometrika 1986). With rows of their own clusters it is
the usual standard error of a mean.
"""

import math
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from eval_tasks.extraction import Status
from eval_tasks.question import Question
from eval_tasks.scoring import STATUSES, Score

TASK_TYPES = ("process_mining", "anomaly_detection", "prediction", "longevity")
LEVELS = ("descriptive", "memory", "pattern")
SHARED_RULES: tuple[frozenset[str], ...] = (
    frozenset({"ad_3", "ad_43"}),
    frozenset({"ad_9", "ad_47"}),
    frozenset({"ad_59", "ad_62", "ad_63"}),
    frozenset({"ad_61", "ad_64"}),
)
"""Tasks with one gold rule and several wordings."""
LOWEST_SKILL = -1.0
_OVERALL = (
    *("score", "score_stderr", "skill", "skill_stderr", "strict", "strict_stderr"),
    "parse_failures",
)
_BY_GROUP = ("score", "skill", "strict", "parse_failures")
TaskKey = tuple[str, str, str]
"""Task id, task type and level."""
Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredRow:
    """The score of one row and where it belongs.

    Attributes:
        task_id: The row's task.
        task_type: Its task type.
        level: Its cognitive level.
        cluster: Whose rows depend on each other.
        floor: Best mean raw score of a trivial model on the task.
        value: Raw score.
        strict: Whether the answer counts as right by the strict rule.
        status: How the row was answered.
    """

    task_id: str
    task_type: str
    level: str
    cluster: str
    floor: float
    value: float
    strict: bool
    status: Status

    @classmethod
    def of(cls, question: Question, floor: float, result: Score) -> "ScoredRow":
        """Return the row of a question that was scored."""
        return cls(
            task_id=question.task_id,
            task_type=question.task_type,
            level=question.level,
            cluster=question.cluster,
            floor=floor,
            value=result.value,
            strict=result.strict,
            status=result.status,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A set of rows.

    Attributes:
        n: Number of rows.
        score: Mean raw score; NaN without rows.
        score_stderr: Its standard error; NaN with fewer than two clusters.
        strict: Share of rows whose answer is right by the strict rule.
        strict_stderr: Its standard error.
        parse_failures: Share of rows whose status is not `ok`.
        skill: Mean skill of its tasks, cells first; NaN where no task has one.
    """

    n: int
    score: float
    score_stderr: float
    strict: float
    strict_stderr: float
    parse_failures: float
    skill: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What is reported of a config.

    Attributes:
        overall: All rows.
        skill_stderr: Standard error of the overall skill; NaN where a task has a single row.
        by_type: By task type, all of `TASK_TYPES`.
        by_level: By cognitive level, all of `LEVELS`.
        statuses: Number of rows by status, all of `STATUSES`.
        without_skill: Tasks on which a trivial model is perfect.
    """

    overall: Group
    skill_stderr: float
    by_type: Mapping[str, Group]
    by_level: Mapping[str, Group]
    statuses: Mapping[str, int]
    without_skill: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _TaskSkill:
    """Skill of a task, its share in its gold rule, and what each row adds to the skill's error.

    `deviations` holds each row's cluster and its part of the skill minus its expectation; None with
    a single row, whose error is unknown.
    """

    task_id: str
    cell: tuple[str, str]
    share: float
    skill: float
    deviations: Sequence[tuple[str, float]] | None


def summarise(rows: Sequence[ScoredRow]) -> Summary:
    """Return what is reported of the rows of a config."""
    tasks = _task_skills(rows)
    used = [task for task in tasks if not math.isnan(task.skill)]
    counts = Counter(row.status for row in rows)
    return Summary(
        overall=_group(rows, used),
        skill_stderr=_skill_stderr(used),
        by_type={
            name: _group(
                [row for row in rows if row.task_type == name],
                [task for task in used if task.cell[0] == name],
            )
            for name in TASK_TYPES
        },
        by_level={
            name: _group(
                [row for row in rows if row.level == name],
                [task for task in used if task.cell[1] == name],
            )
            for name in LEVELS
        },
        statuses={status: counts[status] for status in STATUSES},
        without_skill=tuple(task.task_id for task in tasks if math.isnan(task.skill)),
    )


def flat(summary: Summary) -> dict[str, float]:
    """Return a summary as one number a name, `k_stderr` beside `k`; always the same names."""
    overall = summary.overall
    values = {
        "score": overall.score,
        "score_stderr": overall.score_stderr,
        "skill": overall.skill,
        "skill_stderr": summary.skill_stderr,
        "strict": overall.strict,
        "strict_stderr": overall.strict_stderr,
        "parse_failures": overall.parse_failures,
    }
    for name, group in (*summary.by_type.items(), *summary.by_level.items()):
        values[f"score_{name}"] = group.score
        values[f"score_{name}_stderr"] = group.score_stderr
        values[f"skill_{name}"] = group.skill
        values[f"strict_{name}"] = group.strict
        values[f"parse_failures_{name}"] = group.parse_failures
        values[f"n_{name}"] = float(group.n)
    values |= {f"n_{status}": float(count) for status, count in summary.statuses.items()}
    values["n"] = float(overall.n)
    values["n_tasks_without_skill"] = float(len(summary.without_skill))
    return values


def nested(values: Mapping[str, float]) -> dict[str, Any]:
    """Return what `flat` wrote as a nested object fit for JSON: null for NaN, whole counts."""
    return {
        **{name: _number(values[name]) for name in _OVERALL},
        "by_type": {name: _nested_group(values, name) for name in TASK_TYPES},
        "by_level": {name: _nested_group(values, name) for name in LEVELS},
        "statuses": {status: int(values[f"n_{status}"]) for status in STATUSES},
        "n": int(values["n"]),
        "n_tasks_without_skill": int(values["n_tasks_without_skill"]),
    }


def _nested_group(values: Mapping[str, float], name: str) -> dict[str, float | None]:
    return {
        **{key: _number(values[f"{key}_{name}"]) for key in _BY_GROUP},
        "score_stderr": _number(values[f"score_{name}_stderr"]),
        "n": int(values[f"n_{name}"]),
    }


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value


def task_skill(mean: float, floor: float) -> float:
    """Return (mean - floor) / (1 - floor), at least -1; NaN where the floor is 1."""
    return float(_skill(np.asarray(mean), np.asarray(floor)))


def sampled_skill(
    tasks: Sequence[TaskKey], floors: Numbers, means: Numbers, within: npt.NDArray[np.bool_]
) -> Numbers:
    """Return the skill of many samples of the rows of a config, each as `summarise` has it.

    Args:
        tasks: The tasks of the config.
        floors: Their floors, shape (tasks,).
        means: Their mean raw scores in each sample, shape (samples, tasks); NaN where a sample has
            no row of a task.
        within: The tasks whose skill is wanted, shape (tasks,).

    Returns:
        Shape (samples,); NaN where a sample has no row of a task that has a skill.
    """
    same_rule = np.array([[task[0] in _rule(other[0]) for task in tasks] for other in tasks])
    present = ~np.isnan(means)
    skill = np.where(within, _skill(means, floors), math.nan)
    used = ~np.isnan(skill)
    shares = used / np.maximum(present.astype(float) @ same_rule, 1.0)
    weights = _weights(shares, [task[1:] for task in tasks])
    with np.errstate(invalid="ignore"):
        return np.asarray(
            (weights * np.where(used, skill, 0.0)).sum(axis=1) / weights.sum(axis=1), dtype=float
        )


def _skill(mean: Numbers, floor: Numbers) -> Numbers:
    with np.errstate(divide="ignore", invalid="ignore"):
        skill = np.maximum(LOWEST_SKILL, (mean - floor) / (1.0 - floor))
    return np.where(floor < 1.0, skill, math.nan)


def _group(rows: Sequence[ScoredRow], tasks: Sequence[_TaskSkill]) -> Group:
    clusters = [row.cluster for row in rows]
    score, score_stderr = _mean(clusters, [row.value for row in rows])
    strict, strict_stderr = _mean(clusters, [float(row.strict) for row in rows])
    return Group(
        n=len(rows),
        score=score,
        score_stderr=score_stderr,
        strict=strict,
        strict_stderr=strict_stderr,
        parse_failures=_mean(clusters, [float(row.status != "ok") for row in rows])[0],
        skill=_mean_skill(tasks),
    )


def _mean(clusters: Sequence[str], values: Sequence[float]) -> tuple[float, float]:
    """Return the mean of some values and its clustered standard error."""
    if not values:
        return math.nan, math.nan
    mean = statistics.fmean(values)
    parts = [(value - mean) / len(values) for value in values]
    return mean, clustered_error(zip(clusters, parts, strict=True))


def clustered_error(deviations: Iterable[tuple[str, float]]) -> float:
    """Return the standard error of an estimate from what each row adds to its deviation.

    Args:
        deviations: Cluster of each row, and its part of the estimate minus that part's expectation.

    Returns:
        The standard error; NaN with fewer than two clusters.
    """
    sums: defaultdict[str, float] = defaultdict(float)
    for cluster, deviation in deviations:
        sums[cluster] += deviation
    if len(sums) < 2:
        return math.nan
    squares = math.fsum(total**2 for total in sums.values())
    return math.sqrt(squares * len(sums) / (len(sums) - 1))


def _mean_skill(tasks: Sequence[_TaskSkill]) -> float:
    if not tasks:
        return math.nan
    weights = _weights_of(tasks)
    total = math.fsum(weight * task.skill for weight, task in zip(weights, tasks, strict=True))
    return total / math.fsum(weights)


def _task_skills(rows: Iterable[ScoredRow]) -> list[_TaskSkill]:
    tasks: defaultdict[tuple[str, str, str], list[ScoredRow]] = defaultdict(list)
    for row in rows:
        tasks[row.task_id, row.task_type, row.level].append(row)
    present = {task_id for task_id, _, _ in tasks}
    return [_skill_of(key, tasks[key], present) for key in sorted(tasks)]


def _skill_of(
    key: tuple[str, str, str], rows: Sequence[ScoredRow], present: Set[str]
) -> _TaskSkill:
    task_id, task_type, level = key
    mean, floor = statistics.fmean(row.value for row in rows), rows[0].floor
    known = len(rows) > 1 and floor < 1.0
    return _TaskSkill(
        task_id=task_id,
        cell=(task_type, level),
        share=1.0 / len(_rule(task_id) & present),
        skill=task_skill(mean, floor),
        deviations=(
            [(row.cluster, (row.value - mean) / len(rows) / (1.0 - floor)) for row in rows]
            if known
            else None
        ),
    )


def _rule(task_id: str) -> frozenset[str]:
    return next((rule for rule in SHARED_RULES if task_id in rule), frozenset({task_id}))


def _weights_of(tasks: Sequence[_TaskSkill]) -> list[float]:
    shares = np.array([[task.share for task in tasks]])
    weights: list[float] = _weights(shares, [task.cell for task in tasks])[0].tolist()
    return weights


def _weights(shares: Numbers, cells: Sequence[tuple[str, str]]) -> Numbers:
    """Return each task's weight in the mean over cells of the mean over tasks; they sum to 1.

    Args:
        shares: Of each task in its gold rule, 0 where it does not count, shape (samples, tasks).
        cells: Task type and level of each task.
    """
    names = sorted(set(cells))
    member = np.array([[cell == name for name in names] for cell in cells], dtype=float)
    in_cell = shares @ member
    filled = (in_cell > 0.0).sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        weights = shares / (in_cell @ member.T) / filled
    return np.where(shares > 0.0, weights, 0.0)


def _skill_stderr(tasks: Sequence[_TaskSkill]) -> float:
    """Return the clustered standard error of the mean skill, floors taken as known.

    The bound at -1 is left aside, so the error of a model far below the floors is an upper one.
    """
    if not tasks:
        return math.nan
    weighed = zip(_weights_of(tasks), tasks, strict=True)
    parts: list[tuple[str, float]] = []
    for weight, task in weighed:
        if task.deviations is None:
            return math.nan
        parts += [(cluster, weight * deviation) for cluster, deviation in task.deviations]
    return clustered_error(parts)
