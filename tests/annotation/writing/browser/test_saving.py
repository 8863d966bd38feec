"""Saving: after a pause, at the latest while typing, and “Saved” only when it is true."""

import json
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, Request, Route, expect

from annotation.platform.core.text import sha256_hex
from annotation.study.models.responses import Response
from annotation.writing.models import Draft, DraftRevision, SideText, WritingAssignment
from tests.annotation.writing.browser.actions import (
    SAVED,
    come_back,
    editor,
    held,
    never_answered,
    notice,
    open_room,
    status,
    write,
    write_and_save,
)
from tests.browsing import SignIn
from tests.factories import an_essay
from tests.waiting import eventually

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

KEEPALIVE_LIMIT = 64 * 1024  # bytes, set by browsers for all such requests of a page together
LEAVE = "dispatchEvent(new PageTransitionEvent('pagehide'))"


def sent_by(page: Page) -> list[dict[str, Any]]:
    """What the page sends to be saved from now on."""
    messages: list[dict[str, Any]] = []

    def note(request: Request) -> None:
        if request.url.endswith("/save/"):
            messages.append(json.loads(request.post_data or ""))

    page.on("request", note)
    return messages


# -- when it is saved ----------------------------------------------------------------------------------------


def test_text_is_saved_after_a_pause_and_is_there_after_a_reload(room: Page, assignment: WritingAssignment) -> None:
    write(room, "One two three.")
    expect(status(room)).to_have_text("Not saved yet")
    expect(room.locator("#word-count")).to_have_text("3 words")
    expect(status(room)).to_have_text(SAVED)
    assert held(assignment) == "One two three."
    room.reload()
    expect(editor(room)).to_have_value("One two three.")
    expect(status(room)).to_have_text(SAVED)


def test_text_is_saved_while_somebody_types_without_a_pause(room: Page, assignment: WritingAssignment) -> None:
    editor(room).press_sequentially("word " * 7, delay=180)  # 35 keys in 6.3 seconds
    assert held(assignment).startswith("word word word word")


def test_leaving_the_page_saves_what_was_typed_last(room: Page, assignment: WritingAssignment) -> None:
    room.on("dialog", lambda dialog: dialog.accept())
    write(room, "Typed and left at once.")
    room.goto("/settings/")
    assert held(assignment) == "Typed and left at once."


def test_leaving_does_not_depend_on_a_request_still_under_way(room: Page, assignment: WritingAssignment) -> None:
    write_and_save(room, "Saved.")
    room.route("**/save/", never_answered, times=1)
    write(room, " Under way.")
    come_back(room)
    expect(status(room)).to_have_text("Saving…")
    write(room, " Last words.")
    messages = sent_by(room)
    room.evaluate(LEAVE)
    expect(status(room)).to_have_text(SAVED, timeout=1500)
    assert held(assignment) == messages[0]["text"] == "Saved. Under way. Last words."


def test_a_text_too_large_to_outlive_the_page_whole_goes_as_a_change(
    room: Page, assignment: WritingAssignment
) -> None:
    long = "€" * 29_000  # 87,000 bytes
    editor(room).fill(long)
    come_back(room)
    expect(status(room)).to_have_text(SAVED)
    messages = sent_by(room)
    editor(room).press("End")
    write(room, "!")
    room.evaluate(LEAVE)
    expect(status(room)).to_have_text(SAVED, timeout=1500)
    assert len(json.dumps(messages[0])) < KEEPALIVE_LIMIT
    assert held(assignment) == long + "!"


def type_before_the_scripts_arrive(page: Page, address: str, text: str) -> None:
    held_up: list[Route] = []

    def hold_up(route: Route) -> None:
        held_up.append(route)

    page.route("**/writing-room.js", hold_up, times=1)
    with page.expect_request("**/writing-room.js"):
        page.goto(address, wait_until="commit")
    write(page, text)
    held_up[0].continue_()


