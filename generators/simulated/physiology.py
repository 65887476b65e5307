"""The S2008 virtual patient with exercise, compiled.

Meal model: Dalla Man, Rizza, Cobelli 2007, as simglucose 0.2.11 implements it. Exercise: Breton
2008 and Dalla Man, Breton, Cobelli 2009 ("Model C"), driven by heart rate, with two changes for
repeated bouts: at the start of a bout Z * W is carried over into W (the published reset of W never
comes when there is a bout a day), and the two gains are bounded, since the model was tested on
single moderate bouts only.

Inputs are constant within a minute; the reference size D of the meal moves every minute while
eating. Insulin kinetics are linear and advance exactly, by a matrix; Runge-Kutta 4 advances the
rest, in two steps a minute while eating or soon after it, in one otherwise. The rate of gastric
emptying is a function of the stomach's content in units of D alone, and is read from a table.

Time is in minutes, glucose masses in mg/kg, insulin in pmol/kg (I1, Id, X: pmol/L), food in mg.
"""

from math import exp
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from generators.simulated.compiled import compiled, entry_point
from generators.simulated.parameters import Parameters

Q1, Q2, QG, GP, GT, IP, X, I1, ID, IL, S1, S2, GS = range(13)
"""Stomach (solid, liquid), gut; glucose in plasma and tissue; insulin in plasma, remote action on
uptake, two delayed stages (the second acts on the liver), liver insulin, two subcutaneous depots;
glucose at the sensor's site."""
Y, Z, W = 13, 14, 15
"""Exercise: filtered rise of the heart rate (bpm), slow effect, accumulated effort (bpm min)."""
ABSORBED = 16
"""Food that has left the gut, mg."""
POOL, REFERENCE, BEFORE, FOOD, SINCE = 17, 18, 19, 20, 21
"""Food still to be eaten (g), reference size D of the meal (mg), stomach content at its start (mg),
eaten since then (g), minutes since the last eating minute."""
STATE_SIZE = 22

EATING_RATE = 5.0
"""g/min."""
PMOL_PER_UNIT = 6000.0
KNOTS = 2048
"""Intervals of the table of gastric emptying."""

_T_HR, _T_IN, _T_EX = 5.0, 1.0, 600.0
_A, _ALPHA, _BETA, _GAMMA = 0.1, 3e-4, 0.01, 1e-7
_MOST_SENSITIVITY_GAIN = 1.5
_LEAST_RISE = 1e-6
"""Below this the rise of the heart rate is over, bpm; its powers would become subnormal, and slow."""
_LEAST_KM_SHARE = 0.5
_FINE_MINUTES = 10.0
"""Minutes after eating in which a minute takes two steps."""
_QUARTERS = 4
_FADE = np.array([exp(-quarter / _QUARTERS / _T_HR) for quarter in range(_QUARTERS + 1)])
"""What is left of a rise of the heart rate after so many quarters of a minute."""

_INSULIN_SIZE = 7
_INPUT, _CONSTANT = 7, 8
SCRATCH_SIZE = 16


class Model(NamedTuple):
    """A patient's model, ready to be integrated.

    Fields: parameters; insulin kinetics over a minute, float64 (9, 16): from IP to S2, delivered
    U/min and 1, to IP to S2 after a minute, X and Id after one, two, three quarters of it; gastric
    emptying, float64 (2048, 4): cubic of the place within each interval of the stomach's content in
    units of D.
    """

    p: Parameters
    insulin: NDArray[np.float64]
    emptying: NDArray[np.float64]


class Masses(NamedTuple):
    """What Runge-Kutta integrates: states Q1, Q2, QG, ABSORBED, GP, GT, GS and Z."""

    q1: float
    q2: float
    qg: float
    absorbed: float
    gp: float
    gt: float
    gs: float
    z: float


class Minute(NamedTuple):
    """Inputs of a minute.

    Fields: mg eaten; intervals of the emptying table per mg; heart rate (bpm above rest); factor on
    insulin sensitivity.
    """

    food: float
    per_mg: float
    heart: float
    sensitivity: float


class Action(NamedTuple):
    """What acts at an instant: insulin on uptake and liver (X, Id), exercise (Y, onset, W)."""

    x: float
    liver: float
    y: float
    onset: float
    w: float


