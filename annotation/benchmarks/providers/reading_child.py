"""The process in which the files of a benchmark are read while somebody waits."""

from collections.abc import Mapping
from io import BytesIO

from annotation.benchmarks.core.contents import Contents, read_contents
from annotation.benchmarks.core.layouts import LayoutName, SlotName
from annotation.platform.providers.reading_child import serve


def read(layout: LayoutName, files: Mapping[SlotName, tuple[str, bytes]], mapping: Mapping[str, str]) -> Contents:
    return read_contents(layout, {slot: (name, BytesIO(data)) for slot, (name, data) in files.items()}, mapping)


if __name__ == "__main__":
    serve(read)
