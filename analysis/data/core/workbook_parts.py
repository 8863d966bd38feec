"""The parts of a workbook (Office Open XML, ECMA-376): a ZIP of XML files, read as streams within limits."""

import io
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from posixpath import basename, dirname, join, normpath
from typing import Final
from xml.parsers import expat
from zipfile import ZipFile

from analysis.data.core.archive import UNREADABLE
from analysis.data.core.judgment_frame import JudgmentFileError

MAX_UNPACKED: Final = 200_000_000  # bytes of all parts that are read
# What else such archives are, by a part that each of them has.
OTHERS: Final = (
    ("xl/workbook.bin", "a binary workbook", "save it as .xlsx or CSV"),
    ("content.xml", "an OpenDocument file", "save the sheet as .xlsx or CSV"),
    ("word/document.xml", "a Word document", "bring the table in it as .xlsx or CSV"),
)
Attributes = Mapping[str, str]
_ESCAPED: Final = re.compile(r"_x([0-9A-Fa-f]{4})_")


class Parts:
    """Raises JudgmentFileError for what is no workbook, or unpacks to too much."""

    def __init__(self, content: bytes) -> None:
        with _told():
            self._archive = ZipFile(io.BytesIO(content))
        self._names = set(self._archive.namelist())
        whole = {kind: name for kind, name in self.related("").values() if kind == "officeDocument"}
        self.workbook = whole.get("officeDocument", "")
        if self.has(self.workbook) and self.has(_relations(self.workbook)) and not self.has(OTHERS[0][0]):
            return
        found = next((told for part, *told in OTHERS if part in self._names), None)
        what, instead = found or ("an archive, and no workbook", "save the sheet as CSV, or unpack it first")
        raise JudgmentFileError(f"the file is {what}, not CSV: {instead}")

    def has(self, name: str) -> bool:
        return name in self._names

    def check_size(self, *names: str) -> None:
        """All that is to be read, before any of it is: a ZIP says how long its parts are, and no more is read."""
        if sum(self._archive.getinfo(name).file_size for name in names if self.has(name)) > MAX_UNPACKED:
            raise JudgmentFileError(
                f"the workbook unpacks to more than {MAX_UNPACKED // 1_000_000} MB: save the sheet as CSV"
            )

    def read(
        self,
        name: str,
        begin: Callable[[str, Attributes], None],
        end: Callable[[str, str], None] = lambda _tag, _text: None,
    ) -> None:
        """Call `begin` where an element begins, with its name and attributes, `end` where it ends, with its name
        and the text since the last beginning or end. Names are without namespaces.
        """
        parser, text = expat.ParserCreate(namespace_separator=" "), list[str]()

        def begins(tag: str, attributes: Attributes) -> None:
            text.clear()
            begin(_local(tag), {_local(key): value for key, value in attributes.items()})

        def ends(tag: str) -> None:
            end(_local(tag), "".join(text))
            text.clear()

        def refused(*_declaration: object) -> None:
            raise JudgmentFileError(f"{name} in the workbook declares a type of document, which no workbook does")

        parser.StartElementHandler, parser.EndElementHandler = begins, ends
        parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = text.append, refused
        parser.buffer_text = True
        with _told(), self._archive.open(name) as part:
            parser.ParseFile(part)

    def related(self, part: str) -> dict[str, tuple[str, str]]:
        """What a part, or the whole, "", names others by: the last word of their kind, and the name, by its ids."""
        found: dict[str, tuple[str, str]] = {}
        if not self.has(_relations(part)):
            return found

        def begin(tag: str, attributes: Attributes) -> None:
            if tag == "Relationship" and attributes.get("TargetMode") != "External":
                target = normpath(join("/", dirname(part), attributes["Target"])).lstrip("/")
                found[attributes["Id"]] = attributes["Type"].rpartition("/")[2], target

        self.check_size(_relations(part))
        self.read(_relations(part), begin)
        return found


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except JudgmentFileError:
        raise
    except (*UNREADABLE, LookupError, ValueError, OverflowError, expat.ExpatError) as error:
        raise JudgmentFileError(f"the file is no workbook that can be read: {error}") from error


def _relations(part: str) -> str:
    return join(dirname(part), "_rels", f"{basename(part)}.rels")


def _local(name: str) -> str:
    return name.rpartition(" ")[2]


def unescaped(text: str) -> str:
    """A text whose control characters a workbook writes as `_x000D_`."""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
