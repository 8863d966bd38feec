"""The files of a benchmark, unpacked and read whole, with what is found in them by rule."""

import gzip
import hashlib
import io
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import BinaryIO

from annotation.benchmarks.core import layouts
from annotation.benchmarks.core.findings import Finding, findings
from annotation.benchmarks.core.items import Reading
from annotation.benchmarks.core.layouts import LAYOUTS, Files, LayoutName, SlotName
from annotation.platform.core.errors import Refused
from annotation.platform.core.limits import BENCHMARK_BYTES
from annotation.platform.core.line_files import BrokenFile


@dataclass(frozen=True)
class ReadFile:
    """`sha256`, in hex, is that of the file without its compression."""

    slot: SlotName
    name: str
    sha256: str


@dataclass(frozen=True)
class Contents:
    layout: LayoutName
    mapping: Mapping[str, str]
    files: tuple[ReadFile, ...]
    reading: Reading
    findings: tuple[Finding, ...]


def read_contents(
    layout: LayoutName, files: Files, mapping: Mapping[str, str] | None = None, max_bytes: int = BENCHMARK_BYTES
) -> Contents:
    """All that files come to.

    Raises `Refused` for a file that has more than `max_bytes` unpacked, and `BrokenFile` with everything that is
    wrong, in the order of the lines.
    """
    unpacked = {slot: _unpacked(*file, max_bytes) for slot, file in files.items()}
    read_files = tuple(ReadFile(slot, name, _sha256(stream)) for slot, (name, stream) in unpacked.items())
    reading = layouts.read(LAYOUTS[layout], unpacked, mapping)
    if reading.problems:
        problems = sorted(reading.problems, key=lambda problem: problem.line or 0)
        raise BrokenFile(unpacked["questions"][0], problems)
    return Contents(layout, dict(mapping or {}), read_files, reading, tuple(findings(reading.stories, layout)))


def _unpacked(name: str, stream: BinaryIO, most: int) -> tuple[str, BinaryIO]:
    """A file without its compression, whole in memory; refused where it has more than `most` bytes."""
    is_packed = name.endswith(".gz")
    try:
        data = (gzip.GzipFile(fileobj=stream) if is_packed else stream).read(most + 1)
    except (gzip.BadGzipFile, EOFError, zlib.error) as fault:
        raise Refused(f"{name}: the gzip data are damaged ({fault}).") from fault
    if len(data) > most:
        raise Refused(
            f"{name} has more than {most / 1_000_000:,.0f} MB{' unpacked' * is_packed}. On the server, the command "
            "import_benchmark reads files of any size."
        )
    return name.removesuffix(".gz"), io.BytesIO(data)


def _sha256(stream: BinaryIO) -> str:
    digest = hashlib.sha256(stream.read()).hexdigest()
    stream.seek(0)
    return digest
