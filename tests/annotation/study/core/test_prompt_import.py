from typing import Any

from annotation.platform.core.table_import import ParsedRow
from annotation.platform.core.text import sha256_hex
from annotation.study.core.prompt_import import NewPrompt, NextCodes, examine


def line(number: int, text: str, **values: Any) -> ParsedRow:
    return ParsedRow(number, {"text": text, "domain": "BBQ", **values})


def there(**texts: str) -> dict[str, str]:
    """What a study has: code=text."""
    return {sha256_hex(text): code for code, text in texts.items()}


class TestCodes:
    def test_codes_of_imported_prompts_go_on_from_the_greatest_of_their_domain(self) -> None:
        codes = NextCodes(["BBQ_02", "BBQ_9", "HLE_01", "BBQ_x", "own-code"])
        assert [codes.next(domain) for domain in ("BBQ", "BBQ", "HLE", "MSC")] == [
            "BBQ_10",
            "BBQ_11",
            "HLE_02",
            "MSC_01",
        ]

    def test_codes_of_imported_prompts_do_not_take_one_that_a_later_line_names(self) -> None:
        found = examine([line(2, "a"), line(3, "b", code="BBQ_01"), line(4, "c")], wordings={}).found
        assert [prompt.code for prompt in found] == ["BBQ_02", "BBQ_01", "BBQ_03"]


class TestExamining:
    def test_examining_a_table_of_prompts_gives_all_that_a_line_says(self) -> None:
        examined = examine([line(2, "a", code="Q1", title="A", disciplines=("Law",))], wordings={})
        assert examined.found == (NewPrompt("a", "BBQ", "Q1", "A", ("Law",)),)
        assert (examined.known, examined.problems) == (0, ())

    def test_examining_passes_over_what_the_study_has_so_that_a_table_can_be_brought_twice(self) -> None:
        examined = examine(
            [line(2, "a"), line(3, "b", code="Q1"), line(4, "c")], wordings=there(BBQ_01="a", Q1="b")
        )
        assert [prompt.text for prompt in examined.found] == ["c"]
        assert (examined.known, examined.problems) == (2, ())

    def test_examining_a_table_of_prompts_names_texts_and_codes_that_stand_twice(self) -> None:
        lines = [
            line(2, "a"),
            line(3, "a"),
            line(4, "b", code="Q1"),
            line(5, "c", code="Q1"),
            line(6, "old", code="Q2"),
            line(7, "new", code="BBQ_01"),
        ]
        examined = examine(lines, wordings=there(BBQ_01="old"))
        assert [str(problem) for problem in examined.problems] == [
            "line 3: the text is that of line 2",
            "line 5: the code Q1 is taken in line 4",
            "line 6: the text is that of prompt BBQ_01 of the study",
            "line 7: the code BBQ_01 is taken by a prompt of the study with another text",
        ]
