"""Signed out while writing: the way back in without leaving the room, and the way out without losing text."""

import re
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.core import mail
from django.core.cache import cache
from django.urls import reverse
from playwright.sync_api import FrameLocator, Page, Route, expect
from pytest_django import Settings

from annotation.platform.models.users import User
from annotation.writing.models import Draft, WritingAssignment
from annotation.writing.services import writing
from tests.factories import a_person, a_writing_study, assignments_of
from tests.work import send_mails

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PASSWORD = "quiet harbour 1847"
SAVED = re.compile("^Saved")
SOON = 10_000  # ms; a save that failed is tried again after up to four seconds

SignIn = Callable[[Page, User], None]


@pytest.fixture(autouse=True)
def fresh_counters() -> None:
    """Those of rate limits outlive the database's flush between tests."""
    cache.clear()


@pytest.fixture
def assignment() -> WritingAssignment:
    """An answer that has been started, of a writer with a password."""
    assignment = assignments_of(a_writing_study())[0]
    writer = assignment.participation.user
    writer.set_password(PASSWORD)
    writer.save()
    writing.start(assignment=assignment, attested=True, by=writer)
    return assignment


@pytest.fixture
def writer(assignment: WritingAssignment) -> User:
    return assignment.participation.user


@pytest.fixture
def room(page: Page, sign_in: SignIn, assignment: WritingAssignment, writer: User) -> Page:
    sign_in(page, writer)
    return entered(page, assignment)


def entered(page: Page, assignment: WritingAssignment) -> Page:
    page.goto(reverse("writing_room", args=[assignment.pk]))
    expect(page.locator("#status")).to_have_text("Nothing to save yet")
    return page


def write(page: Page, text: str) -> None:
    page.locator("#answer").press_sequentially(text)


def signed_out(room: Page) -> FrameLocator:
    """Let the session end while something is written, and open the dialog that the room offers."""
    room.context.clear_cookies(name="sessionid")
    write(room, "Still here.")
    room.get_by_role("button", name="Sign in again").click()
    return room.frame_locator("#sign-in-again iframe")


def enter(frame: FrameLocator, person: User, password: str = PASSWORD) -> None:
    frame.get_by_label("Email").fill(person.email)
    frame.get_by_label("Password").fill(password)
    frame.get_by_label("Password").press("Enter")


def expect_saved(room: Page, assignment: WritingAssignment, text: str) -> None:
    """The dialog is gone, the page is the same, and the server holds `text`."""
    expect(room.locator("#sign-in-again")).to_be_hidden()
    expect(room.locator("#status")).to_have_text(SAVED, timeout=SOON)
    expect(room.locator("#answer")).to_have_value(text)
    assert Draft.objects.get(assignment=assignment).text == text


def check_accessible(page: Page) -> None:
    violations = Axe().run(page).response["violations"]
    assert not violations, [(found["id"], [node["html"] for node in found["nodes"]]) for found in violations]


# -- signing in again ----------------------------------------------------------------------------------------


def test_who_is_signed_out_signs_in_by_password_without_leaving_the_room(
    room: Page, assignment: WritingAssignment, writer: User
) -> None:
    room.evaluate("window.sameDocument = true")
    frame = signed_out(room)
    expect(frame.get_by_label("Email")).to_have_value(writer.email)
    expect(frame.get_by_label("Password")).to_be_focused()
    expect(frame.get_by_role("banner")).to_have_count(0)
    enter(frame, writer, "not the password")
    expect(frame.get_by_text("is not correct")).to_be_visible()
    check_accessible(room)
    enter(frame, writer)
    expect_saved(room, assignment, "Still here.")
    assert room.evaluate("window.sameDocument")
    write(room, " And on.")
    expect_saved(room, assignment, "Still here. And on.")


