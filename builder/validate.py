"""Checks a release: files, hashes, columns, card, floors, and what must hold for every row.

What it cannot know: whether the folder is the one that was published (compare the `release_sha256`
that it tells with the published one), and whether the rows follow from the seed (build it again).
"""

import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from pathlib import Path
from string import ascii_uppercase
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from builder import parquet
from builder.balance import broken_rules
from builder.errors import BuildError
from builder.floors import floors_of
from builder.manifest import (
    MANIFEST_NAME,
    PRIVATE_MARKER,
    Manifest,
    content_sha256,
    file_hashes,
    read_manifest,
)
from builder.rows import questions_of
from builder.schema import QA_CONFIGS, Config, Split, arrow_schema
from builder.second_computation import disagreements
from builder.workers import EngineName, Progress, each
from dataset_card.render import problems_of_card
from eval_tasks.baselines import FILE_NAME as BASELINES_NAME
from eval_tasks.canonical import row_hashes
from eval_tasks.errors import EvaluationError
from eval_tasks.question import Question
from eval_tasks.reference_answers import completion
from eval_tasks.scoring import gold_answer, score
from eval_tasks.version import RELEASE_VERSION
from generators.questions.choices import CHOICES
from generators.questions.text import clock
from generators.trace import MINUTES_PER_DAY, SAMPLE_MINUTES

HIGHEST_READING = 500
"""mg/dL; a FreeStyle Libre reports that far, other sensors to 400."""
CASES_PER_ITEM = 40
ROWS_AT_ONCE = 200
"""Rows that a worker compares at once."""
_NEEDED = ("LICENSE", "LICENSE-DATA", BASELINES_NAME, "eval_tasks/tasks.py", "load_healthloopqa.py")
Row = Mapping[str, Any]
_Tables = dict[Config, dict[Split, pa.Table]]


def problems_of(folder: Path, progress: Progress, *, workers: int = 1) -> list[str]:
    """Return everything that is wrong with a release folder, one line each; [] where nothing is.

    Raises:
        BuildError: The folder is no release at all.
    """
    manifest = read_manifest(folder)
    tables, unread = _read_all(folder, manifest)
    found = [*version_problems(manifest), *file_problems(folder, manifest), *unread]
    if not unread:
        found += problems_of_card(folder, manifest, tables)
        found += _floor_problems(folder, tables)
        found += _balance_problems(manifest, tables)
    found += _data_problems(folder, manifest, tables, progress, workers)
    return list(dict.fromkeys(found))


def problems_of_data(
    folder: Path,
    manifest: Manifest,
    progress: Progress,
    *,
    workers: int = 1,
    engine: EngineName = "local",
) -> list[str]:
    """Return everything that is wrong with the data of a release, one line each.

    This needs no card, and takes the floors and the list of files as they are.
    """
    tables, unread = _read_all(folder, manifest)
    return unread + _data_problems(folder, manifest, tables, progress, workers, engine)


def _data_problems(
    folder: Path,
    manifest: Manifest,
    tables: _Tables,
    progress: Progress,
    workers: int,
    engine: EngineName = "local",
) -> list[str]:
    found = frame_problems(folder, manifest)
    total = sum(len(parts) for parts in tables.values())
    done = 0
    for config, parts in tables.items():
        for split, table in parts.items():
            progress("checking", done, total)
            found += _problems_of_table(config, split, table, manifest)
            done += 1
    by_place = {
        f"{c}/{split}": table for c, parts in tables.items() for split, table in parts.items()
    }
    for config in tables:
        found += _problems_between(config, by_place)
    found += _answer_problems(by_place)
    progress("checking", total, total)
    return found + _second_computation(by_place, workers, progress, engine)


def frame_problems(folder: Path, manifest: Manifest) -> list[str]:
    """Return what is wrong with a release apart from its rows and its list of files."""
    found = [f"{name} is missing" for name in _NEEDED if not (folder / name).is_file()]
    if manifest.private != (folder / PRIVATE_MARKER).is_file():
        found.append(f"{MANIFEST_NAME} and the file {PRIVATE_MARKER} disagree on what is private")
    if manifest.content_sha256 != content_sha256(manifest.configs):
        found.append(f"{MANIFEST_NAME}: content_sha256 does not follow from the splits' hashes")
    return found


def version_problems(manifest: Manifest) -> list[str]:
    """Check that a release is of the version of this code."""
    if manifest.version == RELEASE_VERSION:
        return []
    return [
        f"{MANIFEST_NAME}: version {manifest.version} is not that of this code, {RELEASE_VERSION}; "
        "a release is checked with the code of its version"
    ]


