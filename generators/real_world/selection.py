"""The common end of every reader: clean each subject, choose its window, say what is left out."""

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from generators.real_world.cleaning import KNOWN_SHARE, CleanRecord, cleaned
from generators.real_world.observations import Observations
from generators.real_world.recordings import DaysLeftOut, LeftOut, RawDataError, Recordings
from generators.real_world.window import MIN_PRESENT_SHARE, SHOWN_DAYS, Cut, best_window
from generators.trace import MISSING, SAMPLES_PER_DAY, PatientProfile, Source, Trace

Subject = tuple[Observations, PatientProfile]


def selected(
    source: Source, subjects: Iterable[Subject | LeftOut], *, place: str, days: int
) -> Recordings:
    """Clean every subject's observations and cut the best window out of each.

    Args:
        source: Which source they come from.
        subjects: One after the other, so that only one recording is held at a time; or why one
            is left out from the start.
        place: Where they come from, for the message.
        days: Longest trace, at least 30: 30 days to show, the rest for predictions.

    Raises:
        RawDataError: No subject has a usable window.
    """
    traces: list[Trace] = []
    left_out: list[LeftOut] = []
    days_left_out: list[DaysLeftOut] = []
    counts: dict[str, Mapping[str, int]] = {}
    for subject in subjects:
        if isinstance(subject, LeftOut):
            left_out.append(subject)
            continue
        observations, profile = subject
        record = cleaned(observations)
        counts[record.subject] = record.counts
        window = best_window(record, source=source, profile=profile, days=days)
        if isinstance(window, LeftOut):
            left_out.append(window)
        else:
            traces.append(window.trace)
            days_left_out.extend(_days_left_out(record, window))
    if not traces:
        reasons = "; ".join(f"{one.subject}: {one.reason}" for one in left_out)
        raise RawDataError(f"{place}: no subject can be used ({reasons})")
    return Recordings(
        traces=tuple(traces),
        left_out=tuple(left_out),
        counts=counts,
        days_left_out=tuple(days_left_out),
    )


def pseudonyms(source: Source, keys: Iterable[str]) -> dict[str, str]:
    """Return an id for each subject that does not tell what its own source calls it.

    Numbers follow the order of digests, so that neither name nor place in the source shows. Who
    knows the source's names can compute the same order: this hides them from readers, not from
    anyone who sets out to find them.

    Args:
        source: Begins the ids.
        keys: What the source calls its subjects.
    """
    ordered = sorted(set(keys), key=lambda key: sha256(f"{source} {key}".encode()).digest())
    return {key: f"{source}_{place + 1:02d}" for place, key in enumerate(ordered)}


def _days_left_out(record: CleanRecord, window: Cut) -> Iterator[DaysLeftOut]:
    trace = window.trace
    day = np.arange(SHOWN_DAYS) + window.first_day
    lacking = {
        f"fewer than {MIN_PRESENT_SHARE:.0%} of the readings: no statistic of the day is asked": (
            _share(trace.cgm != MISSING) < MIN_PRESENT_SHARE
        ),
        f"insulin known for less than {KNOWN_SHARE:.0%} of the day: its total is not asked": (
            _share(trace.insulin != MISSING) < KNOWN_SHARE
        ),
        "recorded insulin of less than 10 or more than 150 U: kept, but unusual": (
            np.isin(day, record.unusual_days)
        ),
        "recorded insulin of less than 2 or more than 400 U: taken as unknown": (
            np.isin(day, record.impossible_days)
        ),
    }
    for reason, marked in lacking.items():
        found = tuple((np.flatnonzero(marked) + 1).tolist())
        if found:
            yield DaysLeftOut(
                source=trace.source, subject=trace.trace_id, days=found, reason=reason
            )


def _share(known: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the share of known samples of each of the 30 days that are shown."""
    days = known[: SHOWN_DAYS * SAMPLES_PER_DAY].reshape(SHOWN_DAYS, SAMPLES_PER_DAY)
    return np.asarray(days.mean(axis=1))
