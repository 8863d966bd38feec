"""Tables as Parquet: every value exactly as it is, every column with its type."""

import io
from typing import Any, Final, cast

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from analysis.release.core.columns import Kind, Layout

_TYPES: Final[dict[Kind, Any]] = {
    "text": pa.string(),
    "whole": pa.int64(),
    "number": pa.float64(),
    "truth": pa.bool_(),
}


def parquet_bytes(layout: Layout, frame: pd.DataFrame) -> bytes:
    """The frame in its row order. Numbers that are blank are null, texts that are blank are empty.

    Raises `pyarrow.ArrowInvalid` where a column of whole numbers has another one.
    """
    fields = [pa.field(column.name, _TYPES[column.kind]) for column in layout.columns]
    arrays = [_array(column.kind, frame[column.name]) for column in layout.columns]
    buffer = io.BytesIO()
    pq.write_table(pa.table(arrays, schema=pa.schema(fields)), buffer)
    return buffer.getvalue()


def column_names(content: bytes) -> list[str]:
    """Raises `pyarrow.ArrowException` for bytes that are no Parquet."""
    return list(pq.read_schema(pa.BufferReader(content)).names)


def read_parquet(layout: Layout, content: bytes) -> pd.DataFrame:
    """The frame in a file, as the tables of a study have it in memory: blank numbers are NaN.

    Raises `pyarrow.ArrowException` for bytes that are no Parquet, and `KeyError` for a missing column.
    """
    found = pq.read_table(pa.BufferReader(content))
    return pd.DataFrame({column.name: _in_memory(column.kind, found[column.name]) for column in layout.columns})


def _array(kind: Kind, values: "pd.Series[Any]") -> Any:
    found = values.astype("int64").astype(bool) if kind == "truth" else values
    return pa.array(found, type=_TYPES[kind], from_pandas=True)


def _in_memory(kind: Kind, values: Any) -> "pd.Series[Any]":
    return cast("pd.Series[Any]", values.to_pandas().astype("str" if kind == "text" else "float64"))
