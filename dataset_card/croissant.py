"""The release's Croissant 1.1 file: what its Parquet files hold, for machines.

Written from `builder/schema.py` as plain JSON. The classes of mlcroissant would pull a dozen packages
into every build; the tests check with mlcroissant instead. Specification:
https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html
"""

import json
from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from builder.manifest import Manifest
from builder.schema import COLUMNS, Column, Config
from dataset_card.texts import CITATION, HOME, TAGS

CROISSANT_NAME = "croissant.json"
_SPECIFICATION = "http://mlcommons.org/croissant/1.1"
_LICENCE = "https://creativecommons.org/licenses/by/4.0/"
_PRIVATE_LICENCE = "none: the content may not be passed on (see the file PRIVATE)"
_OF_CROISSANT = (
    *("arrayShape", "citeAs", "column", "containedIn", "equivalentProperty", "extract", "field"),
    *("fileObject", "fileProperty", "fileSet", "format", "includes", "isArray", "isLiveDataset"),
    *("jsonPath", "key", "md5", "parentField", "path", "recordSet", "references", "regex"),
    *("repeated", "replace", "samplingRate", "separator", "source", "subField", "transform"),
)
_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "description": {"@container": "@language"},
    "name": {"@container": "@language"},
    **{name: f"cr:{name}" for name in _OF_CROISSANT},
}
_TYPES = {
    pa.string(): "sc:Text",
    pa.bool_(): "sc:Boolean",
    pa.int8(): "cr:Int8",
    pa.int16(): "cr:Int16",
    pa.int32(): "cr:Int32",
    pa.int64(): "cr:Int64",
    pa.float64(): "cr:Float64",
}
_RESPONSIBLE = {
    "rai:dataCollection": "Simulated patients and fictional people; recordings of real people only "
    "where others published them under an open licence (config real_world).",
    "rai:dataLimitations": "Simulated patients are not people; faults follow published descriptions; "
    "no physician has reviewed questions, answers or longevity profiles.",
    "rai:dataBiases": "Thirty virtual patients and few recorded ones, all with type 1 diabetes and "
    "most on closed loop; results do not carry over to other groups.",
    "rai:dataUseCases": "Measuring how well language models reason over health records. Not for "
    "care, dosing, or decisions about people.",
    "rai:personalSensitiveInformation": "Recordings of real people carry no names and no dates. "
    "Trying to find out whom they show is forbidden.",
}


def render_croissant(manifest: Manifest) -> str:
    """Return the text of croissant.json.

    Args:
        manifest: The release's manifest, which lists the Parquet files with their hashes.
    """
    content = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": _SPECIFICATION,
        "name": "HealthLoopQA",
        "description": "Questions over a month of diabetes monitoring and advice on longevity "
        f"interventions, to benchmark language models. {manifest.canary}",
        "version": manifest.version,
        "url": HOME,
        "license": _PRIVATE_LICENCE if manifest.private else _LICENCE,
        "citeAs": CITATION,
        "creator": {"@type": "sc:Organization", "name": "HealthLoopQA contributors", "url": HOME},
        "inLanguage": "en",
        "isLiveDataset": False,
        "keywords": list(TAGS),
        **_RESPONSIBLE,
        "distribution": list(_files(manifest)),
        "recordSet": list(_record_sets(manifest)),
    }
    return json.dumps(content, indent=1) + "\n"


def _files(manifest: Manifest) -> Iterator[dict[str, Any]]:
    for entry in manifest.configs.values():
        for part in entry.splits.values():
            for name in part.files:
                yield {
                    "@type": "cr:FileObject",
                    "@id": name,
                    "name": name,
                    "contentUrl": name,
                    "encodingFormat": "application/x-parquet",
                    "sha256": manifest.files.get(name, ""),
                }


def _record_sets(manifest: Manifest) -> Iterator[dict[str, Any]]:
    for config, entry in manifest.configs.items():
        for split, part in entry.splits.items():
            for place, name in enumerate(part.files):
                above = f"{config}/{split}" + (f"/{place}" if place else "")
                yield {
                    "@type": "cr:RecordSet",
                    "@id": above,
                    "name": above,
                    "field": [_column(config, column, above, name) for column in COLUMNS[config]],
                }


def _column(config: Config, column: Column, above: str, file: str) -> dict[str, Any]:
    source = {"fileObject": {"@id": file}, "extract": {"column": column.name}}
    field = _field(pa.field(column.name, column.type), above, source, ())
    return {**field, "description": f"{config}: {column.about}"}


def _field(
    column: pa.Field, above: str, source: dict[str, Any], steps: tuple[str, ...]
) -> dict[str, Any]:
    """Return a field with what lies inside it.

    Args:
        column: Its name and type.
        above: Id of what it lies in.
        source: File and column from which it comes.
        steps: Names on the way from the column to it.
    """
    name = f"{above}/{column.name}"
    field: dict[str, Any] = {"@type": "cr:Field", "@id": name, "name": column.name}
    kind = column.type
    if pa.types.is_list(kind):
        field |= {"isArray": True, "arrayShape": "-1"}
        kind = kind.value_type
    if pa.types.is_struct(kind):
        inner = [_field(part, name, source, (*steps, part.name)) for part in kind]
        return {**field, "subField": inner}
    way = {"transform": [{"jsonPath": step} for step in steps]} if steps else {}
    return {**field, "dataType": _TYPES[kind], "source": {**source, **way}}
