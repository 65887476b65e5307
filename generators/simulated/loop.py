"""The compiled closed loop of one patient: sensor, faults, controller, person, pump, body.

The loop reads what is planned (`Plan`), writes what happens (`Record`) and carries its state in two
arrays, so that a run can be continued from any sample at which they were copied. Feedback passes
through integers only: the controller sees whole mg/dL and returns counts.
"""

import hashlib
from collections.abc import Callable
from math import floor
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from generators import trace
from generators.simulated import (
    compiled as compilation,
)
from generators.simulated import (
    controllers,
    parameters,
    physiology,
    pump,
    sensor,
    temporary_basals,
    therapy,
)
from generators.simulated.compiled import compiled, entry_point
from generators.simulated.controllers import (
    EXERCISE_TARGET,
    RATE,
    RESCUE_DUE,
    RESCUE_REST,
    WHOLE_SIZE,
    basal_rate,
    boluses,
    feed_back,
)
from generators.simulated.physiology import (
    ABSORBED,
    GS,
    POOL,
    SCRATCH_SIZE,
    STATE_SIZE,
    Model,
    live_minute,
    start_bout,
)
from generators.simulated.pump import BASAL_STEP, PARTS, UNITS_PER_MINUTE
from generators.simulated.sensor import HIGHEST, LOWEST
from generators.simulated.temporary_basals import Now
from generators.simulated.therapy import TEMPORARY_BASALS, Settings
from generators.trace import MISSING, SAMPLE_MINUTES

SENSOR_FINE, SENSOR_SILENT, SENSOR_OFFSET, SENSOR_HELD, SENSOR_SET, SENSOR_REPLAYED = range(6)
"""What happens to a reading: nothing; absent; a size is added; the last one is repeated; it is set
to a size; the one that was reported a size of samples earlier comes again."""
PUMP_FINE, PUMP_SCALED, PUMP_BASAL_SCALED, PUMP_BASAL_SHIFTED, PUMP_BASAL_SET, PUMP_REPEATED = (
    range(6)
)
"""What happens to a dose: nothing; only so many percent are delivered, unnoticed. What the pump is
made to do in place of what was commanded, and reports: so many percent of the commanded basal; the
commanded basal and so many percent of the scheduled one, below the pump's most; so many percent of
the scheduled basal; the meal bolus of so many samples earlier on top."""
MOST_BASAL_PERCENT = 400
"""Highest basal rate of the pump, % of the scheduled one: oref0's default
current_basal_safety_multiplier of 4."""
MEAL, CORRECTION, AUTOMATIC, HAND = range(4)
"""Rows of `Record.boluses`."""

_SOURCES = (
    compilation,
    controllers,
    parameters,
    physiology,
    pump,
    sensor,
    temporary_basals,
    therapy,
    trace,
)
_LOW, _LOW_BEFORE, _FELT = 65, 70, 55
_REST = 4
_TRUTH_HIGHEST = 2000


class Plan(NamedTuple):
    """What is planned from outside the loop: n samples, 5 n minutes.

    Fields: grams eaten from a minute on, float64 (5n,); heart rate above rest in bpm, int16 (5n,);
    announced grams to be dosed for, int32 (n,); doses by hand in counts, int32 (n,); whether the
    person looks at the reading to correct it, int8 (n,); delay of rescue carbohydrate in samples
    (negative: never), int8 (n,); sensor noise in mg/dL, float64 (n,); factor on insulin
    sensitivity, float64 (n,); whether exercise is under way or announced, int8 (n,); long-acting
    insulin injected and released in counts, int32 (n,) each; code and size of sensor and pump
    faults, int32 (n,) each; relative disturbance of the body's state at every minute, 0 but in
    checks of its effect.
    """

    eaten: NDArray[np.float64]
    heart: NDArray[np.int16]
    announced: NDArray[np.int32]
    by_hand: NDArray[np.int32]
    looks: NDArray[np.int8]
    rescue_delay: NDArray[np.int8]
    noise: NDArray[np.float64]
    sensitivity: NDArray[np.float64]
    exercise_mode: NDArray[np.int8]
    long_acting: NDArray[np.int32]
    released: NDArray[np.int32]
    sensor_code: NDArray[np.int32]
    sensor_size: NDArray[np.int32]
    pump_code: NDArray[np.int32]
    pump_size: NDArray[np.int32]
    disturbance: float


