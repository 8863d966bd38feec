"""Reading the files of a benchmark while somebody waits: in a process of its own, within limits."""

from collections.abc import Mapping
from typing import Final

from annotation.benchmarks.core.contents import Contents
from annotation.benchmarks.core.layouts import Files, LayoutName
from annotation.platform.core.limits import SOURCE_SECONDS
from annotation.platform.providers.reading import read_in_child

_MODULE: Final = "annotation.benchmarks.providers.reading_child"


def read_apart(
    layout: LayoutName, files: Files, mapping: Mapping[str, str], *, seconds: int = SOURCE_SECONDS
) -> Contents:
    """Like `read_contents`, in another process; raises `Refused` also as `read_in_child` does."""
    asked = {
        "layout": layout,
        "files": {slot: (name, stream.read()) for slot, (name, stream) in files.items()},
        "mapping": dict(mapping),
    }
    found: Contents = read_in_child(_MODULE, asked, seconds=seconds, command="import_benchmark")
    return found
