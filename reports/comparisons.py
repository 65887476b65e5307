"""Systems held against each other, row by row."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from reports.answers import RIGHT, Answers
from reports.bootstrap import cluster_mean
from reports.statistics import (
    Codes,
    Flags,
    bonferroni,
    chi_square,
    cochran,
    mcnemar,
    paired_effect,
    score_test,
    swapped,
)
from reports.tables import portions, spread_out


def pairs(answers: Answers) -> pd.DataFrame:
    """Return every pair of systems on the rows that both answered, by portion and split.

    The difference of the mean scores has an interval by patient or item, and Cohen's d as its
    size; McNemar's exact test is on right and wrong, with Cohen's g. It takes rows as independent;
    `p_clusters` swaps whole patients or items, and is what is multiplied by the number of all pairs.
    """
    lines = [
        {"portion": portion, "split": split, **line}
        for (portion, split), table, clusters in _wide(answers)
        for line in _pairs(table, clusters)
    ]
    return corrected(lines)


def corrected(lines: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return tests as a table, with `p_clusters` times their number beside it."""
    table = pd.DataFrame(lines)
    return table.assign(p_bonferroni=bonferroni(list(table["p_clusters"]))) if lines else table


def all_at_once(answers: Answers) -> pd.DataFrame:
    """Return Cochran's Q over all systems on the rows that all answered, by portion and split.

    `differ` counts the rows that tell systems apart, by which Q is rough or not; `p_clusters` is of
    the score test over whole patients or items.
    """
    lines = []
    for (portion, split), table, clusters in _wide(answers):
        whole = table.dropna()
        right = whole.to_numpy(dtype=float) >= RIGHT
        found = cochran(right)
        lines.append(
            {"portion": portion, "split": split, "systems": table.shape[1], "n": len(whole)}
            | {"differ": int((right.any(axis=1) & ~right.all(axis=1)).sum())}
            | {"q": found.statistic, "dof": found.dof, "effect": found.effect, "p": found.p}
            | {"p_clusters": over_clusters(right, codes_of(clusters.reindex(whole.index)))}
        )
    return corrected(lines)


def statuses_differ(answers: Answers) -> pd.DataFrame:
    """Return, by config, whether systems differ in how often an answer could not be read."""
    rows = answers.main()
    lines = []
    for config, part in rows.groupby("config", sort=True):
        read = (part["status"] == "ok").to_numpy()
        found = chi_square(part["system"], pd.Series(read))
        lines.append(
            {"config": config, "n": len(part), "chi2": found.statistic, "dof": found.dof}
            | {"cramers_v": found.effect, "least_expected": found.least_expected, "p": found.p}
            | {"p_clusters": score_test(codes_of(part["system"]), read, codes_of(part["cluster"]))}
        )
    return corrected(lines)


def _wide(answers: Answers) -> list[tuple[tuple[str, str], pd.DataFrame, pd.Series]]:
    """Return scores with a line a row and a column a system, where there are several systems."""
    found = []
    for portion, part in portions(answers).items():
        for split, mine in part.groupby("split", sort=True):
            table = mine.pivot(index=["config", "id"], columns="system", values="value")
            if table.shape[1] > 1:
                clusters = mine.groupby(["config", "id"])["cluster"].first()
                found.append(((portion, str(split)), table, clusters.reindex(table.index)))
    return found


def _pairs(table: pd.DataFrame, clusters: pd.Series) -> list[dict[str, Any]]:
    codes = codes_of(clusters)
    return [
        {"first": first, "second": second} | pair(table[[first, second]].to_numpy(), codes)
        for first, second in combinations(table.columns, 2)
    ]


def pair(values: np.ndarray, codes: Codes) -> dict[str, Any]:
    """Return how two systems differ on the rows that both have.

    Args:
        values: Shape (rows, 2), in [0, 1]; NaN where a system has no such row.
        codes: Number of each row's cluster, from 0.
    """
    both = ~np.isnan(values).any(axis=1)
    first, second, codes = values[both, 0], values[both, 1], codes[both]
    sums = np.bincount(codes, weights=first - second)
    counts = np.bincount(codes).astype(float)
    test = mcnemar(first >= RIGHT, second >= RIGHT)
    return {
        "n": len(first),
        "first_score": first.mean() if len(first) else np.nan,
        "second_score": second.mean() if len(first) else np.nan,
        **spread_out("difference", cluster_mean(sums.astype(np.float64), counts, -1.0)),
        "cohen_d": paired_effect(first, second),
        "only_first_right": test.only_first,
        "only_second_right": test.only_second,
        "cohen_g": test.cohen_g,
        "p": test.p,
        "p_clusters": swapped(first >= RIGHT, second >= RIGHT, codes),
    }


def codes_of(names: pd.Series) -> Codes:
    """Return numbers from 0 in place of names, in their order."""
    return pd.factorize(names, sort=True)[0]


def over_clusters(right: Flags, clusters: Codes) -> float:
    """Return the p-value of the score test of systems on the same rows.

    Args:
        right: Shape (rows, systems).
        clusters: Number of each row's cluster, from 0.
    """
    rows, systems = right.shape
    return score_test(
        np.tile(np.arange(systems), rows), right.ravel(), np.repeat(clusters, systems)
    )


def systems_of(answers: Answers) -> Sequence[str]:
    """Return the systems of a report, in order."""
    return sorted(answers.rows["system"].unique())
