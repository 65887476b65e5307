"""Load HealthLoopQA at a pinned version, checked against its manifest; or generate it here.

    import load_healthloopqa
    rows = load_healthloopqa.load("simulated", version="0.1.0", split="test")

This file lies in every release beside `eval_tasks/` and needs nothing else of the project. Only the
builder class, which generates rows from a seed, needs a checkout:

    builder = load_healthloopqa.HealthLoopQA(config_name="simulated", seed=7)
    builder.download_and_prepare()
    rows = builder.as_dataset(split="test")
"""

import hashlib
import importlib
import json
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import datasets
import pyarrow as pa

from eval_tasks.canonical import row_hashes
from eval_tasks.errors import ReleaseError, UnknownNameError
from eval_tasks.forms import TEST_SPLIT
from eval_tasks.release import MANIFEST, downloaded, find_release
from eval_tasks.version import RELEASE_VERSION

_HERE = Path(__file__).resolve().parent
_GENERATED = ("simulated", "fault_injected", "longevity", "traces")


def load(
    config: str,
    *,
    version: str = RELEASE_VERSION,
    split: str = TEST_SPLIT,
    source: str | None = None,
) -> datasets.Dataset:
    """Return the rows of a config's split, after checking that they are the version's.

    Args:
        config: Name of a config, `traces` included.
        version: Release version; on the Hub the tag of that name.
        split: Name of a split.
        source: Folder of a release or its Hub repository. If None: what HEALTHLOOPQA_RELEASE
            names, else the release that this file lies in or `make release` built, else the Hub.

    Raises:
        ReleaseError: The release is missing, of another version, or its rows are not those that its
            manifest lists.
        UnknownNameError: It has no such config or split.
    """
    release = find_release(source, version)
    if release.version != version:
        raise ReleaseError(f"{release.repo} holds version {release.version}, not {version}")
    folder = Path(downloaded(release, (config,)).repo)
    part = _part(folder, config, split)
    files = [str(folder / name) for name in part["files"]]
    rows = datasets.load_dataset("parquet", data_files={split: files}, split=split)
    if row_hashes(rows.data.table).sha256 != part["sha256"]:
        raise ReleaseError(
            f"{folder}: the rows of {config}/{split} are not those that {MANIFEST} lists; download "
            "or build the release anew"
        )
    return rows


def _part(folder: Path, config: str, split: str) -> Mapping[str, Any]:
    """Return what the manifest says of a split."""
    configs = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["configs"]
    if config not in configs:
        raise UnknownNameError(f"no config {config!r} in {folder}; there are {', '.join(configs)}")
    splits: Mapping[str, Mapping[str, Any]] = configs[config]["splits"]
    if split not in splits:
        raise UnknownNameError(
            f"no split {split!r} of {config} in {folder}; there are {', '.join(splits)}"
        )
    return splits[split]


@dataclass
class HealthLoopQAConfig(datasets.BuilderConfig):  # type: ignore[misc]
    """What to generate.

    Attributes:
        seed: Release seed; the one that the version declares if None.
        patients: Simulated patients, for example `adult_001`; all if empty.
        tasks: Tasks to ask, for example `pm_14`; all if empty.
        cohorts: Cohorts to simulate: test (which gives the splits test and full), train, validation.
        workers: Processes; the rows do not depend on it. More than one needs a main module that can
            be imported again.
    """

    seed: int | None = None
    patients: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    cohorts: tuple[str, ...] = (TEST_SPLIT,)
    workers: int = 1

    def create_config_id(
        self, config_kwargs: dict[str, Any], custom_features: datasets.Features | None = None
    ) -> str:
        """Return the name of the cache folder, which says all that the rows depend on."""
        kept = {name: value for name, value in config_kwargs.items() if name != "workers"}
        named: str = super().create_config_id(kept, custom_features)
        return named


class HealthLoopQA(datasets.ArrowBasedBuilder):  # type: ignore[misc]
    """Generates a config on this machine, bit for bit as a release of the same seed has it.

    What was generated is cached under its config, options, version and the code that made it.
    Recordings of real people are the business of scripts/build_release.py.
    """

    BUILDER_CONFIG_CLASS = HealthLoopQAConfig
    BUILDER_CONFIGS = [  # noqa: RUF012 - the base class wants a list
        HealthLoopQAConfig(name=name, version=datasets.Version(RELEASE_VERSION))
        for name in _GENERATED
    ]
    DEFAULT_CONFIG_NAME = _GENERATED[0]

    def __init__(self, **options: Any) -> None:
        """Prepare to generate.

        Args:
            **options: `config_name`, `cache_dir`, and the attributes of `HealthLoopQAConfig`.

        Raises:
            ReleaseError: This is no checkout.
        """
        super().__init__(**{"dataset_name": "healthloopqa", "hash": _code_digest()} | options)

    def _info(self) -> datasets.DatasetInfo:
        schema = _of_checkout("builder.schema").arrow_schema(self.config.name)
        return datasets.DatasetInfo(features=datasets.Features.from_arrow_schema(schema))

    def _split_generators(self, _: datasets.DownloadManager) -> list[datasets.SplitGenerator]:
        return [
            datasets.SplitGenerator(name=split, gen_kwargs={"table": table})
            for split, table in _generated(self.config).items()
        ]

    def _generate_tables(self, table: pa.Table) -> Iterator[tuple[tuple[int, int], pa.Table]]:
        for place, batch in enumerate(table.to_batches()):
            yield (0, place), pa.Table.from_batches([batch])


def _generated(config: HealthLoopQAConfig) -> dict[str, pa.Table]:
    """Return the rows of a config by split, built and checked as a release in a temporary folder."""
    release = _of_checkout("builder.release")
    declared = _of_checkout("builder.release_config").load_release_config(RELEASE_VERSION)
    configs = ("simulated", "fault_injected", "traces") if config.name == "traces" else ()
    with tempfile.TemporaryDirectory(prefix="healthloopqa-") as scratch:
        request = release.Request(
            declared=declared,
            seed=declared.seed if config.seed is None else config.seed,
            output=Path(scratch) / "release",
            configs=configs or (config.name,),
            task_ids=tuple(config.tasks),
            patient_ids=tuple(config.patients),
            cohorts=tuple(config.cohorts),
            workers=config.workers,
        )
        built = release.build(request, lambda _what, _done, _total: None)
        parts = built.manifest.configs[config.name].splits
        read = _of_checkout("builder.parquet").read
        return {
            split: pa.concat_tables([read(request.output / name) for name in part.files])
            for split, part in parts.items()
        }


def _of_checkout(name: str) -> ModuleType:
    """Return a module of the packages that build releases.

    Raises:
        ReleaseError: This is no checkout.
    """
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise ReleaseError(
            f"generating needs a checkout of HealthLoopQA with its dependencies ({error}); "
            "load() needs neither"
        ) from error


def _code_digest() -> str:
    """Return a hash of all code and declarations that rows come from."""
    digest = hashlib.sha256()
    for package in ("builder", "generators", "eval_tasks"):
        for path in sorted((_HERE / package).rglob("*")):
            if path.suffix in (".py", ".yaml", ".jsonl"):
                digest.update(f"{path.relative_to(_HERE)} ".encode() + path.read_bytes())
    return digest.hexdigest()[:16]
