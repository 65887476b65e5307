"""The S2008 virtual patient with exercise, compiled.

Meal model: Dalla Man, Rizza, Cobelli 2007, as simglucose 0.2.11 implements it. Exercise: Breton
2008 and Dalla Man, Breton, Cobelli 2009 ("Model C"), driven by heart rate, with two changes for
repeated bouts: at the start of a bout Z * W is carried over into W (the published reset of W never
comes when there is a bout a day), and the two gains are bounded, since the model was tested on
single moderate bouts only. Integration: Runge-Kutta 4, fixed step 0.5 min, inputs constant within
a minute; the reference size D of the meal moves every minute while eating.

Time is in minutes, glucose masses in mg/kg, insulin in pmol/kg (I1, Id, X: pmol/L), food in mg.
"""

from math import tanh

import numpy as np
from numpy.typing import NDArray

from generators.simulated.compiled import compiled, entry_point
from generators.simulated.patients import Parameters

Q1, Q2, QG, GP, GT, IP, X, I1, ID, IL, S1, S2, GS = range(13)
"""Stomach (solid, liquid), gut; glucose in plasma and tissue; insulin in plasma, remote action on
uptake, two delayed stages (the second acts on the liver), liver insulin, two subcutaneous depots;
glucose at the sensor's site."""
Y, Z, W = 13, 14, 15
"""Exercise: filtered rise of the heart rate (bpm), slow effect, accumulated effort (bpm min)."""
ABSORBED = 16
"""Food that has left the gut, mg."""
POOL, REFERENCE, BEFORE, FOOD, EATING = 17, 18, 19, 20, 21
"""Food still to be eaten (g), reference size D of the meal (mg), stomach content at its start (mg),
eaten since then (g), whether the minute before was an eating minute (0 or 1)."""
ODE_SIZE = 17
STATE_SIZE = 22

EATING_RATE = 5.0
"""g/min."""
STEP = 0.5
PMOL_PER_UNIT = 6000.0

_T_HR, _T_IN, _T_EX = 5.0, 1.0, 600.0
_A, _ALPHA, _BETA, _GAMMA = 0.1, 3e-4, 0.01, 1e-7
_MOST_SENSITIVITY_GAIN = 1.5
_LEAST_RISE = 1e-6
"""Below this the rise of the heart rate is over, bpm; its powers would become subnormal, and slow."""
_LEAST_KM_SHARE = 0.5


