"""Whole reports on made-up models over a tiny release."""

import html
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from eval_tasks.forms import Form
from eval_tasks.release import Release
from eval_tasks.summary import ScoredRow, flat, summarise
from generators.longevity.passages import Passage, context
from judges import canaries
from judges.canaries import Trust
from judges.reasoning_canaries import KINDS
from reports import comparisons, tables
from reports.answers import Answers, read_answers
from reports.details import RETRIEVED_LEAD, known_tasks
from reports.errors import ReportError
from reports.judgements import JUDGE_RUN, REASONING, REASONING_RUN, TRACES, VERDICTS
from reports.longevity import (
    factor_tests,
    judge_agreement,
    read_verdicts,
    requirements,
    system_tests,
)
from reports.markdown import literal, rendered
from reports.measures import measures
from reports.rehearsal import MadeUp, questions, write_details, write_verdicts
from reports.report import Request, Written, write_report
from reports.trust import JudgeTrust, judge_trust
from scripts.report_speed import time_report
from tests.reports.conftest import GOOD, POOR, Results

REPOSITORY = Path(__file__).resolve().parents[2]


def believed(_: Path) -> JudgeTrust:
    return JudgeTrust(judge="made-up judge")


def doubted(_: Path) -> JudgeTrust:
    return JudgeTrust(judge="lenient judge", reasons=("canary empty: 0 of 10 are right",))


def answers_of(results: Results) -> Answers:
    return read_answers([results.folder], results.release, believed)


def test_measures_are_those_of_the_summary(results: Results) -> None:
    rows = answers_of(results).rows
    mine = rows[rows["system"] == POOR.name]
    found = {one.group: one for one in measures(mine)}
    names = ["task_id", "task_type", "level", "cluster", "floor", "value", "strict", "status"]
    lines: Any = mine[names].to_dict(orient="records")
    summary = summarise([ScoredRow(**line) for line in lines])
    assert found["overall"].score.value == pytest.approx(summary.overall.score)
    assert found["overall"].skill.value == pytest.approx(summary.overall.skill)
    assert found["process_mining"].n == summary.by_type["process_mining"].n
    assert found["overall"].score.low <= found["overall"].score.value <= found["overall"].score.high


def test_matched_portion_holds_the_tasks_that_recordings_are_asked_too(results: Results) -> None:
    portions = tables.portions(answers_of(results))
    assert set(portions[tables.MATCHED]["task_id"]) == {"pm_1"}
    assert set(portions[tables.MATCHED]["config"]) == {"simulated"}
    assert set(portions[tables.ALL_SIMULATED]["config"]) == set(tables.SIMULATED)


def test_a_report_is_the_same_twice_and_replaces_itself(results: Results, tmp_path: Path) -> None:
    def written(output: Path) -> dict[str, bytes]:
        request = Request(
            sources=[results.folder],
            release=results.release,
            output=output,
            trusting=believed,
        )
        write_report(request)
        return {file.name: file.read_bytes() for file in sorted(output.iterdir())}

    first = written(tmp_path / "one")
    assert first == written(tmp_path / "two") == written(tmp_path / "one")
    assert {"README.md", "explorer.html", "scores.csv", "requirements.svg"} <= set(first)


STRANGE = "=lab/<b>x</b> [y](http://z) `c` \\| d\n# e $\\q$ _f_ www.g [/]"
"""A name with all that could be markup, a formula, or break a line."""


def test_a_name_is_no_markup() -> None:
    table = pd.DataFrame({"system": [STRANGE], "n": [1]})
    (line,) = rendered(table).splitlines()[2:]
    page = MarkdownIt("commonmark", {"linkify": False}).enable("table").render(rendered(table))
    cells = re.findall(r"<td[^>]*>(.*?)</td>", page, flags=re.DOTALL)
    assert html.unescape(cells[0]) == STRANGE.replace("\n", " ")
    assert "<" not in cells[0]
    assert cells[1:] == ["1"]
    assert not re.search(r"://|www\.|\$", line)


