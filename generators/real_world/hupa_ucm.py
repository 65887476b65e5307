"""Reads HUPA-UCM: one semicolon-separated table of 5-minute rows per subject.

Source: HUPA-UCM diabetes dataset, 2024, https://doi.org/10.17632/3hbcscwz44.1, folder
`Preprocessed`, files `HUPA0001P.csv` and so on. `basal_rate` and `bolus_volume_delivered` are U in
the row's 5 minutes, `carb_input` counts servings of 10 g. Most subjects wore a sensor that stores a
reading every 15 minutes, and what lies between was computed; such a series is left out, because it
was not measured. Movement and heart rate are not read.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from generators.real_world.clock import monday_before, seconds_from
from generators.real_world.csv_table import distinct_rows
from generators.real_world.files import RawFile
from generators.real_world.five_minutes import FiveMinuteRows, Values, observations_of
from generators.real_world.observations import Observations
from generators.real_world.selection import Subject, pseudonyms
from generators.real_world.written import Amount, LocalTime
from generators.trace import PatientProfile

SENSOR_RANGE = (40, 500)
"""mg/dL; a FreeStyle Libre 2 reports 40 to 500, the Medtronic sensors 40 to 400."""
GRAMS_PER_SERVING = 10


class _Row(BaseModel):
    """One row of a subject's file; an empty cell is None."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    time: LocalTime = Field(alias="time")
    glucose: Amount = Field(None, alias="glucose")
    basal: Amount = Field(None, alias="basal_rate")
    bolus: Amount = Field(None, alias="bolus_volume_delivered")
    servings: Amount = Field(None, alias="carb_input")


def is_hupa_ucm(head: str) -> bool:
    """Return whether a text begins like a subject's file."""
    header = head.partition("\n")[0].split(";")
    return {"time", "glucose", "carb_input"} <= {name.strip() for name in header}


def hupa_ucm_subjects(files: Sequence[RawFile]) -> Iterator[Subject]:
    """Yield what each file tells of its subject.

    Raises:
        RawDataError: A damaged file, a missing column, a cell that is no number or time (decimal
            commas are none), times out of order.
    """
    ids = pseudonyms("hupa_ucm", [file.key for file in files])
    for file in sorted(files, key=lambda file: ids[file.key]):
        yield _observations(ids[file.key], file), PatientProfile()


def _observations(subject: str, file: RawFile) -> Observations:
    table = distinct_rows(file.place, file.content, _Row, delimiter=";")
    rows = table.rows
    times = [row.time for row in rows]
    seconds = seconds_from(monday_before(times[0]), times, file.place) if times else []
    return observations_of(
        FiveMinuteRows(
            subject=subject,
            seconds=np.array(seconds, dtype=np.int64),
            glucose=_values([row.glucose for row in rows]),
            basal=_values([row.basal for row in rows]),
            bolus=_values([row.bolus for row in rows]),
            grams=GRAMS_PER_SERVING * _values([row.servings for row in rows]),
            meals=None,
            counts=table.counts,
        ),
        sensor_range=SENSOR_RANGE,
    )


def _values(cells: list[float | None]) -> Values:
    return np.array(cells, dtype=np.float64)
