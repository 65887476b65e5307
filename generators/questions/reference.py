"""What a reader may know of each task in advance, as Markdown: the declaration, in words."""

from collections.abc import Mapping, Sequence

from generators.questions.anomaly_detection.same_answer import SAME_ANSWER
from generators.questions.task import Task, Value

_ABILITIES = {
    "QC": "quantitative calculation",
    "TR": "temporal retrieval",
    "ER": "event retrieval",
    "CA": "comparative analysis",
    "PC": "pattern characterisation",
    "PR": "pattern reasoning",
}
MOST_VALUES = 8


def in_order(task: Task) -> tuple[bool, bool, int]:
    """Return what sorts tasks by type (process mining, anomaly detection, prediction) and number."""
    return (
        task.type != "process_mining",
        task.type == "prediction",
        int(task.id.partition("_")[2]),
    )


def declaration(task: Task) -> str:
    """Return what is declared of a task, placeholders left as they are."""
    lines = [
        f"### {task.id}: {task.prototype}",
        "",
        f"{task.type.replace('_', ' ')}, {task.level}; "
        f"{' > '.join(_ABILITIES[step] for step in task.path)}; reads {', '.join(task.streams)}.",
        "",
        f"> {_plain(task.instruction)}",
        "",
        *_where_unnamed(task),
        f"How: {task.rationale}",
        "",
        f"Answer: {_answer(task)}",
        *_shared(task),
    ]
    if task.draw:
        lines += ["", f"Parameters: {_parameters(task.draw)}"]
    return "\n".join(lines)


def _shared(task: Task) -> list[str]:
    groups = [group for group in SAME_ANSWER if task.id in group]
    others = [other for group in groups for other in group if other != task.id]
    return ["", f"Shares its gold rule with {', '.join(others)}."] if others else []


def _where_unnamed(task: Task) -> list[str]:
    form = task.unnamed
    if form is None:
        return []
    return ["Of recordings that do not name the meals:", "", f"> {_plain(form.instruction)}", ""]


def _plain(template: str) -> str:
    return template.replace("{{", "{").replace("}}", "}")


def _answer(task: Task) -> str:
    kind = task.answer_type.replace("_", " ")
    if task.options:
        return f"{kind}, one of {', '.join(task.options)}."
    unit = f" in {task.unit}" if task.unit else ""
    return f"{kind}{unit}, for example `{task.example}`."


def _parameters(draw: Mapping[str, Sequence[Value]]) -> str:
    return "; ".join(f"{name} from {_values(values)}" for name, values in draw.items()) + "."


def _values(values: Sequence[Value]) -> str:
    shown = values if len(values) <= MOST_VALUES else (*values[:2], "...", values[-1])
    return ", ".join(str(value) for value in shown)
