"""The process in which the files of a source are read while somebody waits."""

from collections.abc import Sequence
from io import BytesIO
from typing import Any

from annotation.platform.providers.reading_child import serve
from generation.sources.core.source_files import Reading, read_source
from generation.sources.core.source_kinds import KindName


def read(kind: KindName, files: Sequence[tuple[str, bytes]], **options: Any) -> Reading:
    return read_source(kind, [(name, BytesIO(content)) for name, content in files], **options)


if __name__ == "__main__":
    serve(read)
