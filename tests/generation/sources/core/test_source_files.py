"""What is read of files, whatever a source's kind: names, hashes, order, and what cannot be."""

import gzip
import hashlib
import io
import json

import pytest

from annotation.platform.core import line_files
from annotation.platform.core.errors import Refused
from annotation.platform.core.line_files import BrokenFile
from annotation.platform.core.table_import import Problem
from generation.sources.core.source_files import Reading, SourceFile, read_source
from generation.sources.core.source_kinds import SOURCE_KINDS, KindName
from tests.generation.sources.bbq_items import bbq_line


def read(kind: KindName, **files: bytes) -> Reading:
    """`a_csv` is the file a.csv."""
    return read_source(
        kind,
        [(name.replace("_", "."), io.BytesIO(data)) for name, data in files.items()],
        mapping={"question": "question"},
    )


def test_files_are_read_in_the_order_of_their_names_with_their_hashes() -> None:
    first, second = (bbq_line(number, question_index=str(number)).encode() for number in (1, 2))
    reading = read("bbq", B_jsonl=second, A_jsonl=first)
    assert reading.files == (
        SourceFile("A.jsonl", hashlib.sha256(first).hexdigest()),
        SourceFile("B.jsonl", hashlib.sha256(second).hexdigest()),
    )
    assert [scenario.key for scenario in reading.reduction.scenarios] == ["Age-1", "Age-2"]


def test_a_file_is_read_from_its_beginning_wherever_the_stream_was_left() -> None:
    stream = io.BytesIO(b"question\nIs it fair?\n")
    stream.read()
    reading = read_source("table", [("own.csv", stream)], mapping={"question": "question"})
    assert len(reading.reduction.scenarios) == 1


def test_every_kind_of_source_is_read() -> None:
    hle = {"id": "1", "question": "Is it just?", "category": "Humanities/Social Science", "raw_subject": "Ethics"}
    made = {
        "bbq": read("bbq", a_jsonl=bbq_line(1).encode()),
        "hle": read("hle", a_jsonl=json.dumps(hle).encode()),
        "concepts": read("concepts"),
        "table": read("table", a_csv=b"question\nIs it fair?\n"),
    }
    assert made.keys() == SOURCE_KINDS.keys()
    assert [len(reading.reduction.scenarios) for reading in made.values()] == [1, 0, 0, 1]


@pytest.mark.parametrize(
    ("kind", "names", "why"),
    [
        ("bbq", [], r"Choose a file; its name ends in \.jsonl or \.jsonl\.gz"),
        (
            "bbq",
            ["Age.jsonl", "README.md"],
            r"README\.md cannot be read: the names of such files end in \.jsonl or",
        ),
        ("table", ["a.csv", "b.csv"], "A table is one file"),
        ("hle", ["a.csv", "a.csv"], "Two files are called a.csv"),
        ("concepts", ["a.pdf"], "a.pdf cannot be read"),
    ],
)
def test_files_that_a_kind_has_not_are_refused(kind: KindName, names: list[str], why: str) -> None:
    with pytest.raises(Refused, match=why):
        read_source(kind, [(name, io.BytesIO(b"x")) for name in names])


def test_a_broken_file_tells_the_first_problem_and_how_many_more_there_are() -> None:
    one, two, three = (Problem("it is blank", line) for line in (2, 3, 4))
    assert str(BrokenFile("a.csv", [one])) == "a.csv, line 2: it is blank"
    assert str(BrokenFile("a.csv", [one, two])) == "a.csv, line 2: it is blank. There is 1 more problem."
    assert str(BrokenFile("a.csv", [one, two, three])) == "a.csv, line 2: it is blank. There are 2 more problems."
    assert str(BrokenFile("a.csv", [Problem("it is empty.")])) == "a.csv: it is empty."


def test_a_line_longer_than_any_item_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_files, "LINE_BYTES", 1_000)
    with pytest.raises(BrokenFile, match=r"a\.jsonl\.gz, line 1: this line is longer than 1 kB"):
        read_source("bbq", [("a.jsonl.gz", io.BytesIO(gzip.compress(b" " * 100_000)))])


def test_a_file_that_is_large_once_unpacked_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_files, "SOURCE_BYTES", 1_000)
    with pytest.raises(BrokenFile, match=r"a\.jsonl\.gz: unpacked it is larger than"):
        read_source("bbq", [("a.jsonl.gz", io.BytesIO(gzip.compress(b"\n" * 100_000)))])
