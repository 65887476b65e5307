"""From one's own recordings to a private split and a report."""

import json
from pathlib import Path

import pytest
from datasets import load_dataset
from typer.testing import CliRunner

from builder.errors import BuildError
from builder.manifest import PRIVATE_MARKER, read_manifest
from builder.release import Report, Request, build
from builder.release_config import load_release_config
from builder.validate import problems_of
from eval_tasks.version import RELEASE_VERSION
from generators.real_world.importing import Wanted, import_recordings
from scripts.import_recordings import REPORT_NAME, app
from tests.generators.real_world.made_exports import (
    entries,
    ohio_xml,
    profile,
    pump_events,
    treatment,
    write_nightscout,
)


def export(tmp_path: Path) -> Path:
    doses = [treatment(1440 * day + 720, "Meal Bolus", insulin=4.0, carbs=45) for day in range(31)]
    return write_nightscout(
        tmp_path / "mine" / "jane_doe", entries(), [*pump_events(), *doses], [profile()]
    ).parent


def test_export_becomes_a_private_split_and_a_report(tmp_path: Path) -> None:
    output = tmp_path / "out" / "private"
    options = [str(export(tmp_path)), "--output", str(output), "--workers", "1", "--json"]
    done = CliRunner().invoke(app, options)
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["private"]
    assert told["files"] == {"nightscout": 3}
    (subject,) = told["subjects"]
    assert (subject["subject"], subject["readings"], subject["carb_days"]) == (
        "nightscout_01",
        1.0,
        30,
    )
    assert subject["daily_units"] == pytest.approx(6 * 0.6 + 18 * 1.2 + 4)
    assert problems_of(output, lambda _what, _done, _total: None) == []
    assert read_manifest(output).private
    assert (output / PRIVATE_MARKER).is_file()
    rows = load_dataset(str(output), "real_world", split="full", cache_dir=str(tmp_path / "cache"))
    assert {row["provenance"]["licence"] for row in rows} == {"LicenseRef-private"}
    page = (output / REPORT_NAME).read_text()
    assert page.count("<img") == 3
    for text in (page, done.stdout, (output / "manifest.json").read_text(), str(rows[0])):
        assert "secret" not in text
        assert "jane_doe" not in text.replace(str(tmp_path), "")
        assert "2024-01" not in text


def test_same_export_gives_the_same_folder_content(tmp_path: Path) -> None:
    told = [
        json.loads(
            CliRunner()
            .invoke(
                app,
                [str(export(tmp_path / name)), "--output", str(tmp_path / name / "o"), "--json"],
            )
            .stdout
        )
        for name in ("one", "other")
    ]
    assert told[0]["content_sha256"] == told[1]["content_sha256"]
    pages = [(tmp_path / name / "o" / REPORT_NAME).read_text() for name in ("one", "other")]
    assert pages[0] == pages[1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["no/such/place"], "no such file or folder"),
        (["{tmp}/empty"], "looked at 0 files"),
        (["{tmp}/other"], "nothing of a known kind"),
        (["{tmp}/other"], "looked at 1 file (report.pdf)"),
        (["{tmp}/mine", "--timezone", "Mars/Olympus"], "no time zone"),
    ],
)
def test_refusals_take_one_line(tmp_path: Path, options: list[str], message: str) -> None:
    export(tmp_path)
    for name in ("empty", "other"):
        (tmp_path / name).mkdir()
    (tmp_path / "other" / "report.pdf").write_bytes(b"%PDF-1.7")
    filled = [one.replace("{tmp}", str(tmp_path)) for one in options]
    done = CliRunner().invoke(app, [*filled, "--output", str(tmp_path / "out")])
    assert done.exit_code == 1
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_private_rows_and_a_release_never_share_a_folder(
    tmp_path: Path, small_release: Report
) -> None:
    (tmp_path / "559-ws-training.xml").write_bytes(ohio_xml())
    imported = import_recordings(Wanted(path=tmp_path / "559-ws-training.xml"))

    def request(output: Path, *, private: bool) -> Request:
        return Request(
            declared=load_release_config(RELEASE_VERSION),
            seed=1,
            output=output,
            overwrite=True,
            configs=("real_world",),
            recordings=imported.recordings,
            private=private,
        )

    for asked, message in (
        (request(tmp_path / "out", private=False), "ohiot1dm may not be passed on"),
        (request(small_release.folder, private=True), "may be pushed"),
        (request(small_release.folder / "data" / "mine", private=True), "may be pushed"),
    ):
        with pytest.raises(BuildError, match=message):
            build(asked, lambda _what, _done, _total: None)
