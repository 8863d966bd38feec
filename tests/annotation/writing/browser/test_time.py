"""Time: the server's, whatever the computer's clock says, and what happens when it is up."""

import re
import time
from datetime import datetime, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from annotation.study.models.responses import Response
from annotation.writing.models import LateText, WritingAssignment
from annotation.writing.services import writing, writing_desk
from tests.annotation.writing.browser.actions import (
    SAVED,
    SECOND,
    come_back,
    editor,
    end_in,
    held,
    never_answered,
    notice,
    open_room,
    status,
    write,
    write_and_save,
)
from tests.answers import run_out
from tests.browsing import SignIn
from tests.factories import a_writing_study, assignments_of, coordinator_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

HOUR_AHEAD = "(() => { const now = Date.now; Date.now = () => now() + 3_600_000; })()"
SLEEP_OF_TWENTY_MINUTES = "() => { const now = Date.now; Date.now = () => now() + 1_200_000; }"


def time_left(page: Page) -> int:
    """Seconds, as shown."""
    expect(page.locator("#time-left")).to_have_text(re.compile(r"^\d+:\d\d$"))
    minutes, seconds = page.locator("#time-left").inner_text().split(":")
    return 60 * int(minutes) + int(seconds)


def seconds_until(moment: datetime) -> float:
    return (moment - timezone.now()).total_seconds()


def deadline(assignment: WritingAssignment) -> datetime:
    assignment.refresh_from_db()
    assert assignment.deadline_at
    return assignment.deadline_at


# -- the clock -----------------------------------------------------------------------------------------------


def test_until_the_first_exchange_the_room_says_that_it_checks_the_clock(
    page: Page, sign_in: SignIn, assignment: WritingAssignment
) -> None:
    sign_in(page, assignment.participation.user)
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        waiting.append(route)

    page.route("**/pen/", hold)
    with page.expect_request("**/pen/"):
        page.goto(reverse("writing_room", args=[assignment.pk]))
    expect(page.locator("#time-left").get_by_text("checking the clock")).to_be_visible()
    waiting[0].continue_()
    assert abs(time_left(page) - seconds_until(deadline(assignment))) <= 1.5


def test_a_clock_an_hour_wrong_and_changed_in_the_middle_changes_neither_time_nor_deadline(
    page: Page, sign_in: SignIn, assignment: WritingAssignment
) -> None:
    page.add_init_script(HOUR_AHEAD)
    before = deadline(assignment)
    sign_in(page, assignment.participation.user)
    open_room(page, assignment)
    assert abs(time_left(page) - seconds_until(before)) <= 1.5
    page.evaluate("() => { const now = Date.now; Date.now = () => now() - 7_200_000; }")
    page.wait_for_timeout(1000)
    assert abs(time_left(page) - seconds_until(before)) <= 1.5
    write_and_save(page, "Typed under a wrong clock.")
    assert deadline(assignment) == before


def test_after_the_computer_slept_the_time_is_right_within_two_seconds(
    room: Page, assignment: WritingAssignment
) -> None:
    end_in(assignment, 95 * SECOND)  # the room still counts from half an hour
    woken = time.monotonic()
    room.evaluate(SLEEP_OF_TWENTY_MINUTES)
    expect(room.locator("#time-left")).to_have_text(re.compile(r"^1:\d\d$"), timeout=2000)
    assert time.monotonic() - woken < 2
    assert abs(time_left(room) - seconds_until(deadline(assignment))) <= 1.5


def test_after_the_computer_slept_across_the_deadline_the_editor_is_closed_within_two_seconds(
    room: Page, assignment: WritingAssignment
) -> None:
    room.route("**/submit/", lambda route: route.fulfill(status=204))  # so that the room stays in view
    end_in(assignment, SECOND / 2)
    room.wait_for_timeout(600)
    expect(editor(room)).to_be_editable()
    room.evaluate(SLEEP_OF_TWENTY_MINUTES)
    expect(editor(room)).not_to_be_editable(timeout=2000)


def test_an_answer_that_hangs_since_before_the_sleep_does_not_hold_up_the_clock(
    room: Page, assignment: WritingAssignment
) -> None:
    room.route("**/save/", never_answered)
    write(room, "Under way.")
    come_back(room)
    expect(status(room)).to_have_text("Saving…")
    end_in(assignment, 95 * SECOND)
    room.evaluate(SLEEP_OF_TWENTY_MINUTES)
    expect(room.locator("#time-left")).to_have_text(re.compile(r"^1:\d\d$"), timeout=2000)


def test_the_end_of_time_is_announced_politely(room: Page, assignment: WritingAssignment) -> None:
    end_in(assignment, 61 * SECOND)
    come_back(room)
    expect(room.locator("#announcer")).to_have_text("1 minute left")
    expect(room.locator("#announcer")).to_have_attribute("aria-live", "polite")


def test_without_a_time_limit_the_room_says_so_and_saves(page: Page, sign_in: SignIn) -> None:
    assignment = assignments_of(a_writing_study(writing_minutes=None))[0]
    writing.start(assignment=assignment, attested=True, by=assignment.participation.user)
    sign_in(page, assignment.participation.user)
    open_room(page, assignment)
    expect(page.get_by_text("No time limit")).to_be_visible()
    write_and_save(page, "In peace.")
    assert held(assignment) == "In peace."


