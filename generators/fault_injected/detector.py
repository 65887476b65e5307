"""A simple detector of faults: rules on the reported record, which never see truth or labels.

It takes the instructions of the tasks at their word, so that it shows how far a careful reader gets:
what the sensor breaks is plain to see, what the pump hides shows by its effect alone.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from generators.fault_injected.basal import basal_of
from generators.fault_injected.fitting import (
    LEAST_BEFORE,
    LEAST_UNEATEN,
    LOWEST_UNEATEN,
    MOST_LOWERED,
    MOST_OF_BEFORE,
    highest_basal,
)
from generators.fault_injected.undelivered import MOST_AS_HIGH, meal_doses, rise_per_gram
from generators.questions.windows import stretches
from generators.simulated.sensor import HIGHEST, LOWEST
from generators.trace import (
    FAULT_LABELS,
    MISSING,
    SAMPLE_MINUTES,
    SAMPLES_PER_DAY,
    SAMPLES_PER_HOUR,
    FaultEvent,
    FaultLabel,
    Trace,
)

_STANDS_OUT, _JUMP, _LONGEST_BIAS = 40, 25, 8 * SAMPLES_PER_HOUR
_REPETITIONS, _LEAST_REPLAY, _LEAST_BASAL = 12, 2 * SAMPLES_PER_HOUR, SAMPLES_PER_HOUR
_LEAST_BETWEEN = 12
_MEAL_WINDOW, _DOSE_WINDOW = 2 * SAMPLES_PER_HOUR, SAMPLES_PER_HOUR // 2
_HIGH, _LOW, _RISE = 140, 120, 20
_UNDELIVERED = 3 * SAMPLES_PER_HOUR
_SHARE = 0.5
Span = tuple[int, int]
"""First and last sample."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What a reader sees of a record, n samples.

    Attributes:
        cgm: Readings, mg/dL, MISSING where absent.
        insulin: Reported insulin, tenths of mU/min.
        basal: Reported insulin without boluses, tenths of mU/min.
        meals: Samples with carbohydrate that treats no low, and grams.
        rescues: Samples with carbohydrate that treats a low.
        carbs: Samples with any carbohydrate.
        boluses: Samples with a meal bolus.
        doses: Samples with any bolus.
        highest: Highest basal rate of the shown days, tenths of mU/min.
        rises: Of each larger meal, how far it raised glucose (mg/dL for each gram) and the sample
            of its bolus.
    """

    cgm: NDArray[np.int64]
    insulin: NDArray[np.int64]
    basal: NDArray[np.int64]
    meals: tuple[tuple[int, float], ...]
    rescues: tuple[int, ...]
    carbs: tuple[int, ...]
    boluses: tuple[int, ...]
    doses: tuple[int, ...]
    highest: int
    rises: tuple[tuple[float, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """How many faults of a label were found.

    Attributes:
        label: Label.
        events: How many there were.
        found: How many of them have a detection of this label on at least half of their samples.
        detections: How many detections there were.
        right: How many of them lie on a fault of this label.
    """

    label: FaultLabel
    events: int
    found: int
    detections: int
    right: int

    @property
    def recall(self) -> float | None:
        """Share of the faults that were found, None where there were none."""
        return self.found / self.events if self.events else None

    @property
    def precision(self) -> float | None:
        """Share of the detections that are right, None where there were none."""
        return self.right / self.detections if self.detections else None


def detect(trace: Trace) -> dict[FaultLabel, list[Span]]:
    """Return what looks like each fault in the reported record, in time order."""
    shown = _shown(trace)
    return {label: _RULES[label](shown) for label in FAULT_LABELS}


def recall_table(traces: Iterable[Trace]) -> list[Recall]:
    """Return for each label how many of the injected faults are detected in some traces."""
    pairs = [(trace.faults, detect(trace)) for trace in traces]
    return [_recall(label, pairs) for label in FAULT_LABELS]


def _recall(
    label: FaultLabel, pairs: Sequence[tuple[Sequence[FaultEvent], dict[FaultLabel, list[Span]]]]
) -> Recall:
    events = found = detections = right = 0
    for faults, detected in pairs:
        true = [(fault.start, fault.end) for fault in faults if fault.label == label]
        spans = detected[label]
        events, detections = events + len(true), detections + len(spans)
        found += sum(_covered(span, spans) >= _SHARE * (span[1] - span[0] + 1) for span in true)
        right += sum(_covered(span, true) > 0 for span in spans)
    return Recall(label=label, events=events, found=found, detections=detections, right=right)


def _covered(span: Span, others: Sequence[Span]) -> int:
    """Return how many samples of a span lie in the other spans, which do not overlap."""
    return sum(max(0, min(span[1], last) - max(span[0], first) + 1) for first, last in others)


def _shown(trace: Trace) -> Shown:
    return Shown(
        cgm=trace.cgm.astype(np.int64),
        insulin=trace.insulin.astype(np.int64),
        basal=basal_of(trace),
        meals=tuple(
            (e.minute // SAMPLE_MINUTES, e.grams) for e in trace.carbs if e.meal != "rescue"
        ),
        rescues=tuple(e.minute // SAMPLE_MINUTES for e in trace.carbs if e.meal == "rescue"),
        carbs=tuple(e.minute // SAMPLE_MINUTES for e in trace.carbs),
        boluses=tuple(e.minute // SAMPLE_MINUTES for e in trace.boluses if e.kind == "meal_bolus"),
        doses=tuple(e.minute // SAMPLE_MINUTES for e in trace.boluses),
        highest=highest_basal(trace),
        rises=tuple(
            (rise, dose)
            for meal, dose in meal_doses(trace)
            if (rise := rise_per_gram(trace, meal)) is not None
        ),
    )


def _missing(shown: Shown) -> list[Span]:
    return stretches(shown.cgm == MISSING)


def _zero(shown: Shown) -> list[Span]:
    return stretches(shown.cgm == 0)


def _spikes(sign: int) -> Callable[[Shown], list[Span]]:
    def rule(shown: Shown) -> list[Span]:
        cgm, present = shown.cgm, shown.cgm > 0
        before, after = sign * (cgm[1:-1] - cgm[:-2]), sign * (cgm[1:-1] - cgm[2:])
        known = present[1:-1] & present[:-2] & present[2:]
        at = np.flatnonzero(known & (before >= _STANDS_OUT) & (after >= _STANDS_OUT)) + 1
        return [(sample, sample) for sample in at.tolist()]

    return rule


def _biases(sign: int) -> Callable[[Shown], list[Span]]:
    def rule(shown: Shown) -> list[Span]:
        """Pair each jump with the next one, where that leads back within some hours."""
        present = (shown.cgm[1:] > 0) & (shown.cgm[:-1] > 0)
        steps = np.where(present, sign * np.diff(shown.cgm), 0)
        jumps = np.flatnonzero(np.abs(steps) >= _JUMP)
        return [
            (start + 1, end)
            for start, end in pairwise(jumps.tolist())
            if steps[start] > 0 > steps[end]
            and 2 < end - start <= _LONGEST_BIAS
            and len(set(shown.cgm[start + 1 : end + 1].tolist())) > 2
        ]

    return rule


def _runs(shown: Shown) -> list[Span]:
    """Return the runs of one and the same reading, first value included."""
    change = np.flatnonzero(np.diff(shown.cgm)) + 1
    bounds = [0, *change.tolist(), len(shown.cgm)]
    return [(first, last - 1) for first, last in pairwise(bounds)]


def _frozen(shown: Shown) -> list[Span]:
    return [
        (first + 1, last)
        for first, last in _runs(shown)
        if LOWEST < shown.cgm[first] < HIGHEST and last - first >= _REPETITIONS
    ]


def _held(value: int) -> Callable[[Shown], list[Span]]:
    def rule(shown: Shown) -> list[Span]:
        return [
            (first, last)
            for first, last in _runs(shown)
            if shown.cgm[first] == value
            and last > first > 0
            and abs(shown.cgm[first - 1] - value) >= _STANDS_OUT
        ]

    return rule


def _replays(shown: Shown) -> list[Span]:
    """Return stretches that repeat what was shown whole days earlier, not at an end of the range."""
    found = []
    for lag in range(SAMPLES_PER_DAY, len(shown.cgm), SAMPLES_PER_DAY):
        same = np.zeros(len(shown.cgm), dtype=np.bool_)
        same[lag:] = (shown.cgm[lag:] == shown.cgm[:-lag]) & (shown.cgm[lag:] > 0)
        found += [
            (first, last)
            for first, last in stretches(same)
            if last - first + 1 >= _LEAST_REPLAY and _between(shown, first, last) >= _LEAST_BETWEEN
        ]
    return sorted(found)


def _between(shown: Shown, first: int, last: int) -> int:
    """Return how many readings of a stretch lie between the ends of the sensor's range."""
    readings = shown.cgm[first : last + 1]
    return int(((readings > LOWEST) & (readings < HIGHEST)).sum())


