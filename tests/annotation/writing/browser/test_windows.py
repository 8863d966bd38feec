"""One pen: several tabs and devices, of which one writes, and nothing is overwritten."""

import re
from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from annotation.study.models.responses import Response
from annotation.writing.models import Draft, DraftRevision, SideText, WritingAssignment
from tests.annotation.writing.browser.actions import (
    SAVED,
    come_back,
    crash,
    editor,
    hand_in,
    held,
    notice,
    status,
    write,
    write_and_save,
)
from tests.browsing import SignIn

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def open_reading(page: Page, address: str) -> None:
    page.goto(address)
    expect(notice(page, "reading")).to_be_visible()
    expect(editor(page)).not_to_be_editable()


def write_here(page: Page) -> None:
    page.get_by_role("button", name="Write here instead").click()
    expect(editor(page)).to_be_editable()


def pen_epoch(assignment: WritingAssignment) -> int:
    return Draft.objects.get(assignment=assignment).pen_epoch


# -- tabs of one browser -------------------------------------------------------------------------------------


def test_a_second_tab_reads_what_the_first_one_writes(room: Page, assignment: WritingAssignment) -> None:
    write_and_save(room, "First tab.")
    second = room.context.new_page()
    open_reading(second, room.url)
    expect(status(second)).to_have_text("Read only")
    expect(notice(second, "reading")).to_contain_text(re.compile("last saved (just now|. s ago)"))
    expect(second.get_by_role("button", name="Submit…")).to_be_disabled()
    write_and_save(room, " More.")
    come_back(second)
    expect(editor(second)).to_have_value("First tab. More.")
    expect(editor(room)).to_be_editable()
    assert pen_epoch(assignment) == 1


def test_the_first_tab_is_told_at_once_when_the_second_one_writes_and_its_last_words_go_along(
    room: Page, assignment: WritingAssignment
) -> None:
    write_and_save(room, "First tab.")
    second = room.context.new_page()
    open_reading(second, room.url)
    write(room, " Last words.")
    write_here(second)
    expect(editor(second)).to_have_value("First tab. Last words.")
    expect(notice(room, "reading")).to_be_visible(timeout=1000)
    expect(editor(room)).not_to_be_editable()
    write_and_save(second, " Second tab.")
    assert held(assignment) == "First tab. Last words. Second tab."
    come_back(room)
    expect(editor(room)).to_have_value("First tab. Last words. Second tab.")


def test_the_pen_goes_back_and_forth(room: Page, assignment: WritingAssignment) -> None:
    write_and_save(room, "One")
    second = room.context.new_page()
    open_reading(second, room.url)
    for page, text in ((second, " two"), (room, " three"), (second, " four")):
        write_here(page)
        write_and_save(page, text)
    assert held(assignment) == "One two three four"
    assert not SideText.objects.exists()


def test_reload_and_back_bring_the_same_answer_and_the_pen_without_a_question(
    room: Page, assignment: WritingAssignment
) -> None:
    write_and_save(room, "Still here.")
    started = assignment.started_at
    for leave_and_return in (room.reload, lambda: (room.goto("/settings/"), room.go_back())):
        leave_and_return()
        expect(editor(room)).to_be_editable()
        expect(editor(room)).to_have_value("Still here.")
        expect(status(room)).to_have_text(SAVED)
    room.close()
    another_tab = assignment_tab(room)
    expect(editor(another_tab)).to_be_editable()
    assignment.refresh_from_db()
    assert assignment.started_at == started


def assignment_tab(page: Page) -> Page:
    tab = page.context.new_page()
    tab.goto(page.url)
    return tab


def test_a_page_restored_as_it_was_left_goes_on(room: Page, assignment: WritingAssignment) -> None:
    write_and_save(room, "Before.")
    room.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    room.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(editor(room)).to_be_editable()
    write_and_save(room, " After.")
    assert held(assignment) == "Before. After."
    assert pen_epoch(assignment) == 2


def test_where_the_browser_has_no_locks_the_server_tells_tabs_apart(
    page: Page, sign_in: SignIn, assignment: WritingAssignment
) -> None:
    other = page.context.new_page()
    for tab in (page, other):
        tab.add_init_script("Object.defineProperty(navigator, 'locks', { value: undefined })")
    sign_in(page, assignment.participation.user)
    page.goto(reverse("writing_room", args=[assignment.pk]))
    expect(editor(page)).to_be_editable()
    open_reading(other, page.url)
    page.reload()
    expect(editor(page)).to_be_editable()


# -- devices -------------------------------------------------------------------------------------------------


