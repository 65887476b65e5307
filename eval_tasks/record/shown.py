"""What a prompt shows of a record, and what both styles of writing it share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from eval_tasks.errors import GoldError
from eval_tasks.question import MINUTES_PER_DAY, SAMPLE_MINUTES

Context = Mapping[str, Any]
"""A record as a row's column `input_context` holds it."""
Event = Mapping[str, Any]
SERIES = ("bg_mgdl", "insulin_mu_min")
EVENTS: Mapping[str, tuple[str, ...]] = {
    "carb_events": ("carbs", "meal_type"),
    "exercise_events": ("duration", "magnitude", "exercise_type"),
    "insulin_events": ("dosage", "insulin_type"),
}
"""Streams of events, each with its fields beside the time; the last is the kind."""
MISSING = "-"
HALF = "½"
"""What stands for a half in insulin, which `EXPLANATION` of both styles says."""
_WHOLE_FIELDS = ("duration",)
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A record, or a part of it. Times and days count from the start of the whole record.

    Attributes:
        context: The shown samples, and the events inside them.
        start: Minute of the first shown sample.
        minutes: Length of the whole record.
    """

    context: Context
    start: int
    minutes: int

    @property
    def end(self) -> int:
        """Minute at which the shown part ends."""
        return self.start + SAMPLE_MINUTES * len(self.context["bg_mgdl"])

    def padded(self) -> dict[str, Any]:
        """Return the whole record with nothing known outside the shown part."""
        before = [None] * (self.start // SAMPLE_MINUTES)
        after = [None] * ((self.minutes - self.end) // SAMPLE_MINUTES)
        series = {name: [*before, *self.context[name], *after] for name in SERIES}
        return {**self.context, **series}


class Clock(NamedTuple):
    """A time of a record as people say it."""

    day: int
    text: str


def whole(context: Context) -> Shown:
    """Return a record, all of it shown."""
    return Shown(context=context, start=0, minutes=SAMPLE_MINUTES * len(context["bg_mgdl"]))


def part(context: Context, start: int, end: int) -> Shown:
    """Return what lies in start <= minute < end of a record.

    Args:
        context: The whole record.
        start: A minute of a sample.
        end: A minute of a sample, or the record's end.
    """
    places = slice(start // SAMPLE_MINUTES, end // SAMPLE_MINUTES)
    return Shown(
        context={
            **{name: context[name][places] for name in SERIES},
            **{
                name: [event for event in context[name] if start <= event["time"] < end]
                for name in EVENTS
            },
        },
        start=start,
        minutes=SAMPLE_MINUTES * len(context["bg_mgdl"]),
    )


def clock_of(minute: int) -> Clock:
    """Return day and clock time of a minute.

    >>> clock_of(1890)
    Clock(day=2, text='07:30')
    """
    day, minute_of_day = divmod(minute, MINUTES_PER_DAY)
    return Clock(day + 1, f"{minute_of_day // 60:02d}:{minute_of_day % 60:02d}")


def minute_of(day: int, text: str) -> int:
    """Return the minute of a day and clock time."""
    return (day - 1) * MINUTES_PER_DAY + int(text[:2]) * 60 + int(text[3:])


def weekday(day: int) -> str:
    """Return the weekday of a day; day 1 is a Monday."""
    return _WEEKDAYS[(day - 1) % 7]


def number_text(number: float) -> str:
    """Return the shortest text that is read back as the same number.

    >>> number_text(12.0), number_text(0.1)
    ('12', '0.1')
    """
    return str(int(number)) if number == int(number) else repr(number)


def value_text(value: float | None) -> str:
    """Return a number as text, or what stands for a missing one."""
    return MISSING if value is None else number_text(value)


def read_value(text: str, kind: type[int] | type[float] = float) -> float | None:
    """Return the number of a text, None where it is missing."""
    return None if text == MISSING else kind(text)


def insulin_text(value: float | None) -> str:
    """Return an insulin value as text: pumps deliver in steps that make halves frequent.

    >>> insulin_text(28.5), insulin_text(0.5), insulin_text(12.0), insulin_text(0.1)
    ('28½', '½', '12', '0.1')
    """
    if value is not None and value > 0 and value % 1 == 0.5:
        return f"{int(value) or ''}{HALF}"
    return value_text(value)


def read_insulin(text: str) -> float | None:
    """Return the insulin value that `insulin_text` wrote.

    >>> read_insulin("28½"), read_insulin("½"), read_insulin("12"), read_insulin("-")
    (28.5, 0.5, 12.0, None)
    """
    if text.endswith(HALF):
        return int(text.removesuffix(HALF) or 0) + 0.5
    return read_value(text)


def event_words(stream: str, event: Event) -> list[str]:
    """Return an event's fields as words, its kind last; time and day are written elsewhere.

    Raises:
        GoldError: Day and clock time are not those of its minute, or its kind is no single word.
    """
    *numbers, kind = EVENTS[stream]
    if (event["day"], event["time_str"]) != clock_of(event["time"]):
        raise GoldError(
            f"{stream}: minute {event['time']} is not {event['time_str']} of day {event['day']}"
        )
    if not event[kind] or event[kind].split() != [event[kind]] or set(event[kind]) & set("[];,"):
        raise GoldError(f"the kind {event[kind]!r} of an event of {stream} is no single word")
    return [*(value_text(event[name]) for name in numbers), event[kind]]


def read_event(stream: str, day: int, clock: str, words: Sequence[str]) -> dict[str, Any]:
    """Return the event of which `event_words` made words."""
    *numbers, kind = EVENTS[stream]
    read = {
        name: read_value(word, int if name in _WHOLE_FIELDS else float)
        for name, word in zip(numbers, words[:-1], strict=True)
    }
    return {
        "time": minute_of(day, clock),
        "day": day,
        "time_str": clock,
        **read,
        kind: words[-1],
    }


def short_kinds(stream: str, context: Context) -> dict[str, str]:
    """Return the initials of the kinds of a stream's events, by kind in order of the names.

    Where two kinds have the same initials, each stands for itself.

    >>> events = [{"insulin_type": "meal_bolus"}, {"insulin_type": "basal"}]
    >>> short_kinds("insulin_events", {"insulin_events": events})
    {'basal': 'B', 'meal_bolus': 'MB'}
    """
    kinds = sorted({event[EVENTS[stream][-1]] for event in context[stream]})
    initials = ["".join(word[:1] for word in kind.split("_")).upper() for kind in kinds]
    return {
        kind: short if short and initials.count(short) == 1 and short not in kinds else kind
        for kind, short in zip(kinds, initials, strict=True)
    }


def kinds_text(short: Mapping[str, str]) -> str:
    """Return what the initials stand for.

    >>> kinds_text({"basal": "B", "meal_bolus": "MB"})
    'B basal, MB meal_bolus'
    """
    return ", ".join(f"{code} {kind}" for kind, code in short.items())


def read_kinds(text: str) -> dict[str, str]:
    """Return the kinds by their initials.

    >>> read_kinds("B basal, MB meal_bolus")
    {'B': 'basal', 'MB': 'meal_bolus'}
    """
    return {code: kind for code, _, kind in (entry.partition(" ") for entry in text.split(", "))}
