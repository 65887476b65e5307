"""Builds a release: generates the tables, selects `test`, writes everything, checks it."""

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import asdict, dataclass, replace
from importlib.resources import files
from pathlib import Path

import pyarrow as pa

from builder import fresh, generate, parquet, patients
from builder.balance import broken_rules
from builder.errors import (
    BuildError,
    InvalidReleaseError,
    NothingToBuildError,
    UnevenSeedError,
)
from builder.floors import Splits, floors_of
from builder.generate import LeftOut, Plan, Tables
from builder.manifest import (
    CARD_NAME,
    MANIFEST_NAME,
    PRIVATE_MARKER,
    ConfigEntry,
    LeftOutEntry,
    Manifest,
    SplitEntry,
    code_commit,
    content_sha256,
    file_hashes,
    library_versions,
    read_manifest,
)
from builder.release_config import HIGHEST_SEED, Quota, ReleaseConfig, quota_of
from builder.rows import CANARY, choice_table
from builder.schema import QA_CONFIGS, Config, Split, arrow_schema
from builder.selection import choose_test, cut_to_total
from builder.staging import staged
from builder.validate import problems_of_data
from builder.workers import EngineName, Progress
from dataset_card.croissant import CROISSANT_NAME, render_croissant
from dataset_card.figures import write_figures
from dataset_card.render import render_card
from eval_tasks.baselines import FILE_NAME as BASELINES_NAME
from eval_tasks.canonical import row_hashes
from generators.questions.registry import TASKS
from generators.real_world.azt1d import read_azt1d
from generators.real_world.recordings import PRIVATE, Recordings
from generators.simulated.patients import Cohort
from generators.streams import Stream

