"""Files that are read line by line, plain or compressed: objects or texts, and faults named by their place."""

import gzip
import json
import re
import zlib
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, TypeVar, cast

from annotation.platform.core.errors import Refused
from annotation.platform.core.limits import LINE_BYTES, SOURCE_BYTES
from annotation.platform.core.phrases import counted
from annotation.platform.core.table_import import Problem, as_western, no_text, not_utf_8
from annotation.platform.core.text import clean

Found = TypeVar("Found")

# JSON hides every character that cleaning would take out of such a line behind a backslash.
_NOTHING_TO_CLEAN = re.compile(rb"[\t\r\n -\[\]-~]*")


class BrokenFile(Refused):
    """A file that cannot be read as what it should be. `problems`, at least one, are its lines' or its own."""

    def __init__(self, file: str, problems: Sequence[Problem]) -> None:
        first, others = problems[0], len(problems) - 1
        named = first.file or file
        place = f"{named}, line {first.line}" if first.line else named
        more = f" There {'is' if others == 1 else 'are'} {counted(others, 'more problem')}." if others else ""
        super().__init__(f"{place}: {first.text}{'.' * bool(more)}{more}")
        self.file, self.problems = file, tuple(problems)


def decoded(name: str, data: bytes) -> str:
    """A whole file as text, cleaned. Raises `BrokenFile` at the first byte that is not UTF-8."""
    if what := no_text(data):
        raise BrokenFile(name, [Problem(f"this is {what}, not a text. Save its words as plain text in UTF-8")])
    try:
        return clean(data.decode("utf-8-sig"))
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        raise BrokenFile(name, [Problem(f"this is not UTF-8 text. {as_western(data, fault)}", line)]) from fault


def as_text(data: bytes) -> str:
    """A whole file as the text that it is, without the mark that some programs put before UTF-8.

    Raises `Refused`, with the line that is not UTF-8 and how it reads in another encoding.
    """
    if what := no_text(data):
        raise Refused(f"This is {what}, not a text.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise Refused(f"{not_utf_8(data, fault)} Save the file in UTF-8.") from fault


def text_of_file(path: Path) -> str:
    """A file on disk as `as_text` reads it, with LF for line ends. Raises `OSError` besides."""
    return as_text(path.read_bytes()).replace("\r\n", "\n").replace("\r", "\n")


def read_objects(name: str, stream: BinaryIO, take: Callable[[Mapping[str, Any]], Found]) -> Iterator[Found]:
    """What `take` makes of the object in each line of a file; blank lines are passed over, texts cleaned.

    A `name` that ends in .gz is decompressed. Raises `BrokenFile` at the first line that holds no object, or that
    `take` refuses.
    """
    for number, line in _numbered_lines(name, stream):
        if line.isspace():
            continue
        try:
            found = take(_object(line))
        except Refused as fault:
            raise BrokenFile(name, [Problem(str(fault), number)]) from fault
        yield found


def examine_objects(
    name: str, stream: BinaryIO, take: Callable[[int, Mapping[str, Any]], Found]
) -> tuple[list[Found], list[Problem]]:
    """Like `read_objects`, each object with its line's number, and all that is wrong instead of the first.

    Raises `BrokenFile` where the file as a whole cannot be read.
    """
    found, problems = [], []
    for number, line in _numbered_lines(name, stream):
        if line.isspace():
            continue
        try:
            found.append(take(number, _object(line)))
        except Refused as fault:
            problems.append(Problem(str(fault), number))
    return found, problems


def read_texts(name: str, stream: BinaryIO) -> Iterator[tuple[int, str]]:
    """The lines of a text that are not blank, cleaned and without white space at their ends, each with its number.

    Raises `BrokenFile` at the first that is not UTF-8.
    """
    for number, line in _numbered_lines(name, stream):
        try:
            text = clean(line.decode()).strip()
        except UnicodeDecodeError as fault:
            says = f"this is not UTF-8 text. {as_western(line, fault)}"
            raise BrokenFile(name, [Problem(says, number)]) from fault
        if text:
            yield number, text


def read_bytes(name: str, stream: BinaryIO) -> bytes:
    """A whole file, decompressed where its `name` ends in .gz."""
    return b"".join(line for _, line in _numbered_lines(name, stream))


def _numbered_lines(name: str, stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    unpacked = cast(BinaryIO, gzip.GzipFile(fileobj=stream)) if name.endswith(".gz") else stream
    number = read = 0
    try:
        for number, line in enumerate(iter(partial(unpacked.readline, LINE_BYTES + 1), b""), start=1):
            read += len(line)
            if len(line) > LINE_BYTES:
                raise BrokenFile(name, [Problem(f"this line is longer than {LINE_BYTES // 1000:,} kB", number)])
            if read > SOURCE_BYTES:
                raise BrokenFile(name, [Problem(f"unpacked it is larger than {SOURCE_BYTES // 1_000_000:,} MB")])
            yield number, line.removeprefix(BOM_UTF8) if number == 1 else line
    except (gzip.BadGzipFile, EOFError, zlib.error) as fault:
        raise BrokenFile(name, [Problem(f"the gzip data are damaged ({fault})", number + 1)]) from fault


def _object(line: bytes) -> dict[str, Any]:
    try:
        data = json.loads(line.decode())
    except UnicodeDecodeError as fault:
        raise Refused(f"not UTF-8 (byte {fault.start + 1} of the line). {as_western(line, fault)}") from fault
    except (ValueError, RecursionError) as fault:
        raise Refused(f"not JSON ({fault})") from fault
    if not isinstance(data, dict):
        raise Refused("not a JSON object")
    return data if _NOTHING_TO_CLEAN.fullmatch(line) else {clean(name): _cleaned(data[name]) for name in data}


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_cleaned(part) for part in value]
    if isinstance(value, dict):
        return {clean(name): _cleaned(part) for name, part in value.items()}
    return value
