"""Episodes of low and high glucose as answers: which, how many, how long, in what order."""

from collections.abc import Callable
from itertools import pairwise
from typing import Literal

import numpy as np

from generators.questions.anomaly_detection.places import (
    AT_NIGHT,
    LAST_WEEK,
    Mask,
    after_meals,
    at_hours,
    minutes_of,
    on_days,
)
from generators.questions.episodes import (
    HYPOGLYCAEMIA,
    Episode,
    hyperglycaemia,
    hypoglycaemia,
)
from generators.questions.glucose import count_in_range
from generators.questions.task import Interval, NotApplicable
from generators.questions.windows import (
    DAYS,
    day_span,
    enough,
    intervals,
    present,
    readings,
    stretches,
    week_span,
)
from generators.trace import MINUTES_PER_DAY, SAMPLE_MINUTES, MealType, Trace

LEVEL_2 = 54
"""Clinically significant hypoglycaemia is below this, mg/dL (Battelino et al. 2019)."""
FOLLOWING_MINUTES = 120
"""Longest time from the end of an episode to the start of the one that follows it."""
DAY_MARGIN = 3
"""Readings by which the foremost day must differ from the next."""
EPISODE_MARGIN = 2
"""Episodes by which two weeks must differ."""

Kind = Literal["hypoglycaemia", "hyperglycaemia"]
Finder = Callable[[Trace], list[Episode]]
_FINDERS: dict[Kind, Finder] = {
    "hypoglycaemia": hypoglycaemia,
    "hyperglycaemia": hyperglycaemia,
}
NO_EPISODE = NotApplicable("no such episode in the record")
TOO_FEW = NotApplicable("fewer than 70 % of the readings exist")


def episode_intervals(
    trace: Trace,
    *,
    kind: Kind,
    days: tuple[int, int] = (DAYS[0], DAYS[-1]),
    hours: tuple[int, int] = (0, 24),
    at_least: int = SAMPLE_MINUTES,
) -> list[Interval]:
    """Return the episodes that start on these days, between these full hours, and last so long."""
    starts = on_days(trace, first=days[0], last=days[1])
    starts &= at_hours(trace, start=60 * hours[0], end=60 * hours[1])
    return _intervals(
        [e for e in _FINDERS[kind](trace) if starts[e.first] and e.minutes >= at_least]
    )


def night_hypoglycaemia(trace: Trace) -> list[Interval]:
    """Return what of each episode of hypoglycaemia lies between 00:00 and 06:00."""
    return intervals(stretches(_marked(trace, hypoglycaemia(trace)) & AT_NIGHT(trace)))


def hyperglycaemia_on_day(trace: Trace, *, day: int) -> list[Interval]:
    """Return what of each episode of hyperglycaemia lies on a day."""
    inside = on_days(trace, first=day, last=day)
    return intervals(stretches(_marked(trace, hyperglycaemia(trace)) & inside))


def severe_hypoglycaemia_in_week(trace: Trace, *, week: int) -> list[Interval]:
    """Return the episodes below 54 mg/dL that start in a week."""
    return _intervals(_starting_in(hypoglycaemia(trace, LEVEL_2), *week_span(week)))


def last_hypoglycaemia(trace: Trace) -> list[Interval]:
    """Return the last episode of hypoglycaemia."""
    return _intervals(hypoglycaemia(trace)[-1:])


def minutes_of_last_hypoglycaemia(trace: Trace) -> int | NotApplicable:
    """Return how long the last episode of hypoglycaemia lasted, min."""
    episodes = hypoglycaemia(trace)
    return episodes[-1].minutes if episodes else NO_EPISODE


def recovery_from_last_hypoglycaemia(trace: Trace) -> int | NotApplicable:
    """Return minutes from the lowest reading of the last such episode to the first of 70 or more."""
    episodes = hypoglycaemia(trace)
    if not episodes:
        return NO_EPISODE
    first, last = episodes[-1].first, episodes[-1].last
    values = readings(trace, first * SAMPLE_MINUTES, trace.minutes)
    lowest = int(np.nanargmin(values[: last - first + 1]))
    back = np.flatnonzero(values[lowest:] >= HYPOGLYCAEMIA)
    if not back.size:
        return NotApplicable("glucose is not back at 70 mg/dL before the record ends")
    return int(back[0]) * SAMPLE_MINUTES


def episode_count(
    trace: Trace, *, kind: Kind, days: tuple[int, int] = (DAYS[0], DAYS[-1])
) -> int | NotApplicable:
    """Return how many episodes start on these days."""
    span = day_span(*days)
    if not enough(readings(trace, *span)):
        return TOO_FEW
    return len(_starting_in(_FINDERS[kind](trace), *span))


