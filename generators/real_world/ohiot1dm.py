"""Reads OhioT1DM, 2018 and 2020: an XML file per subject for training and one for testing.

Source: C. Marling, R. Bunescu, "The OhioT1DM Dataset for Blood Glucose Level Prediction: Update
2020", CEUR Workshop Proceedings 2675, 2020. A Medtronic 530G or 630G pump with an Enlite sensor;
local times, day first. What is read:

- `glucose_level`: mg/dL. Finger sticks are no sensor's readings.
- `basal`: U/h from `ts` until the next; `temp_basal`: U/h from `ts_begin` to `ts_end` instead, 0
  where the pump was suspended. Before the first basal rate insulin is unknown.
- `bolus`: `dose` U from `ts_begin` to `ts_end`; the square part of a square or dual bolus takes that
  long. Each event is taken for its own part of a dual bolus. Carbohydrate entered with it tells what
  it was for.
- `meal`: the name that the subject gave and the carbohydrate that they estimated. Carbohydrate
  entered into the bolus calculator is used only for subjects who reported no meals.

Exercise, sleep, work, stress, illness, movement and every free text are not read.
"""

import io
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Annotated
from xml.etree.ElementTree import Element, ParseError

import numpy as np
from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import iterparse
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from generators.real_world.clock import monday_before, seconds_from
from generators.real_world.delivery import (
    MAX_BOLUS_UNITS,
    MAX_CARBS_GRAMS,
    Rate,
    basal_per_sample,
    rate_of,
    steps,
    without_overlap,
)
from generators.real_world.files import RawFile
from generators.real_world.meals import stated_meal
from generators.real_world.observations import (
    SAMPLE_SECONDS,
    Announcement,
    Bolus,
    Observations,
    nearest_sample,
)
from generators.real_world.recordings import RawDataError
from generators.real_world.selection import Subject, pseudonyms
from generators.real_world.written import Amount, DayFirstTime
from generators.trace import InsulinType, PatientProfile

SENSOR_RANGE = (40, 400)
"""mg/dL; an Enlite sensor reports 40 to 400."""
MAX_TAG_BYTES = 100_000
"""A hundred times the longest of a file; the parser takes quadratic time over one."""
MAX_DEPTH = 8
"""An OhioT1DM file nests its elements three deep."""
_PROFILE = PatientProfile(therapy="sensor_augmented_pump")
_NUMBER_MISSING = ("", "NA", "NaN", "nan")


Number = Annotated[Amount, BeforeValidator(lambda text: None if text in _NUMBER_MISSING else text)]


class _Event(BaseModel):
    """An event of any kind; what it does not tell is None. Other attributes are not looked at."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    time: DayFirstTime


class _Value(_Event):
    time: DayFirstTime = Field(alias="ts")
    value: Number = None


class _Span(_Event):
    time: DayFirstTime = Field(alias="ts_begin")
    end: DayFirstTime = Field(alias="ts_end")
    value: Number = None


class _Bolus(_Event):
    time: DayFirstTime = Field(alias="ts_begin")
    end: DayFirstTime = Field(alias="ts_end")
    type: str = "normal"
    dose: Number = None
    grams: Number = Field(None, alias="bwz_carb_input")


class _Meal(_Event):
    time: DayFirstTime = Field(alias="ts")
    type: str = ""
    grams: Number = Field(None, alias="carbs")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Person:
    """Everything that a subject's files tell, each event once."""

    glucose: list[_Value] = field(default_factory=list)
    basal: list[_Value] = field(default_factory=list)
    temporary: list[_Span] = field(default_factory=list)
    boluses: list[_Bolus] = field(default_factory=list)
    meals: list[_Meal] = field(default_factory=list)


_SECTIONS: Mapping[str, type[_Event]] = {
    "glucose_level": _Value,
    "basal": _Value,
    "temp_basal": _Span,
    "bolus": _Bolus,
    "meal": _Meal,
}


def is_ohiot1dm(head: str) -> bool:
    """Return whether a text begins like a subject's file."""
    return "<patient" in head and head.lstrip("\ufeff \r\n\t").startswith("<")


