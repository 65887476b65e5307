"""Write docs/tasks.md: every task with its definition and, from a release, an instance and counts."""

if __name__ == "__main__":
    from builder.interrupts import one_line_on_ctrl_c

    one_line_on_ctrl_c()

from collections import Counter, defaultdict
from pathlib import Path
from typing import Annotated, Any

import typer

from builder import parquet
from builder.console import BUILT_RELEASE, RELEASE_HELP, one_line_errors
from builder.floor_table import floors, floors_table
from builder.json_output import json_text
from builder.manifest import Manifest, SplitEntry, read_manifest
from builder.schema import QA_CONFIGS
from builder.shortcuts import shortcut_table, shortcuts
from generators.questions.anomaly_detection.same_answer import SAME_ANSWER
from generators.questions.reference import declaration, in_order
from generators.questions.registry import TASKS

PATH = Path(__file__).resolve().parent.parent / "docs" / "tasks.md"
HEAD = """# Tasks

Written by `scripts/task_reference.py` from the declarations in `generators/questions/` and from a
built release; not edited by hand. Braces stand for what is drawn for each instance. The instance
shown is one that is not in the split `test`, the one with the shortest answer.
"""
SAME = """## Tasks that share a gold rule

They ask for the same thing in other words, as the source has them; a headline score counts each group
once.
"""
SHORTCUTS = """## What options and stated numbers give away

Mean raw score on `test` of rules that never look at the record (`builder/shortcuts.py`): the best single
answer, the best one for each set of options that rows offer, and two answers parted by the best
threshold on one number that the question states. All three are fitted to the rows they are scored on;
among few rows some threshold always helps a little.
"""
FLOORS = """## What anomaly tasks give away

Mean raw score on `fault_injected`/`test`, skill in brackets, of models that look at nothing (see
`eval_tasks/reference_answers.py`) and of `rules`, which answers from the prompt's text: exactly where
the record determines the answer, else by simple signs of each kind of fault. Skill is 0 for the best
of the former and 1 for a perfect model.
"""
_COLUMNS = ["task_id", "instance_id", "question", "answer"]
app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command(help=__doc__)
def main(
    release: Annotated[Path, typer.Argument(help=RELEASE_HELP, show_default=False)] = BUILT_RELEASE,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of text.")
    ] = False,
) -> None:
    """Read the release, write the reference, print what was written."""
    with one_line_errors():
        manifest = read_manifest(release)
        rows, counts = _rows(release, manifest), _counts(release, manifest)
        parts = [HEAD]
        for task in sorted(TASKS.values(), key=in_order):
            parts += [
                declaration(task),
                "",
                *_instance(rows[task.id]),
                _counted(counts[task.id]),
                "",
            ]
        parts += [SAME, *(f"- {', '.join(group)}" for group in SAME_ANSWER), ""]
        parts += [SHORTCUTS, *shortcut_table(shortcuts(release, "test")), ""]
        parts += _floors(release, manifest)
        PATH.parent.mkdir(exist_ok=True)
        PATH.write_text("\n".join(parts), encoding="utf-8")
    written = {"file": str(PATH), "tasks": len(TASKS), "with_instance": len(rows)}
    print(json_text(written) if as_json else f"wrote {len(TASKS)} tasks to {PATH}")


def _table(release: Path, part: SplitEntry, columns: list[str]) -> list[dict[str, Any]]:
    return [
        row
        for name in part.files
        for row in parquet.read(release / name).select(columns).to_pylist()
    ]


def _rows(release: Path, manifest: Manifest) -> defaultdict[str, list[dict[str, Any]]]:
    """Return the rows outside `test` by task, of the first config that has any."""
    rows: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for config in (config for config in QA_CONFIGS if config in manifest.configs):
        splits = manifest.configs[config].splits
        test = {row["instance_id"] for row in _table(release, splits["test"], ["instance_id"])}
        found: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
        for row in _table(release, splits["full"], _COLUMNS):
            if row["instance_id"] not in test:
                found[row["task_id"]].append(row)
        rows.update({task: of for task, of in found.items() if task not in rows})
    return rows


def _counts(release: Path, manifest: Manifest) -> defaultdict[str, Counter[str]]:
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for config in (config for config in QA_CONFIGS if config in manifest.configs):
        for split, part in manifest.configs[config].splits.items():
            for row in _table(release, part, ["task_id"]):
                counts[row["task_id"]][f"{config}/{split}"] += 1
    return counts


def _instance(rows: list[dict[str, Any]]) -> list[str]:
    if not rows:
        return []
    row = min(rows, key=lambda row: (len(row["answer"]), row["instance_id"]))
    return [f"Instance `{row['instance_id']}`: {row['question']} Answer: `{row['answer']}`", ""]


def _floors(release: Path, manifest: Manifest) -> list[str]:
    if "fault_injected" not in manifest.configs:
        return []
    return [FLOORS, *floors_table(floors(release, "fault_injected", "test", "ad_")), ""]


def _counted(counts: Counter[str]) -> str:
    named = ", ".join(f"{count} in {where}" for where, count in sorted(counts.items()))
    return f"Rows: {named or 'none in this release'}."


if __name__ == "__main__":
    app()
