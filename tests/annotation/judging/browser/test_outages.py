"""Without the connection, the server or its answers: everything is kept, and arrives once."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Page, Route, expect

from annotation.judging.models.judging import JudgingItem
from tests.annotation.judging.browser.actions import (
    FIRST,
    SECOND,
    THIRD,
    decision,
    entered,
    expect_saved,
    fail,
    give,
    held,
    kept,
    notice,
    state,
)
from tests.annotation.judging.browser.room import SAVED, ready, score_button
from tests.browsing import SignIn
from tests.killable import WRITTEN, Killable

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WITHOUT_STORAGE = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('switched off') } })"


def lost_answer(route: Route) -> None:
    """For `page.route`: the server does what it is asked to, and nobody learns of it."""
    route.fetch()
    route.abort()


def delivered_twice(route: Route) -> None:
    route.fetch()
    route.fulfill(response=route.fetch())


def test_what_is_given_offline_is_kept_and_saved_when_the_connection_is_back(room: Page, item: JudgingItem) -> None:
    give(room, "6")
    expect_saved(room)
    room.context.set_offline(True)
    expect(notice(room, "offline")).to_contain_text("You are offline. Go on, and leave this page open")
    expect(state(room)).to_have_text(SAVED)  # all that is given so far
    give(room, "78")
    expect(state(room)).to_have_text("Not saved yet")
    assert held(item) == {"conceptual": 6}
    room.context.set_offline(False)
    expect_saved(room)
    expect(notice(room, "offline")).to_be_hidden()
    assert held(item) == {"conceptual": 6, "evidential": 7, "contextual": 8}
    assert kept(room) == []


def test_what_is_given_offline_outlives_a_browser_that_is_killed(
    killable: Killable, sign_in: SignIn, base_url: str, item: JudgingItem
) -> None:
    address = base_url + reverse("judging_item", args=[item.pk])
    seat = killable.start()
    sign_in(seat, item.participation.user)
    seat.goto(address)
    ready(seat)
    seat.context.set_offline(True)
    give(seat, "78")
    expect(state(seat)).to_have_text("Not saved yet")
    assert seat.evaluate(WRITTEN)
    killable.kill()
    seat = killable.start()
    sign_in(seat, item.participation.user)
    seat.goto(address)
    expect_saved(seat)
    assert held(item) == {"conceptual": 7, "evidential": 8}


def test_what_is_given_offline_is_there_when_the_item_is_opened_later(room: Page, item: JudgingItem) -> None:
    room.context.set_offline(True)
    give(room, "678")
    expect(state(room)).to_have_text("Not saved yet")
    assert kept(room) == [6, 7, 8]
    context = room.context
    room.close()
    context.set_offline(False)
    again = entered(context.new_page(), item)
    for dimension, value in ((FIRST, 6), (SECOND, 7), (THIRD, 8)):
        expect(score_button(again, "A", dimension, value)).to_be_checked()
    expect_saved(again)
    assert held(item) == {"conceptual": 6, "evidential": 7, "contextual": 8}


def test_a_server_that_fails_is_tried_again_until_it_answers(room: Page, item: JudgingItem) -> None:
    room.route("**/save/", fail)
    give(room, "6")
    expect(notice(room, "unreachable")).to_be_visible()
    expect(state(room)).to_have_text("Not saved yet")
    room.unroute("**/save/")
    expect_saved(room)
    expect(notice(room, "unreachable")).to_be_hidden()
    assert held(item) == {"conceptual": 6}


def test_trouble_and_its_end_are_announced_once(room: Page) -> None:
    room.evaluate(
        """() => {
          window.said = [];
          const region = document.querySelector("[data-announce]");
          new MutationObserver(() => said.push(region.textContent)).observe(region, { childList: true });
        }"""
    )
    expect(room.get_by_role("status").filter(has=notice(room, "offline"))).to_have_count(1)
    room.context.set_offline(True)
    score_button(room, "A", FIRST, 6).check()
    score_button(room, "A", SECOND, 6).check()
    room.context.set_offline(False)
    expect_saved(room)
    score_button(room, "A", THIRD, 6).check()
    expect(state(room)).to_have_text("Saving …")
    expect_saved(room)
    assert room.evaluate("said.filter((text) => /^(Saved|Saving|Not)/.test(text))") == ["Saved · just now"]


def test_a_lost_answer_makes_no_conflict_whatever_is_given_next(room: Page, item: JudgingItem) -> None:
    room.route("**/save/", lost_answer)
    give(room, "6")
    expect(notice(room, "unreachable")).to_be_visible()
    assert held(item) == {"conceptual": 6}
    score_button(room, "A", FIRST, 9).check()
    room.unroute("**/save/")
    expect_saved(room)
    assert held(item) == {"conceptual": 9}
    expect(decision(room)).to_be_hidden()


def test_a_lost_answer_makes_no_conflict_after_the_page_is_opened_again(room: Page, item: JudgingItem) -> None:
    room.route("**/save/", lost_answer)
    give(room, "6")
    expect(notice(room, "unreachable")).to_be_visible()
    room.unroute("**/save/")
    room.route("**/save/", fail)
    score_button(room, "A", FIRST, 4).check()
    entered(room, item)
    expect(score_button(room, "A", FIRST, 4)).to_be_checked()
    room.unroute("**/save/")
    expect_saved(room)
    assert held(item) == {"conceptual": 4}
    expect(decision(room)).to_be_hidden()


def test_a_message_that_arrives_twice_counts_once(room: Page, item: JudgingItem) -> None:
    room.route("**/save/", delivered_twice)
    give(room, "67")
    expect_saved(room)
    score_button(room, "A", FIRST, 3).check()
    expect(state(room)).to_have_text("Saving …")
    expect_saved(room)
    assert held(item) == {"conceptual": 3, "evidential": 7}
    expect(decision(room)).to_be_hidden()


def test_who_leaves_at_once_leaves_nothing_behind(room: Page, item: JudgingItem) -> None:
    give(room, "6")
    room.goto(reverse("home"))
    for _ in range(50):
        if held(item):
            break
        room.wait_for_timeout(100)
    assert held(item) == {"conceptual": 6}
    again = entered(room, item)
    expect_saved(again)
    expect(score_button(again, "A", FIRST, 6)).to_be_checked()


def test_the_word_at_the_head_counts_the_time_since_the_last_save(
    page: Page, sign_in: SignIn, item: JudgingItem
) -> None:
    page.clock.install()
    sign_in(page, item.participation.user)
    entered(page, item)
    expect(state(page)).to_have_text("No scores yet")
    give(page, "6")
    expect(state(page)).to_have_text("Saving …")
    page.clock.run_for(300)
    expect(state(page)).to_have_text(SAVED)
    page.clock.run_for(10_000)
    expect(state(page)).to_have_text(re.compile(r"^Saved · (9|10) s ago$"))
    page.clock.run_for(180_000)
    expect(state(page)).to_have_text("Saved · 3 min ago")


# -- where nothing is stored ----------------------------------------------------------------------------------


def test_without_storage_the_room_says_that_it_must_stay_open(
    page: Page, sign_in: SignIn, item: JudgingItem
) -> None:
    page.add_init_script(WITHOUT_STORAGE)
    sign_in(page, item.participation.user)
    entered(page, item)
    expect(page.get_by_text("This browser keeps no copy: leave this page open")).to_be_visible()
    page.route("**/save/", fail)
    give(page, "6")
    expect(notice(page, "unreachable")).to_be_visible()
    with page.expect_event("dialog") as asked:
        page.evaluate("setTimeout(() => location.assign('/'))")
    assert asked.value.type == "beforeunload"
    asked.value.dismiss()
    page.unroute("**/save/")
    expect_saved(page)
    assert held(item) == {"conceptual": 6}


def test_with_storage_nobody_is_kept_from_leaving(room: Page) -> None:
    expect(room.get_by_text("This browser keeps no copy")).to_be_hidden()
    room.route("**/save/", fail)
    give(room, "6")
    expect(notice(room, "unreachable")).to_be_visible()
    room.goto(reverse("home"))  # a question would stand in the way
    expect(room.locator("form[data-sign-out]")).not_to_have_count(0)
