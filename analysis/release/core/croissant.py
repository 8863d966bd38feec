"""A release's description in Croissant 1.0, a vocabulary for data sets that machines read."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from analysis.release.core.facts import ReleaseFacts
from analysis.release.core.layout import PARTICIPANTS, PROMPTS, Column, Kind, Layout
from analysis.release.core.manifest import sums

CROISSANT: Final = "croissant.json"

_TYPES: Final[Mapping[Kind, str]] = {"text": "sc:Text", "whole": "sc:Integer", "number": "sc:Float"}
_FORMATS: Final = {
    "csv": "text/csv",
    "json": "application/json",
    "md": "text/markdown",
    "parquet": "application/x-parquet",
    "toml": "application/toml",
    "txt": "text/plain",
}
_OWN_TERMS: Final = (
    "citeAs column conformsTo equivalentProperty extract field fileObject fileProperty fileSet format includes "
    "isLiveDataset jsonPath key md5 parentField path recordSet references regex repeated replace samplingRate "
    "separator source subField transform"
).split()
# Answers are parted into several tables, so nothing can be said of their ids.
_REFERENCES: Final = {
    "prompt_id": f"{PROMPTS.table}/prompt_id",
    "judge_id": f"{PARTICIPANTS.table}/participant_id",
    "participant_id": f"{PARTICIPANTS.table}/participant_id",
}
_CONTEXT: Final = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    **{term: f"cr:{term}" for term in _OWN_TERMS},
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
}


def croissant(facts: ReleaseFacts, layouts: Sequence[Layout], files: Mapping[str, bytes]) -> bytes:
    """The description of these files; records are read from Parquet, whose values are exact."""
    described = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": facts.slug,
        "alternateName": facts.title,
        "description": facts.description or facts.title,
        "version": f"{facts.number}.0.0",
        **({"license": facts.licence} if facts.licence else {}),
        "distribution": [_file(name, digest, len(files[name])) for name, digest in sums(files).items()],
        "recordSet": [_records(each) for each in layouts],
    }
    return (json.dumps(described, indent=2, ensure_ascii=False) + "\n").encode()


def _file(name: str, digest: str, size: int) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": name,
        "contentSize": f"{size} B",
        "encodingFormat": _FORMATS[name.rpartition(".")[2]],
        "sha256": digest,
    }


def _records(each: Layout) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": each.table,
        "name": each.table,
        "description": f"A row is {each.row}.",
        "key": [{"@id": f"{each.table}/{name}"} for name in each.order],
        "field": [_field(each, column) for column in each.columns],
    }


def _field(each: Layout, column: Column) -> dict[str, Any]:
    target = _REFERENCES.get(column.name)
    is_reference = target is not None and not target.startswith(f"{each.table}/")
    return {
        "@type": "cr:Field",
        "@id": f"{each.table}/{column.name}",
        "name": column.name,
        "description": column.meaning,
        "dataType": _TYPES[column.kind],
        "source": {"fileObject": {"@id": f"{each.stem}.parquet"}, "extract": {"column": column.name}},
        **({"references": {"field": {"@id": target}}} if is_reference else {}),
    }
