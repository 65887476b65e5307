"""The card's numbers, computed again from the Parquet files with pandas."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
import yaml

from builder.release import Report

NUMBER = r"-?\d+(?:\.\d+)?"


@pytest.fixture(scope="module")
def card(small_release: Report) -> str:
    return (small_release.folder / "README.md").read_text(encoding="utf-8")


def table_under(card: str, heading: str) -> pd.DataFrame:
    """Return the first table below a heading, cells as text."""
    below = card.split(f"\n## {heading}\n", 1)[1].split("\n## ", maxsplit=1)[0]
    lines = [line for line in below.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return pd.DataFrame([row for row in cells[2:] if len(row) == len(cells[0])], columns=cells[0])


def frame(folder: Path, config: str, split: str) -> pd.DataFrame:
    """Return the rows of a split, found by the card's own YAML."""
    front = yaml.safe_load((folder / "README.md").read_text(encoding="utf-8").split("---\n")[1])
    files = {
        (entry["config_name"], part["split"]): part["path"]
        for entry in front["configs"]
        for part in entry["data_files"]
    }
    parts: list[pd.DataFrame] = [
        pq.read_table(folder / name).to_pandas() for name in files[config, split]
    ]
    return pd.concat(parts, ignore_index=True)


def test_the_counts_of_rows(small_release: Report, card: str) -> None:
    told = table_under(card, "What it holds")
    assert len(told) == 7
    for _, line in told.iterrows():
        rows = frame(small_release.folder, line["config"].strip("`"), line["split"])
        assert len(rows) == int(line["rows"])


@pytest.mark.parametrize("config", ["simulated", "fault_injected"])
def test_the_task_tables(small_release: Report, card: str, config: str) -> None:
    told = table_under(card, f"Tasks of `{config}`").set_index("task")
    rows = frame(small_release.folder, config, "test")
    counts = rows.groupby("task_id").size()
    assert told["rows in test"].astype(int).to_dict() == counts.to_dict()
    for column, shown in (("prototype", "asks about"), ("cognitive_level", "level")):
        assert told[shown].to_dict() == rows.groupby("task_id")[column].first().to_dict()
    paths = rows.groupby("task_id")["abilities"].first().map(" > ".join)
    assert told["path"].to_dict() == paths.to_dict()


def recomputed(context: dict[str, object]) -> dict[str, float]:
    """Return the figures of one record, by pandas."""
    glucose = pd.Series(context["bg_mgdl"], dtype=float).replace(0, np.nan)
    days = len(glucose) / 288
    insulin = pd.Series(context["insulin_mu_min"], dtype=float)
    carbs = pd.DataFrame(list(context["carb_events"]))  # type: ignore[call-overload]
    bouts = pd.DataFrame(list(context["exercise_events"]))  # type: ignore[call-overload]
    seen = glucose.dropna()
    return {
        "mean glucose, mg/dL": seen.mean(),
        "standard deviation, mg/dL": seen.std(),
        "coefficient of variation, %": seen.std() / seen.mean() * 100,
        "glucose management indicator, %": 3.31 + 0.02392 * seen.mean(),
        "readings from 70 to 180 mg/dL, %": seen.between(70, 180).mean() * 100,
        "below 70 mg/dL, %": seen.lt(70).mean() * 100,
        "below 54 mg/dL, %": seen.lt(54).mean() * 100,
        "above 180 mg/dL, %": seen.gt(180).mean() * 100,
        "above 250 mg/dL, %": seen.gt(250).mean() * 100,
        "readings present, %": glucose.notna().mean() * 100,
        "insulin, U a day": (insulin * 5 / 1000).mean() * 288,
        "carbohydrate, g a day": carbs["carbs"].sum() / days,
        "exercise, min a week": bouts["duration"].sum() / days * 7,
    }


@pytest.mark.parametrize("config", ["simulated", "fault_injected"])
def test_the_characteristics(small_release: Report, card: str, config: str) -> None:
    told = table_under(card, "What the records are like").set_index("")[config]
    rows = frame(small_release.folder, config, "full")
    rows["length"] = [len(context["bg_mgdl"]) for context in rows["input_context"]]
    rows = rows.loc[rows.groupby("trace_id")["length"].idxmax()]  # the first of equal ones
    assert int(told.pop("records")) == len(rows)
    figures = pd.DataFrame([recomputed(context) for context in rows["input_context"]])
    assert list(told.index) == list(figures.columns)
    for name in map(str, figures.columns):
        values = figures[name]
        shown = [float(text) for text in re.findall(NUMBER, told[name])]
        expected = [values.mean(), values.std(), values.min(), values.max()]
        decimals = len(re.findall(NUMBER, told[name])[0].partition(".")[2])
        assert shown == pytest.approx(expected, abs=0.5 * 10**-decimals + 1e-9), name


def test_the_counts_of_longevity(small_release: Report, card: str) -> None:
    told = table_under(card, "Longevity profiles").set_index("intervention, or age of the people")
    cases = frame(small_release.folder, "longevity", "test")
    people = cases.drop_duplicates("item_id")
    for column in ("intervention", "age_group"):
        counts = pd.crosstab(people[column], people["answer"])
        counts = counts.rename(columns=lambda answer: answer.strip('"'))[["yes", "no"]]
        assert told.loc[counts.index].astype(int).to_dict() == counts.to_dict()
    assert f"Each of the {len(people)} profiles" in card


def test_the_card_holds_what_a_reader_looks_for(small_release: Report, card: str) -> None:
    manifest = small_release.manifest
    for heading in ("Load", "Evaluate", "Construction", "Limitations", "Ethics", "Cite"):
        assert f"\n## {heading}\n" in card
    assert "\n## Intended and forbidden use\n" in card
    assert f'revision="{manifest.version}"' in card
    assert manifest.canary in card
    assert "Not recorded." not in card
    front = yaml.safe_load(card.split("---\n")[1])
    assert front["size_categories"] == ["1K<n<10K"]
    assert (front["license"], front["language"]) == ("cc-by-4.0", ["en"])
