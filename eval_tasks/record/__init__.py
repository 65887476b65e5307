"""A record as compact text in one of two styles, and back without loss.

`read_record` recovers exactly what `record_text` was given, from either style and from a record of
which only a part is shown.
"""

import re
from typing import Literal, get_args

from eval_tasks.errors import EvaluationError, GoldError
from eval_tasks.record import structured, timelined
from eval_tasks.record.shown import EVENTS, Shown, clock_of

Style = Literal["structured", "timelined"]
STYLES: tuple[Style, ...] = get_args(Style)
_WRITERS = {"structured": structured, "timelined": timelined}
_EXTENT = re.compile(r"Shown (?:is|are) .*\(minutes (\d+) to (\d+) of (\d+)\)")


def record_text(shown: Shown, style: Style) -> str:
    """Return a record, or the shown part of it, as text.

    Args:
        shown: The record. Each stream of events is in the order of time.
        style: A section for each kind of data, or one stream in the order of time.

    Raises:
        GoldError: An event could not be read back.
    """
    for stream in EVENTS:
        for event in shown.context[stream]:
            if not shown.start <= event["time"] < shown.end:
                raise GoldError(f"{stream}: minute {event['time']} lies outside the record")
    writer = _WRITERS[style]
    return "\n\n".join([f"{_extent(shown)} {writer.EXPLANATION}", writer.write(shown)])


def shows_record(text: str) -> bool:
    """Return whether a record stands somewhere in a text."""
    return _EXTENT.search(text) is not None


def read_record(text: str) -> Shown:
    """Return the record that `record_text` wrote, wherever in a text it stands.

    Raises:
        EvaluationError: There is none.
    """
    extent = _EXTENT.search(text)
    if extent is None:
        raise EvaluationError("the text holds no record")
    reader = timelined if "\n## Timeline\n" in text else structured
    start, _, minutes = map(int, extent.groups())
    return Shown(context=reader.read(text[extent.end() :]), start=start, minutes=minutes)


def _extent(shown: Shown) -> str:
    """Return what is shown, how times count, and that nothing else is known."""
    first, last = clock_of(shown.start), clock_of(shown.end - 1)
    where = f"(minutes {shown.start} to {shown.end} of {shown.minutes})"
    count = (
        "Day 1 is a Monday and begins at minute 0 of the record: "
        "minute = 1440 x (day - 1) + 60 x hour + minute of the hour."
    )
    if shown.end - shown.start == shown.minutes:
        return f"Shown is the whole record, day 1 to day {last.day} {where}. {count}"
    return (
        f"Shown are day {first.day}, {first.text}, to the end of minute {shown.end - 1} on day "
        f"{last.day} of a longer record {where}. Days and minutes count from the start of the whole "
        f"record. What the question needs is shown. {count}"
    )