def test_who_is_signed_out_signs_in_by_mailed_code_even_after_thinking_twice(
    room: Page, assignment: WritingAssignment, writer: User
) -> None:
    frame = signed_out(room)
    for leave in ("Cancel", None):
        frame.get_by_role("link", name="Mail me a code instead").click()
        expect(frame.get_by_role("heading", name="Sign in by mail")).to_be_visible()
        frame.get_by_label("Email").fill(writer.email)
        frame.get_by_role("button", name="Mail me a code").click()
        expect(frame.get_by_role("heading", name="Enter the mailed code")).to_be_visible()
        if leave:
            frame.get_by_role("button", name=leave).click()
    send_mails()
    code = re.search(r"^\s*(\S{3,5}-\S{3,5})\s*$", str(mail.outbox[-1].body), re.MULTILINE)
    assert code
    frame.get_by_label("Code").fill(code[1])
    frame.get_by_role("button", name="Sign in").click()
    expect_saved(room, assignment, "Still here.")


def test_with_every_cookie_gone_the_save_carries_the_new_token(
    room: Page, assignment: WritingAssignment, writer: User
) -> None:
    room.context.clear_cookies()
    enter(signed_out(room), writer)
    expect_saved(room, assignment, "Still here.")


def test_escape_leaves_the_dialog_and_the_notice_opens_it_again(
    room: Page, assignment: WritingAssignment, writer: User
) -> None:
    frame = signed_out(room)
    expect(frame.get_by_label("Password")).to_be_focused()
    room.keyboard.press("Escape")
    expect(room.locator("#sign-in-again")).to_be_hidden()
    write(room, " More.")
    room.get_by_role("button", name="Sign in again").click()
    enter(frame, writer)
    expect_saved(room, assignment, "Still here. More.")


def test_somebody_else_is_told_so_and_nothing_is_saved_in_their_name(
    room: Page, assignment: WritingAssignment, writer: User
) -> None:
    frame = signed_out(room)
    enter(frame, a_person("Bea Other", password=PASSWORD))
    expect(room.get_by_text("This is another person")).to_be_visible()
    check_accessible(room)
    frame.get_by_role("button", name="Sign out").click()
    expect(frame.get_by_label("Password")).to_be_focused()
    expect(room.get_by_text("This is another person")).to_be_hidden()
    assert Draft.objects.get(assignment=assignment).text == ""
    enter(frame, writer)
    expect_saved(room, assignment, "Still here.")


def test_when_somebody_else_signs_in_elsewhere_the_room_asks_for_its_own_writer(
    room: Page, sign_in: SignIn, assignment: WritingAssignment, writer: User
) -> None:
    sign_in(room, a_person("Bea Other"))
    write(room, "Still mine.")
    expect(room.get_by_text("Somebody else has signed in in this browser")).to_be_visible()
    room.get_by_role("button", name=f"Sign in as {writer.name}").click()
    frame = room.frame_locator("#sign-in-again iframe")
    frame.get_by_role("button", name="Sign out").click()
    enter(frame, writer)
    expect_saved(room, assignment, "Still mine.")


def test_a_demonstration_person_comes_back_with_one_click(
    page: Page, sign_in: SignIn, settings: Settings, assignment: WritingAssignment, writer: User
) -> None:
    settings.DEMO_MODE = True
    User.objects.update(is_demo=True)
    sign_in(page, writer)
    frame = signed_out(entered(page, assignment))
    expect(frame.get_by_role("button", name=f"Sign in as {writer.name}")).to_be_focused()
    page.keyboard.press("Enter")
    expect_saved(page, assignment, "Still here.")


# -- signing out ---------------------------------------------------------------------------------------------


def kept(page: Page) -> list[str]:
    """The texts in this browser's journal."""
    texts: list[str] = page.evaluate(
        """() => new Promise((resolve) => {
          indexedDB.open("writing-journal").onsuccess = ({ target: { result: database } }) => {
            const texts = database.transaction("texts").objectStore("texts").getAll();
            texts.onsuccess = () => resolve(texts.result.map(({ text }) => text));
          };
        })"""
    )
    return texts


