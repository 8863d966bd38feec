"""What follows from a ToMi story, against stories read by hand and against published labels."""

import pytest

from annotation.benchmarks.core.tomi_world import world_of
from tests.annotation.benchmarks.tomi_stories import (
    ANSWERS,
    FALSE_BELIEF,
    NORA_ABOUT_PAUL,
    NORA_LOOKS,
    PAUL_ABOUT_NORA,
    PAUL_LOOKS,
    REALLY,
    RETURN,
)


@pytest.mark.parametrize(("question", "answer"), ANSWERS.items())
def test_a_belief_is_what_somebody_last_saw(question: str, answer: str) -> None:
    assert world_of(FALSE_BELIEF).answers(question) == (answer,)


@pytest.mark.parametrize("question", [PAUL_LOOKS, PAUL_ABOUT_NORA, NORA_ABOUT_PAUL])
def test_who_comes_in_again_may_or_may_not_see_where_the_thing_is(question: str) -> None:
    assert world_of(RETURN).answers(question) == ("basket", "trunk")


def test_who_was_never_in_the_room_thinks_nothing_that_follows() -> None:
    story = FALSE_BELIEF + "7 Rita entered the cellar.\n"
    assert world_of(story).answers("Where will Rita look for the kite?") == ()


def test_who_comes_after_the_move_knows_nothing_unless_they_look() -> None:
    story = FALSE_BELIEF + "7 Rita entered the attic.\n"
    assert world_of(story).answers("Where will Rita look for the kite?") == ()


def test_who_stands_in_a_room_at_first_is_in_it() -> None:
    story = FALSE_BELIEF.replace("Paul entered the attic", "Paul is in the attic")
    assert world_of(story).answers(PAUL_LOOKS) == ("trunk",)


def test_a_move_in_another_room_is_seen_by_nobody_here() -> None:
    story = FALSE_BELIEF.replace("5 Paul exited the attic.", "5 Paul exited the attic.\n5 Paul entered the yard.")
    assert world_of(story).answers(PAUL_LOOKS) == ("trunk",)
    assert world_of(story).answers(NORA_LOOKS) == ("basket",)


def test_a_thing_that_is_moved_twice_is_where_it_was_moved_last() -> None:
    story = FALSE_BELIEF + "7 Nora moved the kite to the box.\n"
    assert world_of(story).answers(REALLY) == ("box",)
    assert world_of(story).answers(NORA_ABOUT_PAUL) == ("trunk",)


def test_two_things_are_followed_apart() -> None:
    story = FALSE_BELIEF + "7 The drum is in the chest.\n8 Nora moved the drum to the crate.\n"
    world = world_of(story)
    assert world.answers("Where is the drum really?") == ("crate",)
    assert world.answers(REALLY) == ("basket",)


@pytest.mark.parametrize("line", ["The kite{n} is in the trunk.", "Nora{n} entered the attic."])
@pytest.mark.parametrize("count", [10, 50_000])
def test_a_story_of_more_people_things_or_statements_than_such_have_is_not_followed(line: str, count: int) -> None:
    world = world_of(FALSE_BELIEF + "\n".join(f"{n} {line.format(n=n)}" for n in range(count)))
    assert world.things == {}
    assert world.unclear[0].startswith("More than")


def test_a_statement_of_another_kind_is_named_and_not_guessed_at() -> None:
    assert world_of(FALSE_BELIEF + "7 Paul phoned Nora.\n").unclear == ("7 Paul phoned Nora.",)
