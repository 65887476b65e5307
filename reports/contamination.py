"""The same models on a published release and on a fresh test: has a model seen the published one?

Both splits ask the same tasks of people of the same kind. Scores are standardised to one mix of
tasks, and the difference has an interval from drawing whole people or longevity items in both splits
at once: a patient with the sibling that stands for it, an item with its drawn-anew form.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from eval_tasks.canonical import DIGEST_LENGTH
from eval_tasks.forms import TEST_SPLIT
from eval_tasks.privacy import is_private
from eval_tasks.release import Release
from eval_tasks.summary import TaskKey, sampled_skill
from eval_tasks.unvaried import unvaried
from generators.simulated.patients import parent_of
from reports.bootstrap import Interval, Numbers, interval, resamples
from reports.errors import ReportError
from reports.measures import OVERALL
from reports.submission import Evaluated, evaluated
from reports.tables import spread_out

CONTROL = "rules"
"""Reference model that has seen nothing: what it scores less on the fresh test is chance."""
_TASK = ["task_id", "task_type", "level"]
_FIELDS = [*_TASK, "cluster", "floor", "value"]
_MOST_BY_CHANCE = 2
"""Digests that unlike rows may share: of 2,000 rows each, two splits share one in 1,000 times."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """Models on the split `test` of one release.

    Attributes:
        release: The release, in a folder.
        runs: What each model gives, by its name.
    """

    release: Release
    runs: Mapping[str, Evaluated]


def read_split(results: Path, release: Release) -> Split:
    """Return the models below a folder, every answer scored anew.

    Args:
        results: Folder that holds one or more of lighteval's output folders, one for each model.
        release: What was asked; a folder.

    Raises:
        ReportError: There are none, or several of one model.
        SubmissionError: A run is limited, mixed, incomplete, or does not give what it claims.
    """
    homes = sorted({file.parent for file in results.rglob("details") if file.is_dir()})
    if not homes:
        raise ReportError(f"{results}: no folder details there; evaluate with --save-details")
    runs: dict[str, Evaluated] = {}
    for home in homes:
        run = evaluated(home, release)
        if run.model in runs:
            raise ReportError(
                f"{home}: {run.model} is below {results} twice; leave one of the runs"
            )
        runs[run.model] = run
    return Split(release=release, runs=runs)


def contamination(public: Split, fresh: Split, control: str = CONTROL) -> pd.DataFrame:
    """Return how much better models are on a published release than on a fresh test.

    Args:
        public: Models on the published release.
        fresh: Models on the fresh test.
        control: A model that has seen neither; its difference is taken off the others' where it
            was asked both.

    Returns:
        A line a model and config, and one over all configs that both splits ask: number of tasks,
        rows and people or items; score and skill on either, their difference (public less fresh)
        and that difference less the control's, each with its 95 % interval in `_low` and `_high`.

    Raises:
        ReportError: The splits cannot be compared.
    """
    _check_releases(public.release, fresh.release)
    models = sorted(set(public.runs) & set(fresh.runs))
    if not models:
        raise ReportError(
            f"no model was asked both: {', '.join(public.runs)} on {public.release.repo}, "
            f"{', '.join(fresh.runs)} on {fresh.release.repo}"
        )
    _check_settings([split.runs[model] for split in (public, fresh) for model in models])
    for model in models:
        _check_generation(public.runs[model], fresh.runs[model])
    pairs = {
        model: dict(_pairs(public.runs[model].rows, fresh.runs[model].rows)) for model in models
    }
    beside = {model: pairs.get(control, {}) for model in models if model != control}
    return pd.DataFrame(
        {"model": model, "config": config} | _line(pair, beside.get(model, {}).get(config))
        for model in models
        for config, pair in pairs[model].items()
    )


def _check_releases(public: Release, fresh: Release) -> None:
    if public.version != fresh.version:
        raise ReportError(
            f"{public.repo} is version {public.version}, {fresh.repo} {fresh.version}; compare "
            "splits of one version"
        )
    if is_private(public) and not is_private(fresh):
        raise ReportError(f"{public.repo} is private; name the published release first")
    shared = _digests(public) & _digests(fresh)
    if len(shared) > _MOST_BY_CHANCE:
        raise ReportError(
            f"{public.repo} and {fresh.repo} share {len(shared)} rows: they are the same release, or "
            "the second is no fresh test"
        )


def _digests(release: Release) -> set[str]:
    """Return the digests of all rows of `test`."""
    texts = [
        parts[TEST_SPLIT].row_digests for parts in release.parts.values() if TEST_SPLIT in parts
    ]
    return {
        text[start : start + DIGEST_LENGTH]
        for text in texts
        for start in range(0, len(text), DIGEST_LENGTH)
    }


def _check_settings(runs: Sequence[Evaluated]) -> None:
    settings = sorted({run.setting.name for run in runs})
    if len(settings) > 1:
        raise ReportError(
            f"the runs differ in prompt style, horizon or tools: {', '.join(settings)}; compare runs "
            "of one setting"
        )


def _check_generation(public: Evaluated, fresh: Evaluated) -> None:
    """Check that a model wrote under the same settings on both sides.

    Raises:
        ReportError: Temperature or another setting that lighteval records differs.
    """
    for config in public.rows:
        if config not in fresh.rows:
            continue
        sides = [side.generation.get(config, {}) for side in (public, fresh)]
        names = sorted({name for name, _ in sides[0].items() ^ sides[1].items()})
        if names:
            first, second = (
                ", ".join(f"{name} {side.get(name, 'not set')}" for name in names) for side in sides
            )
            raise ReportError(
                f"{public.model} was asked {config} of the published release with {first}, of the "
                f"fresh test with {second}; compare runs with the same settings"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pair:
    """A model's rows on both splits, summed by cluster and task.

    Attributes:
        tasks: The tasks that both splits ask.
        clusters: Names of people and items.
        floors: Of each task the mean over both splits, shape (tasks,); 1 where it is 1 on either.
            Floors over few rows move by chance, and the skill on one split would move with them.
        sums: Of the values, shape (2, clusters, tasks).
        counts: Of the rows, same shape.
    """

    tasks: Sequence[TaskKey]
    clusters: Sequence[str]
    floors: Numbers
    sums: Numbers
    counts: Numbers

    @property
    def means(self) -> Numbers:
        """Mean value by split, sample and task.

        The first sample is what was observed. The next two are the bounds of the difference if no
        cluster differs from another: the least on the published release with the most on the fresh
        test, and the other way round. Shape (2, 3 + replicates, tasks); NaN in both splits where a
        sample lacks rows of the task in one. A single cluster is not resampled.
        """
        size = len(self.clusters)
        drawn = resamples(size) if size > 1 else np.empty((0, size))
        weights = np.vstack([np.ones((1, size)), drawn])
        with np.errstate(invalid="ignore"):
            means = (weights @ self.sums) / (weights @ self.counts)
        low, high = unvaried(means[:, 0], size)
        bounds = np.array([[low[0], high[0]], [high[1], low[1]]])
        means = np.concatenate([means[:, :1], bounds, means[:, 1:]], axis=1)
        return np.where(np.isnan(means).any(axis=0), np.nan, means)


def _pairs(
    public: Mapping[str, Sequence[Any]], fresh: Mapping[str, Sequence[Any]]
) -> Iterator[tuple[str, _Pair]]:
    """Yield a pair for each config that both splits ask, and one for all of them."""
    both = [config for config in public if config in fresh]
    frames = [[_frame(rows[config]) for config in both] for rows in (public, fresh)]
    for config, first, second in zip(both, *frames, strict=True):
        yield config, _pair(first, second)
    if len(both) > 1:
        yield OVERALL, _pair(*map(pd.concat, frames))


def _frame(rows: Sequence[Any]) -> pd.DataFrame:
    frame = pd.DataFrame(map(asdict, rows))[_FIELDS]
    return frame.assign(cluster=frame["cluster"].map(parent_of))


def _pair(public: pd.DataFrame, fresh: pd.DataFrame) -> _Pair:
    first, second = (side.groupby(_TASK, sort=True)["floor"].first() for side in (public, fresh))
    tasks = first.index.intersection(second.index, sort=None)
    if not len(tasks):
        raise ReportError("the two splits ask no task in common; build the fresh test of all tasks")
    clusters = sorted({*public["cluster"], *fresh["cluster"]})
    summed = [_summed(side, clusters, tasks) for side in (public, fresh)]
    floors = np.array([side[tasks].to_numpy(dtype=float) for side in (first, second)])
    return _Pair(
        tasks=[(str(one), str(kind), str(level)) for one, kind, level in tasks],
        clusters=clusters,
        floors=np.where(floors.max(axis=0) < 1.0, floors.mean(axis=0), 1.0),
        sums=np.array([sums for sums, _ in summed]),
        counts=np.array([counts for _, counts in summed]),
    )


def _summed(
    rows: pd.DataFrame, clusters: Sequence[str], tasks: pd.Index
) -> tuple[Numbers, Numbers]:
    places = tasks.get_indexer(pd.MultiIndex.from_frame(rows[_TASK]))
    rows, places = rows[places >= 0], places[places >= 0]
    index = (pd.Index(clusters).get_indexer(pd.Index(rows["cluster"])), places)
    sums = np.zeros((len(clusters), len(tasks)))
    counts = np.zeros_like(sums)
    np.add.at(sums, index, rows["value"].to_numpy(dtype=float))
    np.add.at(counts, index, 1.0)
    return sums, counts


def _line(pair: _Pair, control: _Pair | None) -> dict[str, Any]:
    line: dict[str, Any] = {
        "tasks": len(pair.tasks),
        "n_public": int(pair.counts[0].sum()),
        "n_fresh": int(pair.counts[1].sum()),
        "clusters": len(pair.clusters),
    }
    beside = {} if control is None else _measured(control)
    for name, sampled in _measured(pair).items():
        difference = sampled[0] - sampled[1]
        chance = beside[name][0] - beside[name][1] if beside else np.full_like(difference, np.nan)
        chance[[1, 2]] = chance[[2, 1]]
        beyond = difference - chance
        line |= {f"{name}_public": sampled[0, 0], f"{name}_fresh": sampled[1, 0]}
        line |= spread_out(f"{name}_difference", _interval(difference))
        line |= spread_out(f"{name}_beyond_control", _interval(beyond))
    return line


def _measured(pair: _Pair) -> dict[str, Numbers]:
    """Return score and skill by split and sample, shape (2, 3 + replicates) each."""
    means = pair.means
    shares = np.where(np.isnan(means), 0.0, pair.counts.sum(axis=(0, 1)))
    with np.errstate(invalid="ignore"):
        scores = np.nansum(means * shares, axis=2) / shares.sum(axis=2)
    every = np.ones(len(pair.tasks), dtype=bool)
    skills = [sampled_skill(pair.tasks, pair.floors, side, every) for side in means]
    return {"score": scores, "skill": np.array(skills)}


def _interval(samples: Numbers) -> Interval:
    value, low, high = samples[:3].tolist()
    return interval(value, samples[3:], (low, high))
