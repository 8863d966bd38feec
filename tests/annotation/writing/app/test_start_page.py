"""Before the clock runs: what will happen and what is recorded, as this study and this answer have it."""

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse

from annotation.people.services import members
from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study
from annotation.writing.models import LateText, WritingAssignment
from annotation.writing.services import drafts, writing, writing_desk
from tests.answers import MINUTE, begin, finalise, pass_time, save
from tests.clients import signed_in
from tests.factories import a_writing_study, assignments_of, coordinator_of, members_of, written

pytestmark = pytest.mark.django_db


def page(assignment: WritingAssignment, name: str = "writing_start") -> str:
    client = signed_in(assignment.participation.user)
    return " ".join(client.get(reverse(name, args=[assignment.pk])).content.decode().split())


def home(study: Study) -> str:
    [writer] = members_of(study, Role.WRITER)
    return " ".join(signed_in(writer.user).get(reverse("study", args=[study.slug])).content.decode().split())


def first_answer(**parameters: Any) -> WritingAssignment:
    return assignments_of(a_writing_study(**parameters))[0]


# -- the start page ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("policy", "said", "not_said"),
    [
        ("allow", "When, and how long it is, is recorded.", "pointed out to the coordinator"),
        ("flag", "is pointed out to the coordinator", "cannot be pasted"),
        ("block", "Text from outside cannot be pasted", "can be pasted."),
    ],
)
def test_the_paste_policy_of_the_study_is_told(policy: str, said: str, not_said: str) -> None:
    shown = page(first_answer(paste_policy=policy))
    assert said in shown
    assert not_said not in shown


def test_everything_that_is_recorded_is_told_with_its_reason() -> None:
    shown = page(first_answer())
    for words in (
        "Your text at each save, with the time",
        "second window",
        "stretches of typing and the pauses",
        "nobody is excluded because of it",
        "no single keystrokes",
    ):
        assert words in shown


def test_the_rule_for_late_texts_is_told_as_the_server_keeps_it() -> None:
    assert timedelta(minutes=15) == drafts.LATE_TEXTS_UNTIL
    assert "within a quarter of an hour" in page(first_answer())
    assert "quarter of an hour" not in page(first_answer(slug="untimed", writing_minutes=None))


def test_minutes_are_told_without_needless_decimals() -> None:
    assignment = first_answer(writing_minutes=30)
    assert "> 30 minutes" in page(assignment)
    Participation.objects.filter(pk=assignment.participation_id).update(extra_minutes=10)
    assert "> 40 minutes (10 of them granted to you)" in page(assignment)


def test_an_answer_that_was_given_back_says_for_how_long_and_that_its_text_is_kept() -> None:
    assignment = written(first_answer(), "One two three four.")
    writing_desk.reopen(
        assignment=assignment, minutes=12, reason="The alarm went off.", by=coordinator_of(assignment.study)
    )
    shown = page(assignment)
    assert "This answer was given back to you." in shown
    assert "You have 12 minutes from when you start." in shown
    assert "Your text of 4 words is kept" in shown
    assert "given back" not in page(assignments_of(assignment.study)[1])


def test_why_an_answer_was_given_back_stands_wherever_its_writer_meets_it_until_it_is_handed_in() -> None:
    assignment = written(first_answer(), "One two three four.")
    writing_desk.reopen(
        assignment=assignment, minutes=12, reason="It names <your> school.", by=coordinator_of(assignment.study)
    )
    told = "“It names &lt;your&gt; school.”"
    assert told in page(assignment)
    assert home(assignment.study).count(told) == 1
    assert "Given back to you" in home(assignment.study)
    writing.start(assignment=assignment, attested=True, by=assignment.participation.user)
    assert told in page(assignment, "writing_room")
    assert told not in home(assignment.study)


def test_the_practice_room_is_offered_before_the_clock_starts() -> None:
    assignment = first_answer()
    practice = reverse("writing_practice", args=[assignment.study.slug])
    assert practice in page(assignment)
    assert practice in home(assignment.study)


