"""The writing room's form without scripts: it saves, hands in, and loses nothing that comes late."""

import re

import pytest
from django.test import Client

from annotation.study.models.responses import Response
from annotation.writing.models import Draft, LateText, SideText, WritingAssignment
from tests.annotation.writing.app.test_writing_views import address, post_form
from tests.answers import MINUTE, OTHER_WINDOW, begin, finalise, pass_time, put, run_out, save, take_pen, text_of
from tests.factories import a_writing_study, assignments_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def assignment() -> WritingAssignment:
    return assignments_of(a_writing_study())[0]


@pytest.fixture
def writer(client: Client, assignment: WritingAssignment) -> Client:
    """The assignment's writer, signed in."""
    client.force_login(assignment.participation.user)
    return client


def test_the_form_saves(writer: Client, assignment: WritingAssignment) -> None:
    put(assignment, "writing")
    for text in ("First.", "First.\r\n\r\nSecond."):
        assert post_form(writer, assignment, text, action="save") == address("writing_room", assignment)
    assert text_of(assignment) == "First.\n\nSecond."


@pytest.mark.parametrize(
    "window", [{}, {"epoch": "1"}, {"epoch": "x"}], ids=["no scripts", "with the pen", "no epoch"]
)
def test_the_form_saves_its_text_before_it_hands_in(
    writer: Client, assignment: WritingAssignment, window: dict[str, str]
) -> None:
    save(begin(assignment), 1, "Older text.")
    led_to = post_form(writer, assignment, "Newest text.", confirmed="on", **window)
    assert led_to == address("writing_receipt", assignment)
    assert Response.objects.get().text == "Newest text."


@pytest.mark.parametrize("window", [{}, {"epoch": "1"}], ids=["no scripts", "with the pen"])
def test_the_form_keeps_the_text_where_it_may_not_hand_in(
    writer: Client, assignment: WritingAssignment, window: dict[str, str]
) -> None:
    begin(assignment)
    assert post_form(writer, assignment, "My text.", **window) == address("writing_room", assignment)
    page = writer.get(address("writing_room", assignment)).content.decode()
    assert "confirm that you wrote this answer without AI tools" in page
    assert "My text.</textarea>" in page


def test_a_window_that_lost_the_pen_cannot_hand_in_and_its_text_is_kept_beside(
    writer: Client, assignment: WritingAssignment
) -> None:
    begin(assignment)
    take_pen(assignment, OTHER_WINDOW)
    save(assignment, 1, "Written there.", epoch=2)
    led_to = post_form(writer, assignment, "Written here.", confirmed="on", epoch="1")
    assert led_to == address("writing_room", assignment)
    assert "being written in another window" in writer.get(led_to).content.decode()
    assert text_of(assignment) == "Written there."
    assert SideText.objects.get().text == "Written here."
    assert not Response.objects.exists()


def test_a_page_without_scripts_that_another_window_has_overtaken_replaces_nothing(
    writer: Client, assignment: WritingAssignment
) -> None:
    begin(assignment)
    page = writer.get(address("writing_room", assignment)).content.decode()
    [epoch] = re.findall(r'name="epoch" value="(\d+)"', page)
    take_pen(assignment, OTHER_WINDOW)
    save(assignment, 1, "First words and many more.", epoch=2)
    led_to = post_form(writer, assignment, "First words", action="save", epoch=epoch)
    assert "kept beside it" in writer.get(led_to).content.decode()
    assert text_of(assignment) == "First words and many more."
    assert SideText.objects.get().text == "First words"


def test_a_form_that_comes_much_too_late_says_that_its_text_is_not_taken(
    writer: Client, assignment: WritingAssignment
) -> None:
    save(begin(assignment), 1, "Saved in time.")
    run_out(assignment)
    finalise(assignment)
    pass_time(assignment, 20 * MINUTE)
    led_to = post_form(writer, assignment, "Saved in time. And more.")
    assert "so it stays as it was" in writer.get(led_to).content.decode()
    assert not LateText.objects.exists()


def test_handing_in_again_leads_to_the_same_receipt(writer: Client, assignment: WritingAssignment) -> None:
    put(assignment, "writing")
    for _ in range(2):
        led_to = post_form(writer, assignment, "My text.", confirmed="on")
        assert led_to == address("writing_receipt", assignment)
        assert "alert" not in writer.get(led_to).content.decode()
    assert Response.objects.count() == 1


@pytest.mark.parametrize("by_the_loop", [False, True], ids=["before the loop", "after the loop"])
@pytest.mark.parametrize("window", [{}, {"epoch": "1"}], ids=["no scripts", "with the pen"])
@pytest.mark.parametrize(
    "sent", [{"confirmed": "on"}, {"action": "save"}, {}], ids=["submit", "save", "time is up"]
)
def test_of_a_form_that_comes_too_late_nothing_is_lost(
    writer: Client, assignment: WritingAssignment, by_the_loop: bool, window: dict[str, str], sent: dict[str, str]
) -> None:
    save(begin(assignment), 1, "Saved in time.")
    run_out(assignment)
    if by_the_loop:
        finalise(assignment)
    led_to = post_form(writer, assignment, "Saved in time. And more.", **window, **sent)
    assert "kept for the coordinator" in writer.get(led_to).content.decode()
    assert LateText.objects.get().text == "Saved in time. And more."
    finalise(assignment)
    assert (Response.objects.get().text, assignment.submitted_by_clock) == ("Saved in time.", True)


def test_when_time_is_up_the_room_waits_for_nobody(writer: Client, assignment: WritingAssignment) -> None:
    save(begin(assignment), 1, "One two three.")
    run_out(assignment)
    assert "Time is up" in writer.get(address("writing_room", assignment)).content.decode()
    assert post_form(writer, assignment, "One two three.") == address("writing_receipt", assignment)
    assert not LateText.objects.exists()


def test_a_form_for_an_answer_that_was_not_started_changes_nothing(
    writer: Client, assignment: WritingAssignment
) -> None:
    for sent in ({"confirmed": "on"}, {"action": "save"}, {}):
        assert post_form(writer, assignment, "Too early.", **sent) == address("writing_start", assignment)
    assert not Draft.objects.exists()
