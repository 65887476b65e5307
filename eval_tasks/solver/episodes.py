"""Runs of equal values, and episodes made of them."""

from typing import Any

import pandas as pd

from eval_tasks.solver.record import SAMPLE

MOST_MISSING = 3
ROW_OF_READINGS = 3


def runs(values: "pd.Series[Any]") -> pd.DataFrame:
    """Return runs of equal values among successive readings: value, first, last, size."""
    ends = (values != values.shift(-1)).to_numpy()
    places = pd.Series(range(len(values)))[ends]
    times = values.index.to_series()
    starts = places.shift(fill_value=-1) + 1
    return pd.DataFrame(
        {
            "value": values.iloc[places].to_numpy(),
            "first": times.iloc[starts].to_numpy(),
            "last": times.iloc[places].to_numpy(),
            "size": (places - starts + 1).to_numpy(),
        }
    )


def episodes(beyond: "pd.Series[bool]") -> list[tuple[pd.Timedelta, pd.Timedelta]]:
    """Return first and last reading of each episode.

    Args:
        beyond: For each reading that exists, whether it lies beyond the threshold.
    """
    part = (beyond.index.to_series().diff() > SAMPLE * (MOST_MISSING + 1)).cumsum()
    found = []
    for _number, readings in beyond.groupby(part.to_numpy()):
        rows = runs(readings)
        settled = rows[rows["size"] >= ROW_OF_READINGS]
        state = settled["value"].astype(float).reindex(rows.index).ffill() == 1
        for _, group in rows[state].groupby((~state).cumsum()[state].to_numpy()):
            outside = group[group["value"].astype(bool)]
            found.append((outside["first"].min(), outside["last"].max()))
    return found