class Record(NamedTuple):
    """What happened, n samples.

    Fields: reported glucose and fault-free reading, int16; true glucose at the sensor's site,
    int16; commanded, reported and delivered insulin in counts, int32; boluses by kind in counts, int32 (4, n);
    rescue carbohydrate in g, int32; insulin on board before the sample's dose in counts, int32.
    """

    cgm: NDArray[np.int16]
    sensor: NDArray[np.int16]
    glucose: NDArray[np.int16]
    commanded: NDArray[np.int32]
    reported: NDArray[np.int32]
    delivered: NDArray[np.int32]
    boluses: NDArray[np.int32]
    rescue: NDArray[np.int32]
    on_board: NDArray[np.int32]

    def part(self, first: int, samples: int) -> "Record":
        """Return a copy of so many samples from the first one on."""
        span = slice(first, first + samples)
        return Record(
            cgm=self.cgm[span].copy(),
            sensor=self.sensor[span].copy(),
            glucose=self.glucose[span].copy(),
            commanded=self.commanded[span].copy(),
            reported=self.reported[span].copy(),
            delivered=self.delivered[span].copy(),
            boluses=self.boluses[:, span].copy(),
            rescue=self.rescue[span].copy(),
            on_board=self.on_board[span].copy(),
        )


class Body(NamedTuple):
    """Who is simulated: model, therapy settings, insulin-on-board table (ppm)."""

    model: Model
    settings: Settings
    on_board: NDArray[np.int64]


class Checkpoints(NamedTuple):
    """States at the start of every hour, and in the last row the present ones.

    Fields: body, float64 (hours + 1, STATE_SIZE); controller and person, int64 (hours + 1,
    WHOLE_SIZE); scratch memory.
    """

    body: NDArray[np.float64]
    control: NDArray[np.int64]
    scratch: NDArray[np.float64]


SAMPLES_PER_CHECKPOINT = 12
Advance = Callable[[int, int, Body, Plan, Record, Checkpoints], int]


def empty_checkpoints(samples: int) -> Checkpoints:
    """Return room for the checkpoints of a run."""
    rows = samples // SAMPLES_PER_CHECKPOINT + 2
    return Checkpoints(
        body=np.zeros((rows, STATE_SIZE)),
        control=np.zeros((rows, WHOLE_SIZE), dtype=np.int64),
        scratch=np.zeros(SCRATCH_SIZE),
    )


def empty_record(samples: int) -> Record:
    """Return a record to be filled."""
    return Record(
        cgm=np.full(samples, MISSING, dtype=np.int16),
        sensor=np.zeros(samples, dtype=np.int16),
        glucose=np.zeros(samples, dtype=np.int16),
        commanded=np.zeros(samples, dtype=np.int32),
        reported=np.zeros(samples, dtype=np.int32),
        delivered=np.zeros(samples, dtype=np.int32),
        boluses=np.zeros((4, samples), dtype=np.int32),
        rescue=np.zeros(samples, dtype=np.int32),
        on_board=np.zeros(samples, dtype=np.int32),
    )


@compiled
def _read(plan: Plan, record: Record, sample: int, site: float) -> int:
    """Take a reading through the sensor's faults; return it (MISSING when absent)."""
    record.glucose[sample] = min(max(floor(site + 0.5), 0), _TRUTH_HIGHEST)
    true = min(max(floor(site + plan.noise[sample] + 0.5), LOWEST), HIGHEST)
    record.sensor[sample] = true
    code = plan.sensor_code[sample]
    reading = int(true)
    if code == SENSOR_SILENT:
        reading = MISSING
    elif code == SENSOR_OFFSET:
        reading = int(min(max(true + plan.sensor_size[sample], LOWEST), HIGHEST))
    elif code == SENSOR_HELD:
        reading = int(record.cgm[sample - 1])
    elif code == SENSOR_SET:
        reading = int(plan.sensor_size[sample])
    elif code == SENSOR_REPLAYED:
        reading = int(record.cgm[sample - plan.sensor_size[sample]])
    record.cgm[sample] = reading
    return reading


