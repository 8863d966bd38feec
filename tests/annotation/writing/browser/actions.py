"""What the tests of the writing room do in it, and what they look at."""

import contextlib
import re
from datetime import timedelta

from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Error, Locator, Page, Route, expect

from annotation.writing.models import Draft, WritingAssignment

SAVED = re.compile(r"Saved · (just now|\d s ago)")
SECOND = timedelta(seconds=1)


def open_room(page: Page, assignment: WritingAssignment) -> None:
    page.goto(reverse("writing_room", args=[assignment.pk]))
    expect(status(page)).to_have_text(re.compile("Saved|Nothing to save yet"))


def editor(page: Page) -> Locator:
    return page.locator("#answer")


def status(page: Page) -> Locator:
    return page.locator("#status")


def notice(page: Page, name: str) -> Locator:
    return page.locator(f"[data-notice={name}]")


def write(page: Page, text: str) -> None:
    editor(page).press_sequentially(text)


def come_back(page: Page) -> None:
    """As after a look at another window: the room saves, or asks how things stand, at once."""
    page.evaluate("dispatchEvent(new Event('focus'))")


def write_and_save(page: Page, text: str) -> None:
    write(page, text)
    come_back(page)
    expect(status(page)).to_have_text(SAVED)


def hand_in(page: Page) -> None:
    page.get_by_role("button", name="Submit…").click()
    for box in page.get_by_role("dialog").get_by_role("checkbox").all():  # what is handed in here is mostly short
        box.check()
    page.get_by_role("dialog").get_by_role("button", name="Submit").click()


def held(assignment: WritingAssignment) -> str:
    """What the server holds."""
    return Draft.objects.get(assignment=assignment).text


def end_in(assignment: WritingAssignment, span: timedelta, *, grace: timedelta = timedelta(seconds=10)) -> None:
    """Move the deadline to `span` from now; saves are taken for `grace` longer."""
    deadline = timezone.now() + span
    WritingAssignment.objects.filter(pk=assignment.pk).update(deadline_at=deadline)
    Draft.objects.filter(assignment=assignment).update(closes_at=deadline + grace)


def never_answered(_: Route) -> None:
    """For `page.route`: the request goes on waiting."""


def crash(page: Page) -> None:
    """End the page without a word, a second after the last key: as far as the journal may be behind."""
    page.wait_for_timeout(1000)
    with page.expect_event("crash"), contextlib.suppress(Error):
        page.goto("chrome://crash")
    page.close()
