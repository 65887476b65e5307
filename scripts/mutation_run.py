"""Change the answer functions one spot at a time and see whether the hand-made records notice.

A mutant changes a comparison, an operator or a number (by one; fractions by half) in a function, a
constant or the `answer` of a task in the modules that compute gold answers. It is caught where a case of
tests/generators/questions/gold_cases gets another answer or fails. Mutants that cannot change any
answer are listed with the reason in tests/generators/questions/equivalent_mutants.yaml.
"""

if __name__ == "__main__":
    from builder.interrupts import one_line_on_ctrl_c

    one_line_on_ctrl_c()

import ast
import importlib.abc
import importlib.machinery
import importlib.util
import sys
import warnings
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType
from typing import Annotated, TypedDict

import typer
import yaml

from builder.console import one_line_errors
from builder.json_output import json_text

ROOT = Path(__file__).resolve().parent.parent
EQUIVALENT = ROOT / "tests" / "generators" / "questions" / "equivalent_mutants.yaml"
CASES = "tests.generators.questions.gold_cases.every"
MODULES = tuple(
    f"generators.questions.{name}"
    for name in (
        "windows",
        "episodes",
        "glucose",
        "comparisons",
        "events",
        "exercise",
        "insulin",
        "process_mining.descriptive_events",
        "process_mining.memory_windows",
        "process_mining.memory_meals",
        "process_mining.meals_by_time",
        "process_mining.memory_exercise",
        "prediction.cuts",
        "prediction.day_ahead",
        "prediction.glucose_ahead",
        "prediction.exercise",
        "prediction.insulin",
        "prediction.meals",
        "anomaly_detection.places",
        "anomaly_detection.faults",
        "anomaly_detection.glucose_events",
        "anomaly_detection.descriptive",
        "anomaly_detection.memory_glucose",
        "anomaly_detection.memory_comparison",
        "anomaly_detection.pattern_glucose",
        "anomaly_detection.pattern_sensor",
        "anomaly_detection.pattern_sensor_windows",
        "anomaly_detection.pattern_sensor_events",
        "anomaly_detection.pattern_bias",
        "anomaly_detection.pattern_insulin",
        "anomaly_detection.pattern_attacks",
    )
)
SKIPPED = ("DAYS", "WEEKS", "WEEKDAYS", "BOUNDS", "RATES", "SPANS", "LEAST_GRAMS", "VALUES")
"""Names whose values are declarations, ranges of parameters, no part of an answer."""
NO_ANSWERS = {
    "generators.questions.prediction.cuts": (
        *("FIRST_DAYS", "(SHORTEST, LONGEST)", "ANY_TIME", "MIDNIGHTS", "SUNDAY_NIGHT"),
        *("DAY_AHEAD", "BOLUS_STEP", "MOST_UNITS", "DOSED_AHEAD"),
        *("clock_cuts", "unsettled", "dose", "meal_dose"),
    ),
    "generators.questions.prediction.exercise": (
        *("DAYTIME", "EFFORTS", "MINUTES", "_magnitude", "one_run", "_run_speed"),
        "RIDE_LENGTHS",
    ),
    "generators.questions.prediction.glucose_ahead": ("NIGHT_SPREAD", "TEN_HOURS"),
    "generators.questions.prediction.insulin": ("LEAST_EXCESS", "_correction_units"),
    "generators.questions.prediction.meals": (
        *("QUIET_BEFORE_BREAKFAST", "DOSE_SHARES", "LUNCH_DOSE_SHARES", "HEAVY", "LUNCH_SPREAD"),
        *("GRAM_STEP", "MOST_GRAMS", "heavy_lunch", "_breakfast_bolus", "_lunch_size"),
        "SNACK_GRAMS",
    ),
}
"""What decides when a prediction is asked and what a hypothetical adds, not what the answer is."""
_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
}
app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A changed module.

    Attributes:
        module: Its dotted name.
        name: The spot and the change, stable under changes elsewhere.
        source: The changed source text.
    """

    module: str
    name: str
    source: str


class Report(TypedDict):
    """How many mutants there are and were caught, and which were not."""

    mutants: int
    caught: int
    equivalent: list[str]
    survived: list[str]
    listed_but_caught: list[str]


class _Changed(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Imports one module from a changed source text."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant

    def find_spec(
        self, name: str, path: object = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return a spec for the changed module, None for others."""
        del path, target
        if name != self.mutant.module:
            return None
        return importlib.util.spec_from_loader(name, self)

    def get_source(self, fullname: str) -> str:
        """Return the changed source text."""
        del fullname
        return self.mutant.source