@given(st.text(max_size=30))
def test_no_name_breaks_a_table(name: str) -> None:
    page = (
        MarkdownIt("commonmark")
        .enable("table")
        .render(rendered(pd.DataFrame({"system": [f"x{name}x"], "n": [1]})))
    )
    cells = re.findall(r"<td[^>]*>(.*?)</td>", page, flags=re.DOTALL)
    shown = "".join(sign if sign.isprintable() else " " for sign in f"x{name}x")
    assert [html.unescape(cell) for cell in cells] == [shown, "1"]


def test_a_report_on_a_strange_name_shows_it_as_text(tiny: Release, tmp_path: Path) -> None:
    name = STRANGE.replace("/", "")
    for model in (GOOD, MadeUp(name=name, chance=0.5)):
        for config in ("simulated", "longevity"):
            write_details(tmp_path / model.name, model, config, questions(tiny, config))
        write_verdicts(tmp_path / model.name, model, questions(tiny, "longevity"))
    for trusting in (believed, doubted):
        output = tmp_path / "report"
        write_report(Request(sources=[tmp_path], release=tiny, output=output, trusting=trusting))
        text = (output / "README.md").read_text(encoding="utf-8")
        assert literal(name) in text
        assert "<b>" not in text
        assert name.splitlines()[0] not in text
    listed = pd.read_csv(output / "scores.csv")["system"].unique()
    assert sorted(listed) == [f" {name}", "good"]
    (output / "complexity.svg").read_text(encoding="utf-8").index("&lt;b&gt;x")


def test_a_folder_with_something_else_is_left_alone(results: Results, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(ReportError, match="no report"):
        write_report(Request(sources=[results.folder], release=results.release, output=tmp_path))
    assert (tmp_path / "mine.txt").is_file()


def test_scores_of_a_judge_that_is_not_believed_stand_nowhere(
    results: Results, tmp_path: Path
) -> None:
    output = tmp_path / "report"
    request = Request(
        sources=[results.folder], release=results.release, output=output, trusting=doubted
    )
    written = write_report(request)
    assert (written.verdicts, written.refused) == (0, 80)
    assert not [file for file in output.iterdir() if file.name.startswith("require")]
    text = (output / "README.md").read_text(encoding="utf-8")
    assert "No requirement scores of good by the judge lenient judge" in text
    assert "canary empty: 0 of 10 are right" in text
    assert "comprehensiveness" not in text


def test_without_a_record_of_canaries_there_is_no_trust(tmp_path: Path) -> None:
    assert not judge_trust(tmp_path / JUDGE_RUN).trusted


@pytest.mark.parametrize("reasons", [(), ("canary empty: 0 of 10 known verdicts are right",)])
def test_trust_is_what_the_package_of_judges_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reasons: tuple[str, ...]
) -> None:
    monkeypatch.setattr(canaries, "trusted", lambda _: Trust(trusted=not reasons, reasons=reasons))
    record = tmp_path / JUDGE_RUN
    record.write_text('{"model": "m", "version": 1, "truth_shown": true, "canaries": []}')
    assert judge_trust(record) == JudgeTrust(judge="m", reasons=tuple(reasons))


def test_requirements_count_failed_calls_and_never_as_verdicts(results: Results) -> None:
    file = results.folder / "good" / VERDICTS
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    lines[0] |= {"passed": None, "runs": [True, None], "status": "error"}
    lines[5] |= {"passed": False, "runs": [True, False], "split": True}
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    verdicts = read_verdicts([results.folder], answers_of(results), believed)
    table = requirements(verdicts)
    good = table[table["system"] == "good"]
    whole = good[(good["requirement"] == "comprehensiveness") & (good["factor"] == "all")]
    found = whole.iloc[0]
    assert (found["n"], found["no_verdict"], found["items"]) == (7, 1, 4)
    assert found["share"] == pytest.approx(6 / 7)
    assert found["split_verdicts"] == 1
    safe = good[good["requirement"] == "safety"]
    for factor, expected in (
        ("age_group", {"20-39": 4, "over 60": 4}),
        ("condition", {"A": 2, "B": 8}),
        ("retrieved", {"without": 8}),
    ):
        part = safe[safe["factor"] == factor]
        assert dict(zip(part["level"], part["n"], strict=True)) == expected
    runs = judge_agreement(verdicts).set_index(["requirement"]).loc["comprehensiveness"]
    assert runs["n"] == 15


