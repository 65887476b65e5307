"""Advice on longevity: right yes or no, and the five requirements, by what the prompts vary."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from eval_tasks.question import LONGEVITY
from reports.answers import Answers
from reports.bootstrap import cluster_mean
from reports.comparisons import codes_of, corrected, over_clusters, pair
from reports.errors import ReportError
from reports.facts import row_facts
from reports.judgements import (
    JUDGE_RUN,
    VERDICTS,
    VerdictLine,
    files_below,
    homes_of,
    read_lines,
)
from reports.statistics import Codes, chi_square, cochran, kappa, score_test
from reports.tables import spread_out
from reports.trust import Refused, Trusting

FACTORS = (
    *("system_prompt_level", "age_group", "condition", "retrieved"),
    *("background", "profile_form", "distractor"),
)
_BETWEEN_CASES = tuple(name for name in FACTORS if name not in {"condition", "retrieved"})
"""Factors of which a case has one, and a system several."""
_CASE = ["id", "item_id", "age_group", "conditions", "background", "profile_form", "distractor"]
_JUDGED = ["judge", "truth_shown", "requirement"]
_HALF = 0.5
_DIFFERENCE = ("difference", "difference_low", "difference_high")
_ANSWER = ["system", "model", "retrieved", "system_prompt_level", *_CASE]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdicts:
    """Verdicts of judges that are believed, and who is not.

    Attributes:
        rows: A line a verdict: judge, truth_shown, replicate, requirement, passed (missing where
            the call failed), first, second (the two runs), split, and the answer's system, model,
            retrieved and case.
        refused: Verdicts that were left out.
    """

    rows: pd.DataFrame
    refused: tuple[Refused, ...]


def read_verdicts(sources: Sequence[Path], answers: Answers, trusting: Trusting) -> Verdicts:
    """Return the verdicts below folders.

    Where no answers were saved at all, verdicts stand by themselves: the system is then named after
    the folder of the file, and whether passages were shown is not known.

    Raises:
        ReportError: A verdict is on no answer, or on one of several.
    """
    read, refused = [], []
    files = files_below(sources, VERDICTS)
    for file in files:
        cases = _judged(file, answers) if len(answers.rows) else _unanswered(file, files, answers)
        trust = trusting(file.parent / JUDGE_RUN)
        lines = _frame(read_lines(file, VerdictLine))
        if trust.trusted:
            read.append(_joined(file, lines, cases).assign(judge=trust.judge))
        else:
            systems = tuple(sorted(cases["system"].unique()))
            refused.append(Refused(systems=systems, verdicts=len(lines), trust=trust))
    rows = pd.concat(read, ignore_index=True) if read else pd.DataFrame()
    return Verdicts(rows=rows, refused=tuple(refused))


def right_answers(answers: Answers) -> pd.DataFrame:
    """Return the share of right yes or no by system and factor, with intervals by item."""
    cases = answers.cases()
    if not len(cases):
        return pd.DataFrame()
    rows = cases[[*_ANSWER, "value"]].rename(columns={"value": "passed"})
    table = _by_factor(rows.assign(requirement="right yes or no"), ["system"])
    return table.drop(columns=["no_verdict"])


def requirements(verdicts: Verdicts) -> pd.DataFrame:
    """Return the share of passed verdicts by system, judge, requirement and factor.

    Verdicts whose calls failed are counted beside it, never as passed or failed. Intervals draw
    whole items, repeated judgements of a case included.
    """
    if not len(verdicts.rows):
        return pd.DataFrame()
    rows = verdicts.rows.assign(passed=verdicts.rows["passed"].astype("Float64"))
    table = _by_factor(rows, ["system", "judge", "truth_shown", "requirement"])
    shared = ["system", "judge", "truth_shown", "requirement"]
    split = rows.groupby(shared, sort=True)["split"].sum().rename("split_verdicts").reset_index()
    whole = table[table["factor"] == "all"].merge(split, on=shared)
    return pd.concat([whole, table[table["factor"] != "all"]], ignore_index=True)


def factor_tests(verdicts: Verdicts) -> pd.DataFrame:
    """Return whether passing depends on a factor: chi-square by system and requirement.

    A case counts once, as `_one_a_case` says. It takes cases as independent, which those of one
    item are not; `p_clusters` is of the score test over whole items. Conditions, of which a case
    has several, are not tested; retrieval makes another system, on the same cases, and is among
    `system_tests`.
    """
    lines = []
    for names, part in _groups(_one_a_case(verdicts), [*_JUDGED, "system"]):
        items, passed = codes_of(part["item_id"]), part["passed"].to_numpy(dtype=bool)
        for factor in _BETWEEN_CASES:
            if part[factor].nunique() < 2:
                continue
            found = chi_square(part[factor], part["passed"])
            lines.append(
                names
                | {"factor": factor, "n": len(part), "chi2": found.statistic, "dof": found.dof}
                | {"cramers_v": found.effect, "least_expected": found.least_expected, "p": found.p}
                | {"p_clusters": score_test(codes_of(part[factor]), passed, items)}
            )
    return corrected(lines)


def system_tests(verdicts: Verdicts) -> pd.DataFrame:
    """Return whether systems differ in passing: Cochran's Q over all, McNemar for each pair.

    A case counts once, as `_one_a_case` says. Q is over the cases that all systems have, a pair over
    those that both have, with the difference of the shares and its interval by item. Both tests take
    cases as independent; `p_clusters` is of the score test over whole items, and of the exact test
    that swaps them.
    """
    lines = []
    for names, part in _groups(_one_a_case(verdicts), _JUDGED):
        table = part.set_index(["item_id", "id", "system"])["passed"].astype(float).unstack()
        if table.shape[1] < 2:
            continue
        items = codes_of(table.index.get_level_values("item_id").to_series())
        lines.append(names | _all_systems(table, items))
        for first, second in combinations(table.columns, 2):
            found = pair(table[[first, second]].to_numpy(), items)
            lines.append(
                names
                | {"test": "McNemar", "first": first, "second": second, "n": found["n"]}
                | {name: found[name] for name in _DIFFERENCE}
                | {"statistic": np.nan, "effect": found["cohen_g"], "p": found["p"]}
                | {"p_clusters": found["p_clusters"]}
            )
    return corrected(lines)


def _all_systems(table: pd.DataFrame, items: Codes) -> dict[str, Any]:
    whole = table.notna().all(axis=1).to_numpy()
    passed = table.to_numpy()[whole] > _HALF
    found = cochran(passed)
    return (
        {"test": "Cochran's Q", "first": "", "second": "", "n": len(passed)}
        | dict.fromkeys(_DIFFERENCE, np.nan)
        | {"statistic": found.statistic, "effect": found.effect, "p": found.p}
        | {"p_clusters": over_clusters(passed, items[whole])}
    )


def judge_agreement(verdicts: Verdicts) -> pd.DataFrame:
    """Return how far a judge's two runs agree, and its verdicts with and without the right answer.

    Raw share and Cohen's kappa, by judge and requirement.
    """
    lines = []
    for names, part in _groups(_decided(verdicts), _JUDGED):
        lines.append(names | {"between": "its two runs"} | _agreed(part["first"], part["second"]))
    for names, part in _groups(_decided(verdicts), ["judge", "requirement"]):
        both = part.pivot_table(
            index=["system", "id", "replicate"],
            columns="truth_shown",
            values="passed",
            aggfunc="min",
        ).dropna()
        if both.shape[1] == 2:
            lines.append(
                {"judge": names["judge"], "truth_shown": "both"}
                | {"requirement": names["requirement"], "between": "right answer shown or hidden"}
                | _agreed(both[False], both[True])
            )
    return pd.DataFrame(lines)


def _judged(file: Path, answers: Answers) -> pd.DataFrame:
    cases = answers.cases()
    mine = cases[cases["home"].isin(homes_of(file, answers.rows["home"].unique()))]
    if mine["id"].duplicated().any():
        raise ReportError(
            f"{file}: the answers around it hold a case more than once; judge the answers of each "
            "model, with and without retrieval, in a folder of its own"
        )
    return mine[_ANSWER]


def _unanswered(file: Path, files: Sequence[Path], answers: Answers) -> pd.DataFrame:
    """Return all cases as if the system that a file is named after had answered them."""
    release = answers.release
    parts = [(LONGEVITY, split) for split in release.rows.get(LONGEVITY, {})]
    if not parts:
        raise ReportError(f"{release.repo} has no {LONGEVITY}; name the release that was judged")
    shared = Path(os.path.commonpath([one.parent for one in files]))
    apart = file.parent.relative_to(shared)
    name = str(apart) if apart.parts else shared.name
    return row_facts(release, parts).assign(system=name, model=name, retrieved=None)[_ANSWER]


def _frame(lines: Iterable[VerdictLine]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            (v.case_id, v.requirement, v.truth_shown, v.replicate, v.passed, *v.runs, v.split)
            for v in lines
        ],
        columns=[
            *("id", "requirement", "truth_shown", "replicate", "passed", "first", "second"),
            "split",
        ],
    )


def _joined(file: Path, lines: pd.DataFrame, cases: pd.DataFrame) -> pd.DataFrame:
    rows = lines.merge(cases, on="id", how="left", validate="many_to_one")
    lost = rows["system"].isna()
    if lost.any():
        raise ReportError(
            f"{file}: {int(lost.sum())} verdicts are on no answer around it, the first on "
            f"{rows.loc[lost, 'id'].iloc[0]}; put it beside the details that were judged, or name "
            "the release that they are on"
        )
    return rows


def _decided(verdicts: Verdicts) -> pd.DataFrame:
    rows = verdicts.rows
    if not len(rows):
        return rows
    decided = rows[rows["passed"].notna()]
    flags = {name: decided[name].astype(bool) for name in ("passed", "first", "second")}
    return decided.assign(**flags)


def _one_a_case(verdicts: Verdicts) -> pd.DataFrame:
    """Return one verdict a case: it passes where more than half of its replicates do.

    Half is not enough, as a split verdict is none that passes; failed calls do not count. Replicates
    of a case are no further cases, so that judging again adds nothing to any test.
    """
    decided = _decided(verdicts)
    if not len(decided):
        return decided
    cases = decided.groupby([*_JUDGED, "system", "id"], sort=True)
    table = cases[["item_id", *_BETWEEN_CASES]].first()
    return table.assign(passed=cases["passed"].mean() > _HALF).reset_index()


def _groups(
    rows: pd.DataFrame, keys: Sequence[str]
) -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
    if not len(rows):
        return
    for names, part in rows.groupby(list(keys), sort=True):
        yield dict(zip(keys, names, strict=True)), part


def _by_factor(rows: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """Return shares by keys and factor; of retrieval by model, so that with and without stand near."""
    whole = _shares(rows.assign(level=""), keys, "all")
    parts = [_shares(_with_level(rows, factor), keys, factor) for factor in FACTORS]
    return pd.concat([whole, *parts], ignore_index=True)


def _with_level(rows: pd.DataFrame, factor: str) -> pd.DataFrame:
    if factor == "retrieved":
        shown = rows["retrieved"].map({True: "with", False: "without"}).fillna("not known")
        return rows.assign(level=shown, system=rows["model"])
    if factor == "condition":
        named = rows.assign(level=rows["conditions"].replace("", "none").str.split(", "))
        return named.explode("level", ignore_index=True)
    return rows.assign(level=rows[factor].astype(str))


def _shares(rows: pd.DataFrame, keys: Sequence[str], factor: str) -> pd.DataFrame:
    grouped = rows.groupby([*keys, "level", "item_id"], sort=True)["passed"]
    cells = grouped.agg(["sum", "count", "size"]).reset_index()
    lines = []
    for names, part in cells.groupby([*keys, "level"], sort=True):
        sums = part["sum"].to_numpy(dtype=float)
        counts = part["count"].to_numpy(dtype=float)
        lines.append(
            dict(zip([*keys, "level"], names, strict=True))
            | {"factor": factor, "n": int(counts.sum()), "items": int((counts > 0).sum())}
            | {"no_verdict": int(part["size"].sum() - counts.sum())}
            | spread_out("share", cluster_mean(sums, counts))
        )
    return pd.DataFrame(lines)


def _agreed(first: pd.Series, second: pd.Series) -> dict[str, Any]:
    one, other = first.to_numpy(dtype=bool), second.to_numpy(dtype=bool)
    return {"n": len(one), "raw": float((one == other).mean()), "kappa": kappa(one, other)}
