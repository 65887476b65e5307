"""The records of a Nightscout export, checked one by one and each kept once."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from generators.real_world.files import RawFile
from generators.real_world.recordings import RawDataError
from generators.real_world.written import (
    Amount,
    PlainNumber,
    decimal,
    instant,
    second_of_day,
)

_EARLIEST, _LATEST = 946_684_800, 4_102_444_800
"""Seconds of Unix time: the years 2000 and 2100."""
TWICE_SECONDS = 30
"""Two uploaders tell one treatment so far apart at most; no pump gives the same bolus twice in it."""
_PARTS = ("entries", "treatments", "profile", "profiles")


def _not_a_truth_value(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError("is no number")
    return value


Number = Annotated[Amount, BeforeValidator(lambda value: None if value in ("", "null") else value)]
Whole = Annotated[int, BeforeValidator(decimal)]
Reading = Annotated[float | str, BeforeValidator(_not_a_truth_value)]


def utc_seconds(value: object) -> int:
    """Return the Unix time of an instant: ms, or a text with its offset (`written.instant`).

    Raises:
        ValueError: It is neither, or not between 2000 and 2100.
    """
    if isinstance(value, str):
        seconds = int(instant(value).timestamp() // 1)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        seconds = int(value // 1000)
    else:
        raise ValueError("is no time")
    if not _EARLIEST <= seconds < _LATEST:
        raise ValueError("lies outside the years 2000 to 2100")
    return seconds


class _Record(BaseModel):
    """A document; fields that are not named here are not looked at."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Entry(_Record):
    """An entry: when (Unix time, s), what kind, its value and unit, the offset of its clock."""

    utc: int
    type: str = "sgv"
    sgv: Reading | None = None
    units: str | None = None
    offset: Whole | None = Field(None, ge=-840, le=840)

    @model_validator(mode="before")
    @classmethod
    def _told(cls, document: Any) -> Any:
        date = document.get("date")
        text = document.get("dateString")
        offset = document.get("utcOffset") or _offset_in(text)
        return {**document, "utc": utc_seconds(text if date is None else date), "offset": offset}


class Treatment(_Record):
    """A treatment: when (Unix time, s), and what was done; amounts in U, g, U/h, %, minutes."""

    utc: int
    kind: str = Field("", alias="eventType")
    insulin: Number = None
    carbs: Number = None
    absolute: Number = None
    rate: Number = None
    percent: Number = None
    duration: Number = None
    entered_insulin: Number = Field(None, alias="enteredinsulin")
    split_extended: Number = Field(None, alias="splitExt")
    relative: Number = None
    percentage: Number = None
    timeshift: Number = None
    automatic: bool | None = None
    is_smb: bool | None = Field(None, alias="isSMB")
    entered_by: str | None = Field(None, alias="enteredBy")
    profile: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _when(cls, document: Any) -> Any:
        found = next(
            (document[name] for name in ("created_at", "timestamp", "date") if document.get(name)),
            None,
        )
        return {**document, "utc": utc_seconds(found)}


class Step(_Record):
    """From which second of the day a basal rate holds, U/h."""

    second: Whole = Field(ge=0, lt=86_400)
    value: PlainNumber

    @model_validator(mode="before")
    @classmethod
    def _since(cls, document: Any) -> Any:
        told = document.get("timeAsSeconds")
        if told in (None, ""):
            told = second_of_day(document.get("time"))
        return {**document, "second": told}


