"""What is found in a benchmark by rule, and that nothing is found in a sound one."""

import pytest

from annotation.benchmarks.core.findings import KINDS, findings
from annotation.benchmarks.core.items import Question, Story
from tests.annotation.benchmarks.core.test_layouts import tomi
from tests.annotation.benchmarks.tomi_stories import (
    ANSWERS,
    FALSE_BELIEF,
    NORA_LOOKS,
    PAUL_LOOKS,
    REALLY,
    RETURN,
    as_generated,
)

SOUND = Question("Who rang?", "2", 1, ("Ann", "Ben"), 2)


def kinds(*questions: Question, story: str = "Ben rang the bell.") -> list[str]:
    return [finding.kind for finding in findings([Story("1", story, questions)], "table")]


def in_tomi(story: str, answers: dict[str, str], trace: str = "") -> list[tuple[int, str]]:
    found = tomi(as_generated(story, answers), "".join(f"{trace}\n" for _ in answers).encode() if trace else None)
    return [(finding.line, finding.kind) for finding in findings(found.stories, "tomi")]


def test_a_sound_question_has_no_finding() -> None:
    assert kinds(SOUND) == []


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        (Question("Who rang?", "1", 1, ("Ann", " ann"), 1), "repeated_option"),
        (Question("Who rang?", "Cid", 1, ("Ann", "Ben"), None), "gold_not_an_option"),
        (Question("", "1", 1, ("Ann", "Ben"), 1), "empty"),
        (Question("Who rang?", "1", 1, ("Ann", ""), 1), "empty"),
        (Question("Who rang the", "1", 1, ("Ann", "Ben"), 1), "cut"),
        (Question("Who rang, and", "1", 1, ("Ann", "Ben"), 1), "cut"),
        (Question("Who rang JosÃ©?", "1", 1, ("Ann", "Ben"), 1), "encoding"),
        (Question("Who rang the manâ€™s bell?", "1", 1, ("Ann", "Ben"), 1), "encoding"),
        (Question("Who rang Jos\ufffd?", "1", 1, ("Ann", "Ben"), 1), "encoding"),
        (Question("Who rang?", "1", 1, ("Ann", "Ben"), 1, raw={"story": "Ben rang\tthe bell."}), "other_story"),
    ],
)
def test_what_is_wrong_with_a_text_is_found(question: Question, kind: str) -> None:
    assert kinds(question) == [kind]


def test_a_story_is_missing_where_others_are_there_and_not_where_a_table_has_none() -> None:
    bare, told = Story("1", "", (SOUND,)), Story("2", "Ann rang.", (Question("Who rang?", "Ann", 2),))
    assert findings([bare], "table") == []
    assert [(found.line, found.kind) for found in findings([bare, told], "table")] == [(1, "empty")]
    assert [found.kind for found in findings([bare], "socialiqa")] == ["empty"]


def test_letters_with_accents_are_no_broken_encoding() -> None:
    assert kinds(Question("Où est l’âme d’Ångström, Ça ira?", "1", 1, ("Zoë", "Ben"), 1)) == []


def test_the_same_question_with_its_options_in_another_order_is_a_duplicate() -> None:
    again = Question("who  rang?", "1", 2, ("Ben", "Ann"), 1)
    assert kinds(SOUND, again) == ["duplicate"]


def test_what_a_finding_refers_to_is_called_by_its_number_and_by_its_line() -> None:
    asked = (Question("Who rang?", "Ann", 3), Question("Why?", "Joy", 6), Question("why?", "Joy", 9))
    [found] = findings([Story("1", "Ann rang.", asked)], "table")
    assert found.text == "The same is asked of the same story in question 2 of the benchmark (line 6 of the file)."


def test_the_same_question_about_another_story_is_none() -> None:
    stories = [Story("1", "Ben rang.", (SOUND,)), Story("2", "Ann rang.", (Question("Who rang?", "Ann", 2),))]
    assert findings(stories, "table") == []


def test_labels_that_follow_from_their_story_have_no_finding() -> None:
    assert in_tomi(FALSE_BELIEF, ANSWERS) == []


@pytest.mark.parametrize("question", ANSWERS)
def test_a_label_swapped_for_the_other_place_is_found(question: str) -> None:
    swapped = {"trunk": "basket", "basket": "trunk"}[ANSWERS[question]]
    line = len(FALSE_BELIEF.splitlines()) + 1
    assert in_tomi(FALSE_BELIEF, {question: swapped}) == [(line, "label")]


def test_a_label_that_hangs_on_how_the_story_is_read_is_no_contradiction() -> None:
    line = len(RETURN.splitlines()) + 1
    assert in_tomi(RETURN, {PAUL_LOOKS: "trunk"}) == [(line, "depends")]
    assert in_tomi(RETURN, {PAUL_LOOKS: "cellar"}) == [(line, "label")]


def test_a_question_about_somebody_who_is_not_there_is_unclear() -> None:
    assert in_tomi(FALSE_BELIEF, {"Where will Zed look for the kite?": "trunk"}) == [(7, "unclear")]


@pytest.mark.parametrize(
    ("trace", "answers", "kinds"),
    [
        ("first_order_0_no_tom,false_belief", {NORA_LOOKS: "basket"}, []),
        ("first_order_1_tom,false_belief", {PAUL_LOOKS: "trunk"}, []),
        ("first_order_1_no_tom,false_belief", {NORA_LOOKS: "basket"}, ["role"]),
        ("first_order_1_no_tom,false_belief", {PAUL_LOOKS: "trunk"}, ["role"]),
        ("reality,true_belief", {REALLY: "basket"}, ["story_type"]),
        ("reality,second_order_false_belief", {REALLY: "basket"}, []),
    ],
)
def test_types_and_roles_of_a_trace_are_held_against_the_story(
    trace: str, answers: dict[str, str], kinds: list[str]
) -> None:
    assert [kind for _, kind in in_tomi(FALSE_BELIEF, answers, trace)] == kinds


def test_a_false_belief_that_nobody_holds_is_found() -> None:
    story = FALSE_BELIEF.replace("5 Paul exited the attic.", "5 Paul likes the kite")
    assert [kind for _, kind in in_tomi(story, {REALLY: "basket"}, "reality,false_belief")] == ["story_type"]


def test_findings_come_in_the_order_of_the_file() -> None:
    broken = [Question("", "9", line, ("a", "a"), None) for line in (3, 1, 2)]
    found = findings([Story("1", "A story.", (broken[0],)), Story("2", "Another.", tuple(broken[1:]))], "table")
    assert [finding.line for finding in found] == sorted(finding.line for finding in found)
    assert {finding.kind for finding in found} <= set(KINDS)