def _near(places: Sequence[int], first: int, last: int) -> bool:
    return any(first <= place <= last for place in places)


def _false_meals(shown: Shown) -> list[Span]:
    found = []
    for meal, grams in shown.meals:
        around = [m for m, _ in shown.meals if abs(m - meal) <= _MEAL_WINDOW]
        last = min([r for r in shown.rescues if r > meal] + [meal + _MEAL_WINDOW])
        calm = LOWEST_UNEATEN <= shown.cgm[meal] < _LOW
        if grams >= LEAST_UNEATEN and around == [meal] and meal in shown.boluses and calm:
            quiet = shown.cgm[meal : last + 1].max() <= shown.cgm[meal] + _RISE
            found += [(meal, meal)] if quiet else []
    return found


def _false_boluses(shown: Shown) -> list[Span]:
    return [
        (bolus, bolus)
        for bolus in shown.boluses
        if 0 < shown.cgm[bolus] < _LOW
        and not _near(shown.carbs, bolus - _DOSE_WINDOW, bolus + _DOSE_WINDOW)
    ]


def _highest_basal(shown: Shown) -> list[Span]:
    return [span for span in _raised(shown) if shown.basal[span[0]] == shown.highest]


def _raised_basal(shown: Shown) -> list[Span]:
    return [span for span in _raised(shown) if shown.basal[span[0]] < shown.highest]


