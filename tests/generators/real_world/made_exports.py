"""Small made-up recordings in the exact shapes of HUPA-UCM, MetaboNet, OhioT1DM and Nightscout."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tests.generators.real_world.made_recordings import MONDAY

DAYS = 31
SAMPLES = DAYS * 288
HUPA_HEADER = "time;glucose;calories;heart_rate;steps;basal_rate;bolus_volume_delivered;carb_input"


def glucose(sample: int) -> int:
    """Return a reading in mg/dL, 100 to 160; they lie on no straight lines."""
    return 100 + sample * sample * 7 % 61


def at(minute: float) -> datetime:
    return MONDAY + timedelta(minutes=minute)


def hupa_csv(changed: Mapping[int, str] | None = None, *, samples: int = SAMPLES) -> bytes:
    """Return a HUPA-UCM file: basal 0.05 U per 5 minutes; changed rows by sample, after the time."""
    rows = [
        f"{at(5 * i):%Y-%m-%dT%H:%M:%S};"
        + (changed or {}).get(i, f"{glucose(i)}.0;4.8;70.5;0.0;0.05;0.0;0.0")
        for i in range(samples)
    ]
    return "\n".join([HUPA_HEADER, *rows, ""]).encode()


def metabonet_columns(samples: int = SAMPLES) -> dict[str, list[Any]]:
    """Return the columns of one subject: basal 0.05 U per 5 minutes, no bolus, no carbohydrate."""
    return {
        "date": [at(5 * i) for i in range(samples)],
        "id": ["17"] * samples,
        "source_file": ["Study A"] * samples,
        "CGM": [float(glucose(i)) for i in range(samples)],
        "basal": [0.05] * samples,
        "bolus": [None] * samples,
        "insulin": [0.05] * samples,
        "carbs": [None] * samples,
        "meal_label": [None] * samples,
        "workout_label": [None] * samples,
        "workout_duration": [None] * samples,
        "workout_intensity": [None] * samples,
        "insulin_delivery_modality": ["AID"] * samples,
        "age": [34.0] * samples,
        "is_test": [False] * samples,
    }


def write_metabonet(path: Path, *subjects: Mapping[str, Sequence[Any]]) -> Path:
    tables = [pa.table(_typed(columns)) for columns in subjects]
    pq.write_table(pa.concat_tables(tables, promote_options="default"), path)
    return path


def _typed(columns: Mapping[str, Sequence[Any]]) -> dict[str, pa.Array]:
    texts = ("id", "source_file", "meal_label", "workout_label", "insulin_delivery_modality")
    kinds = {"date": pa.timestamp("ns"), "is_test": pa.bool_(), **dict.fromkeys(texts, pa.string())}
    return {
        name: pa.array(values, kinds.get(name, pa.float64())) for name, values in columns.items()
    }


def ohio_time(minute: float) -> str:
    return f"{at(minute):%d-%m-%Y %H:%M:%S}"


def ohio_xml(
    *,
    patient: str = "559",
    samples: range = range(SAMPLES),
    basal: Iterable[str] = (f'<event ts="{MONDAY:%d-%m-%Y %H:%M:%S}" value="0.6"/>',),
    temp_basal: Iterable[str] = (),
    bolus: Iterable[str] = (),
    meal: Iterable[str] = (),
) -> bytes:
    """Return a subject's file in the shape of 2018 (basis_heart_rate) and 2020 (acceleration)."""
    readings = [f'<event ts="{ohio_time(5 * i + 1)}" value="{glucose(i)}"/>' for i in samples]
    sections = {
        "glucose_level": readings,
        "finger_stick": [f'<event ts="{ohio_time(11)}" value="300"/>'],
        "basal": basal,
        "temp_basal": temp_basal,
        "bolus": bolus,
        "meal": meal,
        "sleep": (),
        "stressors": [f'<event ts="{ohio_time(20)}" type=" " description="a secret"/>'],
        "exercise": [
            f'<event ts="{ohio_time(30)}" intensity="3" type=" " duration="15" competitive=""/>'
        ],
        "basis_heart_rate": [f'<event ts="{ohio_time(1)}" value="70"/>'],
        "acceleration": [f'<event ts="{ohio_time(1)}" value="0.98"/>'],
    }
    body = "".join(
        f"  <{name}>\n{''.join(f'    {one}{chr(10)}' for one in events)}  </{name}>\n"
        for name, events in sections.items()
    )
    return (
        f'<?xml version="1.0"?>\n<patient id="{patient}" weight="99" insulin_type="Novalog">\n'
        f"{body}</patient>\n"
    ).encode()


def instant(minute: float, start: str = "2024-01-01T00:00:00+00:00") -> datetime:
    return datetime.fromisoformat(start).astimezone(UTC) + timedelta(minutes=minute)


def iso(minute: float, **start: str) -> str:
    return f"{instant(minute, **start):%Y-%m-%dT%H:%M:%S.000Z}"


def entry(minute: float, sgv: Any, *, shift: float = 0, **others: Any) -> dict[str, Any]:
    """Return an entry as many minutes after Monday 1 January 2024, 00:00 UTC."""
    time = instant(minute) + timedelta(minutes=shift)
    return {
        "_id": f"{minute}",
        "device": "xDrip-DexcomG5",
        "date": round(1000 * time.timestamp()),
        "dateString": f"{time:%Y-%m-%dT%H:%M:%S.000Z}",
        "sgv": sgv,
        "direction": "Flat",
        "type": "sgv",
        "utcOffset": 0,
        "sysTime": f"{time:%Y-%m-%dT%H:%M:%S.000Z}",
        **others,
    }


def treatment(minute: float, kind: str, **others: Any) -> dict[str, Any]:
    return {
        "_id": f"t{minute}{kind}",
        "eventType": kind,
        "created_at": iso(minute),
        "enteredBy": "openaps://phone",
        "notes": "a secret",
        "carbs": None,
        "insulin": None,
        **others,
    }


def profile(timezone: str | None = "Etc/UTC", units: str = "mg/dl") -> dict[str, Any]:
    """Return a profile of 0.6 U/h, and 1.2 U/h from 06:00."""
    return {
        "_id": "p",
        "defaultProfile": "Default",
        "startDate": "1970-01-01T00:00:00.000Z",
        "units": units,
        "store": {
            "Default": {
                "dia": "5",
                "carbratio": [{"time": "00:00", "value": "10", "timeAsSeconds": "0"}],
                "sens": [{"time": "00:00", "value": "50", "timeAsSeconds": "0"}],
                "timezone": timezone,
                "units": units,
                "basal": [
                    {"time": "00:00", "value": "0.6", "timeAsSeconds": "0"},
                    {"time": "06:00", "value": 1.2},
                ],
            }
        },
    }


def entries(samples: int = SAMPLES) -> list[dict[str, Any]]:
    return [entry(5 * i, glucose(i)) for i in range(samples)]


def pump_events(days: int = DAYS) -> list[dict[str, Any]]:
    """Return one site change every 8 hours, so that the export shows a pump throughout."""
    return [treatment(480 * i, "Site Change") for i in range(3 * days)]


def write_nightscout(
    folder: Path,
    readings: Sequence[Mapping[str, Any]],
    treatments: Sequence[Mapping[str, Any]] = (),
    profiles: Sequence[Mapping[str, Any]] = (),
) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, records in (
        ("entries", readings),
        ("treatments", treatments),
        ("profile", profiles),
    ):
        (folder / f"{name}.json").write_text(json.dumps(list(records)))
    return folder
