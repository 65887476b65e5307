"""Systems held against each other, row by row."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from reports.answers import RIGHT, Answers
from reports.bootstrap import cluster_mean
from reports.statistics import (
    bonferroni,
    chi_square,
    cochran,
    mcnemar,
    paired_effect,
)
from reports.tables import portions, spread_out


def pairs(answers: Answers) -> pd.DataFrame:
    """Return every pair of systems on the rows that both answered, by portion and split.

    The difference of the mean scores has an interval by patient or item, and Cohen's d as its
    size; McNemar's exact test is on right and wrong, with Cohen's g, and its p-value times the
    number of all pairs beside it.
    """
    lines = [
        {"portion": portion, "split": split, **line}
        for (portion, split), table, clusters in _wide(answers)
        for line in _pairs(table, clusters)
    ]
    table = pd.DataFrame(lines)
    return table.assign(p_bonferroni=bonferroni(list(table["p"]))) if len(table) else table


def all_at_once(answers: Answers) -> pd.DataFrame:
    """Return Cochran's Q over all systems on the rows that all answered, by portion and split."""
    lines = []
    for (portion, split), table, _ in _wide(answers):
        whole = table.dropna()
        found = cochran(whole.to_numpy(dtype=float) >= RIGHT)
        lines.append(
            {"portion": portion, "split": split, "systems": table.shape[1], "n": len(whole)}
            | {"q": found.statistic, "dof": found.dof, "p": found.p, "effect": found.effect}
        )
    table = pd.DataFrame(lines)
    return table.assign(p_bonferroni=bonferroni(list(table["p"]))) if len(table) else table


def statuses_differ(answers: Answers) -> pd.DataFrame:
    """Return, by config, whether systems differ in how often an answer could not be read."""
    rows = answers.main()
    lines = []
    for config, part in rows.groupby("config", sort=True):
        found = chi_square(part["system"], part["status"] == "ok")
        lines.append(
            {"config": config, "n": len(part), "chi2": found.statistic, "dof": found.dof}
            | {"p": found.p, "cramers_v": found.effect, "least_expected": found.least_expected}
        )
    table = pd.DataFrame(lines)
    return table.assign(p_bonferroni=bonferroni(list(table["p"])))


def _wide(answers: Answers) -> list[tuple[tuple[str, str], pd.DataFrame, pd.Series]]:
    """Return scores with a line a row and a column a system, where there are several systems."""
    found = []
    for portion, part in portions(answers.main()).items():
        for split, mine in part.groupby("split", sort=True):
            table = mine.pivot(index=["config", "id"], columns="system", values="value")
            if table.shape[1] > 1:
                clusters = mine.groupby(["config", "id"])["cluster"].first()
                found.append(((portion, str(split)), table, clusters.reindex(table.index)))
    return found


def _pairs(table: pd.DataFrame, clusters: pd.Series) -> list[dict[str, Any]]:
    codes = pd.factorize(clusters, sort=True)[0]
    return [
        {"first": first, "second": second} | _pair(table[[first, second]].to_numpy(), codes)
        for first, second in combinations(table.columns, 2)
    ]


def _pair(values: np.ndarray, codes: np.ndarray) -> dict[str, Any]:
    both = ~np.isnan(values).any(axis=1)
    first, second = values[both, 0], values[both, 1]
    differences = first - second
    sums = np.bincount(codes[both], weights=differences, minlength=int(codes.max()) + 1)
    counts = np.bincount(codes[both], minlength=int(codes.max()) + 1).astype(float)
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
    }


def systems_of(answers: Answers) -> Sequence[str]:
    """Return the systems of a report, in order."""
    return sorted(answers.rows["system"].unique())
