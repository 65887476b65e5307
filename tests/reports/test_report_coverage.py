"""What a report says and leaves out of systems that were not asked everything."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from reports import comparisons, tables
from reports.answers import read_answers
from reports.judgements import VERDICTS
from reports.rehearsal import MadeUp, questions, write_details
from reports.report import Request, Written, write_report
from reports.trust import JudgeTrust
from scripts.report import app
from tests.reports.conftest import GOOD, POOR, Results

THIRD = MadeUp(name="third", chance=0.5)
FOURTH = MadeUp(name="fourth", chance=0.5)


def believed(_: Path) -> JudgeTrust:
    return JudgeTrust(judge="made-up judge")


def add(results: Results, model: MadeUp, **rows: int | None) -> None:
    """Write answers of a model to the first rows of configs."""
    for config, most in rows.items():
        asked = questions(results.release, config)[:most]
        write_details(results.folder / model.name, model, config, asked)


def report_on(results: Results, tmp_path: Path) -> tuple[Written, str]:
    output = tmp_path / "report"
    written = write_report(
        Request(sources=[results.folder], release=results.release, output=output, trusting=believed)
    )
    return written, (output / "README.md").read_text(encoding="utf-8")


def joint(results: Results) -> dict[str, set[str]]:
    found = tables.scores(read_answers([results.folder], results.release))
    names = (tables.ALL_SIMULATED, tables.MATCHED)
    return {name: set(found[found["portion"] == name]["system"]) for name in names}


def test_whole_runs_are_not_called_limited(results: Results, tmp_path: Path) -> None:
    written, text = report_on(results, tmp_path)
    assert list(written.fewer) == []
    assert "Not over all rows" not in text
    assert set(joint(results)[tables.ALL_SIMULATED]) == {"good", POOR.name}


def test_the_head_names_every_system_and_config_with_fewer_rows(
    results: Results, tmp_path: Path
) -> None:
    add(results, THIRD, simulated=4, longevity=3)
    written, text = report_on(results, tmp_path)
    assert [(one.system, one.config, one.n, one.of) for one in written.fewer] == [
        ("third", "longevity", 3, 8),
        ("third", "simulated", 4, 9),
    ]
    head = text.partition("## Scores")[0]
    assert "**Not over all rows.**" in head
    assert "- third: 4 of 9 rows of simulated (test)" in head
    assert "over all rows, and raw scores over all" not in text
    command = [str(results.folder), "--release", results.release.repo]
    done = CliRunner().invoke(app, [*command, "--output", str(tmp_path / "other")])
    assert "not over all rows: third, 4 of 9 rows of simulated" in " ".join(done.stdout.split())


@pytest.mark.parametrize("alone", [False, True], ids=["with answers", "verdicts alone"])
def test_cases_without_verdicts_are_named(results: Results, tmp_path: Path, alone: bool) -> None:
    for details in results.folder.rglob("details_*.parquet") if alone else ():
        details.unlink()
    file = results.folder / "good" / VERDICTS
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    file.write_text("".join(line for line in lines if '"lv_01"' in line), encoding="utf-8")
    written, text = report_on(results, tmp_path)
    assert [(one.system, one.style, one.n, one.of) for one in written.fewer] == [
        ("good", "judged", 2, 8)
    ]
    assert "- good: 2 of 8 rows of longevity (test, judged)" in text


@pytest.mark.parametrize("few", [0, 2], ids=["not asked", "asked a few rows"])
def test_a_joint_portion_holds_who_was_asked_all_of_both(
    results: Results, tmp_path: Path, few: int
) -> None:
    add(results, THIRD, simulated=None, **({"fault_injected": few} if few else {}))
    assert joint(results) == {
        tables.ALL_SIMULATED: {"good", POOR.name},
        tables.MATCHED: {"good", POOR.name, "third"},
    }
    answers = read_answers([results.folder], results.release)
    pairs = comparisons.pairs(answers)
    both = pairs[pairs["portion"] == tables.ALL_SIMULATED]
    assert both[["first", "second", "n"]].to_numpy().tolist() == [["good", POOR.name, 12]]
    at_once = comparisons.all_at_once(answers).set_index("portion")
    assert at_once.loc[tables.ALL_SIMULATED, "systems"] == 2
    assert at_once.loc[tables.ALL_SIMULATED, "n"] == 12
    assert at_once.loc["simulated", "systems"] == 3
    _, text = report_on(results, tmp_path)
    assert (
        f"- third in `{tables.ALL_SIMULATED}` (test), scores and comparisons: it answered {few} of 3 "
        "rows of fault_injected."
    ) in text


def test_a_matched_portion_holds_who_was_asked_all_of_its_configs(results: Results) -> None:
    add(results, THIRD, simulated=4, fault_injected=None)
    assert joint(results)[tables.MATCHED] == {"good", POOR.name}


def test_there_is_no_joint_portion_of_systems_that_were_asked_one_config_each(
    results: Results,
) -> None:
    for home in results.folder.iterdir():
        for file in home.rglob("details_*.parquet"):
            file.unlink()
    add(results, THIRD, simulated=None)
    add(results, FOURTH, fault_injected=None)
    answers = read_answers([results.folder], results.release)
    assert tables.ALL_SIMULATED not in tables.portions(answers)
    assert [gap.system for gap in tables.gaps(answers)] == ["fourth", "third"]
    assert comparisons.pairs(answers).empty


def test_a_single_whole_system_keeps_its_joint_line(results: Results) -> None:
    for file in (results.folder / "poor").rglob("details_*.parquet"):
        file.unlink()
    assert joint(results)[tables.ALL_SIMULATED] == {GOOD.name}
