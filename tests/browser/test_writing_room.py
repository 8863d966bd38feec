"""The writing room in a browser: nothing typed is lost, and “Saved” is said only when it is true."""

import re
import time
from collections.abc import Callable
from datetime import timedelta

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from annotation.core.text import sha256_hex
from annotation.models.people import User
from annotation.models.responses import Response
from annotation.models.writing import Draft, DraftRevision, LateText, WritingAssignment
from annotation.services import writing
from tests.factories import a_writing_study, an_essay, assignments_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SAVED = re.compile(r"Saved · (just now|\d s ago)")
SECOND = timedelta(seconds=1)

SignIn = Callable[[Page, User], None]


@pytest.fixture
def assignment() -> WritingAssignment:
    return assignments_of(a_writing_study())[0]


@pytest.fixture
def room(page: Page, sign_in: SignIn, assignment: WritingAssignment) -> Page:
    """The room of an answer that has just been started."""
    writing.start(assignment=assignment, attested=True, by=assignment.participation.user)
    sign_in(page, assignment.participation.user)
    page.goto(reverse("writing_room", args=[assignment.pk]))
    expect(page.locator("#status")).to_have_text("Nothing to save yet")
    return page


def held(assignment: WritingAssignment) -> str:
    return Draft.objects.get(assignment=assignment).text


def write(page: Page, text: str) -> None:
    page.locator("#answer").press_sequentially(text)


def end_in(assignment: WritingAssignment, span: timedelta) -> None:
    WritingAssignment.objects.filter(pk=assignment.pk).update(deadline_at=timezone.now() + span)


# -- saving --------------------------------------------------------------------------------------------------


def test_text_is_saved_after_a_pause_and_is_there_after_a_reload(room, assignment):
    write(room, "One two three.")
    expect(room.locator("#status")).to_have_text("Not saved yet")
    expect(room.locator("#word-count")).to_have_text("3 words")
    expect(room.locator("#status")).to_have_text(SAVED)
    assert held(assignment) == "One two three."
    room.reload()
    expect(room.locator("#answer")).to_have_value("One two three.")
    expect(room.locator("#status")).to_have_text(SAVED)


def test_text_is_saved_while_somebody_types_without_a_pause(room, assignment):
    room.locator("#answer").press_sequentially("word " * 7, delay=200)  # seven seconds
    assert DraftRevision.objects.filter(assignment=assignment).exists()
    assert held(assignment).startswith("word word word word")


def test_leaving_the_page_sends_what_was_typed_last(room, assignment):
    write(room, "Typed and left at once.")
    room.evaluate("dispatchEvent(new PageTransitionEvent('pagehide'))")
    expect(room.locator("#status")).to_have_text(SAVED, timeout=1500)
    assert held(assignment) == "Typed and left at once."


def test_the_browser_asks_before_it_drops_text_and_only_then(room):
    cancelled = "() => !dispatchEvent(new Event('beforeunload', { cancelable: true }))"
    assert room.evaluate(cancelled) is False
    room.context.set_offline(True)
    write(room, "Not sent.")
    assert room.evaluate(cancelled) is True


def test_offline_says_so_keeps_the_text_and_sends_it_when_the_connection_is_back(room, assignment):
    write(room, "Before.")
    expect(room.locator("#status")).to_have_text(SAVED)
    room.context.set_offline(True)
    write(room, " Meanwhile.")
    expect(room.get_by_text("You are offline. Keep writing")).to_be_visible()
    expect(room.locator("#status")).to_have_text("Not saved yet")
    assert held(assignment) == "Before."
    room.context.set_offline(False)
    expect(room.locator("#status")).to_have_text(SAVED)
    expect(room.get_by_text("You are offline")).to_be_hidden()
    assert held(assignment) == "Before. Meanwhile."


def test_offline_the_room_says_that_handing_in_needs_the_connection(room):
    write(room, "Ready.")
    expect(room.locator("#status")).to_have_text(SAVED)
    room.context.set_offline(True)
    room.get_by_role("button", name="Submit…").click()
    expect(room.get_by_text("Handing in needs the connection")).to_be_visible()
    expect(room.get_by_role("dialog")).to_be_hidden()
    room.context.set_offline(False)
    expect(room.get_by_text("Handing in needs the connection")).to_be_hidden()
    room.get_by_role("button", name="Submit…").click()
    expect(room.get_by_role("dialog")).to_be_visible()


def test_a_server_that_fails_is_tried_again_until_it_answers(room, assignment):
    room.route("**/save/", lambda route: route.fulfill(status=503))
    write(room, "Patience.")
    expect(room.get_by_text("The server cannot be reached")).to_be_visible()
    expect(room.locator("#status")).to_have_text("Not saved yet")
    room.unroute("**/save/")
    expect(room.locator("#status")).to_have_text(SAVED, timeout=10_000)
    assert held(assignment) == "Patience."


