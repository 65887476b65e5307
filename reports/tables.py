"""The tables on questions about records, each a data frame that becomes a CSV."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from eval_tasks.scoring import STATUSES
from eval_tasks.summary import LEVELS, TASK_TYPES
from reports.answers import Answers
from reports.bootstrap import Interval, mean_by_cluster
from reports.markdown import interval_text
from reports.measures import OVERALL, Measure, measures

MATCHED = "simulated, matched"
SIMULATED = ("simulated", "fault_injected")
ALL_SIMULATED = "simulated and fault_injected"
BINS = 10
"""Equal bins of the score in its distributions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """Why a system is not in a portion that joins configs.

    Attributes:
        portion: The portion.
        split: The split.
        system: The system.
        lacking: By config of which it did not answer all rows, how many of how many it did.
    """

    portion: str
    split: str
    system: str
    lacking: Mapping[str, tuple[int, int]]


def portions(answers: Answers) -> dict[str, pd.DataFrame]:
    """Return the parts of the main answers that are reported by themselves, those without rows left out.

    Beside each config: both simulated ones together, and of them the tasks that recordings of real
    people are asked too. In what joins configs stand only systems that answered all rows of each,
    as else it would be of another mixture; `gaps` tells the others.
    """
    rows = answers.main()
    parts = {str(name): part for name, part in rows.groupby("config", sort=True)}
    out = {(gap.portion, gap.split, gap.system) for gap in gaps(answers)}
    for name, part in _joint(rows).items():
        systems = zip(part["split"], part["system"], strict=True)
        kept = part[[(name, *one) not in out for one in systems]]
        if len(kept):
            parts[name] = kept
    return parts


def gaps(answers: Answers) -> list[Gap]:
    """Return the systems that are left out of portions which join configs."""
    rows = answers.main()
    counts = rows.groupby(["split", "system", "config"]).size().to_dict()
    known = answers.release.rows
    found = []
    for name, part in _joint(rows).items():
        for split, mine in part.groupby("split", sort=True):
            configs = sorted(mine["config"].unique())
            asked = {config: known[config][str(split)] for config in configs}
            for system in sorted(mine["system"].unique()):
                had = {config: counts.get((split, system, config), 0) for config in asked}
                lacking = {c: (had[c], of) for c, of in asked.items() if had[c] < of}
                if lacking:
                    found.append(
                        Gap(portion=name, split=str(split), system=system, lacking=lacking)
                    )
    return found