def test_corrections_are_of_the_tests_over_patients_and_items(results: Results) -> None:
    answers = answers_of(results)
    verdicts = read_verdicts([results.folder], answers, believed)
    for table in (
        comparisons.pairs(answers),
        comparisons.all_at_once(answers),
        comparisons.statuses_differ(answers),
        system_tests(verdicts),
        factor_tests(verdicts),
    ):
        known = table["p_clusters"].notna()
        expected = (table["p_clusters"] * known.sum()).clip(upper=1.0)
        assert table["p_bonferroni"].tolist() == pytest.approx(expected.tolist(), nan_ok=True)
    assert "retrieved" not in set(factor_tests(verdicts)["factor"])
    people = comparisons.pairs(answers).set_index("portion")["p_clusters"]
    assert people["simulated"] >= 2 / 2**3, "three people can show no more"


def verdict_lines(results: Results, name: str) -> list[dict[str, Any]]:
    lines = (results.folder / name / VERDICTS).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def write_lines(results: Results, name: str, lines: list[dict[str, Any]]) -> None:
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (results.folder / name / VERDICTS).write_text(text, encoding="utf-8")


def both_tests(results: Results) -> tuple[pd.DataFrame, pd.DataFrame]:
    verdicts = read_verdicts([results.folder], answers_of(results), believed)
    return system_tests(verdicts), factor_tests(verdicts)


def test_judging_again_what_was_judged_adds_nothing_to_a_test(results: Results) -> None:
    once = both_tests(results)
    for name in ("good", "poor"):
        lines = verdict_lines(results, name)
        copies = [line | {"replicate": number} for number in range(5) for line in lines]
        write_lines(results, name, copies)
    for table, again in zip(once, both_tests(results), strict=True):
        pd.testing.assert_frame_equal(table, again)
    pairs = once[0][once[0]["test"] == "McNemar"]
    assert set(pairs["n"]) == {8}
    assert (pairs["difference_low"] <= pairs["difference"]).all()
    assert (pairs["difference"] <= pairs["difference_high"]).all()


@pytest.mark.parametrize(
    ("replicates", "passes"),
    [
        ([True, True, False], True),
        ([True, False], False),
        ([True, None], True),
        ([False, None, None], False),
    ],
    ids=["most", "half", "a failed call", "failed calls do not pass"],
)
def test_a_case_passes_where_most_of_its_replicates_do(
    results: Results, replicates: list[bool | None], passes: bool
) -> None:
    lines = verdict_lines(results, "good")
    several = [
        line | {"replicate": number, "passed": passed, "runs": [passed, passed]}
        for line in lines
        for number, passed in enumerate(replicates)
    ]
    write_lines(results, "good", several)
    write_lines(results, "poor", [line | {"passed": not passes} for line in lines])
    table, _ = both_tests(results)
    pairs = table[table["test"] == "McNemar"]
    assert set(pairs["difference"]) == {1.0 if passes else -1.0}


def test_a_pair_is_tested_on_the_cases_that_both_have(results: Results) -> None:
    third = MadeUp(name="third", chance=0.5)
    write_details(
        results.folder / "third", third, "longevity", questions(results.release, "longevity")
    )
    write_verdicts(results.folder / "third", third, questions(results.release, "longevity"))
    few = [line for line in verdict_lines(results, "third") if line["item_id"] == "lv_01"]
    write_lines(results, "third", few)
    table, _ = both_tests(results)
    counts = {tuple(names): n for *names, n in table[["first", "second", "n"]].to_numpy()}
    assert counts == {
        ("", ""): 2,
        ("good", POOR.name): 8,
        ("good", "third"): 2,
        (POOR.name, "third"): 2,
    }
    write_lines(results, "third", [])
    assert set(both_tests(results)[0]["n"]) == {8}


def test_verdicts_on_strangers_are_refused(results: Results) -> None:
    file = results.folder / "good" / VERDICTS
    file.write_text(file.read_text().replace("lv_01", "lv_99"))
    with pytest.raises(ReportError, match="on no answer around it, the first on lv_99"):
        read_verdicts([results.folder], answers_of(results), believed)


