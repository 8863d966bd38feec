"""Reading the files of a source while somebody waits: in a process of its own, within limits."""

from collections.abc import Mapping, Sequence
from typing import Final

from annotation.platform.core.limits import SOURCE_SECONDS
from annotation.platform.providers.reading import read_in_child
from generation.sources.core.shapes import ShapeName
from generation.sources.core.source_files import Reading
from generation.sources.core.source_kinds import KindName

_MODULE: Final = "generation.sources.providers.reading_child"


def read_apart(
    kind: KindName,
    files: Sequence[tuple[str, bytes]],
    *,
    shape: ShapeName = "question",
    mapping: Mapping[str, str] | None = None,
    seconds: int = SOURCE_SECONDS,
) -> Reading:
    """Like `read_source`, with files by name; raises `Refused` also as `read_in_child` does."""
    asked = {"kind": kind, "files": [*files], "shape": shape, "mapping": dict(mapping or {})}
    found: Reading = read_in_child(_MODULE, asked, seconds=seconds, command="import_source")
    return found