class Profile(_Record):
    """From when on (Unix time, s) which basal programmes were set, and where."""

    utc: int
    default: str
    programmes: Mapping[str, tuple[Step, ...]]
    timezone: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _from_store(cls, document: Any) -> Any:
        store = document.get("store") or {"Default": document}
        default = document.get("defaultProfile") or next(iter(store))
        start = document.get("startDate") or document.get("created_at")
        return {
            "utc": _since_start(start),
            "default": default,
            "programmes": {name: one.get("basal") or () for name, one in store.items()},
            "timezone": store.get(default, {}).get("timezone") or document.get("timezone") or None,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """A person's records, each kind in time order; how many there were, and how many repeated.

    `twice` counts the treatments left out because two uploaders told them.
    """

    entries: tuple[Entry, ...]
    treatments: tuple[Treatment, ...]
    profiles: tuple[Profile, ...]
    records: int
    repeated: int
    twice: int


def export_of(files: Sequence[RawFile]) -> Export:
    """Return what a person's files hold.

    Raises:
        RawDataError: A file is no JSON, or a record is not as Nightscout writes it.
    """
    entries: dict[Entry, None] = {}
    treatments: dict[Treatment, None] = {}
    profiles: list[Profile] = []
    records = 0
    for file in files:
        for number, document in enumerate(_documents(file)):
            records += 1
            place = f"{file.place}, record {number + 1}"
            if "sgv" in document or document.get("type") in ("sgv", "mbg", "cal"):
                entries[_checked(Entry, document, place)] = None
            elif "eventType" in document:
                treatments[_checked(Treatment, document, place)] = None
            elif "store" in document or "basal" in document:
                profiles.append(_checked(Profile, document, place))
    told = tuple(_once(sorted(treatments, key=lambda one: one.utc)))
    return Export(
        entries=tuple(sorted(entries, key=lambda one: one.utc)),
        treatments=told,
        profiles=tuple(sorted(profiles, key=lambda one: one.utc)),
        records=records,
        repeated=records - len(entries) - len(treatments) - len(profiles),
        twice=len(treatments) - len(told),
    )


def _once(treatments: Iterable[Treatment]) -> Iterator[Treatment]:
    """Yield treatments in time order but for those that repeat another within half a minute."""
    since: dict[Treatment, int] = {}
    for one in treatments:
        told = one.model_copy(update={"utc": 0, "entered_by": None})
        if told not in since or one.utc - since[told] > TWICE_SECONDS:
            since[told] = one.utc
            yield one


def _documents(file: RawFile) -> Iterable[Mapping[str, Any]]:
    try:
        found = json.loads(file.content.decode("utf-8-sig"), parse_constant=lambda _: None)
    except (ValueError, RecursionError) as error:
        raise RawDataError(
            f"{file.place}: cannot be read as JSON ({str(error)[:200]}); export it again"
        ) from error
    for document in _flat(found):
        if not isinstance(document, dict):
            raise RawDataError(
                f"{file.place}: holds a {type(document).__name__} in place of a record; export it "
                "again"
            )
        yield document


def _flat(found: Any) -> Iterable[Any]:
    if isinstance(found, dict) and isinstance(found.get("result"), list):
        return _flat(found["result"])
    if isinstance(found, dict) and any(name in found for name in _PARTS):
        return [one for name in _PARTS if name in found for one in _flat(found[name])]
    return found if isinstance(found, list) else [found]


def _checked(model: type[Any], document: Mapping[str, Any], place: str) -> Any:
    try:
        return model.model_validate(document)
    except (ValidationError, ValueError, AttributeError, TypeError, OverflowError) as error:
        reason = (
            f"{'.'.join(map(str, error.errors()[0]['loc']))}: {error.errors()[0]['msg']}"
            if isinstance(error, ValidationError)
            else str(error)
        )
        raise RawDataError(f"{place}: {reason.strip(': ')}; correct or remove it") from error


def _offset_in(text: object) -> int | None:
    """Return the offset in minutes that a time carries, None for none or UTC."""
    if not isinstance(text, str):
        return None
    try:
        offset = instant(text).utcoffset()
    except ValueError:
        return None
    return round(offset.total_seconds() / 60) or None if offset is not None else None


def _since_start(value: object) -> int:
    """Return the Unix time from which a profile holds; those without one always did."""
    if value in (None, "") or (isinstance(value, str) and value.startswith("1970")):
        return 0
    return utc_seconds(value)