def ohiot1dm_subjects(files: Sequence[RawFile]) -> Iterator[Subject]:
    """Yield what the files tell of each subject; training and testing files are put together.

    Raises:
        RawDataError: Damaged XML or one with entities, an event without its attributes, a value
            that is no number or time day first.
    """
    by_patient: dict[str, list[RawFile]] = defaultdict(list)
    for file in files:
        by_patient[_patient(file)].append(file)
    ids = pseudonyms("ohiot1dm", by_patient)
    for patient in sorted(by_patient, key=lambda patient: ids[patient]):
        yield _observations(ids[patient], by_patient[patient]), _PROFILE


def _patient(file: RawFile) -> str:
    for _, attributes in _elements(file):
        return attributes.get("id", file.name)
    raise RawDataError(f"{file.place}: is empty; use the file as published")


def _elements(file: RawFile) -> Iterator[tuple[tuple[str, ...], Mapping[str, str]]]:
    """Yield path and attributes of each element as it opens, holding none of them."""
    longest = max(map(len, file.content.split(b"<")))
    if longest > MAX_TAG_BYTES:
        raise RawDataError(
            f"{file.place}: {longest} bytes without a tag; use the file as published"
        )
    path: list[Element] = []
    try:
        events = iterparse(io.BytesIO(file.content), events=("start", "end"), forbid_dtd=True)
        for event, element in events:
            if event == "start":
                path.append(element)
                if len(path) > MAX_DEPTH:
                    raise RawDataError(f"{file.place}: elements are nested too deep")
                yield tuple(str(one.tag) for one in path), element.attrib
            else:
                path.pop()
                element.clear()
                if path:
                    path[-1].remove(element)
    except (ParseError, DefusedXmlException, LookupError, UnicodeError) as error:
        reason = str(error).splitlines()[0][:200]
        raise RawDataError(
            f"{file.place}: cannot be read as XML ({reason}); use the file as published"
        ) from error


def _events(file: RawFile) -> Iterator[tuple[str, int, Mapping[str, str]]]:
    """Yield section, number and attributes of every event that is read."""
    number: Counter[str] = Counter()
    for path, attributes in _elements(file):
        if path[0] != "patient":
            raise RawDataError(f"{file.place}: its outermost element is {path[0]!r}, not 'patient'")
        if len(path) == 3 and path[1] in _SECTIONS and path[2] == "event":
            number[path[1]] += 1
            yield path[1], number[path[1]], attributes


def _event(file: RawFile, section: str, number: int, attributes: Mapping[str, str]) -> _Event:
    try:
        return _SECTIONS[section].model_validate(attributes)
    except ValidationError as error:
        raise RawDataError(
            f"{file.place}, {section} event {number}: {_problem(error)}; correct or remove it"
        ) from error


def _problem(error: ValidationError) -> str:
    first = error.errors()[0]
    name = str(first["loc"][0])
    if first["type"] == "missing":
        return f"it has no {name}"
    return f"{name} is {str(first['input'])[:40]!r}, not a number or a time DD-MM-YYYY hh:mm:ss"


def _person(files: Sequence[RawFile]) -> tuple[_Person, int, int]:
    """Return a subject's events in time order, how many there were, and how many repeat one."""
    found: dict[str, dict[tuple[tuple[str, str], ...], _Event]] = defaultdict(dict)
    total = 0
    for file in sorted(files, key=lambda file: file.key):
        for section, number, attributes in _events(file):
            total += 1
            told = tuple(sorted(attributes.items()))
            if told not in found[section]:
                found[section][told] = _event(file, section, number, dict(attributes))
    ordered = {
        section: sorted(found[section].values(), key=lambda event: event.time)
        for section in _SECTIONS
    }
    person = _Person(
        glucose=[one for one in ordered["glucose_level"] if isinstance(one, _Value)],
        basal=[one for one in ordered["basal"] if isinstance(one, _Value)],
        temporary=[one for one in ordered["temp_basal"] if isinstance(one, _Span)],
        boluses=[one for one in ordered["bolus"] if isinstance(one, _Bolus)],
        meals=[one for one in ordered["meal"] if isinstance(one, _Meal)],
    )
    return person, total, total - sum(map(len, ordered.values()))


