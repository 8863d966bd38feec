"""The parts of a workbook (Office Open XML, ECMA-376): a ZIP of XML files, read as streams within limits."""

import io
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from posixpath import basename, dirname, join, normpath
from typing import Final
from xml.parsers import expat
from zipfile import ZipFile

from analysis.data.core.archive import UNREADABLE
from analysis.data.core.judgment_frame import JudgmentFileError

MAX_UNPACKED: Final = 200_000_000  # bytes of all parts that are read
MAX_ELEMENTS: Final = 20_000_000  # of all parts; a cell is three at most, in nearly all workbooks
MAX_LISTED: Final = 100_000  # elements of a part that says what other parts there are
MAX_DEPTH: Final = 100  # elements within elements; workbooks have ten
MAX_NAMES: Final = 10_000  # different names of elements and attributes in a part; workbooks have hundreds
MAX_MARK: Final = 1_000_000  # bytes of a tag or comment, characters of a text
# What else such archives are, by a part that each of them has.
OTHERS: Final = (
    ("xl/workbook.bin", "a binary workbook", "save it as .xlsx or CSV"),
    ("content.xml", "an OpenDocument file", "save the sheet as .xlsx or CSV"),
    ("word/document.xml", "a Word document", "bring the table in it as .xlsx or CSV"),
)
Attributes = Mapping[str, str]
_CHUNK: Final = 65_536  # bytes after which limits are looked at


class Parts:
    """Raises JudgmentFileError for what is no workbook, or unpacks to too much."""

    def __init__(self, content: bytes) -> None:
        with _told():
            self._archive = ZipFile(io.BytesIO(content))
        self._names = set(self._archive.namelist())
        self._unpacked = self._elements = 0
        whole = {kind: name for kind, name in self.related("").values() if kind == "officeDocument"}
        self.workbook = whole.get("officeDocument", "")
        if self.has(self.workbook) and self.has(_relations(self.workbook)) and not self.has(OTHERS[0][0]):
            return
        found = next((told for part, *told in OTHERS if part in self._names), None)
        what, instead = found or ("an archive, and no workbook", "save the sheet as CSV, or unpack it first")
        raise JudgmentFileError(f"the file is {what}, not CSV: {instead}")

    def has(self, name: str) -> bool:
        return name in self._names

    def read(
        self,
        name: str,
        begin: Callable[[str, Attributes], None],
        end: Callable[[str, str], None] = lambda _tag, _text: None,
        *,
        most: int = MAX_ELEMENTS,
    ) -> None:
        """Call `begin` where an element begins, with its name and attributes, `end` where it ends, with its name
        and the text since the last beginning or end. Names are without namespaces.

        At most so many elements are read, and of all parts together MAX_ELEMENTS and MAX_UNPACKED.
        """
        if not self.has(name):
            raise JudgmentFileError(f"the workbook has no part {name}, though it says so")
        # A ZIP says how long its parts are, and no more of them is unpacked.
        self._unpacked += self._archive.getinfo(name).file_size
        check_unpacked(self._unpacked)
        names, text = dict[str, str](), list[str]()
        parser = expat.ParserCreate(namespace_separator=" ", intern=names)
        local = cache(_local)
        begun = ended = fed = 0

        def begins(tag: str, attributes: Attributes) -> None:
            nonlocal begun
            begun += 1
            if text:
                text.clear()
            begin(local(tag), {local(key): value for key, value in attributes.items()} if attributes else {})

        def ends(tag: str) -> None:
            nonlocal ended
            ended += 1
            end(local(tag), "".join(text))
            if text:
                text.clear()

        def refused(*_declaration: object) -> None:
            raise JudgmentFileError(f"{name} in the workbook declares a type of document, which no workbook does")

        parser.StartElementHandler, parser.EndElementHandler = begins, ends
        parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = text.append, refused
        parser.buffer_text = True
        with _told(), self._archive.open(name) as part:
            while chunk := part.read(_CHUNK):
                fed += len(chunk)
                parser.Parse(chunk)
                for found, limit, what in (
                    (begun, most, "elements"),
                    (self._elements + begun, MAX_ELEMENTS, "elements in all"),
                    (begun - ended, MAX_DEPTH, "elements within elements"),
                    (len(names), MAX_NAMES, "different names"),
                    (fed - parser.CurrentByteIndex, MAX_MARK, "bytes in a tag or comment"),
                    (sum(map(len, text)), MAX_MARK, "characters in a text"),
                ):
                    if found > limit:
                        raise JudgmentFileError(
                            f"{name} in the workbook has more than {limit:,} {what}: save the sheet as CSV"
                        )
            parser.Parse(b"", True)
        self._elements += begun

    def related(self, part: str) -> dict[str, tuple[str, str]]:
        """What a part, or the whole, "", names others by: the last word of their kind, and the name, by its ids."""
        found: dict[str, tuple[str, str]] = {}
        if not self.has(_relations(part)):
            return found

        def begin(tag: str, attributes: Attributes) -> None:
            if tag == "Relationship" and attributes.get("TargetMode") != "External":
                target = normpath(join("/", dirname(part), attributes["Target"])).lstrip("/")
                found[attributes["Id"]] = attributes["Type"].rpartition("/")[2], target

        self.read(_relations(part), begin, most=MAX_LISTED)
        return found


def check_unpacked(size: int) -> None:
    """Raises JudgmentFileError for more than is unpacked of a workbook, in bytes, or characters of its cells."""
    if size > MAX_UNPACKED:
        raise JudgmentFileError(
            f"the workbook unpacks to more than {MAX_UNPACKED // 1_000_000} MB: save the sheet as CSV"
        )


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except JudgmentFileError:
        raise
    except KeyError as error:
        raise JudgmentFileError(f"the file is no workbook that can be read: it lacks a {error}") from error
    except (*UNREADABLE, LookupError, ValueError, OverflowError, expat.ExpatError) as error:
        raise JudgmentFileError(f"the file is no workbook that can be read: {error}") from error


def _relations(part: str) -> str:
    return join(dirname(part), "_rels", f"{basename(part)}.rels")


def _local(name: str) -> str:
    return name.rpartition(" ")[2]
