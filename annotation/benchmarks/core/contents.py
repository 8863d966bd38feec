"""The files of a benchmark, unpacked and read whole, with what is found in them by rule."""

import gzip
import io
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from typing import BinaryIO, Final

from annotation.benchmarks.core import layouts
from annotation.benchmarks.core.findings import Finding, findings
from annotation.benchmarks.core.items import Reading
from annotation.benchmarks.core.layouts import LAYOUTS, Files, LayoutName, SlotName, without_gz
from annotation.platform.core.errors import Refused
from annotation.platform.core.limits import BENCHMARK_BYTES
from annotation.platform.core.line_files import BrokenFile
from annotation.platform.core.table_import import UTF_16_MARKS, Problem, no_text

_GZIP: Final = b"\x1f\x8b"


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
    read_files = tuple(ReadFile(slot, name, sha256(data).hexdigest()) for slot, (name, data) in unpacked.items())
    streams: Files = {slot: (name, io.BytesIO(_as_text(name, data))) for slot, (name, data) in unpacked.items()}
    reading = layouts.read(LAYOUTS[layout], streams, mapping)
    if reading.problems:
        problems = sorted(reading.problems, key=lambda problem: problem.line or 0)
        raise BrokenFile(unpacked["questions"][0], problems)
    return Contents(layout, dict(mapping or {}), read_files, reading, tuple(findings(reading.stories, layout)))


def _unpacked(name: str, stream: BinaryIO, most: int) -> tuple[str, bytes]:
    """A file without its compression, whole; refused where it has more than `most` bytes.

    Whether it is compressed follows from its first bytes: what was unpacked on its way may still be called .gz.
    """
    beginning = stream.read(len(_GZIP))
    stream.seek(0)
    is_packed = beginning == _GZIP
    try:
        data = (gzip.GzipFile(fileobj=stream) if is_packed else stream).read(most + 1)
    except (gzip.BadGzipFile, EOFError, zlib.error) as fault:
        raise Refused(f"{name}: the gzip data are damaged ({fault}).") from fault
    if len(data) > most:
        raise Refused(
            f"{name} has more than {most / 1_000_000:,.0f} MB{' unpacked' * is_packed}. On the server, the command "
            "import_benchmark reads files of any size."
        )
    return without_gz(name), data


def _as_text(name: str, data: bytes) -> bytes:
    """The text in UTF-8 where it begins as UTF-16 does, and with the line ends that readers know: some programs end
    lines with a carriage return alone. Refused where it is no text at all.
    """
    if what := no_text(data):
        raise BrokenFile(name, [Problem(f"this is {what}, not a text. Save its words as plain text in UTF-8")])
    if data.startswith(UTF_16_MARKS):
        with suppress(UnicodeDecodeError):
            data = data.decode("utf-16").encode()
    return data if b"\n" in data else data.replace(b"\r", b"\n")
