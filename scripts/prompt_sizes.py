"""Size of records as text, in the source's layout and here: what `scripts/benchmark.py prompts` tells."""

import importlib
import importlib.util
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from eval_tasks.errors import EvaluationError
from eval_tasks.forms import TEST_SPLIT
from eval_tasks.prompts import qa_prompt
from eval_tasks.question import LONGEVITY, SAMPLE_MINUTES
from eval_tasks.record import STYLES, Style, record_text
from eval_tasks.record.shown import Context, Event, Shown, part, whole
from eval_tasks.release import Release

ENCODING = "o200k_base"


@dataclass(frozen=True, slots=True, kw_only=True)
class Economy:
    """Size of one whole record as text, in the source's layout and in a style of this benchmark.

    Attributes:
        config: Config that the record is from.
        trace_id: Trace.
        style: Style of this benchmark.
        source_characters: Characters in the source's layout.
        characters: Characters in the style without the list of boluses, which the source's lacks.
        source_tokens: Tokens in the source's layout.
        tokens: Tokens in the style without the list of boluses.
        whole_characters: Characters in the style with everything.
        whole_tokens: Tokens in the style with everything.
        prompt_tokens: Tokens of the longest whole prompt over that record; a little too many, since
            the text around is counted with one sample of the record in it.
    """

    config: str
    trace_id: str
    style: str
    source_characters: int
    characters: int
    source_tokens: int
    tokens: int
    whole_characters: int
    whole_tokens: int
    prompt_tokens: int


def economies(release: Release, count: Callable[[str], int]) -> list[Economy]:
    """Return the size of every whole record of a release's split `test`.

    Args:
        release: A release on this machine.
        count: Counts the tokens of a text.
    """
    found: dict[tuple[str, str, Style], Economy] = {}
    for config in release.chosen((), TEST_SPLIT):
        for row in release.read(config, TEST_SPLIT) if config != LONGEVITY else ():
            shown = whole(row["input_context"])
            if row["task_type"] == "prediction":
                continue
            for style in STYLES:
                key = config, row["trace_id"], style
                economy = found.get(key) or _economy(*key, shown, count)
                around = count(qa_prompt(row, part(shown.context, 0, SAMPLE_MINUTES), style))
                longest = max(economy.prompt_tokens, economy.whole_tokens + around)
                found[key] = replace(economy, prompt_tokens=longest)
    return list(found.values())


def tokenizer() -> Callable[[str], int]:
    """Return what counts tokens with the vocabulary that litellm ships, without network.

    Raises:
        EvaluationError: litellm is not installed.
    """
    spec = importlib.util.find_spec("litellm")
    if spec is None or spec.origin is None:
        raise EvaluationError("litellm is not installed; install the extra eval")
    folder = Path(spec.origin).parent / "litellm_core_utils" / "tokenizers"
    os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)
    encoding = importlib.import_module("tiktoken").get_encoding(ENCODING)
    return lambda text: len(encoding.encode(text))


def source_layout(context: Context) -> str:
    """Return a record as the source's structured prompt lays it out.

    All readings with one decimal, all insulin in scientific notation, comma and blank between, and
    a line for each meal and bout; boluses have no lines there.
    """
    series = [
        ", ".join("nan" if value is None else format(value, form) for value in context[name])
        for name, form in (("bg_mgdl", ".1f"), ("insulin_mu_min", ".1E"))
    ]
    meals = [
        f"{_source_time(event)}: {event['carbs']:.1f} g, {event['meal_type']}"
        for event in context["carb_events"]
    ]
    bouts = [
        f"{_source_time(event)}: {event['exercise_type']}, average power {event['magnitude']}, "
        f"{event['duration']} min"
        for event in context["exercise_events"]
    ]
    readings = len(context["bg_mgdl"])
    return "\n".join(["# Data", f"{readings} readings", *series, *meals, *bouts])


def _source_time(event: Event) -> str:
    week, day = divmod(event["day"] - 1, 7)
    return f"Week {week + 1}, Day {day + 1}, {event['time_str']}"


def _economy(
    config: str, trace_id: str, style: Style, shown: Shown, count: Callable[[str], int]
) -> Economy:
    source, text = source_layout(shown.context), record_text(shown, style)
    same_facts = replace(shown, context={**shown.context, "insulin_events": []})
    same = record_text(same_facts, style)
    return Economy(
        config=config,
        trace_id=trace_id,
        style=style,
        source_characters=len(source),
        characters=len(same),
        source_tokens=count(source),
        tokens=count(same),
        whole_characters=len(text),
        whole_tokens=count(text),
        prompt_tokens=0,
    )


def grouped(found: Sequence[Economy]) -> dict[tuple[str, str], list[Economy]]:
    """Return the records by config and style, sorted."""
    groups: dict[tuple[str, str], list[Economy]] = {}
    for economy in found:
        groups.setdefault((economy.config, economy.style), []).append(economy)
    return dict(sorted(groups.items()))
