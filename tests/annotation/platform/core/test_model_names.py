"""Models that go by one name are told apart by what else is known, and else by numbers."""

import pytest

from annotation.platform.core.model_names import told_apart


@pytest.mark.parametrize(
    ("called", "names"),
    [
        ({}, {}),
        ({7: ("gpt", "gpt-5"), 8: ("claude", "gpt-5")}, {7: "gpt", 8: "claude"}),
        ({8: ("gpt", "gpt-6"), 7: ("gpt", "gpt-5")}, {7: "gpt (gpt-5)", 8: "gpt (gpt-6)"}),
        (
            {7: ("gpt", "gpt-5"), 9: ("gpt", "gpt-5"), 8: ("gpt", "gpt-6")},
            {7: "gpt (gpt-5) 1", 8: "gpt (gpt-6)", 9: "gpt (gpt-5) 2"},
        ),
    ],
)
def test_models_of_one_name_are_told_apart(called: dict[int, tuple[str, str]], names: dict[int, str]) -> None:
    assert told_apart(called) == names
