import pytest

from annotation.platform.core.durations import in_words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-5, "0 s"),
        (0.9, "0 s"),
        (45, "45 s"),
        (60, "1 min"),
        (135, "2 min 15 s"),
        (599, "9 min 59 s"),
        (600, "10 min"),
        (659, "10 min"),
        (3600, "1 h"),
        (3900, "1 h 5 min"),
        (86_400, "1 d"),
        (86_400 * 3 + 3600 * 4, "3 d 4 h"),
    ],
)
def test_a_length_of_time_is_said_in_its_two_largest_units(seconds: float, words: str) -> None:
    assert in_words(seconds) == words
