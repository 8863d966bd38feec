"""Files of benchmarks are read whole, packed or not, and through the site in a process of their own."""

import gzip
import io

import pytest

from annotation.benchmarks.core.contents import read_contents
from annotation.benchmarks.providers.reading import read_apart
from annotation.platform.core.errors import Refused
from annotation.platform.core.line_files import BrokenFile
from tests.annotation.benchmarks.tomi_stories import SWAPPED

PACKED = gzip.compress(SWAPPED, mtime=0)


def test_a_compressed_file_is_read_as_what_it_holds_and_one_that_grows_too_large_is_refused() -> None:
    plain = read_contents("tomi", {"questions": ("test.txt", io.BytesIO(SWAPPED))})
    assert read_contents("tomi", {"questions": ("test.txt.gz", io.BytesIO(PACKED))}) == plain
    with pytest.raises(Refused, match="unpacked"):
        read_contents("tomi", {"questions": ("test.txt.gz", io.BytesIO(PACKED))}, max_bytes=100)


def test_a_benchmark_read_apart_is_what_it_is_when_read_here() -> None:
    here = read_contents("tomi", {"questions": ("test.txt", io.BytesIO(SWAPPED))})
    assert read_apart("tomi", {"questions": ("test.txt", io.BytesIO(SWAPPED))}, {}) == here


def test_what_is_wrong_with_a_benchmark_read_apart_is_told_with_its_line_and_field() -> None:
    with pytest.raises(BrokenFile, match="line 1: this does not begin with a number"):
        read_apart("tomi", {"questions": ("test.txt", io.BytesIO(b"Nora\n"))}, {})
    with pytest.raises(Refused, match="the name of such a file ends in") as refused:
        read_apart("tomi", {"questions": ("test.exe", io.BytesIO(b""))}, {})
    assert refused.value.field == "questions"
