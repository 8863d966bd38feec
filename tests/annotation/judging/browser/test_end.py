"""Where the item takes nothing, or nothing more: what was given is named and kept."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotation.judging.models.judging import BlindedSlot, JudgingItem
from annotation.judging.services import judging
from annotation.study.models.studies import Study
from tests.annotation.judging.browser.actions import (
    FIRST,
    apart,
    come_back,
    decision,
    entered,
    expect_saved,
    give,
    held,
    justify,
    kept,
    notice,
    state,
)
from tests.annotation.judging.browser.room import score_button
from tests.browsing import SignIn, check_accessible
from tests.factories import scored

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_an_item_submitted_elsewhere_says_so_and_what_was_not_taken_in(
    room: Page, item: JudgingItem, another_device: Callable[[JudgingItem], Page]
) -> None:
    scored(item, A=5, B=8)
    entered(room, item)
    room.context.set_offline(True)
    score_button(room, "A", FIRST, 9).check()
    judging.submit_item(item_id=item.pk, by=item.participation.user)
    room.context.set_offline(False)
    expect(notice(room, "submitted")).to_contain_text(f"Not taken in, and only in this browser: Answer A, {FIRST}")
    expect(state(room)).to_have_text("Submitted")
    assert held(item)["conceptual"] == 5
    notice(room, "submitted").get_by_role("link", name="See the receipt").click()
    left_out = room.get_by_text("not part of what was submitted")
    expect(left_out).to_contain_text(f"Answer A, {FIRST}")
    check_accessible(room)
    room.reload()
    room.get_by_role("button", name="Remove it from this browser").click()
    expect(left_out).to_be_hidden()
    assert kept(room) == []


def test_an_item_submitted_in_another_window_says_so_when_one_comes_back(room: Page, item: JudgingItem) -> None:
    scored(item, A=5, B=8)
    judging.submit_item(item_id=item.pk, by=item.participation.user)
    come_back(room)
    expect(notice(room, "submitted")).to_be_visible()
    expect(room.locator("#not-taken-in")).to_be_hidden()


def test_what_was_submitted_does_not_stay_in_the_browser(room: Page, item: JudgingItem) -> None:
    scored(item, A=5, B=8)
    entered(room, item)
    score_button(room, "A", FIRST, 9).check()
    room.get_by_role("button", name="Submit the item").click()
    room.get_by_role("button", name="Submit", exact=True).click()
    room.wait_for_url("**/receipt/")
    assert kept(room) == []
    assert held(item)["conceptual"] == 9
    assert JudgingItem.objects.get(pk=item.pk).state == "submitted"


def test_nothing_is_submitted_while_something_is_to_be_decided(
    room: Page, item: JudgingItem, another_device: Callable[[JudgingItem], Page]
) -> None:
    apart(room, item, another_device)
    scored(item, B=8)
    expect(decision(room)).to_be_visible()
    come_back(room)  # B's scores are shown
    give(room, "99999")
    room.get_by_role("button", name="Submit the item").click()
    room.get_by_role("button", name="Submit", exact=True).click()
    expect(room.get_by_text("was not submitted")).to_be_visible()
    assert JudgingItem.objects.get(pk=item.pk).state == "open"


def test_where_judging_is_closed_meanwhile_everything_is_kept_and_saved_once_it_is_open(
    room: Page, item: JudgingItem
) -> None:
    Study.objects.filter(pk=item.study_id).update(state="closed")
    give(room, "67")
    expect(notice(room, "refused")).to_contain_text("Judging is closed in this study.")
    expect(state(room)).to_have_text("Not saved yet")
    assert kept(room) == [6, 7]
    Study.objects.filter(pk=item.study_id).update(state="judging")
    notice(room, "refused").get_by_role("button", name="Try again").click()
    expect_saved(room)
    assert held(item) == {"conceptual": 6, "evidential": 7}


def test_what_the_server_does_not_take_keeps_nothing_else_from_being_saved(
    page: Page, sign_in: SignIn, ranked: JudgingItem
) -> None:
    sign_in(page, ranked.participation.user)
    entered(page, ranked)
    justify(page, "a" * 10_001)
    give(page, "2")
    expect(notice(page, "refused")).to_contain_text("at most 10,000 characters")
    page.wait_for_function("() => Object.keys(localStorage).filter((key) => key.includes(':place:')).length === 0")
    assert BlindedSlot.objects.get(item=ranked, label="A").place == 2
    justify(page, "Shorter.")
    expect_saved(page)
    assert JudgingItem.objects.get(pk=ranked.pk).justification == "Shorter."
