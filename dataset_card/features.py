"""Columns of a config as the Hub's YAML names them (`dataset_info` of a dataset card)."""

from typing import Any

import pyarrow as pa

_NAMES = {"double": "float64", "float": "float32"}
"""Arrow's names of types that `datasets` calls otherwise."""


def features_of(schema: pa.Schema) -> list[dict[str, Any]]:
    """Return the features of a schema, as `datasets` 5.2 writes and reads them."""
    return [{"name": field.name, **_feature(field.type)} for field in schema]


def _feature(kind: pa.DataType) -> dict[str, Any]:
    if pa.types.is_struct(kind):
        return {"struct": _fields(kind)}
    if pa.types.is_list(kind):
        of = kind.value_type
        return {"list": _fields(of) if pa.types.is_struct(of) else _name(of)}
    return {"dtype": _name(kind)}


def _fields(kind: pa.StructType) -> list[dict[str, Any]]:
    return [{"name": field.name, **_feature(field.type)} for field in kind]


def _name(kind: pa.DataType) -> str:
    return _NAMES.get(str(kind), str(kind))