def leave_unsaved(room: Page, text: str) -> None:
    """Write what the server never gets, and go to another page all the same."""

    def fail(route: Route) -> None:
        route.fulfill(status=503)

    room.on("dialog", lambda dialog: dialog.accept())
    room.route("**/save/", fail)
    write(room, text)
    expect(room.get_by_text("The server cannot be reached. Keep writing")).to_be_visible()
    room.goto(reverse("account_logout"))


def sign_out(page: Page) -> None:
    page.get_by_role("main").get_by_role("button", name="Sign out").click()


def is_signed_in(page: Page) -> bool:
    return page.request.get(reverse("person_settings"), max_redirects=0).status == 200


def test_saved_text_leaves_with_its_writer_and_nobody_is_asked(room: Page) -> None:
    write(room, "Saved text.")
    expect(room.locator("#status")).to_have_text(SAVED)
    room.goto(reverse("home"))
    room.wait_for_load_state()
    assert kept(room) == ["Saved text."]
    room.locator("summary", has_text="Writer 1 trial").click()
    room.get_by_role("button", name="Sign out").click()
    expect(room.locator("form[data-sign-out]")).to_have_count(0)
    assert not is_signed_in(room)
    assert kept(room) == []


def test_unsaved_text_is_named_before_its_writer_signs_out(room: Page) -> None:
    leave_unsaved(room, "Three unsaved words.")
    sign_out(room)
    dialog = room.get_by_role("dialog")
    expect(dialog).to_contain_text("Prompt 1 of 2, The trial study · 3 words")
    expect(dialog.get_by_role("button", name="Stay signed in")).to_be_focused()
    check_accessible(room)
    room.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert is_signed_in(room)
    sign_out(room)
    dialog.get_by_role("button", name="Stay signed in").click()
    expect(dialog).to_be_hidden()
    assert is_signed_in(room)
    assert kept(room) == ["Three unsaved words."]


@pytest.mark.parametrize(
    ("choice", "remains"), [("keep it", ["Three unsaved words."]), ("remove it", [])], ids=["kept", "removed"]
)
def test_unsaved_text_is_kept_or_removed_as_its_writer_says(room: Page, choice: str, remains: list[str]) -> None:
    leave_unsaved(room, "Three unsaved words.")
    sign_out(room)
    room.get_by_role("button", name=f"Sign out and {choice}").click()
    expect(room.locator("form[data-sign-out]")).to_have_count(0)
    assert not is_signed_in(room)
    assert kept(room) == remains


def test_kept_text_is_there_again_for_its_writer(
    room: Page, sign_in: SignIn, assignment: WritingAssignment, writer: User
) -> None:
    leave_unsaved(room, "Three unsaved words.")
    sign_out(room)
    room.get_by_role("button", name="Sign out and keep it").click()
    expect(room.locator("form[data-sign-out]")).to_have_count(0)
    room.unroute("**/save/")
    sign_in(room, writer)
    room.goto(reverse("writing_room", args=[assignment.pk]))
    expect_saved(room, assignment, "Three unsaved words.")


def test_the_texts_of_others_are_not_spoken_of(room: Page, sign_in: SignIn) -> None:
    leave_unsaved(room, "Three unsaved words.")
    sign_in(room, a_person("Bea Other"))
    room.reload()
    sign_out(room)
    expect(room.locator("form[data-sign-out]")).to_have_count(0)
    assert kept(room) == ["Three unsaved words."]


def test_a_browser_that_stores_nothing_signs_out_at_once(page: Page, sign_in: SignIn, writer: User) -> None:
    page.add_init_script("Object.defineProperty(window, 'indexedDB', { value: undefined })")
    sign_in(page, writer)
    page.goto(reverse("account_logout"))
    sign_out(page)
    expect(page.locator("form[data-sign-out]")).to_have_count(0)
    assert not is_signed_in(page)