def _raised(shown: Shown) -> list[Span]:
    meals = [meal for meal, _ in shown.meals]
    return [
        span
        for span in stretches(2 * shown.basal > shown.highest)
        if span[1] - span[0] + 1 >= _LEAST_BASAL
        and 0 < shown.cgm[span[0]] < _LOW
        and not _near(meals, span[0] - _DOSE_WINDOW, span[1])
    ]


def _no_basal(shown: Shown) -> list[Span]:
    return [
        span
        for span in stretches(shown.basal == 0)
        if _stays_high(shown, span)
        and not _near(shown.doses, span[0] - 3 * SAMPLES_PER_HOUR, span[0])
        and 0 < shown.cgm[span[0] - 3] <= shown.cgm[span[0]]
        and shown.basal[span[0] - 1] >= LEAST_BEFORE * shown.highest
    ]


def _stays_high(shown: Shown, span: Span) -> bool:
    """Return whether a stretch lasts an hour in which all readings are high."""
    hour = shown.cgm[span[0] : span[0] + _LEAST_BASAL]
    return span[1] - span[0] + 1 >= _LEAST_BASAL and bool((hour > _HIGH).all())


def _lowered_basal(shown: Shown) -> list[Span]:
    basal = shown.basal
    lowered = MOST_LOWERED[1] * basal <= MOST_LOWERED[0] * shown.highest
    return [
        span
        for span in stretches(lowered)
        if _stays_high(shown, span)
        and basal[span[0] : span[0] + _LEAST_BASAL].min() > 0
        and basal[span[0]] <= MOST_OF_BEFORE * basal[span[0] - 1]
    ]


def _undelivered(share: float) -> Callable[[Shown], list[Span]]:
    def rule(shown: Shown) -> list[Span]:
        """Return 3 h from the bolus of the meals on that raised glucose most for each gram."""
        ranked = sorted(shown.rises, reverse=True)[: max(1, round(share * len(shown.rises)))]
        last = len(shown.cgm) - 1
        starts = sorted({dose for _, dose in ranked})
        return [(start, min(start + _UNDELIVERED - 1, last)) for start in starts]

    return rule


_RULES: dict[FaultLabel, Callable[[Shown], list[Span]]] = {
    "missing_signal": _missing,
    "positive_spike": _spikes(1),
    "negative_spike": _spikes(-1),
    "positive_bias": _biases(1),
    "negative_bias": _biases(-1),
    "repeated_reading": _frozen,
    "zero_reading": _zero,
    "min_reading": _held(LOWEST),
    "max_reading": _held(HIGHEST),
    "repeated_episode": _replays,
    "false_meal": _false_meals,
    "false_bolus": _false_boluses,
    "positive_basal": _raised_basal,
    "max_basal": _highest_basal,
    "negative_basal": _lowered_basal,
    "min_basal": _no_basal,
    "unknown_stop": _undelivered(MOST_AS_HIGH["unknown_stop"]),
    "unknown_under": _undelivered(MOST_AS_HIGH["unknown_under"]),
}
