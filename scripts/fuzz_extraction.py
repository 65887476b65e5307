"""Throw random completions at answer extraction and scoring, and report what breaks a law.

The laws: nothing raises; a completion takes at most 50 ms; a score lies in [0, 1] and is 0 unless
there is an answer; an answer that was read stands in the text; a completion that states nothing
has no answer; where a wrong answer is stated last, the right one earlier in the text scores nothing.
"""

if __name__ == "__main__":
    from builder.interrupts import one_line_on_ctrl_c

    one_line_on_ctrl_c()

import json
import math
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from builder.console import one_line_errors
from builder.json_output import json_text
from eval_tasks.question import Answer, AnswerShape, AnswerType, Question
from eval_tasks.scoring import Score, score
from generators.streams import Stream

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

SEED = 1
SLOWEST = 0.05
"""Seconds of processor time that a completion may take."""
_LONG_ONE_IN = 400
_LONGEST = 1_000_000
_MINUTES = 43_200


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question, its gold answer and a wrong one that shares nothing with it."""

    question: Question
    gold: Answer
    wrong: Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """A completion and what is known of it.

    Attributes:
        text: The completion.
        states: What it states: None where it must not be read as an answer.
        known: Whether `states` is known.
    """

    text: str
    states: Answer | None = None
    known: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Breach:
    """A completion that broke a law; `index` makes it again."""

    index: int
    kind: str
    answer_type: str
    law: str
    text: str


def _asked(
    answer_type: AnswerType,
    gold: Answer,
    wrong: Answer,
    *,
    unit: str | None = None,
    options: tuple[str, ...] = (),
) -> Asked:
    question = Question(
        id=answer_type,
        task_id="pm_0",
        task_type="process_mining",
        level="descriptive",
        shape=AnswerShape(answer_type=answer_type, unit=unit, options=options),
        answer=json.dumps(gold),
        example="0",
        offers_none=False,
        minutes=_MINUTES,
    )
    return Asked(question=question, gold=gold, wrong=wrong)


QUESTIONS: tuple[Asked, ...] = (
    _asked("number", 154.25, -9.5, unit="mg/dL"),
    _asked("number", 41.5, -9.5, unit="%"),
    _asked("integer", 17, -4),
    _asked("signed", 1.25, -7.5, unit="mg/dL/min"),
    _asked("minute", 1205, 30305, unit="min"),
    _asked("category", "increased", "decreased", options=("increased", "decreased", "no_change")),
    _asked("category", "yes", "no", options=("yes", "no")),
    _asked("day", 11, 23),
    _asked("day_list", [4, 11, 23], [1, 2]),
    _asked("hour_list", [2, 3, 23], [5, 6]),
    _asked("pair_list", [[3, 45.5], [11, 60.0]], [[4, 9.5]], unit="mg/dL"),
    _asked("intervals", [{"start": 1205.0, "end": 1305.0}], [{"start": 4e4, "end": 40010.0}]),
    _asked("verdict", "yes", "no", options=("yes", "no")),
)

_FRAGMENTS = (
    *('{"answer": ', "{'answer': ", '"answer":', "answer: ", "the answer is ", "Final answer: "),
    *("\\boxed{", "<think>", "</think>", "[THINK]", "```json\n", "```", "**", "\n", "}", "{", "]"),
    *("[", "(", ")", ",", ":", '"', "'", "null", "None", "true", "NaN", "Infinity", "-Infinity"),
    *("1e400", "-1e308", "0x1F", "1_000", "1,234.5", "12:30", "25:61", "day 3", "W2D5", "Friday"),
    *(
        "week 99",
        "mg/dL",
        "mmol/L",
        "%",
        "7/9",
        "none",
        "no",
        "yes",
        "not",
        "increased",
        "no change",
    ),
    *(
        "start",
        "end",
        '{"start": 5, "end": ',
        "[3, 45.5]",
        "-",
        "\u2212",
        "\u2013",
        "\u00bd",
        "\u0663",
    ),
    *("\u202e", "\ufeff", "\x00", "\ud800", "\U0001f600", "e\u0301", "\u2460", "<|channel|>final"),
    *("<answer>", "</answer>", "\n- ", "\n1. ", " | ", "\n|---|\n", "\\(", "\\)", "142,3", "- 23"),
    *(
        "from minute ",
        " to ",
        " or ",
        " and ",
        "days ",
        "the 10th",
        "6 pm",
        "noon",
        "seven",
        "thirteen",
    ),
    *(
        '", "unit": "mmol/L"',
        "Unit: mmol/L",
        "in mmol/L",
        "(h)",
        "No episodes were found.",
        "; ",
        ", ",
    ),
    *(
        "I recommend ",
        "do not ",
        "against ",
        "it.",
        "starting",
        "wait",
        "based on ",
        "with a CV of 45%",
    ),
    *("I cannot answer", "because", " ", "\t", "9" * 40, "0" * 40, "\\u0000", "\\", "/*", "#"),
)
_PROSE = (
    *("Glucose was 154.25 at lunch and 17 later, so we look further on", "Day 11 looks odd to me"),
    *("There are 4 meals, of which 11 may matter", "I compared 1205 with 1305 and with 2 others"),
    *("It might be 41.5 or 43 depending on the window", "First, 1.25 per minute needs a check"),
    *("It may have increased or decreased, I would not say", "Yes or no is hard to tell here"),
    *("Some values lie near 23 and others do not", "We would have to add 45.5 and 60 first"),
)
_SILENT = (
    *("I'm sorry, I can't answer that.", "I cannot determine this from the record.", "null", "{}"),
    *('{"answer": null}', '{"answer": ""}', '{"answer": "unknown"}', '{"answer": {"a": {"b": 1}}}'),
    *('{"answer": [[[[1]]]]}', '{"answer": NaN}', '{"answer": 1e999}', '{"answer": "?"}'),
    *(
        '{"answer": "154.25 (or 17)"}',
        "Answer: 11 or 23",
        '{"answer": "not increased"}',
        "Yes? No.",
    ),
    *(
        '{"answer": 11} or {"answer": 23}',
        "Answer: 7 out of ten",
        "I recommend waiting.",
        "No doubt.",
    ),
    *("I do not recommend against it.", "Answer: no more than that", '{"answer": "yes", "no"}'),
    *('{"answer": "between 3 and 5 or so"}', '{"answer": [null]}', '{"answer": [{}]}', "answer:"),
)
_NUMBER = re.compile(r"\d[\d,'\u2019_]*(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?")
_FACTORS = (1.0, 18.018, 60.0, 1 / 60, 1440.0, 24.0, 0.001, 100.0, 0.01)
"""What a number may be multiplied by on its way from a stated unit to the one asked for."""
_SPELT: Mapping[float, str] = {0: "zero", 1: "one", 3: "three", 7: "seven", 13: "thirteen"}
_TAGS = (("<think>", "</think>"), ("<reasoning>", "</reasoning>"), ("[THINK]", "[/THINK]"))


def _length(stream: Stream, usual: int) -> int:
    if stream.integer(1, _LONG_ONE_IN) == 1:
        return stream.integer(usual, _LONGEST)
    return stream.integer(0, usual)


def _unicode(stream: Stream, _: Asked) -> Completion:
    codes = (stream.uniform(_length(stream, 300)) ** 3 * 0x10FFFF).astype(int)
    return Completion(text="".join(map(chr, codes)))


def _ascii(stream: Stream, _: Asked) -> Completion:
    codes = 32 + (stream.uniform(_length(stream, 300)) * 95).astype(int)
    return Completion(text="".join(map(chr, codes)))


def _soup(stream: Stream, _: Asked) -> Completion:
    count = _length(stream, 40) if stream.chance(0.9) else _length(stream, 2_000)
    return Completion(text="".join(_picked(stream, _FRAGMENTS, min(count, 200_000))))


def _short_soup(stream: Stream, _: Asked) -> Completion:
    """Return a few fragments where an answer belongs."""
    lead, end = stream.choice((('{"answer": ', "}"), ('{"answer": "', '"}'), ("Answer: ", "\n")))
    count = stream.integer(1, 5)
    return Completion(text=lead + " ".join(_picked(stream, _FRAGMENTS, count)) + end)


def _picked(stream: Stream, items: Sequence[str], count: int) -> Iterator[str]:
    for place in (stream.uniform(count) * len(items)).astype(int):
        yield items[place]


def _huge_number(stream: Stream, _: Asked) -> Completion:
    digits = "".join(_picked(stream, "0123456789", _length(stream, 5_000)))
    sign, point = stream.choice(("", "-", "+")), stream.choice(("", ".", "e", "e-", ","))
    text = f"{sign}{digits}{point}{digits[:9]}"
    return Completion(text=stream.choice((f'{{"answer": {text}}}', f"Answer: {text}", text)))


def _nesting(stream: Stream, _: Asked) -> Completion:
    opening = stream.choice(
        ("[", "{", "(", '{"answer": ', '[{"a":', "\\boxed{", "<think>", '"[', "```\n")
    )
    closing = stream.choice(("", "]", "}", ")", "]}", "</think>"))
    depth = min(_length(stream, 3_000), _LONGEST // len(opening))
    lead = stream.choice(("", '{"answer": ', "Answer: "))
    return Completion(text=lead + opening * depth + closing * stream.integer(0, depth))


def _mutated(stream: Stream, asked: Asked) -> Completion:
    """Return a well-formed completion of some wrong answer with a few characters changed."""
    text = list(_stating(stream, asked.wrong))
    for _ in range(stream.integer(1, 6)):
        place = stream.integer(0, len(text) - 1)
        text[place] = stream.choice(("", text[place] * 2, *'{}[]",:.-0 9e\n', "\u00e9"))
    return Completion(text="".join(text))


def _prose(stream: Stream, asked: Asked) -> Completion:
    del asked
    lines = list(_picked(stream, _PROSE, stream.integer(1, 6)))
    return Completion(text=stream.choice((". ", ".\n", ", ")).join(lines) + ".", known=True)


def _silent(stream: Stream, asked: Asked) -> Completion:
    thought = _thought(stream, asked.gold)
    return Completion(text=thought + stream.choice(_SILENT), known=True)


def _cut_off(stream: Stream, asked: Asked) -> Completion:
    """Return a completion that ends inside its answer."""
    text = f'{{"answer": {json.dumps(asked.gold)}'
    if isinstance(asked.gold, str | list):
        return Completion(text=text[: stream.integer(len('{"answer":'), len(text) - 1)], known=True)
    return Completion(text=text, known=True)


def _only_thought(stream: Stream, asked: Asked) -> Completion:
    return Completion(text=_thought(stream, asked.gold), known=True)


def _changed_mind(stream: Stream, asked: Asked) -> Completion:
    first, last = _stating(stream, asked.gold), f'{{"answer": {json.dumps(asked.wrong)}}}'
    text = f"{first}\nWait, that was wrong.\n{last}"
    if asked.question.shape.answer_type == "verdict":
        text = f"{_thought(stream, asked.gold)}No. That is my view."
    return Completion(text=text, states=asked.wrong, known=True)


def _dressed(stream: Stream, asked: Asked) -> Completion:
    """Return a completion that thinks of the gold answer and states the wrong one, in some dress."""
    stated = f'{{"answer": {json.dumps(asked.wrong)}}}'
    dress = stream.choice(("{}", "```json\n{}\n```", "So:\n\n{}\n", "**{}**", "{}<|im_end|>"))
    text = _thought(stream, asked.gold) + dress.replace("{}", stated)
    return Completion(text=text, states=asked.wrong, known=True)


def _thought(stream: Stream, answer: Answer) -> str:
    opening, closing = stream.choice(_TAGS)
    return f"{opening}Perhaps {_stating(stream, answer)}{closing}\n"


def _stating(stream: Stream, answer: Answer) -> str:
    text = json.dumps(answer)
    forms = (f'{{"answer": {text}}}', f"The answer is {text}.", f"Final answer: {text}")
    return stream.choice(forms)


KINDS: Mapping[str, Callable[[Stream, Asked], Completion]] = {
    "unicode": _unicode,
    "ascii": _ascii,
    "fragments": _soup,
    "few fragments": _short_soup,
    "huge numbers": _huge_number,
    "deep nesting": _nesting,
    "mutated": _mutated,
    "prose": _prose,
    "silent": _silent,
    "cut off": _cut_off,
    "only thought": _only_thought,
    "changed mind": _changed_mind,
    "dressed": _dressed,
}
"""How a completion is made; the last six know what it states."""


def made(index: int, seed: int) -> tuple[str, Asked, Completion]:
    """Return the kind, question and completion of an index."""
    stream = Stream(seed, "fuzz", index)
    kind = stream.choice(tuple(KINDS))
    asked = stream.choice(QUESTIONS)
    return kind, asked, KINDS[kind](stream, asked)


def broken_law(asked: Asked, completion: Completion) -> str | None:
    """Return the law that the score of a completion breaks, None if it keeps all."""
    seconds, result = _timed(asked, completion)
    if seconds > SLOWEST:
        seconds = min(seconds, *(_timed(asked, completion)[0] for _ in range(2)))
    if seconds > SLOWEST:
        return f"took {seconds * 1000:.0f} ms"
    if not 0.0 <= result.value <= 1.0 or (result.status != "ok" and result.value):
        return f"status {result.status} and score {result.value}"
    if completion.known:
        return _unexpected(asked, completion, result)
    if result.answer is not None and not _stands_in(result.answer, completion.text):
        return f"read {result.answer!r}, which does not stand in the text"
    return None


def _unexpected(asked: Asked, completion: Completion, result: Score) -> str | None:
    if completion.states is None:
        return f"read {result.answer!r} where nothing is stated" if result.status == "ok" else None
    expected = score(asked.question, json.dumps({"answer": completion.states})).value
    if result.answer != completion.states or result.value != expected:
        return f"read {result.answer!r} ({result.status}) instead of {completion.states!r}"
    return None


def _stands_in(answer: Answer, text: str) -> bool:
    """Return whether a text holds what an answer could have been read from."""
    if isinstance(answer, str):
        words = re.sub(r"[\s_-]+", " ", text.casefold())
        spelt = {
            "yes": ("yes", "true", "recommend", "should"),
            "no": ("no", "false", "against"),
            "increased": ("increase",),
            "decreased": ("decrease",),
            "no_change": ("no change", "unchanged"),
        }
        return any(word in words for word in spelt.get(answer, (answer.replace("_", " "),)))
    if isinstance(answer, list):
        return not answer or "noon" in text.casefold() or any(mark.isdigit() for mark in text)
    if answer == 0 and re.search(r"\bnone\b|\bno\b|\bzero\b", text, re.IGNORECASE):
        return True
    if answer in _SPELT and _SPELT[answer] in text.casefold():
        return True
    clock = re.search(r"\d:\d|\d\s?[ap]\.?m\b|\bnoon\b", text, re.IGNORECASE)
    return clock is not None or _is_among(answer, text)


def _is_among(answer: float, text: str) -> bool:
    weeks = re.findall(r"[Ww](?:eek)? ?(\d+)[ ,]*[Dd](?:ay)? ?(\d+)", text)
    days = re.findall(r"[Dd](?:ay)? ?(\d+)[ ,]*(?:of )?[Ww](?:eek)? ?(\d+)", text)
    weeks += [(week, day) for day, week in days]
    numbers = [float(re.sub(r"[,'\u2019_]", "", found)) for found in _NUMBER.findall(text)]
    numbers += [
        int(top) / int(bottom)
        for top, bottom in re.findall(r"(\d{1,9})\s?/\s?(\d{1,9})", text)
        if int(bottom)
    ]
    numbers += [float(found.replace(",", ".")) for found in re.findall(r"\d+,\d+", text)]
    numbers += [7.0 * (int(week) - 1) + int(day) for week, day in weeks]
    return any(
        math.isclose(abs(answer), number * factor, rel_tol=1e-9, abs_tol=1e-12)
        for number in numbers
        for factor in _FACTORS
    )


def _timed(asked: Asked, completion: Completion) -> tuple[float, Score]:
    start = time.process_time()
    result = score(asked.question, completion.text)
    return time.process_time() - start, result


def breaches(indices: range, seed: int) -> Iterator[Breach]:
    """Yield what breaks a law; an exception of the code under test is one."""
    for index in indices:
        kind, asked, completion = made(index, seed)
        try:
            law = broken_law(asked, completion)
        except Exception as error:  # noqa: BLE001 - any exception is the finding
            law = f"raised {error!r}"
        if law:
            yield Breach(
                index=index,
                kind=kind,
                answer_type=asked.question.shape.answer_type,
                law=law,
                text=completion.text[:300],
            )


@app.command()
def main(
    count: Annotated[int, typer.Option(min=1, help="Completions.")] = 100_000,
    seed: Annotated[int, typer.Option(help="Seed of the completions.")] = SEED,
    first: Annotated[int, typer.Option(min=0, help="Index of the first.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Score random completions and print every one that breaks a law; exit 1 if any does."""
    with one_line_errors():
        found = list(breaches(range(first, first + count), seed))
    if as_json:
        print(json_text({"count": count, "seed": seed, "breaches": [asdict(b) for b in found]}))
    else:
        for breach in found[:50]:
            print(
                f"{breach.index} {breach.kind}, {breach.answer_type}: {breach.law}: {breach.text!r}"
            )
        by_kind = Counter(f"{breach.kind}, {breach.answer_type}" for breach in found)
        print(f"{count} completions, {len(found)} breaches {dict(by_kind) or ''}".rstrip())
    raise SystemExit(1 if found else 0)


if __name__ == "__main__":
    app()