def _observations(subject: str, files: Sequence[RawFile]) -> Observations:
    person, total, repeated = _person(files)
    place = files[0].place
    starts = [
        one.time
        for events in (
            person.glucose,
            person.basal,
            person.temporary,
            person.boluses,
            person.meals,
        )
        for one in events[:1]
    ]
    first = monday_before(min(starts)) if starts else datetime(2001, 1, 1)  # noqa: DTZ001
    readings = [one for one in person.glucose if one.value is not None]
    seconds = seconds_from(first, [one.time for one in readings], place)
    boluses, unreadable = _boluses(person.boluses, first, place)
    announcements, carb_counts = _announcements(person, first, place)
    length = _length(seconds, boluses, announcements)
    basal = _basal(person, first, place, length)
    for second in unreadable:
        basal[nearest_sample(second) : nearest_sample(second) + 1] = -1
    return Observations(
        subject=subject,
        seconds=np.array(seconds, dtype=np.int64),
        glucose=np.array([one.value for one in readings], dtype=np.float64),
        sensor_range=SENSOR_RANGE,
        basal=basal,
        boluses=boluses,
        announcements=announcements,
        counts={
            "rows": total,
            "repeated_rows": repeated,
            "temporary_basal_rates": len(person.temporary),
            "extended_boluses": sum(bool(one.duration) for one in boluses),
            "unreadable_boluses_dropped": len(unreadable),
            **carb_counts,
        },
    )


def _length(
    seconds: Sequence[int], boluses: Sequence[Bolus], announcements: Sequence[Announcement]
) -> int:
    last = max(
        [
            *seconds[-1:],
            *(one.second + one.duration for one in boluses),
            *(one.second for one in announcements),
        ],
        default=-SAMPLE_SECONDS,
    )
    return nearest_sample(last) + 1


def _basal(person: _Person, first: datetime, place: str, length: int) -> np.ndarray:
    changes = [
        (second, rate_of(one.value))
        for second, one in zip(
            seconds_from(first, [one.time for one in person.basal], place),
            person.basal,
            strict=True,
        )
    ]
    temporary = [
        Rate(start=start, end=end, milliunits=rate_of(one.value))
        for one in person.temporary
        for start, end in [seconds_from(first, [one.time, one.end], place)]
    ]
    scheduled = steps(changes, length * SAMPLE_SECONDS)
    return basal_per_sample(scheduled, without_overlap(temporary), samples=length)


def _boluses(
    events: Sequence[_Bolus], first: datetime, place: str
) -> tuple[tuple[Bolus, ...], list[int]]:
    """Return the boluses, and when one was given that cannot be read."""
    boluses: list[Bolus] = []
    unreadable: list[int] = []
    for event in events:
        start, end = seconds_from(first, [event.time, max(event.end, event.time)], place)
        lasting = end - start if event.type.startswith("square") else 0
        possible = event.dose is not None and 0 <= event.dose <= MAX_BOLUS_UNITS
        if not possible or lasting > timedelta(days=1).total_seconds():
            unreadable.append(start)
        elif event.dose:
            boluses.append(
                Bolus(
                    second=start,
                    milliunits=round(1000 * event.dose),
                    kind=_kind(event),
                    duration=lasting,
                )
            )
    return tuple(boluses), unreadable


def _kind(event: _Bolus) -> InsulinType:
    if event.grams is None:
        return "unspecified_bolus"
    return "meal_bolus" if event.grams else "correction_bolus"


def _announcements(
    person: _Person, first: datetime, place: str
) -> tuple[tuple[Announcement, ...], dict[str, int]]:
    entered = [one for one in person.boluses if one.grams]
    told: Sequence[_Meal | _Bolus] = person.meals or entered
    possible = [one for one in told if one.grams and 0 < one.grams <= MAX_CARBS_GRAMS]
    seconds = seconds_from(first, [one.time for one in possible], place)
    return tuple(
        Announcement(
            second=second,
            grams=one.grams or 0.0,
            meal=stated_meal(one.type, second) if isinstance(one, _Meal) else "unspecified",
        )
        for second, one in zip(seconds, possible, strict=True)
    ), {
        "carbs_out_of_range_dropped": sum(bool(one.grams) for one in told) - len(possible),
        "carbs_of_bolus_calculator_not_used": len(entered) if person.meals else 0,
    }
