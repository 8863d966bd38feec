"""Files of conditions."""

import pytest

from annotation.platform.core.errors import Refused
from generation.trials.core.conditions import SHIPPED_CONDITIONS, SHIPPED_TOML, read_trial_conditions


def test_the_shipped_file_has_five_frameworks_one_condition_without_any_and_two_controls() -> None:
    assert [each.key for each in SHIPPED_CONDITIONS.conditions] == [
        "no_constitution",
        "harm_minimisation",
        "balanced_justice",
        "self_sovereignty",
        "community_order",
        "utilitarian",
    ]
    assert SHIPPED_CONDITIONS.baseline.key == "no_constitution"
    assert [each.key for each in SHIPPED_CONDITIONS.controls] == ["denied_fact", "hidden_values"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('text = ""', 'text = "Be kind."', "Exactly one"),
        ('key = "utilitarian"', 'key = "community_order"', "one key"),
        ('key = "utilitarian"', 'key = "Utilitarian!"', "small letters"),
        ("version = 1", "version = 1\nauthor = 'me'", "Nothing is called “author”"),
        ("version = 1", "", "“version” is missing"),
        ('[[controls]]\nkey = "denied_fact"', "[[controls]]", "“key” is missing"),
    ],
)
def test_a_file_that_is_none_is_refused_with_what_is_wrong(old: str, new: str, said: str) -> None:
    toml = SHIPPED_TOML.replace(old, new, 1)
    with pytest.raises(Refused, match=said):
        read_trial_conditions(toml)


def test_more_conditions_than_an_item_has_labels_are_refused() -> None:
    more = "".join(f'\n[[conditions]]\nkey = "more_{n}"\nname = "More"\ntext = "More."\n' for n in range(3))
    with pytest.raises(Refused, match="2 to 8 conditions"):
        read_trial_conditions(SHIPPED_TOML + more)
