"""What writers say afterwards: who is asked when, what is kept of it, and who reads it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from annotation.platform.core.errors import Refused
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.users import User
from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study
from annotation.writing.models import WritingAssignment
from annotation.writing.selectors.remarks import GeneralRemark, PromptRemark, Remarks, remarks_of
from annotation.writing.services import remarks
from tests.answers import MINUTE, begin, finalise, pass_time
from tests.clients import signed_in
from tests.factories import (
    a_member,
    a_person,
    a_writing_study,
    assignments_of,
    coordinator_of,
    members_of,
    written,
)

pytestmark = pytest.mark.django_db

EACH: dict[str, Any] = {"feedback": "each_prompt", "allow_prompt_rewrites": True}
THOUGHTS, REWRITE = "The question assumes “towns”.", "When is a shared rule fair?"


@pytest.fixture
def answer() -> WritingAssignment:
    """An answer that was handed in, in a study that asks about each prompt."""
    return written(assignments_of(a_writing_study(**EACH))[0])


def writer_of(answer: WritingAssignment) -> Client:
    return signed_in(answer.participation.user)


def again(answer: WritingAssignment) -> WritingAssignment:
    return WritingAssignment.objects.get(pk=answer.pk)


def receipt(answer: WritingAssignment) -> str:
    return writer_of(answer).get(reverse("writing_receipt", args=[answer.pk])).content.decode()


def home(member: Participation) -> str:
    return signed_in(member.user).get(reverse("study", args=[member.study.slug])).content.decode()


def post(answer: WritingAssignment, address: str, **fields: str) -> Any:
    return writer_of(answer).post(reverse(address, args=[answer.pk]), fields, follow=True)


def close_writing(study: Study) -> None:
    """Whatever is still to be written."""
    Study.objects.filter(pk=study.pk).update(state="assembling")


# -- on a prompt ---------------------------------------------------------------------------------------------


def test_the_receipt_asks_about_the_prompt_and_keeps_what_is_said(answer: WritingAssignment) -> None:
    assert "What do you think of this question?" in receipt(answer)
    response = post(answer, "prompt_feedback", feedback=f" {THOUGHTS}\r\n", proposed_rewrite=REWRITE)
    assert response.request["PATH_INFO"] == reverse("writing_receipt", args=[answer.pk])
    assert "Your feedback on prompt 1 is saved." in response.content.decode()
    assert (again(answer).feedback, again(answer).proposed_rewrite) == (THOUGHTS, REWRITE)
    assert THOUGHTS in receipt(answer)
    assert REWRITE in receipt(answer)


def test_feedback_can_be_changed_and_taken_back_until_writing_closes(answer: WritingAssignment) -> None:
    post(answer, "prompt_feedback", feedback=THOUGHTS, proposed_rewrite=REWRITE)
    post(answer, "prompt_feedback", feedback="On reflection: fine.", proposed_rewrite="")
    assert (again(answer).feedback, again(answer).proposed_rewrite) == ("On reflection: fine.", "")

    close_writing(answer.study)
    assert "What do you think" not in receipt(answer)
    assert "On reflection: fine." in receipt(answer)
    response = post(answer, "prompt_feedback", feedback="Too late, but typed with care.")
    assert response.status_code == 400
    page = response.content.decode()
    assert "Writing is closed in this study" in page
    assert "Too late, but typed with care." in page, "nothing is typed twice"
    assert again(answer).feedback == "On reflection: fine."


def test_a_study_that_takes_no_rewrites_asks_for_none_and_keeps_none() -> None:
    answer = written(assignments_of(a_writing_study(feedback="each_prompt"))[0])
    assert "How would you word it?" not in receipt(answer)
    post(answer, "prompt_feedback", feedback=THOUGHTS, proposed_rewrite=REWRITE)
    assert (again(answer).feedback, again(answer).proposed_rewrite) == (THOUGHTS, "")
    by = answer.participation.user
    remarks.give_feedback(assignment=answer, feedback=THOUGHTS, proposed_rewrite=REWRITE, by=by)
    assert again(answer).proposed_rewrite == ""


def test_a_study_that_asks_at_the_end_does_not_ask_about_single_prompts() -> None:
    answer = written(assignments_of(a_writing_study(feedback="end"))[0])
    assert "What do you think of this question?" not in receipt(answer)
    response = post(answer, "prompt_feedback", feedback=THOUGHTS)
    assert response.status_code == 400
    assert "does not ask for feedback on single prompts" in response.content.decode()


def test_before_an_answer_is_handed_in_there_is_nothing_to_remark() -> None:
    answer = begin(assignments_of(a_writing_study(**EACH))[0])
    verbs: tuple[Callable[[User], object], ...] = (
        lambda by: remarks.give_feedback(assignment=answer, feedback=THOUGHTS, by=by),
        lambda by: remarks.comment_on_process(assignment=answer, comment=THOUGHTS, by=by),
    )
    for verb in verbs:
        with pytest.raises(Refused, match="Hand in your answer first"):
            verb(answer.participation.user)


def test_a_remark_that_is_far_too_long_is_shown_again_and_not_kept(answer: WritingAssignment) -> None:
    response = post(answer, "prompt_feedback", feedback="word " * 2001)
    assert response.status_code == 400
    assert "at most 10000 characters" in response.content.decode()
    assert "word word word" in response.content.decode()
    assert again(answer).feedback == ""


def test_markup_in_a_remark_is_text(answer: WritingAssignment) -> None:
    post(answer, "prompt_feedback", feedback="</textarea><script>alert(1)</script>")
    assert "<script>alert" not in receipt(answer)
    close_writing(answer.study)
    assert "<script>alert" not in receipt(answer)


# -- on the record of the writing ----------------------------------------------------------------------------


def test_a_writer_can_comment_on_their_record_until_writing_closes() -> None:
    answer = written(assignments_of(a_writing_study())[0])
    response = post(answer, "process_comment", comment="I pasted my own notes.")
    assert "Your comment on the writing of prompt 1 is saved." in response.content.decode()
    assert again(answer).process_comment == "I pasted my own notes."
    close_writing(answer.study)
    assert "I pasted my own notes." in receipt(answer)
    response = post(answer, "process_comment", comment="And more.")
    assert response.status_code == 400
    assert "And more." in response.content.decode()
    assert again(answer).process_comment == "I pasted my own notes."


# -- on the study --------------------------------------------------------------------------------------------


def test_once_all_answers_are_done_the_home_asks_for_feedback_on_the_study() -> None:
    study = a_writing_study(prompts=2)
    [writer] = members_of(study, Role.WRITER)
    first, second = assignments_of(study)
    written(first)
    assert "What do you think of the study?" not in home(writer)
    begin(second)
    pass_time(second, 31 * MINUTE)
    finalise(second)  # nothing was written: it lapses, and that is done too
    assert "What do you think of the study?" in home(writer)

    client, address = signed_in(writer.user), reverse("study_feedback", args=[study.slug])
    response = client.post(address, {"feedback": THOUGHTS}, follow=True)
    assert response.request["PATH_INFO"] == reverse("study", args=[study.slug])
    writer.refresh_from_db()
    assert (writer.feedback, writer.feedback_at is None) == (THOUGHTS, False)
    client.post(address, {"feedback": ""})
    writer.refresh_from_db()
    assert (writer.feedback, writer.feedback_at) == ("", None)

    client.post(address, {"feedback": "A pleasure."})
    close_writing(study)
    assert "What do you think of the study?" not in home(writer)
    assert "A pleasure." in home(writer)
    refused = client.post(address, {"feedback": "Another thought."})
    assert refused.status_code == 400
    assert "Another thought." in refused.content.decode()


def test_a_study_that_asks_about_each_prompt_does_not_ask_at_the_end(answer: WritingAssignment) -> None:
    written(assignments_of(answer.study)[1])
    assert "What do you think of the study?" not in home(answer.participation)
    with pytest.raises(Refused, match="not asked"):
        remarks.give_general_feedback(
            participation=answer.participation, feedback=THOUGHTS, by=answer.participation.user
        )


def test_writers_without_answers_and_judges_are_not_asked() -> None:
    study = a_writing_study()
    for member in (a_member(study, Role.WRITER), a_member(study, Role.JUDGE)):
        with pytest.raises(Refused):
            remarks.give_general_feedback(participation=member, feedback=THOUGHTS, by=member.user)


# -- whose remarks they are ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "verb",
    [
        lambda answer, by: remarks.give_feedback(assignment=answer, feedback="Not mine.", by=by),
        lambda answer, by: remarks.comment_on_process(assignment=answer, comment="Not mine.", by=by),
        lambda answer, by: remarks.give_general_feedback(
            participation=answer.participation, feedback="Not mine.", by=by
        ),
    ],
)
def test_nobody_speaks_for_somebody_else(
    answer: WritingAssignment, verb: Callable[[WritingAssignment, User], object]
) -> None:
    for by in (a_person("Stella Stranger"), coordinator_of(answer.study)):
        with pytest.raises(PermissionDenied):
            verb(answer, by)


def test_the_audit_trail_tells_that_something_was_said_and_how_much_but_not_what(
    answer: WritingAssignment,
) -> None:
    by = answer.participation.user
    for _ in range(2):  # saying the same again is nothing new
        remarks.give_feedback(assignment=answer, feedback=THOUGHTS, proposed_rewrite=REWRITE, by=by)
        remarks.comment_on_process(assignment=answer, comment="My own notes.", by=by)
    told = AuditEvent.objects.filter(verb__in=["writing.feedback_given", "writing.process_commented"])
    assert [(event.actor, event.subject, event.detail) for event in told] == [
        (by, str(answer.pk), {"words": 4, "rewrite_words": 6}),
        (by, str(answer.pk), {"words": 3}),
    ]


def test_the_coordinator_reads_what_was_said_prompt_by_prompt_under_pseudonyms() -> None:
    study = a_writing_study(writers=2, **EACH)
    said = {
        ("W-0002", "HLE_02"): ("Too long.", ""),
        ("W-0002", "BBQ_01"): ("", REWRITE),
        ("W-0001", "BBQ_01"): ("Clear.", ""),
    }
    for answer in (*assignments_of(study, writer=1), *assignments_of(study, writer=0)):
        writer = written(answer).participation
        feedback, rewrite = said.get((writer.pseudonym, answer.prompt.code), ("", ""))
        remarks.give_feedback(assignment=answer, feedback=feedback, proposed_rewrite=rewrite, by=writer.user)
    assert [replace(remark, assignment=0) for remark in remarks_of(study).on_prompts] == [
        PromptRemark("W-0001", "BBQ_01", "Clear.", "", 0, ""),
        PromptRemark("W-0002", "BBQ_01", "", REWRITE, 0, ""),
        PromptRemark("W-0002", "HLE_02", "Too long.", "", 0, ""),
    ]


def test_the_coordinator_reads_general_feedback_in_the_order_it_was_given() -> None:
    study = a_writing_study(writers=2, prompts=1)
    given = []
    for number in (1, 0):
        writer = written(assignments_of(study, writer=number)[0]).participation
        remarks.give_general_feedback(participation=writer, feedback=f"By {writer.pseudonym}", by=writer.user)
        writer.refresh_from_db()
        given.append(GeneralRemark(writer.pseudonym, f"By {writer.pseudonym}", writer.feedback_at))
    assert remarks_of(study) == Remarks(on_prompts=(), general=tuple(given))
    assert remarks_of(a_writing_study("other")) == Remarks((), ())