# -- the deadline --------------------------------------------------------------------------------------------


def test_when_time_runs_out_the_text_is_handed_in_and_the_receipt_comes_up(
    room: Page, assignment: WritingAssignment
) -> None:
    end_in(assignment, 2 * SECOND)
    write(room, "Written to the last second.")
    come_back(room)
    room.wait_for_url(f"**{reverse('writing_receipt', args=[assignment.pk])}", timeout=10_000)
    expect(room.get_by_text("by the clock")).to_be_visible()
    expect(room.get_by_text("Written to the last second.")).to_be_visible()


def test_offline_across_the_deadline_the_rest_is_kept_as_late(room: Page, assignment: WritingAssignment) -> None:
    write_and_save(room, "Saved.")
    end_in(assignment, 3 * SECOND, grace=timedelta())
    come_back(room)
    expect(room.locator("#time-left")).to_have_text(re.compile("^0:0"))
    room.context.set_offline(True)
    write(room, " Not saved.")
    expect(notice(room, "over-unsaved")).to_be_visible()
    expect(editor(room)).not_to_be_editable()
    room.context.set_offline(False)
    expect(notice(room, "late")).to_be_visible()
    assert LateText.objects.get().text == "Saved. Not saved."
    assert held(assignment) == "Saved."
    writing.finalise(assignment_id=assignment.pk)
    notice(room, "late").get_by_role("link", name="See what was handed in").click()
    expect(room.get_by_role("heading", name="Your answer has been handed in")).to_be_visible()
    assert Response.objects.get().text == "Saved."


def test_offline_words_come_back_when_the_answer_is_given_back_before_they_arrive(
    room: Page, assignment: WritingAssignment
) -> None:
    write_and_save(room, "Saved.")
    room.context.set_offline(True)
    write(room, " Only here.")
    room.wait_for_timeout(1100)  # the journal is at most a second behind
    run_out(assignment)
    writing.finalise(assignment_id=assignment.pk)
    study = assignment.study
    writing_desk.reopen(assignment=assignment, minutes=5, reason="The line was down.", by=coordinator_of(study))
    room.context.set_offline(False)
    expect(notice(room, "closed")).to_be_visible(timeout=10_000)
    assert held(assignment) == "Saved."
    writing.start(assignment=assignment, attested=True, by=assignment.participation.user)
    room.on("dialog", lambda dialog: dialog.accept())
    room.goto(reverse("writing_room", args=[assignment.pk]))
    expect(editor(room)).to_have_value("Saved. Only here.")
    expect(status(room)).to_have_text(SAVED, timeout=10_000)
    assert held(assignment) == "Saved. Only here."


def test_a_deadline_that_moves_into_the_future_opens_the_editor_again(
    room: Page, assignment: WritingAssignment
) -> None:
    end_in(assignment, 2 * SECOND)
    write_and_save(room, "More to say.")
    room.context.set_offline(True)
    expect(notice(room, "over")).to_be_visible()
    expect(editor(room)).not_to_be_editable()
    end_in(assignment, 300 * SECOND)
    room.context.set_offline(False)
    expect(editor(room)).to_be_editable()
    expect(room.locator("#announcer")).to_have_text("You have more time: go on writing.")
    write_and_save(room, " And said.")
    assert held(assignment) == "More to say. And said."


def test_an_idle_room_shows_within_ten_seconds_that_the_deadline_moved(
    clocked_room: Page, assignment: WritingAssignment
) -> None:
    room = clocked_room
    end_in(assignment, 95 * SECOND)
    room.clock.run_for(10_000)
    expect(room.locator("#time-left")).to_have_text(re.compile(r"^1:\d\d$"))
    room.get_by_text("Length and rules").click()
    expect(room.locator("#ends-at")).to_have_text(
        timezone.localtime(deadline(assignment), timezone.get_default_timezone()).strftime("%H:%M:%S")
    )


def test_while_the_coordinator_pauses_the_clock_stands_still_and_goes_on_by_itself(
    room: Page, assignment: WritingAssignment
) -> None:
    coordinator = coordinator_of(assignment.study)
    write(room, "Before the pause.")
    writing_desk.pause(assignment=assignment, reason="Fire alarm.", by=coordinator)
    come_back(room)
    expect(notice(room, "paused")).to_contain_text(re.compile(r"since \d\d:\d\d: the clock stands still"))
    expect(notice(room, "paused")).to_contain_text("your text is saved")
    expect(editor(room)).not_to_be_editable()
    assert held(assignment) == "Before the pause."
    shown = time_left(room)
    room.wait_for_timeout(1500)
    assert time_left(room) == shown
    writing_desk.resume(assignment=assignment, reason="False alarm.", by=coordinator)
    come_back(room)
    expect(editor(room)).to_be_editable()
    expect(notice(room, "paused")).to_be_hidden()
    assert abs(time_left(room) - shown) <= 1.5