def file_problems(folder: Path, manifest: Manifest) -> list[str]:
    """Compare the files of the folder with those that the manifest lists."""
    listed, there = dict(manifest.files), file_hashes(folder)
    found = [f"{name} is missing" for name in listed if name not in there]
    for name, sha256 in there.items():
        if name not in listed:
            found.append(f"{name} is no part of the release: {MANIFEST_NAME} does not list it")
        elif listed[name] != sha256:
            found.append(f"{name} is not the file whose hash {MANIFEST_NAME} holds")
    used = [
        name
        for entry in manifest.configs.values()
        for p in entry.splits.values()
        for name in p.files
    ]
    return found + [
        f"{MANIFEST_NAME}: {name} is not among its files" for name in used if name not in listed
    ]


def _floor_problems(folder: Path, tables: _Tables) -> list[str]:
    """Compare constants, scores and floors with those computed from the rows."""
    try:
        written = json.loads((folder / BASELINES_NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        return [f"{BASELINES_NAME} cannot be read: {str(error).splitlines()[0]}"]
    try:
        computed = json.loads(json.dumps(floors_of(tables)))
    except (EvaluationError, ValueError):
        return []  # an answer is broken, which is reported where the rows are checked
    different = _difference(written, computed)
    if different is None:
        return []
    return [f"{BASELINES_NAME}: {different or 'the whole'} does not follow from the rows"]


def _balance_problems(manifest: Manifest, tables: _Tables) -> list[str]:
    """Compare the broken rules of balance that the manifest states with those of the rows."""
    try:
        computed = broken_rules(tables)
    except (EvaluationError, ValueError):
        return []  # an answer is broken, which is reported where the rows are checked
    if computed == manifest.unbalanced:
        return []
    return [f"{MANIFEST_NAME}: unbalanced does not follow from the rows"]


def _difference(one: Any, other: Any) -> str | None:
    """Return where two JSON values differ first, as a path; None where they agree.

    Numbers agree within 1e-9: another machine may round the last bit of a score otherwise.
    """
    if isinstance(one, dict) and isinstance(other, dict):
        for name in [*other, *(name for name in one if name not in other)]:
            inner = _difference(one.get(name), other.get(name))
            if inner is not None or (name in one) != (name in other):
                return f"{name}/{inner}" if inner else name
        return None
    if isinstance(one, float) and isinstance(other, float):
        return None if math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9) else ""
    return None if one == other and type(one) is type(other) else ""


def _read_all(folder: Path, manifest: Manifest) -> tuple[_Tables, list[str]]:
    """Return the rows of every split that can be read, and what is wrong with the others."""
    tables: defaultdict[Config, dict[Split, pa.Table]] = defaultdict(dict)
    unread = [] if manifest.configs else [f"{MANIFEST_NAME} lists no config"]
    for config, entry in manifest.configs.items():
        for split, part in entry.splits.items():
            try:
                table = _read(folder, f"{config}/{split}", part.files)
            except BuildError as error:
                unread.append(str(error))
                continue
            if table.schema.equals(arrow_schema(config)):
                tables[config][split] = table
            else:
                unread.append(f"{config}/{split}: the columns are not those of builder/schema.py")
    return dict(tables), unread


def _read(folder: Path, where: str, files: tuple[str, ...]) -> pa.Table:
    try:
        return pa.concat_tables([parquet.read(folder / name) for name in files])
    except (OSError, pa.ArrowInvalid) as error:
        reason = str(error).splitlines()[0]
        raise BuildError(
            f"{where}: a file of {', '.join(files)} cannot be read: {reason}"
        ) from error


def _problems_of_table(
    config: Config, split: Split, table: pa.Table, manifest: Manifest
) -> list[str]:
    where, entry = f"{config}/{split}", manifest.configs[config].splits[split]
    found = []
    if table.num_rows != entry.rows:
        found.append(f"{where}: {table.num_rows} rows, the manifest says {entry.rows}")
    hashes = row_hashes(table)
    if (hashes.sha256, "".join(hashes.digests)) != (entry.sha256, entry.row_digests):
        found.append(f"{where}: the rows are not those whose hash the manifest holds")
    found += [f"{where}: {problem}" for problem in origin_problems(table, manifest)]
    key = key_of(config)
    twice = [name for name, n in Counter(table.column(key).to_pylist()).items() if n > 1]
    found += [f"{where}: {key} {name} occurs more than once" for name in twice]
    return found + [f"{where}: {problem}" for problem in row_problems(config, table)]


def key_of(config: Config) -> str:
    """Return the column that names a config's rows."""
    return {"longevity": "case_id", "traces": "trace_id"}.get(config, "instance_id")


def row_problems(config: Config, table: pa.Table) -> Iterator[str]:
    """Check what must hold for every row of a config; the second computation comes beside."""
    return _CHECKS.get(config, _question_problems)(table)


def origin_problems(table: pa.Table, manifest: Manifest) -> Iterator[str]:
    """Check that the rows name the release and the seed that the manifest names."""
    origin = table.column("provenance")
    named = {"release": manifest.version, "seed": manifest.seed, "canary": manifest.canary}
    for name, value in named.items():
        for other in pc.unique(pc.struct_field(origin, name)).to_pylist():
            if other != value:
                yield f"rows say {name} {other}, the manifest says {value}"


def _problems_between(config: Config, tables: Mapping[str, pa.Table]) -> list[str]:
    """Return what is wrong between the splits of a config of questions.

    `test` must be part of `full`; no trace may be in two of `full`, `train` and `validation`.
    """
    if config not in QA_CONFIGS:
        return []
    found = []
    apart = [f"{config}/{split}" for split in ("full", "train", "validation")]
    for one, other in combinations([where for where in apart if where in tables], 2):
        shared = _traces_of(tables[one]) & _traces_of(tables[other])
        found += [f"{one} and {other} share the trace {trace}" for trace in sorted(shared)]
    test, full = tables.get(f"{config}/test"), tables.get(f"{config}/full")
    if test is None or full is None:
        return found
    ids = full.column("instance_id").to_pylist()
    places = {name: place for place, name in enumerate(ids)}
    chosen = [places.get(name) for name in test.column("instance_id").to_pylist()]
    if None in chosen:
        return [*found, f"{config}: a row of test is not in full"]
    if not full.take(pa.array(chosen)).equals(test):
        found.append(f"{config}: test differs from full")
    return found


def _traces_of(table: pa.Table) -> set[str]:
    return set(table.column("trace_id").to_pylist())


def _second_computation(
    tables: Mapping[str, pa.Table], workers: int, progress: Progress, engine: EngineName
) -> list[str]:
    """Compare every row of every split with the second computation; `test` is part of `full`."""
    jobs: list[tuple[pa.Table, pa.Table | None]] = []
    for split in ("full", "train", "validation"):
        traces = tables.get("traces/test" if split == "full" else f"traces/{split}")
        for config in QA_CONFIGS:
            table = tables.get(f"{config}/{split}")
            if table is not None:
                jobs += [(part, _of_same_traces(traces, part)) for part in _parts(table)]
    found = each(_disagreements, jobs, workers, "second computation", progress, engine)
    return [problem for problems in found for problem in problems]


def _disagreements(job: tuple[pa.Table, pa.Table | None]) -> list[str]:
    return list(disagreements(*job))


def _parts(table: pa.Table) -> Iterator[pa.Table]:
    """Yield a table in parts that a worker can take."""
    for start in range(0, table.num_rows, ROWS_AT_ONCE):
        yield table.slice(start, ROWS_AT_ONCE)


def _of_same_traces(traces: pa.Table | None, questions: pa.Table) -> pa.Table | None:
    if traces is None:
        return None
    wanted = pa.array(sorted(_traces_of(questions)))
    return traces.filter(pc.is_in(traces.column("trace_id"), value_set=wanted))


def _question_problems(table: pa.Table) -> Iterator[str]:
    yield from _record_problems(table)
    rows = table.drop_columns(["input_context"]).to_pylist()
    for row, question in zip(rows, questions_of(table), strict=True):
        problem = (
            _answer_problem(question)
            or _interval_problem(row, question.minutes)
            or _prediction_problem(row, question.minutes)
        )
        if problem:
            yield f"{row['instance_id']}: {problem}"


def _answer_problem(question: Question) -> str | None:
    """Check that the gold answer is readable, possible, and scores 1."""
    try:
        scored = score(question, completion("gold", question, constant=gold_answer(question)))
    except EvaluationError as error:
        return f"the gold answer cannot be scored: {error}"
    if scored.value != 1.0:
        return f"the gold answer {question.answer} scores {scored.value} ({scored.status})"
    return None


def _interval_problem(row: Row, minutes: int) -> str | None:
    """Check that intervals are in order, apart from each other and inside the record."""
    if row["answer_type"] != "intervals":
        return None
    last = -1
    for interval in json.loads(row["answer"]):
        if not last < interval["start"] < interval["end"] <= minutes:
            return f"the interval {interval} is out of order or outside the record"
        last = interval["end"]
    return None


def _prediction_problem(row: Row, minutes: int) -> str | None:
    """Check that the record of a prediction ends at the cut, and that only predictions have one."""
    if row["task_type"] != "prediction":
        return None if row["cut_minute"] is None else "only a prediction has a cut"
    return None if row["cut_minute"] == minutes else "the record does not end at the cut"


def _record_problems(table: pa.Table) -> Iterator[str]:
    """Check the records inside rows: lengths, ranges, times."""
    context = table.column("input_context").combine_chunks()
    glucose, insulin = context.field("bg_mgdl"), context.field("insulin_mu_min")
    lengths = pc.list_value_length(glucose)
    if not pc.all(pc.equal(lengths, pc.list_value_length(insulin))).as_py():
        yield "glucose and insulin differ in length in a row"
    yield from _range_problems("bg_mgdl", glucose.flatten(), HIGHEST_READING)
    yield from _range_problems("insulin_mu_min", insulin.flatten(), 100_000)
    for name in ("carb_events", "exercise_events", "insulin_events"):
        yield from _event_problems(name, context.field(name), lengths)


def _range_problems(name: str, values: pa.Array, highest: float) -> Iterator[str]:
    extremes = pc.min_max(values).as_py()
    if extremes["min"] is None:
        yield f"{name} holds nothing at all"
    elif extremes["min"] < 0 or extremes["max"] > highest:
        yield f"{name} lies between {extremes['min']} and {extremes['max']}, not 0 and {highest}"


def _event_problems(name: str, events: pa.ListArray, lengths: pa.Array) -> Iterator[str]:
    times = events.flatten().field("time").to_pylist()
    days = events.flatten().field("day").to_pylist()
    clocks = events.flatten().field("time_str").to_pylist()
    for minute, day, text in zip(times, days, clocks, strict=True):
        if day != minute // MINUTES_PER_DAY + 1 or text != clock(minute):
            yield f"{name}: minute {minute} is not {text} of day {day}"
            break
    ends = [samples * SAMPLE_MINUTES for samples in lengths.to_pylist()]
    for row_times, end in zip(events.to_pylist(), ends, strict=True):
        ordered = [event["time"] for event in row_times]
        if ordered != sorted(ordered) or (ordered and not 0 <= ordered[0] <= ordered[-1] < end):
            yield f"{name}: out of order or outside the record"
            break


def _case_problems(table: pa.Table) -> Iterator[str]:
    items = Counter(table.column("item_id").to_pylist())
    for item, cases in items.items():
        if cases != CASES_PER_ITEM:
            yield f"{item} has {cases} cases, not {CASES_PER_ITEM}"
    for row in table.select(["case_id", "item_id", "answer", "options"]).to_pylist():
        if row["answer"] not in map(json.dumps, row["options"]):
            yield f"{row['case_id']}: the answer {row['answer']} is none of the options"
    verdicts = set(zip(*(table.column(n).to_pylist() for n in ("item_id", "answer")), strict=True))
    if len(verdicts) != len(items):
        yield "an item's answer differs between its cases"


def _choice_problems(table: pa.Table) -> Iterator[str]:
    for row in table.select(["instance_id", "choices", "kinds", "target"]).to_pylist():
        where, options = row["instance_id"], row["choices"]
        if len(set(options)) != CHOICES or len(row["kinds"]) != CHOICES:
            yield f"{where}: not {CHOICES} different choices"
        elif [
            ascii_uppercase[place] for place in range(CHOICES) if row["kinds"][place] == "right"
        ] != [row["target"]]:
            yield f"{where}: the target {row['target']} is not the right choice"


def _answer_problems(tables: Mapping[str, pa.Table]) -> Iterator[str]:
    """Compare the right choices with the answers of the questions that they are made from."""
    offered = tables.get("multiple_choice/test")
    if offered is None:
        return
    answers = {
        name: json.loads(answer)
        for config in QA_CONFIGS
        if (asked := tables.get(f"{config}/test")) is not None
        for name, answer in zip(
            *(asked.column(column).to_pylist() for column in ("instance_id", "answer")),
            strict=True,
        )
    }
    for row in offered.select(["question_id", "choices", "target"]).to_pylist():
        right = row["choices"][ascii_uppercase.index(row["target"])]
        if answers.get(row["question_id"]) != float(right):
            yield f"multiple_choice: {right} is not the answer of {row['question_id']} in its config"


def _trace_problems(table: pa.Table) -> Iterator[str]:
    series: Callable[[str], pa.ChunkedArray] = table.column
    length = pc.list_value_length(series("bg_mgdl"))
    for name in ("insulin_mu_min", "true_glucose", "fault_free_reading", "delivered_mu_min"):
        if not pc.all(pc.equal(length, pc.list_value_length(series(name)))).as_py():
            yield f"{name} and bg_mgdl differ in length in a row"
    eaten = pc.list_value_length(series("carbs_eaten"))
    if not pc.all(pc.equal(eaten, pc.list_value_length(series("carb_events")))).as_py():
        yield "carbs_eaten and carb_events differ in length in a row"


_CHECKS: Mapping[Config, Callable[[pa.Table], Iterator[str]]] = {
    "longevity": _case_problems,
    "multiple_choice": _choice_problems,
    "traces": _trace_problems,
}