def _joint(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the portions that join configs, over all systems; of each split that has them."""
    simulated = rows[rows["config"].isin(SIMULATED)]
    real = rows[rows["config"] == "real_world"]
    several = simulated.groupby("split")["config"].transform("nunique") > 1
    parts = {
        ALL_SIMULATED: simulated[several],
        MATCHED: simulated[simulated["task_id"].isin(real["task_id"].unique())],
    }
    return {name: part for name, part in parts.items() if len(part)}


def scores(answers: Answers) -> pd.DataFrame:
    """Return score and skill by system, portion, split and group (task type, level, overall)."""
    lines = [
        {"portion": portion, "split": split, "system": system, **_measured(measure)}
        for portion, part in portions(answers).items()
        for (split, system), mine in part.groupby(["split", "system"], sort=True)
        for measure in measures(mine)
    ]
    return pd.DataFrame(lines)


def side_by_side(scores: pd.DataFrame) -> pd.DataFrame:
    """Return `scores` with a line for each portion and system, and a column for each group."""
    keys = ["portion", "split", "system"]
    table = scores.assign(text=_cells(scores, "score"), skilled=_cells(scores, "skill"))
    wide = table.pivot(index=keys, columns="group", values="text")
    whole = table[table["group"] == OVERALL].set_index(keys)
    wide.insert(0, "n", whole["n"])
    wide.insert(1, "skill", whole["skilled"])
    kinds = [name for name in (OVERALL, *TASK_TYPES, *LEVELS) if name in wide]
    return wide[["n", "skill", *kinds]].fillna("-").reset_index()


def _cells(table: pd.DataFrame, name: str) -> list[str]:
    columns = (table[name], table[f"{name}_low"], table[f"{name}_high"])
    return [interval_text(*values) for values in zip(*columns, strict=True)]


def by_column(answers: Answers, column: str) -> pd.DataFrame:
    """Return the score by system and a column of the questions, with intervals by patient.

    Beside it stands the share of right answers.
    """
    return _by(answers.questions(), ["system", column])


def by_complexity(answers: Answers) -> pd.DataFrame:
    """Return the score by system and number of cognitive steps."""
    rows = answers.questions()
    return _by(rows.assign(complexity=rows["complexity"].astype(int)), ["system", "complexity"])


def prototypes(answers: Answers) -> pd.DataFrame:
    """Return the score by prototype, and how far it is spread over tasks and systems."""
    rows = answers.questions()
    by_task = rows.groupby(["task_type", "prototype", "task_id", "system"], sort=True)["value"]
    means = by_task.mean().groupby(["task_type", "prototype"], sort=True)
    table = means.agg(["count", "min", "median", "max"]).rename(columns={"count": "cells"})
    scored = rows.groupby(["task_type", "prototype"], sort=True)["value"].agg(["size", "mean"])
    table = scored.rename(columns={"size": "n", "mean": "score"}).join(table)
    table["spread"] = table["max"] - table["min"]
    return table.reset_index().sort_values(
        ["task_type", "score", "prototype"], ignore_index=True, kind="stable"
    )


def distributions(answers: Answers) -> pd.DataFrame:
    """Return how many scores lie in each tenth, by system and task type; 1 is in the last."""
    rows = answers.main()
    place = np.minimum((rows["value"].to_numpy(dtype=float) * BINS).astype(int), BINS - 1)
    counts = pd.crosstab([rows["system"], rows["task_type"]], place)
    counts = counts.reindex(columns=range(BINS), fill_value=0)
    keys = ["system", "task_type"]
    table = counts.reset_index().melt(id_vars=keys, var_name="bin", value_name="n")
    table = table.astype({"bin": int}).sort_values([*keys, "bin"], ignore_index=True)
    table["low"] = table["bin"] / BINS
    table["high"] = (table["bin"] + 1) / BINS
    return table[["system", "task_type", "low", "high", "n"]]


def forms(answers: Answers) -> pd.DataFrame:
    """Return score, right answers and, where judged, right by luck, by style and days shown.

    `same_rows` repeats each line over the rows that the model was asked in all its forms, so that
    forms can be compared: over fewer days fewer questions can be asked.
    """
    rows = answers.rows[answers.rows["path"].notna()]
    keys = ["model", "task_type", "style", "days"]
    lines = []
    for model, mine in rows.groupby("model", sort=True):
        count = mine.groupby(["style", "days"]).ngroups
        asked = mine.groupby(["config", "split", "id"])["id"].transform("size")
        parts = {False: mine, True: mine[asked == count]} if count > 1 else {False: mine}
        for same, part in parts.items():
            for names, group in part.groupby(keys[1:], sort=True):
                lines.append(
                    {"model": model, **dict(zip(keys[1:], names, strict=True)), "same_rows": same}
                    | _form(group)
                )
    return pd.DataFrame(lines)


def failures(answers: Answers) -> pd.DataFrame:
    """Return in how many judged reasonings each type of fault was found, by system."""
    rows = answers.rows[answers.rows["outcome"].notna()]
    kinds = rows["failures"].str.split(", ").explode()
    named = kinds[kinds != ""]
    table = pd.DataFrame({"system": rows["system"].loc[named.index], "failure": named})
    counts = table.groupby(["system", "failure"], sort=True).size().rename("n").reset_index()
    judged = rows.groupby("system").size()
    return counts.assign(judged=counts["system"].map(judged)) if len(counts) else counts


def statuses(answers: Answers) -> pd.DataFrame:
    """Return how many answers had which status, by system, config, style and days."""
    rows = answers.rows
    keys = ["system", "config", "split", "style", "days"]
    table = pd.crosstab([rows[key] for key in keys], rows["status"])
    table = table.reindex(columns=list(STATUSES), fill_value=0)
    table.columns.name = None
    table.insert(0, "n", table.sum(axis=1))
    return table.reset_index()


def costs(answers: Answers, prices: Mapping[str, tuple[float, float]]) -> pd.DataFrame:
    """Return tokens, cost and time by system and config, each with the rows that it is known of.

    Args:
        answers: The answers.
        prices: By model, what a million tokens cost that are read and that are written; only for
            answers whose cost was not recorded.
    """
    rows = answers.rows
    rates = rows["model"].map(lambda model: prices.get(model, (np.nan, np.nan)))
    read, written = (rates.map(lambda rate, side=side: rate[side]) for side in (0, 1))
    priced = (rows["input_tokens"] * read + rows["output_tokens"] * written) / 1e6
    rows = rows.assign(cost=rows["cost"].fillna(priced), characters=rows["text"].str.len())
    summed = ["characters", "input_tokens", "output_tokens", "cost", "seconds"]
    grouped = rows.groupby(["system", "config", "style", "days"], sort=True)
    table = grouped[summed].sum(min_count=1)
    table.insert(0, "n", grouped.size())
    for name in summed[1:]:
        table[f"{name}_known"] = grouped[name].count()
    return table.reset_index()


def _measured(measure: Measure) -> dict[str, Any]:
    return {
        "group": measure.group,
        "n": measure.n,
        "clusters": measure.clusters,
        **spread_out("score", measure.score),
        **spread_out("skill", measure.skill),
    }


def spread_out(name: str, measured: Interval) -> dict[str, float]:
    """Return a value and its interval as three columns."""
    return {name: measured.value, f"{name}_low": measured.low, f"{name}_high": measured.high}


def _by(rows: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    lines = [
        {
            **dict(zip(keys, names, strict=True)),
            "n": len(group),
            "clusters": group["cluster"].nunique(),
            **spread_out("score", mean_by_cluster(group["value"], group["cluster"])),
            "right": group["right"].mean(),
        }
        for names, group in rows.groupby(list(keys), sort=True)
    ]
    return pd.DataFrame(lines)


def _form(group: pd.DataFrame) -> dict[str, Any]:
    judged = group[group["outcome"].notna()]
    lucky = (judged["outcome"] == "correct_by_luck").mean() if len(judged) else np.nan
    correct = (judged["outcome"] == "correct").mean() if len(judged) else np.nan
    return {
        "n": len(group),
        **spread_out("score", mean_by_cluster(group["value"], group["cluster"])),
        "right": group["right"].mean(),
        "judged": len(judged),
        "correct": correct,
        "correct_by_luck": lucky,
    }
