"""Signed out while judging: the way back in without leaving the room, and the way out without losing anything."""

import pytest
from django.core.cache import cache
from django.urls import reverse
from playwright.sync_api import Page, expect

from annotation.judging.models.judging import JudgingItem
from annotation.platform.models.users import User
from tests.annotation.judging.browser.actions import (
    FIRST,
    SECOND,
    THIRD,
    expect_saved,
    fail,
    give,
    held,
    kept,
    notice,
    state,
)
from tests.browsing import SignIn, check_accessible
from tests.factories import a_person

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PASSWORD = "quiet harbour 1847"


@pytest.fixture
def with_password(item: JudgingItem) -> User:
    cache.clear()  # the counters of rate limits outlive the database's flush between tests
    judge = item.participation.user
    judge.set_password(PASSWORD)
    judge.save()
    return judge


def test_who_is_signed_out_signs_in_again_without_leaving_the_room(
    with_password: User, room: Page, item: JudgingItem
) -> None:
    room.evaluate("window.sameDocument = true")
    room.context.clear_cookies()
    give(room, "67")
    expect(notice(room, "signed-out")).to_be_visible()
    expect(state(room)).to_have_text("Not saved yet")
    check_accessible(room)
    room.get_by_role("button", name="Sign in again").click()
    frame = room.frame_locator("#sign-in-again iframe")
    expect(frame.get_by_label("Email")).to_have_value(with_password.email)
    expect(frame.get_by_label("Password")).to_be_focused()
    frame.get_by_label("Password").fill(PASSWORD)
    frame.get_by_label("Password").press("Enter")
    expect(room.locator("#sign-in-again")).to_be_hidden()
    expect_saved(room)
    assert held(item) == {"conceptual": 6, "evidential": 7}
    assert room.evaluate("window.sameDocument")


def test_nothing_is_saved_under_somebody_else_s_name(room: Page, item: JudgingItem, sign_in: SignIn) -> None:
    sign_in(room, a_person("Somebody Else"))
    give(room, "6")
    expect(notice(room, "other-person")).to_contain_text(f"signed in as {item.participation.user}")
    assert held(item) == {}
    sign_in(room, item.participation.user)
    expect_saved(room)
    assert held(item) == {"conceptual": 6}


def test_leaving_the_site_asks_about_judgments_that_only_this_browser_holds(room: Page, item: JudgingItem) -> None:
    room.route("**/save/", fail)
    give(room, "6789")
    expect(notice(room, "unreachable")).to_be_visible()
    room.goto(reverse("home"))
    dialog = room.get_by_role("dialog")
    sign_out = room.get_by_role("button", name="Sign out").first
    press_sign_out(room)
    expect(dialog).to_contain_text(f"{FIRST}; Answer A, {SECOND}; Answer A, {THIRD}; and 1 more")
    dialog.get_by_role("link", name="Item 1 of 1").click()
    room.wait_for_url(f"**{reverse('judging_item', args=[item.pk])}")
    room.unroute("**/save/")
    expect_saved(room)
    room.goto(reverse("home"))
    press_sign_out(room)
    expect(sign_out).to_have_count(0)


@pytest.mark.parametrize(("choice", "left"), [("keep it", [6]), ("remove it", [])])
def test_who_signs_out_keeps_or_removes_what_was_not_saved(room: Page, choice: str, left: list[int]) -> None:
    room.route("**/save/", fail)
    give(room, "6")
    expect(notice(room, "unreachable")).to_be_visible()
    room.goto(reverse("home"))
    press_sign_out(room)
    room.get_by_role("dialog").get_by_role("button", name=choice).click()
    expect(room.locator("form[data-sign-out]")).to_have_count(0)
    assert kept(room) == left


def press_sign_out(page: Page) -> None:
    page.locator("form[data-sign-out]").first.evaluate("form => form.requestSubmit()")
