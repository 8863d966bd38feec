"""Files of sources that come through the site are read in a process of their own, within limits."""

import gzip
import json
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from time import sleep

import pytest

from annotation.platform.core.errors import Refused
from annotation.platform.core.limits import LIST_QUOTATIONS, QUOTATIONS
from annotation.platform.core.line_files import BrokenFile
from annotation.platform.providers.reading import ONE_AT_A_TIME
from generation.sources.core.concept_files import MAX_FAULTY, read_concepts
from generation.sources.core.concepts import (
    MAX_NEAREST,
    Concept,
    Quote,
    QuotesNotFound,
    check_quote,
    checked_concept,
)
from generation.sources.core.source_files import read_source
from generation.sources.providers.reading import read_apart
from tests.generation.sources.bbq_items import bbq_item

TABLE = b"question\nWhy rules?\nWhy towns?\n"


def test_a_source_read_apart_is_what_it_is_when_read_here() -> None:
    lines = "\n".join(json.dumps(bbq_item(example_id=number)) for number in range(4)).encode()
    here = read_source("bbq", [("Age.jsonl", BytesIO(lines))])
    assert read_apart("bbq", [("Age.jsonl", lines)]) == here
    mapping = {"question": "question"}
    here = read_source("table", [("a.csv", BytesIO(TABLE))], mapping=mapping)
    assert read_apart("table", [("a.csv", TABLE)], mapping=mapping) == here


def test_what_is_wrong_with_a_file_read_apart_is_told_with_its_line() -> None:
    with pytest.raises(BrokenFile, match=r"a\.jsonl, line 2: not JSON") as broken:
        read_apart("hle", [("a.jsonl", b"\n{\n")])
    assert [problem.line for problem in broken.value.problems] == [2]
    with pytest.raises(Refused, match="cannot be read: the names of such files end in"):
        read_apart("hle", [("a.exe", b"")])


def test_files_that_take_for_ever_to_read_are_refused_in_words() -> None:
    """A tenth of a megabyte of gzip, a hundred million blank lines."""
    blank = gzip.compress(b"\n" * 100_000_000)
    with pytest.raises(Refused, match="more than 2 s of a processor"):
        read_apart("bbq", [("Age.jsonl.gz", blank)], seconds=2)


def test_while_one_persons_files_are_read_others_are_told_to_send_theirs_again_at_once() -> None:
    """Else a few uploads, of up to 40 s each, would take every thread that answers requests."""
    blank = gzip.compress(b"\n" * 100_000_000)
    with ThreadPoolExecutor() as pool:
        slow = pool.submit(read_apart, "bbq", [("Age.jsonl.gz", blank)], seconds=1)
        while not ONE_AT_A_TIME.locked():
            sleep(0.01)
        with pytest.raises(Refused, match="Send these again in a minute"):
            read_apart("table", [("a.csv", TABLE)], mapping={"question": "question"})
        assert not slow.done()
    with pytest.raises(Refused, match="more than 1 s"):
        slow.result()
    assert read_apart("table", [("a.csv", TABLE)], mapping={"question": "question"})


class TestQuotations:
    TEXT = "Whoever keeps the well may refuse water to no one. " * 50

    def concept(self, *quotes: str) -> Concept:
        return Concept("Stewardship", "Care.", tuple(Quote(quote, "Charter") for quote in quotes))

    def files(self, quote: str, number: int) -> dict[str, bytes]:
        """A document, and so many concepts that quote it."""
        rows = "".join(f"C{each},Care.,{quote},charter\n" for each in range(number))
        table = f"name,interpretation,quote,document\n{rows}"
        return {"charter.txt": self.TEXT.encode(), "concepts.csv": table.encode()}

    def test_a_concept_with_more_quotations_than_are_looked_up_is_refused(self) -> None:
        quotes = ["Whoever keeps the well"] * (QUOTATIONS + 1)
        with pytest.raises(Refused, match="has 41 quotations, and 40 at most"):
            checked_concept(self.concept(*quotes), {"Charter": self.TEXT})

    def test_what_comes_nearest_is_sought_for_the_first_quotations_that_are_not_found(self) -> None:
        quotes = [f"Whoever keeps {number} wells" for number in range(10)]
        with pytest.raises(QuotesNotFound) as refused:
            checked_concept(self.concept(*quotes), {"Charter": self.TEXT})
        assert [bool(miss.nearest) for miss in refused.value.misses] == [True] * MAX_NEAREST + [False] * 7

    def test_a_quotation_that_is_too_long_is_not_looked_up(self) -> None:
        assert not check_quote(self.TEXT * 10, self.TEXT * 10).is_found

    def test_a_list_of_concepts_has_so_many_quotations_and_no_more(self) -> None:
        rows = "".join(f"C{number},Care.,Whoever keeps the well,charter\n" for number in range(LIST_QUOTATIONS + 1))
        files = {
            "charter.txt": self.TEXT.encode(),
            "a.csv": b"name,interpretation,quote,document\n" + rows.encode(),
        }
        with pytest.raises(BrokenFile, match="more than 1,000 quotations"):
            read_concepts(files)

    def test_of_a_list_of_concepts_so_many_faults_are_told_and_no_more(self) -> None:
        rows = "".join(f"C{number},Care.,Whoever keeps no well,charter\n" for number in range(100))
        files = {
            "charter.txt": self.TEXT.encode(),
            "a.csv": b"name,interpretation,quote,document\n" + rows.encode(),
        }
        with pytest.raises(BrokenFile) as broken:
            read_concepts(files)
        assert len(broken.value.problems) == MAX_FAULTY
