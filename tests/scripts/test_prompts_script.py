import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from builder.release import Report
from eval_tasks.release import find_release
from scripts import prompt_sizes
from scripts.prompts import app
from tests.eval_tasks.tiny_release import write_release


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.mark.slow
def test_prompts_are_shown_counted_and_measured(one_patient_release: Report) -> None:
    folder = one_patient_release.folder
    counts = json.loads(invoke("horizons", "--release", folder, "--json").stdout)
    assert {"30", "7", "1"} == set(counts["simulated"]["pm_0"])
    assert counts["simulated"]["pm_0"]["7"] == 0 < counts["simulated"]["pm_0"]["30"]
    assert "Questions by days shown" in invoke("horizons", "--release", folder).stdout

    listed = one_patient_release.manifest.configs["simulated"].splits["test"]
    assert sum(task["30"] for task in counts["simulated"].values()) == listed.rows

    economies = prompt_sizes.economies(find_release(str(folder)), len)
    assert {economy.style for economy in economies} == {"structured", "timelined"}
    for economy in economies:
        assert economy.characters < 0.51 * economy.source_characters
        assert economy.characters < economy.whole_characters < economy.prompt_tokens


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("show", "pm_0/0", "--style", "prose"), "no prompt of style 'prose' over 30 days"),
        (("show", "pm_0/9"), "no instance 'pm_0/9' in the split test of"),
        (("show", "pm_0/0", "--days", "1"), "pm_0/0 cannot be answered from 1 days"),
        (("horizons", "--split", "train"), "has a split 'train'"),
    ],
)
def test_mistakes_are_told_in_one_line(
    tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    folder = write_release(tmp_path / "release")
    result = invoke(*arguments, "--release", folder)
    assert result.exit_code == 1
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_prompt_is_printed(tmp_path: Path) -> None:
    folder = write_release(tmp_path / "release")
    shown = invoke("show", "pm_0/1", "--style", "timelined", "--release", folder)
    assert shown.exit_code == 0
    assert "## Timeline" in shown.stdout
    assert "Question 1 of pm_0?" in shown.stdout