def test_another_device_reads_until_it_takes_the_pen_and_what_was_unsaved_is_kept_aside(
    room: Page, another_device: Callable[[], Page], assignment: WritingAssignment
) -> None:
    write_and_save(room, "First device.")
    other = another_device()
    open_reading(other, room.url)
    expect(editor(other)).to_have_value("First device.")
    write_here(other)
    write_and_save(other, " Second device.")
    write(room, " Not yet saved.")
    come_back(room)
    expect(notice(room, "reading")).to_be_visible()
    expect(notice(room, "reading")).to_contain_text("it is kept beside your answer")
    expect(editor(room)).to_have_value("First device. Second device.")
    assert held(assignment) == "First device. Second device."
    side = SideText.objects.get()
    assert (side.text, side.pen_epoch) == ("First device. Not yet saved.", 1)


def test_the_pen_can_be_taken_back_from_another_device(
    room: Page, another_device: Callable[[], Page], assignment: WritingAssignment
) -> None:
    write_and_save(room, "First device.")
    other = another_device()
    open_reading(other, room.url)
    write_here(other)
    write_and_save(other, " Second device.")
    come_back(room)
    write_here(room)
    expect(editor(room)).to_have_value("First device. Second device.")
    expect(notice(room, "choosing")).to_be_hidden()
    write_and_save(room, " First again.")
    come_back(other)
    expect(notice(other, "reading")).to_be_visible()
    assert held(assignment) == "First device. Second device. First again."


def test_an_idle_room_notices_within_ten_seconds_that_it_lost_the_pen(
    clocked_room: Page, another_device: Callable[[], Page]
) -> None:
    other = another_device()
    open_reading(other, clocked_room.url)
    write_here(other)
    clocked_room.clock.run_for(10_000)
    expect(notice(clocked_room, "reading")).to_be_visible()


def test_a_room_that_only_reads_learns_that_the_answer_was_handed_in(
    room: Page, another_device: Callable[[], Page]
) -> None:
    other = another_device()
    open_reading(other, room.url)
    write_and_save(room, "Handed in over there.")
    hand_in(room)
    expect(room.get_by_role("heading", name="Your answer has been handed in")).to_be_visible()
    come_back(other)
    expect(notice(other, "handed-in")).to_be_visible()
    assert Response.objects.get().text == "Handed in over there."


# -- two texts -----------------------------------------------------------------------------------------------


@pytest.fixture
def two_texts(room: Page, another_device: Callable[[], Page], assignment: WritingAssignment) -> Page:
    """The room of a browser that kept unsaved words, after the answer was written on on another device."""
    write_and_save(room, "Together.")
    room.context.set_offline(True)
    write(room, " Kept here.")
    crash(room)
    other = another_device()
    open_reading(other, room.url)
    write_here(other)
    write_and_save(other, " Saved there, later.")
    other.close()
    room.context.set_offline(False)
    page = room.context.new_page()
    open_reading(page, room.url)
    page.get_by_role("button", name="Write here instead").click()
    expect(notice(page, "choosing")).to_be_visible()
    return page


def test_two_texts_are_offered_side_by_side_and_the_one_not_chosen_stays_in_the_history(
    two_texts: Page, assignment: WritingAssignment
) -> None:
    own = two_texts.get_by_role("region", name="Kept in this browser")
    expect(own).to_contain_text("3 words")
    expect(own).to_contain_text("Together. Kept here.")
    saved = two_texts.get_by_role("region", name="Saved since, elsewhere")
    expect(saved).to_contain_text("4 words")
    expect(saved).to_contain_text("Together. Saved there, later.")
    expect(editor(two_texts)).not_to_be_editable()
    expect(two_texts.get_by_role("button", name="Submit…")).to_be_disabled()
    own.get_by_role("button").click()
    expect(editor(two_texts)).to_be_editable()
    expect(status(two_texts)).to_have_text(SAVED)
    assert held(assignment) == "Together. Kept here."
    assert "Saved there, later" in DraftRevision.objects.filter(pen_epoch=2).get().inserted


def test_without_a_choice_both_texts_stay_and_the_browsers_own_can_be_kept_beside_the_answer(
    two_texts: Page, assignment: WritingAssignment
) -> None:
    two_texts.reload()
    expect(notice(two_texts, "choosing")).to_be_visible()
    assert held(assignment) == "Together. Saved there, later."
    two_texts.get_by_role("region", name="Saved since, elsewhere").get_by_role("button").click()
    expect(notice(two_texts, "kept-beside")).to_be_visible()
    write_and_save(two_texts, " More.")
    assert held(assignment) == "Together. Saved there, later. More."
    assert SideText.objects.get().text == "Together. Kept here."
    two_texts.reload()
    expect(editor(two_texts)).to_be_editable()