def initial_state(steady_state: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the state vector of a rested, fasting patient, float64 (STATE_SIZE,)."""
    state = np.zeros(STATE_SIZE)
    state[: len(steady_state)] = steady_state
    return state


@compiled
def live_minute(
    state: NDArray[np.float64],
    p: Parameters,
    insulin: float,
    heart: float,
    sensitivity: float,
    work: NDArray[np.float64],
) -> None:
    """Advance the state by one minute, in place.

    Args:
        state: State vector.
        p: Parameters of the patient.
        insulin: Insulin delivered, U/min.
        heart: Heart rate above rest, bpm.
        sensitivity: Factor on the effect of insulin on uptake (Vmx) and on the liver (kp3).
        work: Scratch memory.
    """
    food = _eat(state)
    if state[Y] < _LEAST_RISE:
        state[Y] = 0.0
    for _ in range(2):
        _runge_kutta(state, p, (1000.0 * food, insulin, heart, sensitivity), work)


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
        if state[EATING] == 0.0:
            state[BEFORE] = state[Q1] + state[Q2]
            state[FOOD] = 0.0
        state[FOOD] += food
        state[REFERENCE] = state[BEFORE] + 1000.0 * state[FOOD]
        state[EATING] = 1.0
    else:
        state[EATING] = 0.0
    return food


@compiled
def _runge_kutta(
    state: NDArray[np.float64],
    p: Parameters,
    drive: tuple[float, float, float, float],
    work: NDArray[np.float64],
) -> None:
    slope, total, at = work[0], work[1], work[2]
    reference = state[REFERENCE]
    _derivatives(state, p, drive, reference, total)
    for i in range(ODE_SIZE):
        at[i] = state[i] + 0.5 * STEP * total[i]
    _derivatives(at, p, drive, reference, slope)
    for i in range(ODE_SIZE):
        total[i] += 2.0 * slope[i]
        at[i] = state[i] + 0.5 * STEP * slope[i]
    _derivatives(at, p, drive, reference, slope)
    for i in range(ODE_SIZE):
        total[i] += 2.0 * slope[i]
        at[i] = state[i] + STEP * slope[i]
    _derivatives(at, p, drive, reference, slope)
    for i in range(ODE_SIZE):
        state[i] += STEP / 6.0 * (total[i] + slope[i])


@compiled
def _derivatives(
    x: NDArray[np.float64],
    p: Parameters,
    drive: tuple[float, float, float, float],
    reference: float,
    dx: NDArray[np.float64],
) -> None:
    food, insulin, heart, sensitivity = drive
    emptying = _emptying(x[Q1] + x[Q2], reference, p)
    dx[Q1] = -p.kmax * x[Q1] + food
    dx[Q2] = p.kmax * x[Q1] - emptying * x[Q2]
    dx[QG] = emptying * x[Q2] - p.kabs * x[QG]
    dx[ABSORBED] = p.kabs * x[QG]

    production = max(p.kp1 - p.kp2 * x[GP] - sensitivity * p.kp3 * x[ID], 0.0)
    renal = max(p.ke1 * (x[GP] - p.ke2), 0.0)
    appearance = p.f * p.kabs * x[QG] / p.BW
    dx[GP] = production + appearance - p.Fsnc - renal - p.k1 * x[GP] + p.k2 * x[GT]
    dx[GT] = -uptake(x, p, sensitivity) + p.k1 * x[GP] - p.k2 * x[GT]
    dx[GS] = -p.ksc * (x[GS] - x[GP])

    plasma = x[IP] / p.Vi
    dx[IP] = -(p.m2 + p.m4) * x[IP] + p.m1 * x[IL] + p.ka1 * x[S1] + p.ka2 * x[S2]
    dx[X] = p.p2u * (plasma - p.Ib - x[X])
    dx[I1] = p.ki * (plasma - x[I1])
    dx[ID] = p.ki * (x[I1] - x[ID])
    dx[IL] = -(p.m1 + p.m30) * x[IL] + p.m2 * x[IP]
    dx[S1] = PMOL_PER_UNIT * insulin / p.BW - (p.ka1 + p.kd) * x[S1]
    dx[S2] = p.kd * x[S1] - p.ka2 * x[S2]
    for i in (GP, GT, IP, IL, S1, S2, GS):
        if x[i] < 0.0:
            dx[i] = 0.0

    squared = (x[Y] / (_A * p.hr_b)) * (x[Y] / (_A * p.hr_b))
    onset = squared * squared / (1.0 + squared * squared)
    dx[Y] = (heart - x[Y]) / _T_HR
    dx[Z] = onset - (onset / _T_IN + 1.0 / _T_EX) * x[Z]
    dx[W] = heart


@compiled
def _emptying(stomach: float, reference: float, p: Parameters) -> float:
    """Return the rate of gastric emptying, 1/min."""
    if reference <= 0.0:
        return p.kmax
    alpha = 5.0 / (2.0 * reference * (1.0 - p.b))
    beta = 5.0 / (2.0 * reference * p.d)
    rise = tanh(alpha * (stomach - p.b * reference))
    fall = tanh(beta * (stomach - p.d * reference))
    return p.kmin + (p.kmax - p.kmin) / 2.0 * (rise - fall + 2.0)


@compiled
def uptake(x: NDArray[np.float64], p: Parameters, sensitivity: float) -> float:
    """Return the insulin-dependent uptake, mg/kg/min; at rest that of the plain meal model."""
    vmx = sensitivity * p.Vmx
    effort = x[Z] * x[W]
    action = x[X] + p.Ib
    gain = min(_ALPHA * effort, _MOST_SENSITIVITY_GAIN)
    share = max(1.0 - _GAMMA * effort * action, _LEAST_KM_SHARE)
    speed = p.Vm0 * (1.0 + _BETA * x[Y]) + vmx * ((1.0 + gain) * action - p.Ib)
    return float(speed * x[GT] / (p.Km0 * share + x[GT]))


@entry_point
def open_loop(
    state: NDArray[np.float64],
    p: Parameters,
    eaten: NDArray[np.float64],
    insulin: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Run the patient at rest on given inputs and return glucose at the sensor's site.

    Args:
        state: State vector, changed in place.
        p: Parameters of the patient.
        eaten: Grams that eating starts with, per minute, (n,).
        insulin: Insulin delivered, U/min, (n,).

    Returns:
        mg/dL at the end of each minute, (n,).
    """
    work = np.empty((3, ODE_SIZE))
    glucose = np.empty(len(insulin))
    for minute in range(len(insulin)):
        state[POOL] += eaten[minute]
        live_minute(state, p, insulin[minute], 0.0, 1.0, work)
        glucose[minute] = state[GS] / p.Vg
    return glucose
