"""Concepts that come as files: lists of them in TOML, CSV or JSON Lines, and the documents they quote, plain texts.

In TOML a concept is a `[[concepts]]` with its `[[concepts.quotes]]`, and a `[[documents]]` gives a `file` that came
along a title and a citation. In a table each quotation has a row, and the rows of a concept repeat its name.
A document that no list describes is called by its file's name, without the ending.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from pydantic import ConfigDict, TypeAdapter, with_config

from annotation.platform.core.cells import one_line, text
from annotation.platform.core.errors import Refused
from annotation.platform.core.limits import DOCUMENT_BYTES, LIST_QUOTATIONS
from annotation.platform.core.line_files import BrokenFile, decoded
from annotation.platform.core.table_import import Field, ParsedRow, Problem, suggest, take
from annotation.platform.core.toml_files import NotToml, read_toml
from generation.providers.core.strict_reading import read_strictly
from generation.sources.core.concepts import (
    MAX_CITATION_LENGTH,
    MAX_NAME_LENGTH,
    MAX_TITLE_LENGTH,
    Concept,
    Document,
    Quote,
    check_keys_differ,
    checked_concept,
    checked_document,
    scenario_of,
)
from generation.sources.core.funnel import Funnel, Reduction
from generation.sources.core.table_sources import MAX_TEXT_LENGTH, read_table

MAX_FAULTY: Final = 10  # concepts of a list whose faults are named

DOCUMENTS: Final = (".txt", ".md")
"""What the names of documents end in."""

_FIELDS: Final = (
    Field("theme", "Theme", one_line(MAX_NAME_LENGTH)),
    Field("name", "Name", one_line(MAX_NAME_LENGTH), is_required=True, also=("concept",)),
    Field("interpretation", "Interpretation", text(MAX_TEXT_LENGTH), also=("definition",)),
    Field("quote", "Quotation", text(MAX_TEXT_LENGTH), is_required=True, also=("text",)),
    Field("document", "Document", one_line(MAX_TITLE_LENGTH), is_required=True, also=("source",)),
    Field("citation", "Citation", one_line(MAX_CITATION_LENGTH), also=("section", "page")),
)


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True)
class _Described:
    file: str
    title: str
    citation: str


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True)
class _List:
    concepts: tuple[Concept, ...] = ()
    documents: tuple[_Described, ...] = ()


_LIST: Final = TypeAdapter(_List)


def read_concepts(files: Mapping[str, bytes]) -> tuple[Reduction, tuple[Document, ...]]:
    """Concepts and documents of files by name.

    Raises `BrokenFile` for a file that cannot be read or holds a concept that does not hold, `Refused` where two
    concepts are called alike.
    """
    lists = {name: _list(name, data) for name, data in files.items() if not name.endswith(DOCUMENTS)}
    documents = _documents(files, lists)
    texts = {document.title: document.text for document in documents}
    concepts = [concept for name, one in lists.items() for concept in _checked(name, one.concepts, texts)]
    scenarios = [scenario_of(concept) for concept in concepts]
    check_keys_differ(scenarios)
    funnel = Funnel("all concepts", concepts, lambda concept: (concept.name, concept.interpretation))
    return funnel.reduction(scenarios), documents


def _list(name: str, data: bytes) -> _List:
    if not name.endswith(".toml"):
        return _List(concepts=_concepts_in_table(name, data))
    toml = decoded(name, data)
    try:
        return read_strictly(_LIST, read_toml(toml))
    except (NotToml, ValueError) as fault:
        raise BrokenFile(name, [Problem(str(fault))]) from fault


def _concepts_in_table(name: str, data: bytes) -> tuple[Concept, ...]:
    table = read_table(data)
    lines, problems = take(table.rows, _FIELDS, suggest(table.columns, _FIELDS))
    if problems := [*table.problems, *problems]:
        raise BrokenFile(name, problems)
    by_name: dict[str, list[ParsedRow]] = {}
    for line in lines:
        by_name.setdefault(line.values["name"], []).append(line)
    return tuple(_concept(concept, rows) for concept, rows in by_name.items())


def _concept(name: str, rows: Sequence[ParsedRow]) -> Concept:
    """What is not about a quotation may stand in any of the concept's rows; the first that says it counts."""

    def first(field_name: str) -> str:
        return next((row.values[field_name] for row in rows if field_name in row.values), "")

    quotes = (Quote(row.values["quote"], row.values["document"], row.values.get("citation", "")) for row in rows)
    return Concept(name, first("interpretation"), tuple(quotes), first("theme"))


def _documents(files: Mapping[str, bytes], lists: Mapping[str, _List]) -> tuple[Document, ...]:
    texts = {file: data for file, data in files.items() if file.endswith(DOCUMENTS)}
    described = {}
    for name, one in lists.items():
        for row in one.documents:
            if row.file not in texts:
                raise BrokenFile(name, [Problem(f"the document “{row.file}” did not come along")])
            described[row.file] = row
    documents = tuple(_document(file, data, described.get(file)) for file, data in texts.items())
    titles = Counter(document.title for document in documents)
    if repeated := next((title for title, times in titles.items() if times > 1), ""):
        raise Refused(f"Two documents are called “{repeated}”.")
    return documents


def _document(file: str, data: bytes, row: _Described | None) -> Document:
    if len(data) > DOCUMENT_BYTES:
        raise BrokenFile(file, [Problem(f"a document has at most {DOCUMENT_BYTES // 1000} kB")])
    title, citation = (row.title, row.citation) if row else [PurePath(file).stem] * 2
    document = Document(title, citation, decoded(file, data))
    try:
        return checked_document(document)
    except Refused as refusal:
        raise BrokenFile(file, [Problem(str(refusal))]) from refusal


def _checked(name: str, concepts: Iterable[Concept], texts: Mapping[str, str]) -> list[Concept]:
    found, problems, quotations = [], [], 0
    for concept in concepts:
        quotations += len(concept.quotes)
        if quotations > LIST_QUOTATIONS:
            problems.append(
                Problem(
                    f"there are more than {LIST_QUOTATIONS:,} quotations; bring the concepts in several sources"
                )
            )
        if quotations > LIST_QUOTATIONS or len(problems) >= MAX_FAULTY:
            break
        try:
            found.append(checked_concept(concept, texts))
        except Refused as refusal:
            problems.append(Problem(str(refusal)))
    if problems:
        raise BrokenFile(name, problems)
    return found