def test_a_judges_file_far_from_answers_is_refused(results: Results, tmp_path: Path) -> None:
    far = tmp_path / "far"
    far.mkdir()
    (results.folder / "good" / VERDICTS).rename(far / VERDICTS)
    with pytest.raises(ReportError, match="no answers lie around it"):
        read_verdicts([results.folder, far], answers_of(results), believed)


def write_reasoning(results: Results) -> list[str]:
    """Write verdicts on the good model's reasoning, two of them lucky, and return their ids."""
    ids = sorted(one.question.id for one in questions(results.release, "simulated"))
    lines = [
        {"id": name, "outcome": "correct_by_luck" if place < 2 else "correct", "quality": 3}
        | {"failures": [{"type": "other", "quote": "q"}] if place < 2 else []}
        for place, name in enumerate(ids)
    ]
    file = results.folder / "good" / "judged" / REASONING
    file.parent.mkdir()
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return ids


def test_what_a_judge_of_reasoning_says_that_is_not_believed_stands_nowhere(
    results: Results, tmp_path: Path
) -> None:
    ids = write_reasoning(results)
    for trusting in (doubted, judge_trust):
        output = tmp_path / "report"
        request = Request(
            sources=[results.folder], release=results.release, output=output, trusting=trusting
        )
        written = write_report(request)
        assert written.refused == 80 + len(ids)
        text = (output / "README.md").read_text(encoding="utf-8")
        assert "**Nothing on the reasoning of good by the judge" in text
        assert f"its {len(ids)} verdicts are not counted anywhere" in text
        assert pd.read_csv(output / "forms.csv")["judged"].sum() == 0
        assert (output / "failures.csv").read_text().count("\n") <= 1
        assert "correct_by_luck" not in (output / "explorer.html").read_text(encoding="utf-8")
    assert "reasoning_judge_run.json is missing: not tested" in html.unescape(text)


@pytest.mark.parametrize("right", [True, False])
def test_a_judge_of_reasoning_is_believed_by_its_own_canaries(tmp_path: Path, right: bool) -> None:
    outcomes = [
        {"kind": kind, "id": "1", "expected": kind == "sound", "sound": (kind == "sound") == right}
        for kind in KINDS
    ]
    record = tmp_path / REASONING_RUN
    record.write_text(json.dumps({"model": "m", "version": 1, "canaries": outcomes}))
    assert judge_trust(record).trusted is right
    assert judge_trust(record).judge == "m"
    (tmp_path / JUDGE_RUN).write_text(record.read_text())
    assert "is not a judge's" in judge_trust(tmp_path / JUDGE_RUN).reasons[0]


def test_luck_is_told_from_right_by_form(results: Results) -> None:
    ids = write_reasoning(results)
    answers = answers_of(results)
    forms = tables.forms(answers)
    judged = forms[(forms["model"] == "good") & (forms["judged"] > 0)]
    assert (judged["correct"] * judged["judged"]).sum() == pytest.approx(len(ids) - 2)
    assert (judged["correct_by_luck"] * judged["judged"]).sum() == pytest.approx(2)
    assert tables.failures(answers).to_dict("records") == [
        {"system": "good", "failure": "other", "n": 2, "judged": len(ids)}
    ]


def test_forms_are_compared_on_the_same_rows(results: Results) -> None:
    few = questions(results.release, "simulated")[:4]
    form = Form(style="timelined", days=7)
    write_details(results.folder / "good", GOOD, "simulated", few, form)
    forms = tables.forms(answers_of(results))
    mine = forms[(forms["model"] == "good") & forms["same_rows"]]
    assert set(zip(mine["style"], mine["days"], strict=True)) == {
        ("structured", 30),
        ("timelined", 7),
    }
    assert mine.groupby(["style", "days"])["n"].sum().tolist() == [4, 4]