def test_what_is_typed_before_the_scripts_have_arrived_is_saved_too(
    page: Page, sign_in: SignIn, assignment: WritingAssignment
) -> None:
    sign_in(page, assignment.participation.user)
    type_before_the_scripts_arrive(page, reverse("writing_room", args=[assignment.pk]), "An early word.")
    expect(status(page)).to_have_text(SAVED)
    assert held(assignment) == "An early word."


def test_what_is_typed_early_where_another_window_writes_is_kept_beside_the_answer(
    room: Page, assignment: WritingAssignment
) -> None:
    write_and_save(room, "First tab.")
    second = room.context.new_page()
    type_before_the_scripts_arrive(second, room.url, " Typed over there.")
    expect(notice(second, "reading")).to_be_visible()
    expect(editor(second)).to_have_value("First tab.")
    eventually(SideText.objects.exists)
    assert " Typed over there." in SideText.objects.get().text
    assert held(assignment) == "First tab."


def test_the_browser_asks_before_it_drops_text_and_only_then(room: Page) -> None:
    cancelled = "() => !dispatchEvent(new Event('beforeunload', { cancelable: true }))"
    assert room.evaluate(cancelled) is False
    room.context.set_offline(True)
    write(room, "Not sent.")
    assert room.evaluate(cancelled) is True
    room.context.set_offline(False)
    expect(status(room)).to_have_text(SAVED)
    assert room.evaluate(cancelled) is False


# -- what is sent --------------------------------------------------------------------------------------------


def test_what_is_sent_grows_with_the_change_and_not_with_the_essay(
    room: Page, assignment: WritingAssignment
) -> None:
    editor(room).fill(an_essay())
    come_back(room)
    expect(status(room)).to_have_text(SAVED)
    messages = sent_by(room)
    editor(room).press("ControlOrMeta+End")
    write_and_save(room, " The end.")
    [message] = messages
    change = {key: message[key] for key in ("seq", "base_seq", "base_sha", "at", "delete", "insert")}
    assert change == {
        "seq": 2,
        "base_seq": 1,
        "base_sha": sha256_hex(an_essay()),
        "at": len(an_essay()),
        "delete": 0,
        "insert": " The end.",
    }
    assert len(an_essay()) > 1000 > len(json.dumps(message))
    assert held(assignment) == an_essay() + " The end."


def test_changes_after_emoji_and_combining_marks_land_where_they_were_typed(
    room: Page, assignment: WritingAssignment
) -> None:
    editor(room).fill("👩‍👧 first. 🌍 last. cafe\u0301")
    come_back(room)
    expect(status(room)).to_have_text(SAVED)
    for text in ("👩‍👧 first. 🌍 second. last. cafe\u0301s", "👩‍👦 first. 🌎 second. last."):
        editor(room).fill(text)
        come_back(room)
        expect(status(room)).to_have_text(SAVED)
    assert held(assignment) == "👩‍👦 first. 🌎 second. last."
    assert DraftRevision.objects.filter(assignment=assignment).count() == 3


def test_a_save_that_was_not_answered_is_sent_again_unchanged_and_counts_once(
    room: Page, assignment: WritingAssignment
) -> None:
    def answer_lost(route: Route) -> None:
        route.fetch()
        route.abort()

    messages = sent_by(room)
    room.route("**/save/", answer_lost, times=1)
    write(room, "Once")
    come_back(room)
    expect(notice(room, "unreachable")).to_be_visible()
    write(room, " and more.")
    expect(status(room)).to_have_text(SAVED)
    first, again, newest = messages
    assert first == again
    assert newest["insert"] == " and more."
    assert [(row.seq, row.inserted) for row in DraftRevision.objects.all()] == [(1, "Once"), (2, " and more.")]


