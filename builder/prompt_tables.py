"""The measured part of docs/prompts.md: what is asked over fewer days, and what `rules` scores."""

import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from eval_tasks import rules
from eval_tasks.baselines import Baseline
from eval_tasks.horizons import HORIZONS, shown_part
from eval_tasks.prompts import qa_prompt
from eval_tasks.question import Question
from eval_tasks.scoring import score
from eval_tasks.summary import task_skill

BEGIN, END = "<!-- measured: scripts/prompts.py document -->", "<!-- end of what is measured -->"
_DAYS = {1: "1 day"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What is measured on one config.

    Attributes:
        config: Config.
        asked: By task, how many questions are asked over each number of days.
        scores: By task and number of days, raw scores of `rules`.
        floors: Floor of each task.
        types: Type of each task.
    """

    config: str
    asked: dict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    scores: dict[tuple[str, int], list[float]] = field(default_factory=lambda: defaultdict(list))
    floors: dict[str, float] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)


def measure(
    config: str, rows: Iterable[Mapping[str, Any]], baselines: Mapping[str, Baseline]
) -> Measured:
    """Return what is asked over each number of days in a config, and what `rules` scores on it."""
    found = Measured(config=config)
    for row in rows:
        task = row["task_id"]
        found.types[task], found.floors[task] = row["task_type"], baselines[task].floor
        for days in HORIZONS:
            shown = shown_part(row, days)
            if shown is not None:
                text = qa_prompt(row, shown, "structured")
                value = score(Question.from_row(row), rules.completion(text)).value
                found.asked[task][days] += 1
                found.scores[task, days].append(value)
    return found


def document(measured: Sequence[Measured]) -> str:
    """Return the tables as they stand in docs/prompts.md, between their marks."""
    lines = [BEGIN, "", *_asked_table(measured), "", *_task_table(measured), ""]
    lines += [
        "The reference model `rules` (`scripts/evaluate.py --model rules`) sees a prompt's text and "
        "neither",
        "parameters nor task. Mean raw scores on `test`, in brackets the number of questions; skill is "
        "over",
        "the best trivial model, as a mean over tasks:",
        "",
        *_score_table(measured),
        "",
        END,
    ]
    return "\n".join(lines)


def replaced(text: str, part: str) -> str:
    """Return a text in which what stands between the marks is replaced.

    Raises:
        ValueError: The marks are not there.
    """
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the marks {BEGIN} and {END} are missing")
    return head + part + tail


def _asked_table(measured: Sequence[Measured]) -> Iterator[str]:
    yield f"| config | {' | '.join(map(_days, HORIZONS))} |"
    yield f"|---|{'---|' * len(HORIZONS)}"
    for one in measured:
        total = sum(one.asked.values(), Counter[int]())
        yield f"| {one.config} | {' | '.join(str(total[days]) for days in HORIZONS)} |"


def _task_table(measured: Sequence[Measured]) -> Iterator[str]:
    """Yield which tasks are asked, of any config, over which numbers of days."""
    groups: defaultdict[tuple[int, ...], set[str]] = defaultdict(set)
    counts: defaultdict[str, Counter[int]] = defaultdict(Counter)
    for one in measured:
        for task, asked in one.asked.items():
            counts[task].update(asked)
    for task, asked in counts.items():
        groups[tuple(days for days in HORIZONS if asked[days])].add(task)
    yield "| asked over | tasks, all or some of their questions |"
    yield "|---|---|"
    for over, tasks in sorted(groups.items(), key=lambda pair: (len(pair[0]), pair[0])):
        ordered = sorted(tasks, key=lambda task: (task[:2], int(task[3:])))
        yield f"| {', '.join(map(_days, over))} | {', '.join(ordered)} |"


def _score_table(measured: Sequence[Measured]) -> Iterator[str]:
    yield f"| | {' | '.join(map(_days, HORIZONS))} | skill, {_days(HORIZONS[0])} |"
    yield f"|---|{'---|' * (len(HORIZONS) + 1)}"
    for one in measured:
        for kind in dict.fromkeys(one.types.values()):
            tasks = [task for task, of in one.types.items() if of == kind]
            cells = [_cell(one, tasks, days) for days in HORIZONS]
            skill = statistics.fmean(_skills(one, tasks))
            name = f"{one.config}, {kind.replace('_', ' ')}"
            yield f"| {name} | {' | '.join(cells)} | {skill:.2f} |"


def _cell(one: Measured, tasks: Sequence[str], days: int) -> str:
    values = [value for task in tasks for value in one.scores[task, days]]
    return f"{statistics.fmean(values):.3f} ({len(values)})" if values else "none"


def _skills(one: Measured, tasks: Sequence[str]) -> Iterator[float]:
    for task in tasks:
        yield task_skill(statistics.fmean(one.scores[task, HORIZONS[0]]), one.floors[task])


def _days(days: int) -> str:
    return _DAYS.get(days, f"{days} days")