def test_saved_is_never_said_of_a_text_the_server_does_not_hold(room, assignment):
    def other_hash(route):
        reply = route.fetch()
        route.fulfill(response=reply, json={**reply.json(), "sha256": "0" * 64})

    room.route("**/save/", other_hash)
    write(room, "Is it there?")
    expect(room.get_by_text("saved from another window")).to_be_visible()
    expect(room.locator("#status")).to_have_text("Not saved yet")


def test_after_a_sign_out_elsewhere_the_text_waits_for_the_next_sign_in(room, sign_in, assignment):
    room.context.clear_cookies(name="sessionid")
    write(room, "Still here.")
    expect(room.get_by_text("You have been signed out")).to_be_visible()
    sign_in(room, assignment.participation.user)
    expect(room.locator("#status")).to_have_text(SAVED, timeout=10_000)
    assert held(assignment) == "Still here."


def test_without_any_cookie_the_writer_is_told_to_sign_in_again(room):
    room.context.clear_cookies()
    write(room, "Still here.")
    expect(room.get_by_role("link", name="sign in again in a new window")).to_be_visible()
    expect(room.locator("#status")).to_have_text("Not saved yet")


def test_two_windows_never_overwrite_each_other_unasked(room, assignment):
    second = room.context.new_page()
    second.goto(room.url)
    write(second, "From the second window.")
    expect(second.locator("#status")).to_have_text(SAVED)
    write(room, "From the first window.")
    expect(room.get_by_text("saved from another window")).to_be_visible()
    assert held(assignment) == "From the second window."
    room.get_by_role("button", name="The text on this page").click()
    expect(room.locator("#status")).to_have_text(SAVED)
    assert held(assignment) == "From the first window."
    write(second, " More.")
    second.get_by_role("button", name="The text from the other window").click()
    expect(second.locator("#answer")).to_have_value("From the first window.")


def test_handing_in_waits_for_the_choice_between_two_windows(room, assignment):
    second = room.context.new_page()
    second.goto(room.url)
    write(second, "From the second window.")
    expect(second.locator("#status")).to_have_text(SAVED)
    write(room, "From the first window.")
    room.get_by_role("button", name="Submit…").click()
    room.get_by_role("dialog").get_by_role("checkbox").check()
    room.get_by_role("dialog").get_by_role("button", name="Submit").click()
    for _ in range(2):  # from the dialog, and instead of opening it again
        expect(room.get_by_text("First choose which text to go on with.")).to_be_visible()
        expect(room.get_by_role("dialog")).to_be_hidden()
        expect(room.get_by_role("button", name="The text from the other window")).to_be_focused()
        room.get_by_role("button", name="Submit…").click()
    assert held(assignment) == "From the second window."
    room.get_by_role("button", name="The text on this page").click()
    expect(room.locator("#status")).to_have_text(SAVED)
    room.get_by_role("button", name="Submit…").click()
    room.get_by_role("dialog").get_by_role("button", name="Submit").click()
    expect(room.get_by_role("heading", name="Your answer has been handed in")).to_be_visible()
    assert Response.objects.get().text == "From the first window."


@pytest.mark.parametrize(
    "returned",
    [
        "document.dispatchEvent(new Event('visibilitychange'))",
        "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))",
        "dispatchEvent(new Event('focus'))",
    ],
)
def test_an_idle_page_that_is_returned_to_no_longer_calls_replaced_text_saved(room, assignment, returned):
    write(room, "First.")
    expect(room.locator("#status")).to_have_text(SAVED)
    Draft.objects.filter(assignment=assignment).update(seq=99, text="Other.", sha256=sha256_hex("Other."))
    room.evaluate(returned)
    expect(room.get_by_text("saved from another window")).to_be_visible()
    expect(room.locator("#status")).to_have_text("Not saved yet")
    assert held(assignment) == "Other."


# -- time ----------------------------------------------------------------------------------------------------


def shown_seconds(page: Page) -> int:
    minutes, seconds = page.locator("#time-left").inner_text().split(":")
    return 60 * int(minutes) + int(seconds)


def test_the_time_left_is_the_servers_even_when_the_computers_clock_is_wrong(room, assignment):
    end_in(assignment, 600 * SECOND)
    end = time.monotonic() + 600
    room.reload()
    assert abs(shown_seconds(room) - (end - time.monotonic())) <= 1.5
    room.evaluate("() => { const now = Date.now; Date.now = () => now() + 3_600_000; }")
    room.wait_for_timeout(1500)
    assert abs(shown_seconds(room) - (end - time.monotonic())) <= 1.5


def test_the_end_of_time_is_announced_politely(room, assignment):
    end_in(assignment, 61 * SECOND)
    write(room, "Text.")
    expect(room.locator("#announcer")).to_have_text("1 minute left", timeout=10_000)
    expect(room.locator("#announcer")).to_have_attribute("aria-live", "polite")


def test_when_time_runs_out_the_text_is_handed_in_and_the_receipt_comes_up(room, assignment):
    end_in(assignment, 6 * SECOND)
    room.reload()
    write(room, "Written to the last second.")
    room.wait_for_url(f"**{reverse('writing_receipt', args=[assignment.pk])}", timeout=10_000)
    expect(room.get_by_text("by the clock")).to_be_visible()
    expect(room.get_by_text("Written to the last second.")).to_be_visible()