def mean_hyperglycaemia_minutes(trace: Trace, *, at_least: int) -> float | NotApplicable:
    """Return the mean length of the episodes of hyperglycaemia that last at least so long, min."""
    lengths = [e.minutes for e in hyperglycaemia(trace) if e.minutes >= at_least]
    return float(np.mean(lengths)) if lengths else NO_EPISODE


def longest_hyperglycaemia_minutes(trace: Trace) -> int | NotApplicable:
    """Return the length of the longest episode of hyperglycaemia, min."""
    return max((e.minutes for e in hyperglycaemia(trace)), default=0) or NO_EPISODE


def sequences(trace: Trace, *, order: tuple[Kind, ...]) -> list[Interval]:
    """Return successive episodes of these kinds that follow each other within 2 h, each as one.

    Episodes of both kinds are put in order of their start; sequences that share an episode are
    one interval.
    """
    merged = sorted(
        ((episode, kind) for kind in _FINDERS for episode in _FINDERS[kind](trace)),
        key=lambda pair: pair[0].first,
    )
    whole: list[Episode] = []
    for place in range(len(merged) - len(order) + 1):
        part = merged[place : place + len(order)]
        episodes = [episode for episode, _ in part]
        if tuple(kind for _, kind in part) == order and _follow(episodes):
            whole.append(Episode(episodes[0].first, episodes[-1].last))
    return intervals(stretches(_marked(trace, whole)))


def day_out_of_range(
    trace: Trace, *, most: bool, days: tuple[int, int] = (DAYS[0], DAYS[-1])
) -> int | NotApplicable:
    """Return the day with most, or fewest, readings outside 70 to 180 mg/dL."""
    counts: dict[int, int] = {}
    for day in range(days[0], days[1] + 1):
        found = present(readings(trace, *day_span(day)))
        if found is not None:
            counts[day] = found.size - count_in_range(found)
    ranked = sorted(counts.items(), key=lambda pair: pair[1], reverse=most)
    if len(ranked) < 2:
        return NotApplicable("fewer than two days have 70 % of their readings")
    if abs(ranked[0][1] - ranked[1][1]) < DAY_MARGIN:
        return NotApplicable("the two foremost days are nearly equal")
    return ranked[0][0]


def more_episodes(trace: Trace, *, week: int, other_week: int) -> str | NotApplicable:
    """Return whether a week has more episodes out of range than another."""
    if week == other_week:
        return NotApplicable("the two weeks are the same")
    counts = []
    for span in (week_span(week), week_span(other_week)):
        if not enough(readings(trace, *span)):
            return TOO_FEW
        counts.append(sum(len(_starting_in(f(trace), *span)) for f in _FINDERS.values()))
    if abs(counts[0] - counts[1]) < EPISODE_MARGIN:
        return NotApplicable("the two weeks have nearly as many episodes")
    return "yes" if counts[0] > counts[1] else "no"


def new_hypoglycaemia_hours(trace: Trace) -> list[int] | NotApplicable:
    """Return the clock hours with hypoglycaemia in the last 7 days but on no day before."""
    low = _marked(trace, hypoglycaemia(trace))
    late = on_days(trace, first=LAST_WEEK[0], last=LAST_WEEK[1])
    hour = minutes_of(trace) % MINUTES_PER_DAY // 60
    found = sorted(set(hour[low & late].tolist()) - set(hour[low & ~late].tolist()))
    return NotApplicable("every hour is one") if len(found) == 24 else found


def above_after_meal(
    trace: Trace, *, meal: MealType, length: int, value: int
) -> list[Interval] | NotApplicable:
    """Return the stretches above a value within the window after any meal of a kind."""
    inside = after_meals(trace, meal=meal, length=length)
    if not inside.any():
        return NotApplicable(f"no {meal} in the record")
    return intervals(stretches(inside & (trace.cgm > value)))


def _follow(episodes: list[Episode]) -> bool:
    return all(
        (b.first - a.last) * SAMPLE_MINUTES <= FOLLOWING_MINUTES for a, b in pairwise(episodes)
    )


def _starting_in(episodes: list[Episode], start: int, end: int) -> list[Episode]:
    return [e for e in episodes if start <= e.first * SAMPLE_MINUTES < end]


def _marked(trace: Trace, episodes: list[Episode]) -> Mask:
    marked = np.zeros(len(trace), dtype=np.bool_)
    for episode in episodes:
        marked[episode.first : episode.last + 1] = True
    return marked


def _intervals(episodes: list[Episode]) -> list[Interval]:
    return intervals([(episode.first, episode.last) for episode in episodes])