def trace(name: str, completion: str) -> dict[str, Any]:
    step = {"number": 1, "written": "Let me look.", "code": "print(1)", "observed": "1"}
    return {
        "key": "k",
        "id": name,
        "model": "good",
        "status": "answered",
        "steps": [step],
        "completion": completion,
        "input_tokens": 1000,
        "output_tokens": 50,
        "cost": 0.25,
        "seconds": 2.0,
    }


def test_traces_beside_their_details_make_them_an_agents(tiny: Release, tmp_path: Path) -> None:
    asked = questions(tiny, "simulated")
    path = write_details(tmp_path, GOOD, "simulated", asked)
    written = {
        row["doc"]["specific"]["id"]: row["model_response"]["text"][0]
        for row in pq.read_table(path).to_pylist()
    }
    lines = (json.dumps(trace(name, text)) + "\n" for name, text in written.items())
    (tmp_path / TRACES).write_text("".join(lines))
    rows = read_answers([tmp_path], tiny).rows
    assert set(rows["system"]) == {"good (agent)"}
    assert len(rows) == len(asked)
    assert rows["cost"].sum() == pytest.approx(0.25 * len(asked))
    assert rows["text"].str.startswith("Let me look.").all()


def test_two_runs_of_one_system_are_refused(tiny: Release, tmp_path: Path) -> None:
    name = questions(tiny, "simulated")[0].question.id
    for run in ("a", "b"):
        (tmp_path / run).mkdir()
        (tmp_path / run / TRACES).write_text(json.dumps(trace(name, '{"answer": 1}')) + "\n")
    with pytest.raises(
        ReportError, match=r"answers 1 rows in .*a\S* and again in .*b\S*; report one"
    ):
        read_answers([tmp_path], tiny)


def test_traces_without_details_are_scored(results: Results) -> None:
    name = questions(results.release, "simulated")[0].question.id
    lines = [json.dumps(trace(name, '{"answer": "nonsense"}')), '{"id": "cut off']
    (results.folder / "good" / TRACES).write_text("\n".join(lines))
    rows = answers_of(results).rows
    mine = rows[rows["system"] == "good (agent)"]
    assert list(mine["id"]) == [name]
    assert list(mine["value"]) == [0.0]
    assert (rows["system"] == "good").sum() > 1


def test_costs_come_from_prices_where_none_were_recorded(results: Results) -> None:
    costs = tables.costs(answers_of(results), {"good": (1.0, 2.0)})
    good = costs[costs["system"] == "good"]
    expected = (good["input_tokens"] + 2 * good["output_tokens"]) / 1e6
    assert good["cost"].tolist() == pytest.approx(expected.tolist())
    assert costs.loc[costs["system"] != "good", "cost"].isna().all()


def test_retrieved_passages_make_another_system(results: Results) -> None:
    asked = questions(results.release, "longevity")
    path = write_details(results.folder / "with", GOOD, "longevity", asked)
    table = pq.read_table(path).to_pylist()
    for row in table:
        row["doc"]["query"] = f"{RETRIEVED_LEAD} ..."
    pq.write_table(pa.Table.from_pylist(table), path)
    cases = answers_of(results).cases()
    assert cases.groupby("system").size().to_dict() == {
        "good": len(asked),
        "good (retrieval)": len(asked),
        POOR.name: len(asked),
    }


def test_prompts_with_passages_begin_as_the_report_expects() -> None:
    passage = Passage(id="p", title="t", abstract="a", year=2020, doi="", score=1.0)
    assert context([passage]).startswith(RETRIEVED_LEAD)


def test_every_task_of_the_benchmark_is_known(results: Results) -> None:
    known = known_tasks(results.release)
    assert known["healthloopqa_full_timelined_7d:simulated"].form == Form(style="timelined", days=7)
    assert known["longevity:minimal"].config == "longevity"


def broken_gold(folder: Path) -> None:
    path = next(folder.rglob("details_healthloopqa:simulated*.parquet"))
    rows = pq.read_table(path).to_pylist()
    question = json.loads(rows[0]["doc"]["specific"]["question"])
    rows[0]["doc"]["specific"]["question"] = json.dumps(question | {"answer": "121"})
    pq.write_table(pa.Table.from_pylist(rows), path)


