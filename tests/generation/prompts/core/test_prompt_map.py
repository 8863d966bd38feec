"""Maps: hulls, areas and arms by hand, and the paths that are drawn of them."""

import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.prompts.core.map_picture import COLOURS, INK, MARKS, MAX_LABELS, PAPER, SIZE, Shown, picture
from generation.prompts.core.prompt_map import (
    Drawing,
    MappedPrompt,
    MappedScenario,
    Point,
    convex_hull,
    drawing,
)
from tests.folders import PROJECT

PLACES = st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), max_size=20)
FAMILIES = {7: "claude", 3: "gpt"}


def a_drawing() -> Drawing:
    """Two scenarios of two strata. From the first claude wrote three prompts, from the second gpt wrote three.

    Places span 8 by 4, so a unit of the drawing is 4: the middle (4, 2) becomes (0, 0).
    """
    scenarios = [MappedScenario(1, "s-1", "Law"), MappedScenario(2, "s-2", "Kin")]
    prompts = [
        *(MappedPrompt(10 + number, 1, 7, number) for number in (1, 2, 3)),
        *(MappedPrompt(20 + number, 2, 3, number) for number in (1, 2, 3)),
    ]
    places = [(4, 2), (8, 2), (0, 0), (8, 0), (0, 4), (8, 2), (8, 4), (6, 2)]
    return drawing(scenarios, prompts, FAMILIES, np.array(places, dtype=float))


def test_a_hull_has_corners_alone_and_goes_anticlockwise() -> None:
    square: list[Point] = [(0, 0), (2, 0), (2, 2), (0, 2)]
    assert convex_hull([(1, 1), (2, 2), *square, (1, 0), (2, 1), (0, 0)]) == (square, 4)


@pytest.mark.parametrize(
    ("places", "hull"),
    [
        ([(8, 0), (0, 0), (0, 4)], ([(0, 0), (8, 0), (0, 4)], 16)),
        ([(3, 3), (0, 0), (1, 1)], ([(0, 0), (3, 3)], 0)),
        ([(3, 3), (3, 3)], ([(3, 3)], 0)),
        ([], ([], 0)),
    ],
    ids=["a triangle", "places on one line", "the same place twice", "nothing"],
)
def test_the_hull_of_few_places_and_its_area_are_those_worked_out_by_hand(
    places: list[Point], hull: tuple[list[Point], float]
) -> None:
    assert convex_hull(places) == hull


@given(PLACES)
def test_a_hull_holds_every_place(places: list[Point]) -> None:
    corners, size = convex_hull(places)
    assert set(corners) <= set(places)
    for place in places:
        again, again_size = convex_hull([*corners, place])
        assert again == corners
        assert again_size == pytest.approx(size)


def test_places_fill_the_map_and_keep_its_proportions() -> None:
    drawn = a_drawing()
    assert [(point.x, point.y) for point in drawn.scenarios] == [(0, 0), (1, 0)]
    assert [(point.x, point.y) for point in drawn.prompts[:3]] == [(-1, -0.5), (1, -0.5), (-1, 0.5)]


def test_generators_spread_by_area_and_by_the_mean_length_of_arms() -> None:
    # claude: a triangle with sides 2 and 1, area 1, the largest. gpt: (1, 0), (1, 0.5), (0.5, 0), so 0.5²/2.
    # Arms: claude's prompts are √(1 + 0.25) from (0, 0), all three; gpt's are 0, 0.5 and 0.5 from (1, 0): a third.
    claude, gpt = a_drawing().generators
    assert (claude.family, claude.target, claude.prompts, claude.share) == ("claude", 7, 3, 1)
    assert claude.arm == pytest.approx(1.25**0.5, abs=1e-4)
    assert (gpt.family, gpt.share) == ("gpt", 0.125)
    assert gpt.arm == pytest.approx(1 / 3, abs=1e-4)


def test_without_any_area_no_share_is_defined() -> None:
    places = np.array([(0, 0), (1, 1), (2, 2)], dtype=float)
    prompts = [MappedPrompt(11, 1, 7, 1), MappedPrompt(12, 1, 7, 2)]
    [spread] = drawing([MappedScenario(1, "s-1", "Law")], prompts, {7: "claude"}, places).generators
    assert spread.share is None


def test_what_is_kept_as_json_is_the_same_drawing() -> None:
    kept = json.dumps(a_drawing().kept())
    read = Drawing.of(json.loads(kept))
    assert (read.prompts, read.scenarios) == (a_drawing().prompts, a_drawing().scenarios)
    assert read.strata == ["Kin", "Law"]
    assert json.dumps(read.kept()) == kept


def test_a_picture_has_what_is_shown() -> None:
    whole = picture(a_drawing(), Shown(frozenset({0, 1})))
    assert [(each.family, each.marks.count(each.mark)) for each in whole.generators] == [
        ("claude", 3),
        ("gpt", 3),
    ]
    assert [each.arms.count("L") for each in whole.generators] == [3, 3]
    # The second coordinate goes upwards: (−1, −0.5) is on the left, below the middle.
    assert whole.generators[0].hull.startswith(f"M20.0 {SIZE / 2 + 215:.1f}L")

    plain = picture(a_drawing(), Shown(frozenset({1}), stratum=0, arms=False, hulls=False))
    assert [(each.family, each.arms, each.hull) for each in plain.generators] == [("gpt", "", "")]
    assert plain.scenarios.count(MARKS[0]) == 1

    elsewhere = picture(a_drawing(), Shown(frozenset({1}), stratum=1))
    assert elsewhere.generators[0].marks == ""


def test_a_picture_labels_the_scenarios_that_are_shown_unless_they_are_too_many() -> None:
    labels = picture(a_drawing(), Shown(frozenset({0, 1}))).labels
    # (0, 0) is the middle; (1, 0) lies at the right margin of 20, so its label stands to the left.
    assert [(label.text, label.x, label.y, label.is_left) for label in labels] == [
        ("s-1", "450.0", "450.0", False),
        ("s-2", "880.0", "450.0", True),
    ]
    kin = picture(a_drawing(), Shown(frozenset({0, 1}), stratum=0)).labels
    assert [label.text for label in kin] == ["s-2"]

    scenarios = [MappedScenario(number, f"s-{number}", "Law") for number in range(MAX_LABELS + 1)]
    places = np.array([(number, number % 2) for number in range(MAX_LABELS + 2)], dtype=float)
    many = drawing(scenarios, [MappedPrompt(1, 0, 7, 1)], FAMILIES, places)
    assert picture(many, Shown(frozenset({0}))).labels == ()


def test_a_picture_has_the_light_colours_of_the_site() -> None:
    tokens = (PROJECT / "static/platform/base.css").read_text()
    light = dict(re.findall(r"--([\w-]+): light-dark\((#\w+),", tokens))
    assert [light[f"data-{number}"] for number in range(1, 7)] == list(COLOURS)
    assert (light["surface"], light["ink"]) == (PAPER, INK)