# -- the list of answers -------------------------------------------------------------------------------------


def test_the_list_says_which_prompts_were_withdrawn_so_that_nobody_looks_for_them() -> None:
    study = a_writing_study()
    assert "withdrawn" not in home(study)
    writing_desk.cancel(assignment=assignments_of(study)[0], reason="Stalled.", by=coordinator_of(study))
    assert "Prompt 1 was withdrawn by the coordinator: nothing is asked of you there." in home(study)
    assert "Stalled." not in home(study)


def test_somebody_of_whom_every_prompt_was_withdrawn_reads_so_and_waits_for_none() -> None:
    study = a_writing_study()
    for assignment in assignments_of(study):
        writing_desk.cancel(assignment=assignment, reason="Stalled.", by=coordinator_of(study))
    shown = home(study)
    assert "Prompts 1, 2 were withdrawn by the coordinator: nothing is asked of you there." in shown
    assert "There is nothing to write yet" not in shown
    assert "That was all" not in shown


def test_nobody_who_withdraws_their_consent_reads_that_the_coordinator_withdrew_what_they_were_writing() -> None:
    study = a_writing_study()
    [writer] = members_of(study, Role.WRITER)
    begin(assignments_of(study)[0])
    members.withdraw_consent(participation=writer, by=writer.user)
    assert "You take no further part" in home(study)
    assert "withdrawn by the coordinator" not in home(study)


def test_the_list_says_what_each_answer_asks() -> None:
    study = a_writing_study(writing_minutes=20, target_words=300, target_words_low=280, target_words_high=330)
    assert home(study).count("About 300 words in 20 minutes") == 1 + 2  # the next one, and both in the list
    Participation.objects.filter(study=study).update(extra_minutes=5)
    assert home(study).count("About 300 words in 25 minutes") == 3
    untimed = a_writing_study("untimed", writing_minutes=None)
    assert "About 400 words in your own time" in home(untimed)


def test_the_list_says_why_an_answer_cannot_be_started_and_until_when() -> None:
    study = a_writing_study(prompts=2, prompts_per_session=1, break_minutes=15)
    written(assignments_of(study)[0])
    assert "Please take a break: you can go on at" in home(study)


# -- late texts on the receipt -------------------------------------------------------------------------------


@pytest.fixture
def late() -> LateText:
    """What arrived after the clock had handed in two words."""
    assignment = begin(first_answer())
    save(assignment, 1, "In time.")
    pass_time(assignment, 31 * MINUTE)
    finalise(assignment)
    save(assignment, 2, "In time. And a little late.")
    return LateText.objects.get()


def test_a_late_text_waits_for_the_coordinators_decision(late: LateText) -> None:
    shown = page(late.assignment, "writing_receipt")
    assert "A later text of 6 words reached the server" in shown
    assert "the coordinator decides about it" in shown


@pytest.mark.parametrize(
    ("use", "said", "words"), [(True, "it is your answer now", 6), (False, "decided to leave it aside", 2)]
)
def test_the_writer_reads_the_decision_about_a_late_text_and_its_reason(
    late: LateText, use: bool, said: str, words: int
) -> None:
    by = coordinator_of(late.assignment.study)
    writing_desk.decide_late(late=late, use=use, reason="The line was down.", by=by)
    shown = page(late.assignment, "writing_receipt")
    assert said in shown
    assert "“The line was down.”" in shown
    assert f"<dd> {words} words </dd>" in shown


def test_of_several_late_texts_the_one_that_is_used_is_told_of(late: LateText) -> None:
    save(late.assignment, 3, "In time. And a little late. And later.")
    assert "A later text of 8 words" in page(late.assignment, "writing_receipt")
    by = coordinator_of(late.assignment.study)
    writing_desk.decide_late(late=late, use=True, reason="The line was down.", by=by)
    assert "A later text of 6 words" in page(late.assignment, "writing_receipt")
