"""The figures of a release."""

import shutil
from pathlib import Path

import matplotlib as mpl
import pyarrow as pa
import pytest
from PIL import Image

from builder import parquet
from builder.floors import Splits
from builder.release import Report
from builder.validate import problems_of
from dataset_card.figures import figures_of, write_figures

LARGEST = 80_000


def quiet(_what: str, _done: int, _total: int) -> None:
    """Show no progress."""


def rows_of(report: Report) -> Splits:
    return {
        config: {s: parquet.read(report.folder / part.files[0]) for s, part in entry.splits.items()}
        for config, entry in report.manifest.configs.items()
    }


def test_every_figure_is_small_and_told_in_card_and_manifest(small_release: Report) -> None:
    names = sorted(figures_of(rows_of(small_release)))
    assert names == [f"figures/{name}.png" for name in ("day_profiles", "distributions", "faults")]
    card = (small_release.folder / "README.md").read_text()
    for name in names:
        assert f"]({name})" in card
        assert name in small_release.manifest.files
        assert (small_release.folder / name).stat().st_size < LARGEST


def test_the_same_rows_give_the_same_bytes_whatever_the_reader_has_set(
    small_release: Report, tmp_path: Path
) -> None:
    with mpl.rc_context({"font.size": 30.0, "savefig.dpi": 20, "axes.facecolor": "red"}):
        write_figures(tmp_path, rows_of(small_release))
    for path in sorted((tmp_path / "figures").iterdir()):
        written = small_release.folder / "figures" / path.name
        assert path.read_bytes() == written.read_bytes()
        with Image.open(path) as image:
            assert image.info.keys() <= {"dpi", "transparency"}


def test_a_release_without_records_has_no_figures(small_release: Report, tmp_path: Path) -> None:
    alone: Splits = {"longevity": rows_of(small_release)["longevity"]}
    write_figures(tmp_path, alone)
    assert list(tmp_path.iterdir()) == []
    assert figures_of(alone) == {}


@pytest.mark.parametrize("labels", [[], ["unknown_stop"]])
def test_the_gallery_shows_the_labels_that_occur(labels: list[str], small_release: Report) -> None:
    traces = rows_of(small_release)["traces"]["test"]
    faults = [
        [fault for fault in events if fault["label"] in labels]
        for events in traces.column("faults").to_pylist()
    ]
    place = traces.schema.get_field_index("faults")
    field = traces.schema.field(place)
    few = traces.set_column(place, field, pa.array(faults, field.type))
    assert ("figures/faults.png" in figures_of({"traces": {"test": few}})) == bool(labels)


def test_a_changed_figure_is_noticed(small_release: Report, tmp_path: Path) -> None:
    release = Path(shutil.copytree(small_release.folder, tmp_path / "release"))
    (release / "figures" / "faults.png").write_bytes(b"")
    assert problems_of(release, quiet) == [
        "figures/faults.png is not the file whose hash manifest.json holds"
    ]
