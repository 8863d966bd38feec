"""The record of how an answer was written: from the browser's saves to the writer's receipt."""

from datetime import timedelta

import pytest
from django.template.loader import render_to_string
from django.urls import reverse

from annotation.study.models.studies import Study
from annotation.texts.models.provenance import Stimulus
from annotation.texts.services import intake
from annotation.writing.core.activity import Pastes
from annotation.writing.models import WritingAssignment
from annotation.writing.selectors.process import process_record
from annotation.writing.services import drafts
from tests.answers import begin, change_of, send, submit, take_pen
from tests.clients import signed_in
from tests.factories import a_writing_study, assignments_of

pytestmark = pytest.mark.django_db

TEXT = "A rule is shared. So is its price."  # 34 characters


@pytest.fixture
def answer() -> WritingAssignment:
    return begin(assignments_of(a_writing_study())[0])


def save_json(answer: WritingAssignment, **sent: object) -> int:
    client = signed_in(answer.participation.user)
    body = {"epoch": 1, "seq": 1, "text": TEXT, **sent}
    return client.post(reverse("writing_save", args=[answer.pk]), body, content_type="application/json").status_code


def receipt(answer: WritingAssignment) -> str:
    client = signed_in(answer.participation.user)
    return " ".join(client.get(reverse("writing_receipt", args=[answer.pk])).content.decode().split())


def test_what_the_browser_noted_is_summed_up_over_all_saves(answer: WritingAssignment) -> None:
    save_json(answer, activity=[["burst", 1_000, 4_000, 30, 6]])
    change = change_of(answer, 34, 0, " And its use, says a note.")  # 26 characters
    pasted = (["paste_outside", 20_000, 26], ["away", 9_000, 8_500])
    send(answer, drafts.Save(**{**vars(change), "activity": pasted}))
    take_pen(answer, "another-window")
    save_json(answer, epoch=2, text=TEXT, activity=[["burst", 40_000, 0, 0, 26], ["burst", 50_000, 900, 10, 0]])

    record = process_record(answer)
    assert (record.saves, record.typed, record.deleted) == (3, 30 + 0 + 10, 6 + 26)
    assert record.outside == Pastes(1, 26, 26)
    assert (record.times_away, record.away) == (1, timedelta(seconds=8.5))
    assert (record.pauses, record.longest_pause) == (1, timedelta(seconds=10))
    assert record.length == 34
    assert record.kept == pytest.approx(34 / (40 + 26))


def test_a_text_is_kept_whatever_stands_beside_it_as_activity(answer: WritingAssignment) -> None:
    for seq, odd in enumerate((None, "typing", {"burst": 1}, [["burst"], 7, [[]], ["away", -1, 5]]), start=1):
        assert save_json(answer, seq=seq, text=f"{TEXT} {seq}", activity=odd) == 200
    record = process_record(answer)
    assert (record.saves, record.noted) == (4, 0)


def test_what_one_writer_did_is_not_in_anothers_record() -> None:
    study = a_writing_study(writers=2, prompts=1)
    one, other = (begin(assignments_of(study, writer=number)[0]) for number in (0, 1))
    save_json(one, activity=[["paste_outside", 5, 34]])
    assert process_record(one).outside.count == 1
    assert process_record(other).outside.count == 0


def test_the_receipt_shows_writers_their_record_in_plain_words(answer: WritingAssignment) -> None:
    save_json(
        answer,
        activity=[
            ["burst", 0, 60_000, 1_234, 56],
            ["burst", 190_000, 2_000, 21, 0],
            ["paste_inside", 70_000, 5],
            ["paste_outside", 80_000, 300],
            ["paste_outside", 81_000, 700],
            ["paste_blocked", 90_000, 4_000],
            ["away", 100_000, 75_000],
        ],
    )
    page = receipt(submit(answer))
    for words in (
        "2, half of them of 628 characters or more",  # between 21 and 1,234 lies 627.5
        "1, the longest 2 min 10 s",  # from 60 s to 190 s
        "1,255 and 56 characters",
        "1 time, 5 characters",
        "2 times, 1,000 characters in all, the largest 700",
        "1 time, 4,000 characters",
        "1 time, 1 min 15 s in all",
        "nobody is excluded because of them",
        "Is there anything to say about how it was written?",
    ):
        assert words in page


def test_without_scripts_the_receipt_says_that_nothing_was_noted(answer: WritingAssignment) -> None:
    drafts.keep(assignment=answer, text=TEXT, by=answer.participation.user)
    assert "Nothing was noted" in receipt(submit(answer))


@pytest.mark.parametrize(("policy", "points_out"), [("allow", False), ("flag", True), ("block", True)])
def test_pastes_from_outside_are_pointed_out_to_the_coordinator_as_the_study_wants(
    answer: WritingAssignment, policy: str, points_out: bool
) -> None:
    save_json(answer, activity=[["paste_outside", 5, 34]])
    study = Study(paste_policy=policy)
    shown = render_to_string("writing/_process.html", {"record": process_record(answer), "study": study})
    assert ("The study points this out" in shown) is points_out
    assert "The study points this out" not in receipt(submit(answer)), "the writer knows"


def test_no_figure_of_the_record_keeps_an_answer_out(answer: WritingAssignment) -> None:
    save_json(answer, activity=[["paste_outside", 5, 34], ["away", 0, 1_700_000]])
    submitted = submit(answer)
    assert submitted.state == "submitted"
    assert submitted.response
    intake.read(response_id=submitted.response.pk)
    assert Stimulus.objects.get(response=submitted.response).state == "admitted"
