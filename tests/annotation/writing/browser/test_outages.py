"""Without the server: the writer is told within seconds, goes on writing, and every character arrives."""

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect

from annotation.writing.models import Draft, WritingAssignment
from tests.annotation.writing.browser.actions import (
    SAVED,
    come_back,
    crash,
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
from tests.clients import signed_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WITHOUT_STORAGE = "Object.defineProperty(window, 'indexedDB', { value: undefined })"


# -- the connection ------------------------------------------------------------------------------------------


def test_offline_says_so_keeps_the_text_and_sends_it_when_the_connection_is_back(
    room: Page, assignment: WritingAssignment
) -> None:
    write_and_save(room, "Before.")
    room.context.set_offline(True)
    expect(notice(room, "offline")).to_be_visible()
    write(room, " Meanwhile.")
    expect(status(room)).to_have_text("Not saved yet")
    assert held(assignment) == "Before."
    room.context.set_offline(False)
    expect(status(room)).to_have_text(SAVED)
    expect(notice(room, "offline")).to_be_hidden()
    assert held(assignment) == "Before. Meanwhile."


def test_an_outage_shows_within_ten_seconds_while_nobody_types_and_so_does_its_end(room: Page) -> None:
    room.context.route("**/state/", lambda route: route.abort())
    expect(notice(room, "unreachable")).to_be_visible(timeout=10_000)
    room.context.unroute("**/state/")
    expect(notice(room, "unreachable")).to_be_hidden(timeout=5000)


def test_an_answer_that_never_comes_counts_as_an_outage_within_ten_seconds(room: Page) -> None:
    room.route("**/save/", never_answered)
    write(room, "Into the void.")
    come_back(room)
    expect(notice(room, "unreachable")).to_be_visible(timeout=10_000)


def test_after_ten_minutes_offline_no_character_is_missing(
    clocked_room: Page, assignment: WritingAssignment
) -> None:
    """The page's clock runs ten minutes ahead: the room tries, and fails, all that time."""
    page = clocked_room
    page.context.set_offline(True)
    sentences = [f"Sentence {number} of the outage. 🌍 " for number in range(1, 6)]
    for sentence in sentences:
        write(page, sentence)
        page.clock.run_for(120_000)
    expect(status(page)).to_have_text("Not saved yet")
    page.context.set_offline(False)
    expect(status(page)).to_have_text(SAVED)
    assert held(assignment) == "".join(sentences)


def test_offline_the_room_says_that_handing_in_needs_the_connection(room: Page) -> None:
    write_and_save(room, "Ready.")
    room.context.set_offline(True)
    room.get_by_role("button", name="Submit…").click()
    expect(room.get_by_text("Handing in needs the connection")).to_be_visible()
    expect(room.get_by_role("dialog")).to_be_hidden()
    room.context.set_offline(False)
    expect(room.get_by_text("Handing in needs the connection")).to_be_hidden()
    room.get_by_role("button", name="Submit…").click()
    expect(room.get_by_role("dialog")).to_be_visible()


def test_a_server_that_fails_is_tried_again_until_it_answers(room: Page, assignment: WritingAssignment) -> None:
    room.route("**/save/", lambda route: route.fulfill(status=503))
    write(room, "Patience.")
    come_back(room)
    expect(notice(room, "unreachable")).to_be_visible()
    expect(status(room)).to_have_text("Not saved yet")
    room.unroute("**/save/")
    expect(status(room)).to_have_text(SAVED)
    assert held(assignment) == "Patience."


def test_a_room_that_opens_in_an_outage_takes_words_and_saves_them_when_it_ends(
    page: Page, sign_in: SignIn, assignment: WritingAssignment
) -> None:
    sign_in(page, assignment.participation.user)
    page.route("**/pen/", lambda route: route.abort(), times=1)
    page.goto(f"/writing/{assignment.pk}/")
    expect(notice(page, "unopened")).to_be_visible()
    write(page, "At last.")
    expect(status(page)).to_have_text(SAVED)
    assert held(assignment) == "At last."


# -- the session ---------------------------------------------------------------------------------------------


def test_after_a_sign_out_elsewhere_the_text_waits_for_the_next_sign_in(
    room: Page, assignment: WritingAssignment
) -> None:
    write_and_save(room, "Before.")
    room.context.clear_cookies()
    write(room, " Still here.")
    come_back(room)
    expect(notice(room, "signed-out")).to_be_visible()
    expect(status(room)).to_have_text("Not saved yet")
    assert held(assignment) == "Before."
    # Signing in again brings a new session and a new token against forged requests.
    session = signed_in(assignment.participation.user).cookies[settings.SESSION_COOKIE_NAME].value
    room.context.add_cookies(
        [
            {"name": name, "value": value, "url": room.url}
            for name, value in ((settings.SESSION_COOKIE_NAME, session), ("csrftoken", "n" * 32))
        ]
    )
    expect(status(room)).to_have_text(SAVED)
    assert held(assignment) == "Before. Still here."


# -- the journal ---------------------------------------------------------------------------------------------


def test_words_that_were_never_saved_are_back_after_the_page_was_lost(
    room: Page, assignment: WritingAssignment
) -> None:
    write_and_save(room, "Saved.")
    room.context.set_offline(True)
    write(room, " Kept by the browser.")
    crash(room)
    room.context.set_offline(False)
    again = room.context.new_page()
    again.goto(f"/writing/{assignment.pk}/")
    expect(editor(again)).to_have_value("Saved. Kept by the browser.")
    expect(notice(again, "restored")).to_be_visible()
    expect(status(again)).to_have_text(SAVED)
    assert held(assignment) == "Saved. Kept by the browser."


def test_a_save_whose_answer_was_lost_with_the_page_is_recognised(
    room: Page, assignment: WritingAssignment
) -> None:
    """The server has a text this browser sent, but never learnt of: what was typed since builds on it."""
    write_and_save(room, "Saved.")
    room.route("**/save/", lambda route: (route.fetch(), route.abort()))
    write(room, " Sent.")
    come_back(room)
    expect(notice(room, "unreachable")).to_be_visible()
    assert held(assignment) == "Saved. Sent."
    room.context.set_offline(True)
    write(room, " Not sent.")
    crash(room)
    room.context.set_offline(False)
    again = room.context.new_page()
    again.goto(f"/writing/{assignment.pk}/")
    expect(editor(again)).to_have_value("Saved. Sent. Not sent.")
    expect(notice(again, "choosing")).to_be_hidden()


def test_what_was_handed_in_does_not_stay_in_the_browser(room: Page) -> None:
    write_and_save(room, "Handed in.")
    assert entries(room) == ["Handed in."]
    room.get_by_role("button", name="Submit…").click()
    room.get_by_role("dialog").get_by_label("without AI tools").check()
    room.get_by_role("dialog").get_by_label("meant to be this short").check()
    room.get_by_role("dialog").get_by_role("button", name="Submit").click()
    expect(room.get_by_role("heading", name="Your answer has been handed in")).to_be_visible()
    assert entries(room) == []


def entries(page: Page) -> list[str]:
    texts: list[str] = page.evaluate(
        """async () => {
          const open = indexedDB.open("writing-journal");
          await new Promise((resolve) => (open.onsuccess = resolve));
          const all = open.result.transaction("texts").objectStore("texts").getAll();
          await new Promise((resolve) => (all.onsuccess = resolve));
          return all.result.map(({ text }) => text);
        }"""
    )
    return texts


def test_without_a_journal_the_room_says_so_and_saves_all_the_same(
    page: Page, sign_in: SignIn, assignment: WritingAssignment
) -> None:
    page.add_init_script(WITHOUT_STORAGE)
    sign_in(page, assignment.participation.user)
    open_room(page, assignment)
    expect(page.get_by_text("This browser keeps no copy")).to_be_visible()
    write_and_save(page, "Saved without a journal.")
    assert Draft.objects.get(assignment=assignment).text == "Saved without a journal."


def test_with_a_journal_the_room_does_not_mention_it(room: Page) -> None:
    expect(room.get_by_text("This browser keeps no copy")).to_be_hidden()
