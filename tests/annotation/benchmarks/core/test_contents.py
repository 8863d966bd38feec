"""Files of benchmarks are read whole, packed or not, and through the site in a process of their own."""

import gzip
import io
import json

import pytest

from annotation.benchmarks.core.contents import read_contents
from annotation.benchmarks.providers.reading import read_apart
from annotation.platform.core.errors import Refused
from annotation.platform.core.line_files import BrokenFile
from tests.annotation.benchmarks.tomi_stories import ANSWERS, FALSE_BELIEF, PAUL_LOOKS, SWAPPED

PUBLISHED = [(question, "basket" if question == PAUL_LOOKS else gold) for question, gold in ANSWERS.items()]
AS_PUBLISHED = b"".join(
    json.dumps({"context": FALSE_BELIEF, "question": f"7 {question}", "label": f"{gold} 1"}).encode() + b"\n"
    for question, gold in PUBLISHED
)
PACKED = gzip.compress(SWAPPED, mtime=0)


def test_a_compressed_file_is_read_as_what_it_holds_and_one_that_grows_too_large_is_refused() -> None:
    plain = read_contents("tomi", {"questions": ("test.txt", io.BytesIO(SWAPPED))})
    assert read_contents("tomi", {"questions": ("test.txt.gz", io.BytesIO(PACKED))}) == plain
    with pytest.raises(Refused, match="unpacked"):
        read_contents("tomi", {"questions": ("test.txt.gz", io.BytesIO(PACKED))}, max_bytes=100)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("test.txt.gz", SWAPPED),  # a browser unpacked it
        ("TEST.TXT", PACKED),
        ("test.txt", SWAPPED.replace(b"\n", b"\r")),
        ("test.txt", SWAPPED.replace(b"\n", b"\r\n")),
        ("test.txt", b"\xef\xbb\xbf" + SWAPPED),
        ("test.txt", SWAPPED.replace(b"\n", b"\n\n")),
        ("test.txt", SWAPPED.decode().encode("utf-16")),
        ("test.jsonl", b"\xef\xbb\xbf" + AS_PUBLISHED),
        ("test.JSONL", AS_PUBLISHED.replace(b"}\n", b"}\r")),
    ],
)
def test_a_file_is_read_whatever_its_packing_marks_and_line_ends(name: str, data: bytes) -> None:
    found = read_contents("tomi", {"questions": (name, io.BytesIO(data))})
    [story] = found.reading.stories
    assert [question.gold for question in story.questions] == [gold for _, gold in PUBLISHED]
    assert [finding.kind for finding in found.findings] == ["label"]


def test_a_file_that_is_no_text_is_told_as_what_it_is() -> None:
    with pytest.raises(BrokenFile, match="an Excel workbook"):
        read_contents("tomi", {"questions": ("test.txt", io.BytesIO(b"PK\x03\x04\x00"))})


def test_a_benchmark_read_apart_is_what_it_is_when_read_here() -> None:
    here = read_contents("tomi", {"questions": ("test.txt", io.BytesIO(SWAPPED))})
    assert read_apart("tomi", {"questions": ("test.txt", io.BytesIO(SWAPPED))}, {}) == here


def test_what_is_wrong_with_a_benchmark_read_apart_is_told_with_its_line_and_field() -> None:
    with pytest.raises(BrokenFile, match="line 1: this does not begin with a number"):
        read_apart("tomi", {"questions": ("test.txt", io.BytesIO(b"Nora\n"))}, {})
    with pytest.raises(Refused, match="the name of such a file ends in") as refused:
        read_apart("tomi", {"questions": ("test.exe", io.BytesIO(b""))}, {})
    assert refused.value.field == "questions"