CONFIG_NAMES: tuple[Config, ...] = (*QA_CONFIGS, "longevity", "multiple_choice", "traces")
REGISTRATION_NAME = "eval.yaml"
"""Registers the config multiple_choice as a benchmark of the Hub."""
_REPOSITORY = Path(__file__).resolve().parent.parent
_COPIED = ("LICENSE", "LICENSE-DATA", "load_healthloopqa.py")
_PRIVATE_TEXT = """The rows in this folder come from recordings that may not be passed on: they are private or under a
data use agreement. Do not push, publish or share this folder, and send none of its prompts to a
model on another machine. LICENSE-DATA does not apply to it.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitReport:
    """A line of the closing table; bytes are those of the files."""

    config: Config
    split: Split
    rows: int
    bytes: int


Pages = Callable[[Sequence[SplitReport]], Mapping[str, str]]
"""Makes further files, text by name, from what was built."""


def _no_pages(_reports: Sequence[SplitReport]) -> Mapping[str, str]:
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What to build.

    Attributes:
        declared: Declared content of the release.
        seed: Release seed; differs from the declared one for a fresh test.
        output: Folder of the release.
        overwrite: Whether a release that stands there may be replaced.
        configs: Configs to build.
        task_ids: Tasks to ask; empty for all.
        patient_ids: Simulated patients and recorded subjects; empty for all.
        raw_dir: Folder with real recordings; None where there are none.
        recordings: Real recordings that were read already, in place of `raw_dir`.
        private: Whether the content may not be passed on; the folder is marked so.
        fresh: Whether this is a fresh test (`builder.fresh`); it is private.
        cohorts: Whose rows the simulated configs hold: test, train, validation.
        workers: Jobs at a time.
        engine: Where they are computed.
        patients: Size of a scaled cohort, which `builder.scaled` builds; 0 for a release.
        pages: Makes further files of the release.
    """

    declared: ReleaseConfig
    seed: int
    output: Path
    overwrite: bool = False
    configs: tuple[Config, ...] = CONFIG_NAMES
    task_ids: tuple[str, ...] = ()
    patient_ids: tuple[str, ...] = ()
    raw_dir: Path | None = None
    recordings: Recordings | None = None
    private: bool = False
    fresh: bool = False
    cohorts: tuple[Cohort, ...] = ("test",)
    workers: int = 1
    engine: EngineName = "local"
    patients: int = 0
    pages: Pages = _no_pages


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What was built."""

    folder: Path
    manifest: Manifest
    splits: tuple[SplitReport, ...]


AllTables = dict[Config, dict[Cohort, Tables]]


def build(request: Request, progress: Progress) -> Report:
    """Build a release.

    Args:
        request: What to build.
        progress: Told how far it is.

    Returns:
        What was built.

    Raises:
        NothingToBuildError: No config of those asked for has rows; nothing is left behind.
        BuildError: The request or the release is not valid; nothing is left behind.
        GeneratorError: Input is not valid; nothing is left behind.
        OSError: The release could not be written; nothing is left behind.
    """
    check_seed(request.seed)
    _check_privacy(request)
    _check_fresh(request)
    request = _restricted(request)
    with staged(request.output, overwrite=request.overwrite) as folder:
        absent = absent_configs(request)
        tables = _tables(request, absent, progress)
        splits, absent = _splits(request, tables, absent)
        if not splits:
            raise NothingToBuildError(why_nothing(request, absent))
        _check_shape(request, splits)
        return _write(request, folder, tables, splits, absent, progress)


def check_seed(seed: int) -> None:
    """Refuse a seed that the rows cannot hold.

    Raises:
        BuildError: It lies outside the range.
    """
    if not 0 <= seed <= HIGHEST_SEED:
        raise BuildError(f"the seed {seed} lies outside 0 to {HIGHEST_SEED}; choose one inside")


def why_nothing(request: Request, absent: Mapping[Config, str]) -> str:
    """Return in one line why nothing of what was asked for can be built."""
    reasons = (f"{config} is absent: {absent[config]}" for config in dict.fromkeys(request.configs))
    return f"nothing to build, because {'; '.join(reasons)}"


def _check_privacy(request: Request) -> None:
    """Keep what may not be passed on and what may be pushed in different folders.

    Raises:
        BuildError: They would meet.
    """
    sources = {trace.source for trace in request.recordings.traces} if request.recordings else set()
    kept = sorted(sources & PRIVATE)
    if kept and not request.private:
        raise BuildError(f"recordings of {', '.join(kept)} may not be passed on; build privately")
    around = (request.output, *request.output.resolve().parents)
    release = next((one for one in around if (one / MANIFEST_NAME).is_file()), None)
    if request.private and release is not None and not read_manifest(release).private:
        raise BuildError(
            f"{release} is a release that may be pushed; private rows need another --output"
        )


def _check_fresh(request: Request) -> None:
    """Refuse a fresh test that others could rebuild, or that is no test.

    Raises:
        BuildError: It is.
    """
    if not request.fresh:
        return
    fresh.check_seed(request.seed)
    if not request.private:
        raise BuildError("a fresh test is never published; build it privately")
    if request.cohorts != ("test",):
        raise BuildError(
            f"a fresh test has the cohort test only, not {', '.join(request.cohorts)}; what a model "
            "may be trained on need not be secret, build it without --private"
        )


def _restricted(request: Request) -> Request:
    """Return a request with the recordings of no other patients than it is restricted to.

    Raises:
        BuildError: No config knows one of them.
    """
    if not request.patient_ids:
        return request
    recordings = _recordings(request) if _has_recordings(request) else None
    asked = [config for config in QA_CONFIGS if config in request.configs]
    patients.check_known(request.patient_ids, asked, recordings)
    if recordings is None:
        return request
    return replace(request, recordings=patients.only_of(recordings, request.patient_ids))


def _has_recordings(request: Request) -> bool:
    named = request.raw_dir is not None or request.recordings is not None
    return named and "real_world" in request.configs and not request.fresh


def _check_shape(request: Request, splits: Splits) -> None:
    """Refuse a fresh test that has not the counts and the balance of a release.

    A build that is restricted to tasks or patients may be of any shape.

    Raises:
        UnevenSeedError: It has not, by chance; another seed may do.
    """
    if not request.fresh or request.task_ids or request.patient_ids:
        return
    problems = [
        *(
            problem
            for config in QA_CONFIGS
            if config in splits
            for problem in _miscounted(request.declared, splits[config]["test"])
        ),
        *broken_rules(splits),
    ]
    if problems:
        raise UnevenSeedError(
            f"this seed gives a test of another shape ({'; '.join(problems)}); build again with "
            "another seed"
        )


def _miscounted(declared: ReleaseConfig, test: pa.Table) -> Iterator[str]:
    for kind, count in Counter(test.column("task_type").to_pylist()).items():
        if count != declared.test_total[kind]:
            yield f"{count} questions on {kind}, not {declared.test_total[kind]}"


def absent_configs(request: Request) -> dict[Config, str]:
    """Return the configs that cannot or shall not be built, and why."""
    absent: dict[Config, str] = {
        config: "not asked for" for config in CONFIG_NAMES if config not in request.configs
    }
    if "real_world" in request.configs and request.fresh:
        absent["real_world"] = fresh.NO_RECORDINGS
    elif "real_world" in request.configs and not _has_recordings(request):
        absent["real_world"] = (
            "no recordings: neither --raw-dir nor HEALTHLOOPQA_RAW_DIR names a folder"
        )
    for config in QA_CONFIGS:
        reason = generate.nothing_to_ask(config, request.task_ids, request.patient_ids)
        if config not in absent and reason:
            absent[config] = reason
    if "real_world" not in absent and _holds_none(request):
        absent["real_world"] = f"none of its subjects is {', '.join(request.patient_ids)}"
    return absent


def _holds_none(request: Request) -> bool:
    """Whether no recording is of the patients that a request is restricted to."""
    held = request.recordings
    return bool(request.patient_ids) and held is not None and not (held.traces or held.left_out)


def _tables(request: Request, absent: Mapping[Config, str], progress: Progress) -> AllTables:
    tables: AllTables = {}
    for config in QA_CONFIGS:
        if config in absent:
            continue
        plan = Plan(
            config=config,
            release=request.declared.version,
            seed=request.seed,
            task_ids=generate.tasks_of(config, request.task_ids),
            patient_ids=request.patient_ids,
            fresh=request.fresh,
        )
        if config == "real_world":
            made = generate.real_world(
                plan,
                _recordings(request),
                workers=request.workers,
                progress=progress,
                engine=request.engine,
            )
            tables[config] = {"test": made}
        else:
            tables[config] = {
                cohort: generate.simulated(
                    replace(plan, cohort=cohort),
                    workers=request.workers,
                    progress=progress,
                    engine=request.engine,
                )
                for cohort in request.cohorts
            }
    if "longevity" not in absent:
        redrawn = request.seed != request.declared.seed
        made = generate.longevity(request.declared.version, request.seed, redrawn=redrawn)
        tables["longevity"] = {"test": made}
    return tables


def _unasked(request: Request, tables: AllTables) -> Iterator[LeftOut]:
    """Yield what the patients to whom a request is restricted leave out of its configs."""
    for config in QA_CONFIGS:
        if config in tables:
            yield from patients.unasked(config, request.patient_ids, request.recordings)


def _recordings(request: Request) -> Recordings:
    if request.recordings is not None:
        return request.recordings
    if request.raw_dir is None:
        raise BuildError("no recordings to build real_world from; name a folder with --raw-dir")
    return read_azt1d(request.raw_dir)


def _splits(
    request: Request, tables: AllTables, absent: dict[Config, str]
) -> tuple[Splits, dict[Config, str]]:
    """Return the rows of every split, and the configs that are absent with reasons."""
    absent = dict(absent)
    splits: dict[Config, dict[Split, pa.Table]] = {}
    for config, cohorts in tables.items():
        rows: dict[Split, pa.Table] = {cohort: made.full for cohort, made in cohorts.items()}
        rows = {split: table for split, table in rows.items() if table.num_rows}
        if not rows:
            absent[config] = _why_unasked(cohorts)
            continue
        if config in QA_CONFIGS and "test" in rows:
            full = rows.pop("test")
            asked = set(full.column("task_id").to_pylist())
            chosen = choose_test(full, _quotas(request, config, asked), request.seed)
            rows = {"test": full.take(pa.array(chosen)), "full": full, **rows}
        splits[config] = rows
    choices = _choices(splits, tables)
    if "multiple_choice" not in absent and choices.num_rows:
        splits["multiple_choice"] = {"test": choices}
    elif "multiple_choice" not in absent:
        absent["multiple_choice"] = (
            "no question of another config that was built allows ten options"
        )
    traces = _traces(request, tables)
    if "traces" not in absent and traces:
        splits["traces"] = traces
    elif "traces" not in absent:
        absent["traces"] = (
            "they come with the patients of simulated and fault_injected, and neither was built; "
            "add --config simulated or --config fault_injected"
        )
    return splits, absent


def _why_unasked(cohorts: Mapping[Cohort, Tables]) -> str:
    """Return why a config has no rows: the commonest reason of those for which it lacks one."""
    reasons = Counter(left.reason for made in cohorts.values() for left in made.left_out)
    if not reasons:
        return "no question could be asked"
    return f"no question could be asked; most often: {reasons.most_common(1)[0][0]}"


def _choices(splits: Splits, tables: AllTables) -> pa.Table:
    """Return the rows of the config `multiple_choice`, made from the splits `test`."""
    parts = [
        choice_table(splits[config]["test"], tables[config]["test"].choices)
        for config in QA_CONFIGS
        if "test" in splits.get(config, {})
    ]
    return pa.concat_tables([arrow_schema("multiple_choice").empty_table(), *parts])


def _traces(request: Request, tables: AllTables) -> dict[Split, pa.Table]:
    """Return the rows of the config `traces` by split."""
    made = {
        cohort: [
            cohorts[cohort].traces
            for cohorts in tables.values()
            if cohort in cohorts and cohorts[cohort].traces.num_rows
        ]
        for cohort in request.cohorts
    }
    return {cohort: pa.concat_tables(parts) for cohort, parts in made.items() if parts}


def _quotas(request: Request, config: Config, asked: Set[str]) -> dict[str, int]:
    """Return the instances of each task in `test`; of recordings only tasks that are asked count."""
    declared = request.declared
    real = config == "real_world"
    quota: Quota = declared.real_world_test_quota if real else declared.test_quota
    totals = declared.real_world_test_total if real else declared.test_total
    quotas: dict[str, int] = {}
    for kind in generate.TASK_TYPES[config]:
        of_kind = {
            task.id: quota_of(task, quota)
            for task in TASKS.values()
            if task.type == kind and (task.id in asked or not real)
        }
        if kind in totals:
            stream = Stream(request.seed, "test surplus", kind)
            of_kind = cut_to_total(of_kind, totals[kind], stream)
        quotas.update(of_kind)
    return quotas


def _write(
    request: Request,
    folder: Path,
    tables: AllTables,
    splits: Splits,
    absent: Mapping[Config, str],
    progress: Progress,
) -> Report:
    reports: list[SplitReport] = []
    entries: dict[Config, ConfigEntry] = {}
    total = sum(len(parts) for parts in splits.values())
    for config, parts in splits.items():
        written: dict[Split, SplitEntry] = {}
        for split, table in parts.items():
            hashes = row_hashes(table)
            name = parquet.file_name(config, split, hashes.sha256)
            size = parquet.write(table, folder / name)
            written[split] = SplitEntry(
                rows=table.num_rows,
                sha256=hashes.sha256,
                row_digests="".join(hashes.digests),
                files=(name,),
            )
            reports.append(SplitReport(config=config, split=split, rows=table.num_rows, bytes=size))
            progress("writing", len(reports), total)
        entries[config] = ConfigEntry(splits=written)
    every = [made for cohorts in tables.values() for made in cohorts.values()]
    left_out = [
        *_unasked(request, tables),
        *(left for made in every for left in made.left_out),
    ]
    manifest = manifest_of(request, entries, absent, left_out).model_copy(
        update={
            "cleaning": {
                subject: steps for made in every for subject, steps in made.cleaning.items()
            },
            "unbalanced": broken_rules(splits),
        }
    )
    _write_rest(request, folder, splits, reports)
    problems = problems_of_data(
        folder, manifest, progress, workers=request.workers, engine=request.engine
    )
    if problems:
        raise InvalidReleaseError(str(request.output), problems)
    manifest = _finish(folder, manifest, splits)
    return Report(folder=request.output, manifest=manifest, splits=tuple(reports))


def _finish(folder: Path, manifest: Manifest, splits: Splits) -> Manifest:
    """Write figures, card and then, last of all, the manifest with the hashes of all files."""
    write_figures(folder, splits)
    manifest = manifest.model_copy(update={"files": file_hashes(folder)})
    (folder / CROISSANT_NAME).write_text(render_croissant(manifest), encoding="utf-8")
    manifest = manifest.model_copy(update={"files": file_hashes(folder)})
    (folder / CARD_NAME).write_text(render_card(manifest, splits), encoding="utf-8")
    manifest = manifest.model_copy(update={"files": file_hashes(folder)})
    (folder / MANIFEST_NAME).write_text(manifest.as_text(), encoding="utf-8")
    return manifest


def manifest_of(
    request: Request,
    entries: Mapping[Config, ConfigEntry],
    absent: Mapping[Config, str],
    left_out: Iterable[LeftOut],
) -> Manifest:
    """Return the manifest of what was written, as yet without hashes of files."""
    return Manifest(
        name="healthloopqa",
        version=request.declared.version,
        seed=request.seed,
        release_config_sha256=request.declared.sha256,
        code_commit=code_commit(),
        libraries=library_versions(),
        content_sha256=content_sha256(entries),
        configs=entries,
        absent=absent,
        left_out=tuple(LeftOutEntry(**asdict(left)) for left in left_out),
        cleaning={},
        canary=CANARY,
        private=request.private,
        patients=request.patients or None,
    )


def _write_rest(
    request: Request, folder: Path, splits: Splits, reports: Sequence[SplitReport]
) -> None:
    """Write evaluation code, loader, licences, baselines and the pages that the request adds."""
    write_code(folder)
    floors = json.dumps(floors_of(splits), indent=1, sort_keys=True) + "\n"
    private = {PRIVATE_MARKER: _PRIVATE_TEXT} if request.private else {}
    if request.fresh:
        private = {PRIVATE_MARKER: fresh.PRIVATE_TEXT, fresh.SALT_NAME: fresh.draw_salt()}
    if "multiple_choice" in splits:
        registration = (files("dataset_card") / REGISTRATION_NAME).read_text(encoding="utf-8")
        (folder / REGISTRATION_NAME).write_text(registration, encoding="utf-8")
    for name, text in {BASELINES_NAME: floors, **private, **request.pages(reports)}.items():
        (folder / name).write_text(text, encoding="utf-8")


def write_code(folder: Path) -> None:
    """Write evaluation code, loader and licences.

    Raises:
        BuildError: This is no checkout.
    """
    shutil.copytree(
        Path(str(files("eval_tasks"))),
        folder / "eval_tasks",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    for name in _COPIED:
        if not (_REPOSITORY / name).is_file():
            raise BuildError(f"{_REPOSITORY / name} is missing; build from a checkout")
        shutil.copyfile(_REPOSITORY / name, folder / name)
