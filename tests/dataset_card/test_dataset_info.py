"""`datasets` reads from the card the columns that the release has."""

from pathlib import Path
from typing import get_args

import pytest
from datasets import Features, load_dataset, load_dataset_builder

from builder.manifest import read_manifest
from builder.release import Report
from builder.schema import Config, arrow_schema
from dataset_card.features import features_of


@pytest.fixture(autouse=True)
def caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "datasets_cache")


@pytest.mark.parametrize("config", get_args(Config))
def test_features_are_what_datasets_writes_of_the_columns(config: Config) -> None:
    schema = arrow_schema(config)
    assert features_of(schema) == Features.from_arrow_schema(schema)._to_yaml_list()


def test_datasets_knows_a_release_from_its_card(
    one_patient_release: Report, caplog: pytest.LogCaptureFixture
) -> None:
    folder = one_patient_release.folder
    for config in read_manifest(folder).configs:
        info = load_dataset_builder(str(folder), config).info
        assert info.features == Features.from_arrow_schema(arrow_schema(config))
        rows = load_dataset(str(folder), config, split="test")
        assert rows.features == info.features
    assert "Ignoring" not in caplog.text
