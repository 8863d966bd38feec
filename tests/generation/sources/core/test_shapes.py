"""What scenarios of every shape are as text."""

from generation.sources.core.shapes import SHAPES, scenario_texts


def test_a_field_without_anything_is_left_out() -> None:
    assert scenario_texts(SHAPES["question"], {"question": " Why? ", "subject": ""}) == {"question": "Why?"}
