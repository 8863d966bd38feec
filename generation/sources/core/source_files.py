"""Reads a source of any kind from its files."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, pairwise, starmap
from typing import BinaryIO, Final

from annotation.platform.core.errors import Refused
from generation.sources.core import bbq, hle, table_sources
from generation.sources.core.concept_files import read_concepts
from generation.sources.core.concepts import Document
from generation.sources.core.funnel import Reduction
from generation.sources.core.shapes import ShapeName
from generation.sources.core.source_kinds import SOURCE_KINDS, KindName

_AT_A_TIME: Final = 1 << 20  # bytes

Files = Sequence[tuple[str, BinaryIO]]


@dataclass(frozen=True)
class SourceFile:
    """A file as it was read; `sha256` in hex, of its bytes as they are stored."""

    name: str
    sha256: str


@dataclass(frozen=True)
class Reading:
    """What files come to. Only concepts come with documents."""

    reduction: Reduction
    files: tuple[SourceFile, ...]
    documents: tuple[Document, ...] = ()


def read_source(
    kind: KindName, files: Files, *, shape: ShapeName = "question", mapping: Mapping[str, str] | None = None
) -> Reading:
    """Read and reduce files, given by name and as streams that can be sought in, from their beginning.

    In whatever order they are given, they are read in that of their names. A table is one file; `shape` is that of
    its rows and `mapping` says which column holds which field. Raises `Refused` for files that the kind has not, or
    that hold an item twice, and `BrokenFile`, which is a refusal, for whatever else is wrong inside.
    """
    files = sorted(files, key=lambda file: file[0])
    _check_names(kind, [name for name, _ in files])
    read = tuple(SourceFile(name, _sha256(stream)) for name, stream in files)
    match kind:
        case "bbq":
            return Reading(bbq.reduce(chain.from_iterable(starmap(bbq.read_items, files))), read)
        case "hle":
            return Reading(hle.reduce(chain.from_iterable(starmap(hle.read_questions, files))), read)
        case "table":
            [(name, stream)] = files
            return Reading(table_sources.reduce(name, _whole(stream), shape, mapping or {}), read)
        case "concepts":
            reduction, documents = read_concepts({name: _whole(stream) for name, stream in files})
            return Reading(reduction, read, documents)


def _check_names(kind: KindName, names: Sequence[str]) -> None:
    """Concepts may be written down later, one by one; everything else needs a file."""
    suffixes = SOURCE_KINDS[kind].suffixes
    if not names and kind != "concepts":
        raise Refused(f"Choose a file; its name ends in {' or '.join(suffixes)}.")
    for name, following in pairwise(names):
        if name == following:
            raise Refused(f"Two files are called {name}.")
    if foreign := [name for name in names if not name.endswith(suffixes)]:
        raise Refused(f"{foreign[0]} cannot be read: the names of such files end in {' or '.join(suffixes)}.")
    if kind == "table" and len(names) > 1:
        raise Refused("A table is one file. Bring several as sources of their own, or put them together.")


def _whole(stream: BinaryIO) -> bytes:
    """What is read at once; of a larger file so much that whoever reads it finds that it is too large."""
    return stream.read(table_sources.MAX_BYTES + 1)


def _sha256(stream: BinaryIO) -> str:
    """The hash of all its bytes; leaves the stream at its beginning."""
    stream.seek(0)
    digest = hashlib.sha256()
    for part in iter(partial(stream.read, _AT_A_TIME), b""):
        digest.update(part)
    stream.seek(0)
    return digest.hexdigest()