@compiled
def _change(cgm: NDArray[np.int16], sample: int) -> int:
    """Return the change over the last 15 min, 0 where a reading is missing."""
    if sample < 3 or cgm[sample] <= 0 or cgm[sample - 3] <= 0:
        return 0
    return int(cgm[sample]) - int(cgm[sample - 3])


@compiled
def _know(body: Body, plan: Plan, record: Record, sample: int) -> Now:
    """Return what controller and person know; record insulin on board."""
    board, activity = on_board(
        record.reported, plan.long_acting, sample, body.settings.basal, body.on_board
    )
    record.on_board[sample] = board
    target = body.settings.target
    if plan.exercise_mode[sample] == 1 and body.settings.regimen <= TEMPORARY_BASALS:
        target = max(target, EXERCISE_TARGET)
    change = _change(record.cgm, sample)
    return Now(sample, int(record.cgm[sample]), change, board, activity, target)


@compiled
def on_board(
    reported: NDArray[np.int32],
    long_acting: NDArray[np.int32],
    sample: int,
    basal: int,
    table: NDArray[np.int64],
) -> tuple[int, int]:
    """Return insulin on board beyond scheduled basal, and what of it acts in this sample, counts."""
    total, acting = 0, 0
    for age in range(1, min(len(table) - 1, sample + 1)):
        beyond = reported[sample - age] - long_acting[sample - age] - basal
        total += table[age] * beyond
        acting += (table[age] - table[age + 1]) * beyond
    return total // PARTS, acting // PARTS


@compiled
def _dose(body: Body, plan: Plan, record: Record, whole: NDArray[np.int64], sample: int) -> int:
    """Let controller and person decide on insulin; record boluses; return all of it in counts."""
    settings = body.settings
    now = _know(body, plan, record, sample)
    rate = basal_rate(settings, whole, record.cgm, now)
    by_hand = int(plan.by_hand[sample])
    asked = (int(plan.announced[sample]), int(plan.looks[sample]), by_hand)
    given = boluses(settings, whole, now, asked)
    record.boluses[MEAL, sample] = given.meal
    record.boluses[CORRECTION, sample] = given.correction
    record.boluses[AUTOMATIC, sample] = given.automatic
    record.boluses[HAND, sample] = by_hand
    commanded = rate + given.meal + given.correction + given.automatic + by_hand
    feed_back(whole, commanded)
    return commanded


