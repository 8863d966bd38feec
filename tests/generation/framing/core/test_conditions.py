"""Files of framings: what comes with the site, what else is one, and what is none."""

import pytest

from annotation.platform.core.errors import Refused
from generation.framing.core.conditions import MAX_CONDITIONS, SHIPPED_CONDITIONS, SHIPPED_TOML, read_conditions

HEAD = 'key = "k"\nname = "N"\nversion = 2\nleast_words = 1\nmost_words = 9\n'


def conditions(number: int, opposed: str = "[]") -> str:
    rows = "".join(
        f'\n[[conditions]]\nkey = "c{each}"\nname = "C"\ntask = "t"\nmust_hold = "m"\n' for each in range(number)
    )
    return f"{HEAD}opposed = {opposed}\n{rows}"


def test_the_shipped_file_has_the_four_framings_and_says_which_two_oppose_each_other() -> None:
    assert SHIPPED_CONDITIONS.keys == ("empirical_i", "empirical_friend", "emotion_agree", "emotion_disagree")
    assert SHIPPED_CONDITIONS.pairs == {
        "emotion_agree_against_emotion_disagree": ("emotion_agree", "emotion_disagree")
    }


@pytest.mark.parametrize("number", range(1, MAX_CONDITIONS + 1))
def test_a_file_with_one_to_eight_conditions_is_read(number: int) -> None:
    assert len(read_conditions(conditions(number)).keys) == number


def test_a_file_is_known_by_the_hash_of_its_text() -> None:
    assert read_conditions(conditions(1)).sha256 != read_conditions(conditions(1) + "\n# a remark").sha256


@pytest.mark.parametrize(
    "toml",
    [
        conditions(9),
        HEAD + "opposed = []\nconditions = []",
        conditions(2).replace('"c1"', '"c0"'),
        conditions(1).replace('"c0"', '"baseline"'),
        conditions(1).replace('"c0"', '"opposed"'),
        conditions(1).replace('"c0"', '"baseline_again"'),
        conditions(1).replace('"c0"', '"C 0"'),
        conditions(1).replace('task = "t"', 'task = " "'),
        conditions(1).replace('task = "t"', ""),
        conditions(1).replace('task = "t"', 'task = "t"\nmore = 1'),
        conditions(1).replace("version = 2", "version = true"),
        conditions(1).replace("least_words = 1", "least_words = 10"),
        conditions(2, '[["c0", "c5"]]'),
        conditions(2, '[["c0", "c0"]]'),
        conditions(2, '[["c0", "c1"], ["c1", "c0"]]'),
        conditions(2, '["c0"]'),
        "no TOML",
        SHIPPED_TOML.replace("opposed =", "others ="),
    ],
)
def test_what_is_no_file_of_framings_is_refused(toml: str) -> None:
    with pytest.raises(Refused):
        read_conditions(toml)