def test_what_was_noted_of_the_writing_travels_with_the_text_or_after_half_a_minute_alone(
    page: Page, sign_in: SignIn, assignment: WritingAssignment
) -> None:
    page.clock.install()
    sign_in(page, assignment.participation.user)
    open_room(page, assignment)
    write(page, "Words.")
    page.clock.run_for(2500)
    expect(status(page)).to_have_text(SAVED)
    write(page, "!")
    page.keyboard.press("Backspace")
    with page.expect_response("**/save/"):
        for _ in range(7):
            page.clock.run_for(5000)
            page.wait_for_timeout(100)
    with_text, alone = DraftRevision.objects.all()
    assert sizes_of_bursts(with_text) == [(6, 0)]
    assert (alone.inserted, alone.removed) == ("", 0)
    assert sizes_of_bursts(alone) == [(1, 1)]


def sizes_of_bursts(revision: DraftRevision) -> list[tuple[int, int]]:
    """Characters typed and deleted in each burst of typing, the only events there are."""
    events = revision.activity or []
    assert {kind for kind, *_ in events} == {"burst"}
    return [(typed, deleted) for *_, typed, deleted in events]


# -- when it is called saved ---------------------------------------------------------------------------------


def test_saved_is_never_said_of_a_text_the_server_does_not_hold(room: Page) -> None:
    def other_hash(route: Route) -> None:
        reply = route.fetch()
        route.fulfill(response=reply, json={**reply.json(), "sha256": "0" * 64})

    room.route("**/save/", other_hash)
    write(room, "Is it there?")
    with room.expect_response("**/save/"):
        come_back(room)
    expect(status(room)).to_have_text("Not saved yet")
    room.unroute("**/save/")
    come_back(room)
    expect(status(room)).to_have_text(SAVED)


def test_where_the_browser_cannot_hash_the_length_is_compared(
    page: Page, sign_in: SignIn, assignment: WritingAssignment
) -> None:
    page.add_init_script("Object.defineProperty(crypto, 'subtle', { value: undefined })")
    sign_in(page, assignment.participation.user)
    open_room(page, assignment)
    write_and_save(page, "Ten points")

    def other_length(route: Route) -> None:
        reply = route.fetch()
        route.fulfill(response=reply, json={**reply.json(), "length": 9})

    page.route("**/save/", other_length)
    write(page, "!")
    with page.expect_response("**/save/"):
        come_back(page)
    expect(status(page)).to_have_text("Not saved yet")


@pytest.mark.parametrize(
    "returned",
    [
        "document.dispatchEvent(new Event('visibilitychange'))",
        "document.dispatchEvent(new Event('resume'))",
        "dispatchEvent(new Event('focus'))",
    ],
)
def test_a_page_that_is_returned_to_no_longer_calls_saved_what_the_server_has_lost(
    room: Page, assignment: WritingAssignment, returned: str
) -> None:
    write_and_save(room, "Mine.")
    Draft.objects.filter(assignment=assignment).update(seq=99, text="Other.", sha256=sha256_hex("Other."))
    room.evaluate(returned)
    expect(status(room)).to_have_text("Not saved yet")
    come_back(room)
    expect(status(room)).to_have_text(SAVED)
    assert held(assignment) == "Mine."


def test_a_text_that_is_too_long_is_not_saved_until_it_is_shortened(
    room: Page, assignment: WritingAssignment
) -> None:
    write_and_save(room, "Short.")
    editor(room).fill("x" * 100_001)
    come_back(room)
    expect(notice(room, "too-long")).to_be_visible()
    expect(status(room)).to_have_text("Not saved yet")
    assert held(assignment) == "Short."
    room.get_by_role("button", name="Submit…").click()
    expect(notice(room, "too-long")).to_contain_text("First shorten the text.")
    expect(notice(room, "too-long")).to_contain_text("30,000 can be kept")
    expect(room.get_by_role("dialog")).to_be_hidden()
    assert not Response.objects.exists()
    editor(room).fill("Short again.")
    come_back(room)
    expect(status(room)).to_have_text(SAVED)
    assert held(assignment) == "Short again."