def broken_status(folder: Path) -> None:
    path = next(folder.rglob("details_healthloopqa:simulated*.parquet"))
    rows = pq.read_table(path).to_pylist()
    rows[0]["metric"]["healthloopqa"]["status"] = "fine"
    pq.write_table(pa.Table.from_pylist(rows), path)


def foreign(folder: Path) -> None:
    path = next(folder.rglob("details_healthloopqa:simulated*.parquet"))
    pq.write_table(pa.table({"a": [1]}), path)


@pytest.mark.parametrize(
    ("breaks", "message"),
    [
        (broken_gold, "has another answer"),
        (broken_status, "status 'fine'"),
        (foreign, "no details of this benchmark"),
    ],
)
def test_results_that_do_not_belong_are_refused(
    results: Results, breaks: Callable[[Path], None], message: str
) -> None:
    breaks(results.folder)
    with pytest.raises(ReportError, match=message):
        answers_of(results)


def without_details(results: Results) -> None:
    for path in results.folder.rglob("details_*.parquet"):
        path.unlink()


def report_on(results: Results, tmp_path: Path) -> tuple[Written, str]:
    output = tmp_path / "report"
    sources = [results.folder]
    written = write_report(
        Request(sources=sources, release=results.release, output=output, trusting=believed)
    )
    return written, (output / "README.md").read_text(encoding="utf-8")


def write_results(results: Results, revision: str = "") -> dict[str, float]:
    """Write what lighteval would state of the poor model on `simulated`, and return it."""
    rows = answers_of(results).rows
    mine = rows[(rows["system"] == POOR.name) & (rows["config"] == "simulated")]
    names = ["task_id", "task_type", "level", "cluster", "floor", "value", "strict", "status"]
    lines: Any = mine[names].to_dict(orient="records")
    claimed = flat(summarise([ScoredRow(**line) for line in lines]))
    task = "healthloopqa:simulated|0"
    content = {
        "config_general": {"model_name": POOR.name, "max_samples": None},
        "config_tasks": {task: {"hf_revision": revision or results.release.revision, "version": 1}},
        "results": {task: claimed},
    }
    file = results.folder / "poor" / "results" / POOR.name / "results_2026-01-01T00-00-00.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps(content), encoding="utf-8")
    return claimed


def test_results_without_details_are_reported_as_stated(results: Results, tmp_path: Path) -> None:
    claimed = write_results(results)
    without_details(results)
    for file in results.folder.rglob(VERDICTS):
        file.unlink()
    written, text = report_on(results, tmp_path)
    assert (written.systems, written.answers) == ([POOR.name], 0)
    assert written.scores["score"].tolist() == pytest.approx([claimed["score"]])
    table = pd.read_csv(written.folder / "results.csv").set_index("group")
    for group, suffix in (("overall", ""), ("process_mining", "_process_mining")):
        assert table.loc[group, "score"] == pytest.approx(claimed[f"score{suffix}"])
        assert table.loc[group, "score_stderr"] == pytest.approx(claimed[f"score{suffix}_stderr"])
        assert table.loc[group, "n"] == claimed[f"n{suffix}"]
    assert "there are no details of answers" in text
    assert "there are no verdicts" in text
    assert "explorer.html" not in text


def test_results_of_runs_with_details_are_computed_and_not_repeated(
    results: Results, tmp_path: Path
) -> None:
    write_results(results)
    written, text = report_on(results, tmp_path)
    assert not (written.folder / "results.csv").exists()
    assert "no reasoning was judged" in text


def test_results_stand_beside_the_answers_of_others(results: Results, tmp_path: Path) -> None:
    write_results(results)
    for name in ("details", VERDICTS, JUDGE_RUN):
        path = results.folder / "poor" / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    written, text = report_on(results, tmp_path)
    scores = written.scores[written.scores["portion"] == "simulated"].set_index("system")
    assert scores.index.tolist() == ["good", POOR.name]
    assert scores["score_low"].isna().tolist() == [False, True]
    assert "answers of one system only" in text


def test_results_on_another_release_are_refused(results: Results, tmp_path: Path) -> None:
    write_results(results, "0.0.9-0123456789abcdef")
    without_details(results)
    with pytest.raises(ReportError, match="not on release"):
        report_on(results, tmp_path)