@compiled
def _obeyed(plan: Plan, record: Record, sample: int, rates: tuple[int, int]) -> int:
    """Return what the pump is made to deliver beyond its command; record a repeated bolus.

    The rates are commanded and scheduled basal; counts.
    """
    rate, basal = rates
    code, size = plan.pump_code[sample], int(plan.pump_size[sample])
    if code == PUMP_REPEATED:
        again = int(record.boluses[MEAL, sample - size])
        record.boluses[MEAL, sample] += again
        return again
    obeyed = rate
    if code == PUMP_BASAL_SCALED:
        obeyed = rate * size // 100
    elif code == PUMP_BASAL_SHIFTED:
        most = MOST_BASAL_PERCENT * basal // 100 - BASAL_STEP
        obeyed = min(rate + basal * size // 100, most)
    elif code == PUMP_BASAL_SET:
        obeyed = basal * size // 100
    return obeyed // BASAL_STEP * BASAL_STEP - rate if obeyed != rate else 0


@compiled
def _treat_low(
    settings: Settings, plan: Plan, record: Record, whole: NDArray[np.int64], sample: int
) -> int:
    """Let the person treat a low after a delay; return grams eaten now."""
    reading = record.cgm[sample]
    before = record.cgm[sample - 1] if sample > 0 else MISSING
    seen = 0 < reading < _LOW and 0 < before < _LOW_BEFORE
    low = seen or record.glucose[sample] < _FELT
    delay = plan.rescue_delay[sample]
    if low and delay >= 0 and whole[RESCUE_DUE] < 0 and sample >= whole[RESCUE_REST]:
        whole[RESCUE_DUE] = sample + delay
    if delay < 0:
        whole[RESCUE_DUE] = -1
    if whole[RESCUE_DUE] != sample:
        return 0
    whole[RESCUE_DUE] = -1
    whole[RESCUE_REST] = sample + _REST
    return settings.rescue


@compiled
def _live(
    model: Model,
    plan: Plan,
    state: NDArray[np.float64],
    work: NDArray[np.float64],
    now: tuple[int, int],
) -> None:
    """Advance the body by one sample with (sample, counts delivered)."""
    sample, delivered = now
    for minute in range(SAMPLE_MINUTES * sample, SAMPLE_MINUTES * (sample + 1)):
        heart = float(plan.heart[minute])
        if heart > 0.0 and (minute == 0 or plan.heart[minute - 1] == 0):
            start_bout(state)
        state[POOL] += plan.eaten[minute]
        if plan.disturbance != 0.0:
            _disturb(state, plan.disturbance, minute)
        live_minute(
            state, model, delivered * UNITS_PER_MINUTE, heart, plan.sensitivity[sample], work
        )


@compiled
def _disturb(state: NDArray[np.float64], size: float, minute: int) -> None:
    """Change every integrated state by up to a relative size, by a hash of its place and the minute.

    What is counted (grams, minutes since eating) is exact.
    """
    for i in range(ABSORBED + 1):
        hashed = (minute * STATE_SIZE + i) * 2654435761 % 4294967296
        state[i] *= 1.0 + size * (hashed / 2147483648.0 - 1.0)


@compiled
def _copy(source: NDArray[np.generic], target: NDArray[np.generic]) -> None:
    """Copy a row; assigning a slice would triple the time of compilation."""
    for i in range(len(source)):
        target[i] = source[i]


def _fingerprint() -> int:
    """Return a number that changes with any source compiled into the loop.

    numba notices changes of the file of a cached function only, not of the files it calls.
    """
    files = (__file__, *(module.__file__ for module in _SOURCES))
    digest = hashlib.blake2b(digest_size=7)
    for file in files:
        digest.update(Path(str(file)).read_bytes())
    return int.from_bytes(digest.digest(), "big")


def _compiled(
    fingerprint: int,
) -> Advance:
    @entry_point
    def advance(
        first: int, last: int, body: Body, plan: Plan, record: Record, checkpoints: Checkpoints
    ) -> int:
        hour = first // SAMPLES_PER_CHECKPOINT
        real, whole = checkpoints.body[-1], checkpoints.control[-1]
        _copy(checkpoints.body[hour], real)
        _copy(checkpoints.control[hour], whole)
        for sample in range(SAMPLES_PER_CHECKPOINT * hour, last):
            if sample % SAMPLES_PER_CHECKPOINT == 0:
                _copy(real, checkpoints.body[sample // SAMPLES_PER_CHECKPOINT])
                _copy(whole, checkpoints.control[sample // SAMPLES_PER_CHECKPOINT])
            _read(plan, record, sample, real[GS] / body.model.p.Vg)
            grams = _treat_low(body.settings, plan, record, whole, sample)
            record.rescue[sample] = grams
            real[POOL] += grams
            commanded = _dose(body, plan, record, whole, sample)
            rates = (int(whole[RATE]), body.settings.basal)
            obeyed = commanded + _obeyed(plan, record, sample, rates)
            delivered = obeyed
            if plan.pump_code[sample] == PUMP_SCALED:
                delivered = obeyed * plan.pump_size[sample] // 100
            delivered += plan.released[sample]
            record.commanded[sample] = commanded + plan.long_acting[sample]
            record.reported[sample] = obeyed + plan.long_acting[sample]
            record.delivered[sample] = delivered
            _live(body.model, plan, real, checkpoints.scratch, (sample, delivered))
        return fingerprint

    return cast("Advance", advance)


advance = _compiled(_fingerprint())
"""advance(first, last, body, plan, record, checkpoints): run a plan from the last checkpoint at or
before sample first up to sample last - 1. Record and checkpoints are filled in place; returns the
fingerprint of the sources it was compiled from."""