def test_offline_across_the_deadline_the_rest_is_kept_as_late(room, assignment):
    assignment.study.transport_grace_seconds = 0
    assignment.study.save()
    end_in(assignment, 8 * SECOND)
    room.reload()
    write(room, "Saved.")
    expect(room.locator("#status")).to_have_text(SAVED)
    room.context.set_offline(True)
    write(room, " Not saved.")
    expect(room.get_by_text("your last words have not reached the server")).to_be_visible(timeout=10_000)
    assert not room.locator("#answer").is_editable()
    room.context.set_offline(False)
    expect(room.get_by_text("They have been kept for the coordinator")).to_be_visible()
    assert LateText.objects.get().text == "Saved. Not saved."
    room.get_by_role("link", name="See what was handed in").click()
    expect(room.get_by_role("heading", name="Your answer has been handed in")).to_be_visible()
    assert Response.objects.get().text == "Saved."


# -- from the start page to the receipt ----------------------------------------------------------------------


def test_an_answer_can_be_written_and_handed_in_with_the_keyboard_alone(page, sign_in, assignment):
    sign_in(page, assignment.participation.user)
    page.goto(reverse("writing_start", args=[assignment.pk]))
    tab_to(page, "attested")
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{reverse('writing_room', args=[assignment.pk])}")
    tab_to(page, "answer")
    page.keyboard.type("All by hand.")
    tab_to(page, "open-submit")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_contain_text("3 words")
    tab_to(page, "confirmed")
    page.keyboard.press("Space")
    tab_to(page, "hand-in")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Your answer has been handed in")).to_be_visible()
    assignment.refresh_from_db()
    assert (Response.objects.get().text, assignment.submitted_by_clock) == ("All by hand.", False)
    assert assignment.confirmed_at is not None


def tab_to(page: Page, element_id: str) -> None:
    for _ in range(30):
        if page.evaluate("() => document.activeElement.id") == element_id:
            return
        page.keyboard.press("Tab")
    pytest.fail(f"#{element_id} cannot be reached with the Tab key")


def test_without_scripts_the_room_is_a_form(browser: Browser, base_url, sign_in, assignment):
    context = browser.new_context(java_script_enabled=False, base_url=base_url)
    page = context.new_page()
    sign_in(page, assignment.participation.user)
    page.goto(reverse("writing_start", args=[assignment.pk]))
    page.get_by_label("I will write without AI tools.").check()
    page.get_by_role("button", name="Start the clock").click()
    page.get_by_label("Your answer", exact=True).fill("First part.")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_label("Your answer", exact=True)).to_have_value("First part.")
    page.get_by_label("Your answer", exact=True).fill("First part. Second part.")
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("heading", name="Your answer has been handed in")).to_be_visible()
    expect(page.get_by_text("First part. Second part.")).to_be_visible()
    context.close()


def test_the_room_opens_with_the_caret_after_the_text(room):
    write(room, "One")
    expect(room.locator("#status")).to_have_text(SAVED)
    room.reload()
    expect(room.locator("#answer")).to_be_focused()
    room.keyboard.type(" two")
    expect(room.locator("#answer")).to_have_value("One two")


# -- reading comfort -----------------------------------------------------------------------------------------


def test_the_text_size_is_remembered(room):
    size = "() => getComputedStyle(document.getElementById('answer')).fontSize"
    before = room.evaluate(size)
    room.get_by_role("button", name="Larger text").click()
    larger = room.evaluate(size)
    assert float(larger.removesuffix("px")) > float(before.removesuffix("px"))
    room.reload()
    expect(room.get_by_role("button", name="Larger text")).to_be_disabled()
    assert room.evaluate(size) == larger


@pytest.mark.parametrize(
    ("width", "scheme"), [(320, "light"), (390, "dark"), (768, "light"), (1440, "light"), (1440, "dark")]
)
def test_pages_are_accessible_and_fit_the_screen(page, sign_in, assignment, width, scheme):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 800})
    sign_in(page, assignment.participation.user)
    for name, action in (
        ("writing_start", lambda: None),
        ("writing_room", lambda: page.get_by_role("button", name="Submit…").click()),
        ("writing_receipt", lambda: None),
    ):
        if name == "writing_room":
            writing.start(assignment=assignment, attested=True, by=assignment.participation.user)
            writing.save(
                assignment=assignment, pen_epoch=1, seq=1, text=an_essay(), by=assignment.participation.user
            )
        if name == "writing_receipt":
            writing.submit(assignment=assignment, confirmed=True, by=assignment.participation.user)
        page.goto(reverse(name, args=[assignment.pk]))
        check_page(page, width)
        action()
        check_page(page, width)


def check_page(page: Page, width: int) -> None:
    violations = Axe().run(page).response["violations"]
    assert not violations, [(found["id"], [node["html"] for node in found["nodes"]]) for found in violations]
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