def test_verdicts_alone_give_the_requirements(results: Results, tmp_path: Path) -> None:
    verdicts = read_verdicts([results.folder], answers_of(results), believed)
    expected = requirements(verdicts).replace(POOR.name, "poor")
    without_details(results)
    written, text = report_on(results, tmp_path)
    assert (written.systems, written.verdicts) == (["good", "poor"], 80)
    found = pd.read_csv(written.folder / "requirements.csv", keep_default_na=False)
    kept = found["factor"] != "retrieved"
    assert set(found.loc[~kept, "level"]) == {"not known"}
    assert found.loc[kept, "share"].astype(float).tolist() == pytest.approx(
        expected.loc[expected["factor"] != "retrieved", "share"].tolist()
    )
    assert "named after the folders" in text
    assert sorted(file.name for file in written.folder.glob("*.csv")) == [
        "judge_agreement.csv",
        "requirement_factors.csv",
        "requirement_systems.csv",
        "requirements.csv",
    ]


def test_traces_alone_are_answers(tiny: Release, tmp_path: Path) -> None:
    name = questions(tiny, "simulated")[0].question.id
    (tmp_path / TRACES).write_text(json.dumps(trace(name, '{"answer": 120}')) + "\n")
    rows = read_answers([tmp_path], tiny).rows
    assert rows[["system", "id"]].to_numpy().tolist() == [["good (agent)", name]]
    assert not tables.scores(read_answers([tmp_path], tiny)).empty


def test_a_folder_with_nothing_is_refused(tiny: Release, tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    empty = Results(release=tiny, folder=tmp_path / "results")
    with pytest.raises(ReportError, match="no details of answers, results or verdicts") as found:
        report_on(empty, tmp_path)
    assert "\n" not in str(found.value)
    assert not (tmp_path / "report").exists()


def test_the_command_tells_results_alone(results: Results, tmp_path: Path) -> None:
    write_results(results)
    without_details(results)
    command = [sys.executable, "scripts/report.py", str(results.folder)]
    command += ["--release", results.release.repo, "--output", str(tmp_path / "out")]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert POOR.name in done.stdout
    assert "nan" not in done.stdout


def test_a_later_run_of_the_same_model_counts(results: Results) -> None:
    asked = questions(results.release, "simulated")
    old = next((results.folder / "good").rglob("details_healthloopqa:simulated*.parquet"))
    new = old.parent.parent / "2026-02-01T00-00-00.000000" / old.name
    new.parent.mkdir()
    worse = MadeUp(name="good", chance=0.0)
    write_details(results.folder / "other", worse, "simulated", asked)
    next((results.folder / "other").rglob("details_*.parquet")).rename(new)
    rows = answers_of(results).rows
    mine = rows[(rows["system"] == "good") & (rows["config"] == "simulated")]
    assert len(mine) == len(asked)
    assert set(mine["file"]) == {str(new)}


def test_every_row_lies_in_one_tenth_of_the_score(results: Results) -> None:
    answers = answers_of(results)
    table = tables.distributions(answers)
    assert len(table) == 2 * 4 * tables.BINS
    assert table["n"].sum() == len(answers.main())
    best = table[(table["system"] == "good") & (table["high"] == 1.0)]
    assert best["n"].sum() == (answers.main()["system"] == "good").sum()


def test_the_benchmark_reports_on_all_that_it_made_up(tiny: Release, tmp_path: Path) -> None:
    found = time_report(tiny, 2, 90, tmp_path)
    assert found.verdicts == 160
    assert found.answers == 2 * sum(part["test"] for part in tiny.rows.values())


def test_the_command_prints_one_json_object(results: Results, tmp_path: Path) -> None:
    command = [sys.executable, "scripts/report.py", str(results.folder), "--json"]
    command += ["--release", results.release.repo, "--output", str(tmp_path / "out")]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["systems"] == ["good", POOR.name]
    assert told["verdicts"] + told["refused_verdicts"] == 80
    scores = pd.DataFrame(told["scores"]).set_index(["portion", "system"])
    assert scores.loc[("simulated", "good"), "score"] == 1.0
