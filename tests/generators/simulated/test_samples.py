from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from generators.errors import GeneratorError
from generators.simulated.cohort import simulate
from generators.simulated.hazards import hazard_levels
from generators.simulated.pictures import draw_days, draw_profiles
from generators.simulated.samples import sample_table
from generators.trace import Trace


@cache
def trace() -> Trace:
    return simulate("child_005", seed=3, days=3).trace


def test_hazards_follow_the_consensus_ranges() -> None:
    glucose = np.array([0, 53, 54, 69, 70, 180, 181, 250, 251, 900], dtype=np.int16)

    assert hazard_levels(glucose).tolist() == [-2, -2, -1, -1, 0, 0, 1, 1, 2, 2]


def test_table_has_a_row_per_sample_and_keeps_every_amount() -> None:
    table = sample_table(trace())

    assert table.num_rows == 3 * 288
    assert table["minute"].to_pylist()[:3] == [0, 5, 10]
    assert table["day"].to_pylist()[-1] == 3
    assert table["cgm_mgdl"].null_count == 0
    assert sum(table["carbs_g"].to_pylist()) == sum(e.grams for e in trace().carbs)
    for kind in ("meal_bolus", "correction_bolus", "automatic_correction", "long_acting"):
        units = sum(e.units for e in trace().boluses if e.kind == kind)
        assert sum(table[f"{kind}_u"].to_pylist()) == pytest.approx(units)
    reported = sum(table["insulin_mu_min"].to_pylist()) * 5 / 1000
    assert reported == pytest.approx(sum(e.units for e in trace().boluses))


def test_missing_readings_and_bouts_are_shown_as_such() -> None:
    cgm = trace().cgm.copy()
    cgm[7] = -1
    table = sample_table(replace(trace(), cgm=cgm))
    minutes = [m for m, k in enumerate(table["exercise"].to_pylist()) if k is not None]

    assert table["cgm_mgdl"].to_pylist()[7] is None
    assert len(minutes) == sum(
        -(-(b.minute + b.duration) // 5) - b.minute // 5 for b in trace().exercise
    )


def test_a_recording_has_no_such_table() -> None:
    with pytest.raises(GeneratorError, match="is no simulation"):
        sample_table(replace(trace(), truth=None))


@pytest.mark.parametrize("name", ["days.png", "days.svg"])
def test_pictures_are_written(tmp_path: Path, name: str) -> None:
    draw_days(trace(), tmp_path / name)
    draw_profiles({"one": [trace()], "two": [trace(), trace()]}, tmp_path / f"groups_{name}")

    assert all(path.stat().st_size > 5000 for path in tmp_path.iterdir())
    assert len(list(tmp_path.iterdir())) == 2


def test_unknown_picture_formats_are_refused(tmp_path: Path) -> None:
    with pytest.raises(GeneratorError, match=r"written as .png, .svg, .pdf, not .gif"):
        draw_days(trace(), tmp_path / "days.gif")
