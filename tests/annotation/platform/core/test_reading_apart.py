"""Whatever becomes of the process that reads a file, whoever sent it is told in words."""

import pytest

from annotation.platform.core.errors import Refused
from annotation.platform.providers.reading import read_in_child
from tests.annotation.platform.stubborn_child import MODULE


def reading(ends: str) -> str:
    return str(read_in_child(MODULE, {"ends": ends}, seconds=1, command="analyse"))


@pytest.mark.parametrize(
    ("ends", "words"),
    [
        ("refuses", "No, thank you."),
        ("takes all memory", "takes more than 1 s of a processor, or too much memory"),
        ("counts for ever", "takes more than 1 s of a processor, or too much memory"),
        ("SIGKILL", "takes more than 1 s of a processor, or too much memory"),
        ("fails", "ended before it was done"),
        ("exits", "ended before it was done"),
        ("SIGSEGV", "ended before it was done"),
        ("SIGABRT", "ended before it was done"),
        ("SIGTERM", "ended before it was done"),
    ],
)
def test_a_reading_that_ends_in_any_way_is_refused_in_words(ends: str, words: str) -> None:
    with pytest.raises(Refused, match=words):
        reading(ends)


def test_a_reading_that_is_done_says_what_it_found_and_the_next_one_is_not_hindered_by_one_that_failed() -> None:
    with pytest.raises(Refused):
        reading("exits")
    assert reading("is done") == "done"
    assert reading("says what nobody can write") == "\ud800"
