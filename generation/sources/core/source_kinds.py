"""The kinds of sources, and what is proposed for each."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from generation.sources.core.shapes import ShapeName

KindName = Literal["bbq", "hle", "concepts", "table"]


@dataclass(frozen=True)
class SourceKind:
    """`shape` is that of its scenarios; a table's may be another. `suffixes` are those of files it is read from.
    `examples` are static files that can be read together.

    The rest is what such a source is called unless somebody says otherwise; empty where that cannot be known.
    """

    shape: ShapeName
    suffixes: tuple[str, ...]
    examples: tuple[str, ...]
    slug: str = ""
    code: str = ""
    name: str = ""
    licence: str = ""


SOURCE_KINDS: Final[Mapping[str, SourceKind]] = {
    "bbq": SourceKind(
        "scenario",
        (".jsonl", ".jsonl.gz"),
        ("source-bbq.jsonl",),
        "bbq",
        "BBQ",
        "BBQ",
        "CC BY 4.0, Parrish et al. 2022",
    ),
    "hle": SourceKind(
        "question",
        (".jsonl", ".jsonl.gz", ".csv"),
        ("source-hle.csv",),
        "hle",
        "HLE",
        "Humanity’s Last Exam",
        "MIT, Phan et al. 2025; questions are not to be published",
    ),
    "concepts": SourceKind(
        "concept",
        (".toml", ".csv", ".jsonl", ".txt", ".md"),
        ("source-concepts.csv", "source-concepts-document.txt"),
        "msc",
        "MSC",
        "Social concepts",
    ),
    "table": SourceKind("question", (".csv", ".tsv", ".jsonl"), ("source-table.csv",)),
}