@app.command(help=__doc__)
def main(
    workers: Annotated[int, typer.Option(min=1, help="Processes.")] = 2,
    module: Annotated[
        list[str] | None, typer.Option(help="Change only this module, for example windows.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of text.")
    ] = False,
) -> None:
    """Make the mutants, run the cases on each, compare with the list, print."""
    with one_line_errors():
        wanted = [m for m in MODULES if not module or m.rpartition("questions.")[2] in module]
        mutants = [mutant for name in wanted for mutant in mutants_of(name)]
        with get_context("fork").Pool(workers, maxtasksperchild=1) as pool:
            caught = pool.map(is_caught, mutants, chunksize=1)
        survivors = {m.name for m, gone in zip(mutants, caught, strict=True) if not gone}
        by_reason: dict[str, list[str]] = yaml.safe_load(EQUIVALENT.read_text(encoding="utf-8"))
        listed = {name: reason for reason, names in by_reason.items() for name in names}
        made = {mutant.name for mutant in mutants}
        report = Report(
            mutants=len(mutants),
            caught=sum(caught),
            equivalent=sorted(survivors & listed.keys()),
            survived=sorted(survivors - listed.keys()),
            listed_but_caught=sorted(listed.keys() & made - survivors),
        )
    print(json_text(report, indent=2) if as_json else "\n".join(_lines(report, listed)))
    if report["survived"] or report["listed_but_caught"]:
        raise typer.Exit(1)


def _lines(report: Report, listed: dict[str, str]) -> Iterator[str]:
    yield f"{report['mutants']} mutants, {report['caught']} caught"
    for kind in ("equivalent", "survived", "listed_but_caught"):
        yield from (f"{kind}: {name} {listed.get(name, '')}" for name in report[kind])


def mutants_of(module: str) -> Iterator[Mutant]:
    """Yield every mutant of a module."""
    text = (ROOT / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8")
    for part, owner in _parts(ast.parse(text)):
        if owner in NO_ANSWERS.get(module, ()):
            continue
        seen: dict[str, int] = {}
        for place in range(len(list(_changes(part)))):
            tree = ast.parse(text)
            changed = next(p for p, name in _parts(tree) if name == owner)
            change = list(_changes(changed))[place]
            what = change()
            seen[what] = seen.get(what, 0) + 1
            name = f"{module.rpartition('questions.')[2]}.{owner}: {what} #{seen[what]}"
            yield Mutant(module=module, name=name, source=ast.unparse(tree))


def _parts(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """Yield the functions, constants and tasks' answers of a module, with their names."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node, node.name
        elif isinstance(node, ast.ClassDef):
            yield from ((n, n.name) for n in node.body if isinstance(n, ast.FunctionDef))
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            name = ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target)
            if name == "TASKS":
                yield from _answers(node.value)
            elif name not in SKIPPED:
                yield node.value, name


def _answers(tasks: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Yield what computes the answer of each task that is declared, with the task's id."""
    for task in (node for node in ast.walk(tasks) if isinstance(node, ast.Call)):
        fields = {field.arg: field.value for field in task.keywords}
        if ast.unparse(task.func) == "Task":
            yield fields["answer"], ast.literal_eval(fields["id"])


def _changes(part: ast.AST) -> Iterator["_Change"]:
    for node in ast.walk(part):
        if isinstance(node, ast.Compare) and type(node.ops[0]) in _COMPARISONS:
            yield from (_Change(node, place) for place in range(len(node.ops)))
        elif (isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS) or (
            isinstance(node, ast.Constant) and type(node.value) is float and node.value
        ):
            yield _Change(node, 0)
        elif isinstance(node, ast.Constant) and type(node.value) is int:
            yield from (_Change(node, step) for step in (1, -1))


@dataclass(frozen=True, slots=True)
class _Change:
    """One change to a syntax tree; calling it makes the change and says what it was."""

    node: ast.AST
    place: int

    def __call__(self) -> str:
        before = ast.unparse(self.node)
        if isinstance(self.node, ast.Compare):
            self.node.ops[self.place] = _COMPARISONS[type(self.node.ops[self.place])]()
        elif isinstance(self.node, ast.BinOp):
            self.node.op = _OPERATORS[type(self.node.op)]()
        elif isinstance(self.node, ast.Constant):
            value = self.node.value
            self.node.value = value + self.place if isinstance(value, int) else value / 2  # type: ignore[operator]
        return f"{before} -> {ast.unparse(self.node)}"


def is_caught(mutant: Mutant) -> bool:
    """Return whether a case notices the change. Runs in a process of its own."""
    for name in [
        name for name in sys.modules if name.startswith(("generators.questions", "tests"))
    ]:
        del sys.modules[name]
    sys.path.insert(0, str(ROOT))
    sys.meta_path.insert(0, _Changed(mutant))
    warnings.simplefilter("error")
    with suppress(Exception):
        return not _all_as_known()
    return True


def _all_as_known() -> bool:
    every = importlib.import_module(CASES)
    return all(every.answer_of(case) == case.gold for case in every.CASES)


if __name__ == "__main__":
    app()
