"""An id stands for one row, whatever the seed; what depends on the seed is what the card says."""

import json
from typing import get_args

import pyarrow as pa
import pytest

from builder.generate import Plan, longevity, real_world, tasks_of
from generators.longevity.cases import longevity_rows
from generators.longevity.variants import DRAWN_FORMS, ItemVariant
from generators.real_world.azt1d import read_azt1d
from generators.real_world.recordings import Recordings
from tests.generators.real_world.made_recordings import (
    as_csv,
    every_five_minutes,
    meal,
    row,
    with_rows,
)

SEEDS = (1, 2, 3)


@pytest.fixture(scope="module")
def recordings(tmp_path_factory: pytest.TempPathFactory) -> Recordings:
    folder = tmp_path_factory.mktemp("raw") / "CGM Records" / "Subject 1"
    folder.mkdir(parents=True)
    rises = [row(1440 * day + 600, 190 + day, Basal="0.6") for day in range(38)]
    meals = [meal(1440 * day + 725, 60, 6) for day in range(38)]
    content = as_csv(with_rows(every_five_minutes(38), *rises, *meals))
    (folder / "Subject 1.csv").write_bytes(content)
    return read_azt1d(folder.parent.parent)


def asked(recordings: Recordings, seed: int) -> pa.Table:
    plan = Plan(config="real_world", release="test", seed=seed, task_ids=tasks_of("real_world", ()))
    return real_world(plan, recordings, workers=1, progress=lambda *_: None).full


def test_an_id_of_a_recording_stands_for_one_row_over_seeds(recordings: Recordings) -> None:
    content: dict[str, str] = {}
    tables = [asked(recordings, seed).drop_columns(["input_context"]) for seed in SEEDS]
    rows = [one for table in tables for one in table.to_pylist()]
    assert len(rows) >= 3 * 15
    for one in rows:
        assert content.setdefault(one["instance_id"], json.dumps(one)) == json.dumps(one)
    assert len(content) == len(rows)


@pytest.mark.parametrize("form", get_args(ItemVariant))
def test_an_id_of_a_case_stands_for_one_prompt_over_seeds(form: ItemVariant) -> None:
    content: dict[object, object] = {}
    for seed in SEEDS:
        for case in longevity_rows(form, seed=seed):
            told = (case["system_prompt"], case["user_prompt"], case["answer"])
            assert content.setdefault(case["case_id"], told) == told
    assert len(content) == (3000 if form in DRAWN_FORMS else 1000)


def test_forms_share_no_id() -> None:
    ids = [{case["case_id"] for case in longevity_rows(f, seed=1)} for f in get_args(ItemVariant)]
    assert sum(map(len, ids)) == len(set.union(*ids))


def test_a_fresh_release_shares_no_longevity_prompt_with_another() -> None:
    tables = [longevity("test", seed, redrawn=seed != 1) for seed in SEEDS]
    prompts = [set(made.full.column("user_prompt").to_pylist()) for made in tables]
    assert [len(one) for one in prompts] == [200, 200, 200]
    assert len(set.union(*prompts)) == 600
