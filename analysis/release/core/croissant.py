"""A release's description in Croissant, a vocabulary for data sets that machines read."""

import json
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Final

from analysis.release.core.columns import Column, Kind, Layout
from analysis.release.core.facts import ReleaseFacts
from analysis.release.core.layout import PARTICIPANTS, PROMPTS
from analysis.release.core.licences import LICENCES
from analysis.release.core.manifest import sums

CROISSANT: Final = "croissant.json"

_TYPES: Final[Mapping[Kind, str]] = {"text": "TEXT", "whole": "INTEGER", "number": "FLOAT", "truth": "BOOL"}
_FORMATS: Final = {
    "csv": "text/csv",
    "json": "application/json",
    "md": "text/markdown",
    "parquet": "application/x-parquet",
    "pdf": "application/pdf",
    "png": "image/png",
    "svg": "image/svg+xml",
    "toml": "application/toml",
    "txt": "text/plain",
}
# Answers are parted into several tables, so nothing can be said of their ids.
_REFERENCES: Final = {
    "prompt_id": f"{PROMPTS.table}/prompt_id",
    "judge_id": f"{PARTICIPANTS.table}/participant_id",
    "participant_id": f"{PARTICIPANTS.table}/participant_id",
}


def croissant(facts: ReleaseFacts, layouts: Sequence[Layout], files: Mapping[str, bytes]) -> bytes:
    """The description of these files; records are read from Parquet, whose values are exact.

    Raises `mlcroissant.ValidationError` where the description contradicts itself.
    """
    mlc = import_module("mlcroissant")  # which takes seconds to load, and only a release needs it
    context = mlc.Context()  # of all parts, each of which would else work one out
    described = mlc.Metadata(
        ctx=context,
        name=facts.slug,
        description=facts.description or facts.title,
        version=f"{facts.number}.0.0",
        license=[LICENCES[facts.licence].address] if facts.licence else None,
        distribution=[_file(mlc, context, name, digest, len(files[name])) for name, digest in sums(files).items()],
        record_sets=[_records(mlc, context, each) for each in layouts],
    ).to_json()
    return (json.dumps(described | {"alternateName": facts.title}, indent=2, ensure_ascii=False) + "\n").encode()


def _file(mlc: Any, context: Any, name: str, digest: str, size: int) -> Any:
    return mlc.FileObject(
        ctx=context,
        id=name,
        name=name,
        content_url=name,
        content_size=f"{size} B",
        encoding_formats=[_FORMATS[name.rpartition(".")[2]]],
        sha256=digest,
    )


def _records(mlc: Any, context: Any, each: Layout) -> Any:
    return mlc.RecordSet(
        ctx=context,
        id=each.table,
        name=each.table,
        description=f"A row is {each.row}.",
        key=[f"{each.table}/{name}" for name in each.order],
        fields=[_field(mlc, context, each, column) for column in each.columns],
    )


def _field(mlc: Any, context: Any, each: Layout, column: Column) -> Any:
    target = _REFERENCES.get(column.name)
    is_reference = target is not None and not target.startswith(f"{each.table}/")
    return mlc.Field(
        ctx=context,
        id=f"{each.table}/{column.name}",
        name=column.name,
        description=column.meaning,
        data_types=[getattr(mlc.DataType, _TYPES[column.kind])],
        source=mlc.Source(
            ctx=context, file_object=f"{each.stem}.parquet", extract=mlc.Extract(ctx=context, column=column.name)
        ),
        references=mlc.Source(ctx=context, field=target) if is_reference else None,
    )
