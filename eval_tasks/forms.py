"""The forms in which a question is asked: style of the record, and how many days of it are shown."""

from dataclasses import dataclass

from eval_tasks.errors import UnknownNameError
from eval_tasks.horizons import HORIZONS, Horizon
from eval_tasks.record import STYLES, Style

SUITE = "healthloopqa"
"""Name of the lighteval tasks before the colon; naming it alone selects every config."""
TEST_SPLIT = "test"


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """How a question is asked.

    Attributes:
        style: How the record is written.
        days: How many days of it are shown; 30 is all of it.
    """

    style: Style = "structured"
    days: Horizon = 30


DEFAULT_FORM = Form()
FORMS = tuple(Form(style=style, days=days) for style in STYLES for days in HORIZONS)


def form_of(style: str, days: int) -> Form:
    """Return the form of that style and so many days.

    Raises:
        UnknownNameError: There is none.
    """
    for form in FORMS:
        if (form.style, form.days) == (style, days):
            return form
    raise UnknownNameError(
        f"no prompt of style {style!r} over {days} days; there are {', '.join(STYLES)} over "
        f"{', '.join(map(str, HORIZONS))} days"
    )


def task_name(config: str, split: str, form: Form = DEFAULT_FORM) -> str:
    """Return the lighteval name of a config's task: `healthloopqa:simulated`.

    Before the colon stands what differs from the default, the split first:
    `healthloopqa[_<split>][_<style>_<days>d]:<config>`, for example
    `healthloopqa_full_timelined_7d:simulated`. The split `test` and the structured whole record
    are not named.
    """
    return f"{task_prefix(SUITE, split, form)}:{config}"


def task_prefix(suite: str, split: str, form: Form = DEFAULT_FORM) -> str:
    """Return what stands before the colon of a task's name."""
    parts = [suite]
    if split != TEST_SPLIT:
        parts.append(split)
    if form != DEFAULT_FORM:
        parts.append(f"{form.style}_{form.days}d")
    return "_".join(parts)