def model_of(p: Parameters) -> Model:
    """Return the model of a patient with these parameters."""
    return Model(p=p, insulin=_insulin_table(p), emptying=_emptying_table(p))


def initial_state(steady_state: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the state vector of a rested, fasting patient, float64 (STATE_SIZE,)."""
    state = np.zeros(STATE_SIZE)
    state[: len(steady_state)] = steady_state
    state[SINCE] = _FINE_MINUTES
    return state


def _insulin_table(p: Parameters) -> NDArray[np.float64]:
    ip, x, i1, liver_delay, il, s1, s2 = (state - IP for state in (IP, X, I1, ID, IL, S1, S2))
    rates = np.zeros((_CONSTANT + 1, _CONSTANT + 1))
    rates[ip, [ip, il, s1, s2]] = -(p.m2 + p.m4), p.m1, p.ka1, p.ka2
    rates[x, [x, ip, _CONSTANT]] = -p.p2u, p.p2u / p.Vi, -p.p2u * p.Ib
    rates[i1, [i1, ip]] = -p.ki, p.ki / p.Vi
    rates[liver_delay, [liver_delay, i1]] = -p.ki, p.ki
    rates[il, [il, ip]] = -(p.m1 + p.m30), p.m2
    rates[s1, [s1, _INPUT]] = -(p.ka1 + p.kd), PMOL_PER_UNIT / p.BW
    rates[s2, [s2, s1]] = -p.ka2, p.kd
    quarter = _exponential(rates / _QUARTERS)
    steps = [quarter]
    for _ in range(_QUARTERS - 1):
        steps.append(_product(steps[-1], quarter))
    table = np.zeros((_CONSTANT + 1, SCRATCH_SIZE))
    table[:, :_INSULIN_SIZE] = steps[-1][:_INSULIN_SIZE].T
    for n, step in enumerate(steps[:-1]):
        table[:, _INSULIN_SIZE + 2 * n] = step[x]
        table[:, _INSULIN_SIZE + 2 * n + 1] = step[liver_delay]
    return table


def _exponential(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the exponential of a matrix of small norm, by its Taylor series halved 8 times."""
    small = matrix / 2.0**8
    total = term = np.eye(len(matrix))
    for order in range(1, 14):
        term = _product(term, small) / order
        total = total + term
    for _ in range(8):
        total = _product(total, total)
    return total


def _product(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a matrix product whose order of summation no library chooses."""
    total = np.zeros((len(a), b.shape[1]))
    for k in range(len(b)):
        total += a[:, k, None] * b[k]
    return total


def _emptying_table(p: Parameters) -> NDArray[np.float64]:
    content = np.arange(KNOTS + 1) / KNOTS
    steep_rise, steep_fall = 5.0 / (2.0 * (1.0 - p.b)), 5.0 / (2.0 * p.d)
    rise, fall = np.tanh(steep_rise * (content - p.b)), np.tanh(steep_fall * (content - p.d))
    half = (p.kmax - p.kmin) / 2.0
    values = _rounded(p.kmin + half * (rise - fall + 2.0))
    slopes = _rounded(half / KNOTS * (steep_rise * (1 - rise**2) - steep_fall * (1 - fall**2)))
    step = values[1:] - values[:-1]
    return np.stack(
        [
            values[:-1],
            slopes[:-1],
            3.0 * step - 2.0 * slopes[:-1] - slopes[1:],
            slopes[:-1] + slopes[1:] - 2.0 * step,
        ],
        axis=1,
    )


def _rounded(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Drop the last bits, in which mathematical libraries differ."""
    return np.floor(values * 2.0**44 + 0.5) * 2.0**-44


@compiled
def live_minute(
    state: NDArray[np.float64],
    model: Model,
    insulin: float,
    heart: float,
    sensitivity: float,
    work: NDArray[np.float64],
) -> None:
    """Advance the state by one minute, in place.

    Args:
        state: State vector.
        model: Model of the patient.
        insulin: Insulin delivered, U/min.
        heart: Heart rate above rest, bpm.
        sensitivity: Factor on the effect of insulin on uptake (Vmx) and on the liver (kp3).
        work: Scratch memory.
    """
    food = _eat(state)
    if state[Y] < _LEAST_RISE:
        state[Y] = 0.0
    per_mg = KNOTS / state[REFERENCE] if state[REFERENCE] > 0.0 else 0.0
    minute = Minute(1000.0 * food, per_mg, heart, sensitivity)
    _spread_insulin(state, model.insulin, insulin, work)
    now = _action(state, model.p, minute, work, 0.0)
    middle = _action(state, model.p, minute, work, 0.5)
    end = _action(state, model.p, minute, work, 1.0)
    masses = Masses(
        state[Q1], state[Q2], state[QG], state[ABSORBED], state[GP], state[GT], state[GS], state[Z]
    )
    if state[SINCE] < _FINE_MINUTES:
        first = _action(state, model.p, minute, work, 0.25)
        third = _action(state, model.p, minute, work, 0.75)
        masses = _runge_kutta(masses, model, minute, (now, first, middle), 0.5)
        masses = _runge_kutta(masses, model, minute, (middle, third, end), 0.5)
    else:
        masses = _runge_kutta(masses, model, minute, (now, middle, end), 1.0)
    state[Q1], state[Q2], state[QG], state[ABSORBED] = (
        masses.q1,
        masses.q2,
        masses.qg,
        masses.absorbed,
    )
    state[GP], state[GT], state[GS], state[Z] = masses.gp, masses.gt, masses.gs, masses.z
    state[Y], state[W] = end.y, end.w
    for i in range(_INSULIN_SIZE):
        state[IP + i] = work[i]


@compiled
def start_bout(state: NDArray[np.float64]) -> None:
    """Begin a bout: carry the remaining effect Z * W over into W, so that it stays continuous."""
    if state[W] > 0.0:
        state[W] = state[Z] * state[W]
        state[Z] = 1.0


@compiled
def _eat(state: NDArray[np.float64]) -> float:
    """Swallow this minute's food, move the meal's reference size; return grams."""
    food = min(EATING_RATE, float(state[POOL]))
    state[POOL] -= food
    if food > 0.0:
        if state[SINCE] > 0.0:
            state[BEFORE] = state[Q1] + state[Q2]
            state[FOOD] = 0.0
        state[FOOD] += food
        state[REFERENCE] = state[BEFORE] + 1000.0 * state[FOOD]
        state[SINCE] = 0.0
    else:
        state[SINCE] += 1.0
    return food


@compiled
def _spread_insulin(
    state: NDArray[np.float64],
    table: NDArray[np.float64],
    insulin: float,
    work: NDArray[np.float64],
) -> None:
    """Compute insulin kinetics over a minute (see `Model.insulin`) into the scratch memory."""
    for k in range(SCRATCH_SIZE):
        work[k] = table[_CONSTANT, k] + insulin * table[_INPUT, k]
    for j in range(_INSULIN_SIZE):
        value = state[IP + j]
        for k in range(SCRATCH_SIZE):
            work[k] += value * table[j, k]


@compiled
def _action(
    state: NDArray[np.float64],
    p: Parameters,
    minute: Minute,
    work: NDArray[np.float64],
    passed: float,
) -> Action:
    """Return what acts a part of a minute from now, a multiple of a quarter."""
    quarter = int(passed * _QUARTERS)
    if quarter == 0:
        x, liver = state[X], state[ID]
    elif quarter == _QUARTERS:
        x, liver = work[X - IP], work[ID - IP]
    else:
        at = _INSULIN_SIZE + 2 * (quarter - 1)
        x, liver = work[at], work[at + 1]
    y = minute.heart + (state[Y] - minute.heart) * _FADE[quarter]
    onset = 0.0
    if y > 0.0:
        squared = (y / (_A * p.hr_b)) * (y / (_A * p.hr_b))
        onset = squared * squared / (1.0 + squared * squared)
    return Action(x, liver, y, onset, state[W] + minute.heart * passed)


@compiled
def _runge_kutta(
    m: Masses, model: Model, minute: Minute, acts: tuple[Action, Action, Action], step: float
) -> Masses:
    """Return the masses one step on; insulin and exercise act at its start, middle and end."""
    a = _slopes(m, model, minute, acts[0])
    b = _slopes(_moved(m, a, 0.5 * step), model, minute, acts[1])
    c = _slopes(_moved(m, b, 0.5 * step), model, minute, acts[1])
    d = _slopes(_moved(m, c, step), model, minute, acts[2])
    return _moved(_moved(m, _moved(a, d, 1.0), step / 6.0), _moved(b, c, 1.0), step / 3.0)


@compiled
def _moved(m: Masses, slopes: Masses, step: float) -> Masses:
    return Masses(
        m.q1 + step * slopes.q1,
        m.q2 + step * slopes.q2,
        m.qg + step * slopes.qg,
        m.absorbed + step * slopes.absorbed,
        m.gp + step * slopes.gp,
        m.gt + step * slopes.gt,
        m.gs + step * slopes.gs,
        m.z + step * slopes.z,
    )


@compiled
def _slopes(m: Masses, model: Model, minute: Minute, act: Action) -> Masses:
    p = model.p
    solid = p.kmax * m.q1
    liquid = _emptying(model.emptying, (m.q1 + m.q2) * minute.per_mg) * m.q2
    gut = p.kabs * m.qg
    production = max(p.kp1 - p.kp2 * m.gp - minute.sensitivity * p.kp3 * act.liver, 0.0)
    renal = max(p.ke1 * (m.gp - p.ke2), 0.0)
    exchange = p.k1 * m.gp - p.k2 * m.gt
    gp = production + p.f * gut / p.BW - p.Fsnc - renal - exchange
    gt = exchange - uptake(m.gt, m.z, p, act, minute.sensitivity)
    return Masses(
        minute.food - solid,
        solid - liquid,
        liquid - gut,
        gut,
        gp if m.gp >= 0.0 else max(gp, 0.0),
        gt if m.gt >= 0.0 else max(gt, 0.0),
        p.ksc * (m.gp - m.gs),
        act.onset - (act.onset / _T_IN + 1.0 / _T_EX) * m.z,
    )


@compiled
def _emptying(table: NDArray[np.float64], place: float) -> float:
    """Return the rate of gastric emptying, 1/min, at a place of the table."""
    k = min(int(place), KNOTS - 1)
    t = place - k
    return float(table[k, 0] + t * (table[k, 1] + t * (table[k, 2] + t * table[k, 3])))


@compiled
def uptake(gt: float, z: float, p: Parameters, act: Action, sensitivity: float) -> float:
    """Return the insulin-dependent uptake, mg/kg/min; at rest that of the plain meal model."""
    vmx = sensitivity * p.Vmx
    effort = z * act.w
    action = act.x + p.Ib
    gain = min(_ALPHA * effort, _MOST_SENSITIVITY_GAIN)
    share = max(1.0 - _GAMMA * effort * action, _LEAST_KM_SHARE)
    speed = p.Vm0 * (1.0 + _BETA * act.y) + vmx * ((1.0 + gain) * action - p.Ib)
    return float(speed * gt / (p.Km0 * share + gt))


def open_loop(
    state: NDArray[np.float64],
    model: Model,
    eaten: NDArray[np.float64],
    insulin: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Run the patient at rest on given inputs and return glucose at the sensor's site.

    Args:
        state: State vector, changed in place.
        model: Model of the patient.
        eaten: Grams that eating starts with, per minute, (n,).
        insulin: Insulin delivered, U/min, (n,).

    Returns:
        mg/dL at the end of each minute, (n,).
    """
    glucose = np.empty(len(insulin))
    _live_open_loop(state, model, (eaten, insulin), np.zeros(SCRATCH_SIZE), glucose)
    return glucose


@entry_point
def _live_open_loop(
    state: NDArray[np.float64],
    model: Model,
    inputs: tuple[NDArray[np.float64], NDArray[np.float64]],
    work: NDArray[np.float64],
    glucose: NDArray[np.float64],
) -> None:
    eaten, insulin = inputs
    for minute in range(len(insulin)):
        state[POOL] += eaten[minute]
        live_minute(state, model, insulin[minute], 0.0, 1.0, work)
        glucose[minute] = state[GS] / model.p.Vg
