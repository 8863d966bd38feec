"""Two windows and two devices: the same is shown, and what was given differently waits for the judge."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotation.judging.models.judging import BlindedSlot, JudgingItem
from tests.annotation.judging.browser.actions import (
    FIRST,
    SECOND,
    SOON,
    THIRD,
    apart,
    come_back,
    decision,
    entered,
    expect_saved,
    fail,
    give,
    held,
    justify,
    kept,
    state,
)
from tests.annotation.judging.browser.room import score_button
from tests.browsing import SignIn, check_accessible

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_two_windows_of_a_browser_show_the_same(room: Page, item: JudgingItem) -> None:
    other = entered(room.context.new_page(), item)
    give(room, "6")
    expect(score_button(other, "A", FIRST, 6)).to_be_checked()
    score_button(other, "A", SECOND, 9).check()
    expect(score_button(room, "A", SECOND, 9)).to_be_checked()
    expect_saved(room)
    expect_saved(other)
    score_button(other, "A", FIRST, 2).check()
    expect(score_button(room, "A", FIRST, 2)).to_be_checked()
    expect_saved(other)
    assert held(item) == {"conceptual": 2, "evidential": 9}
    for window in (room, other):
        expect(decision(window)).to_be_hidden()


def test_another_window_saves_what_a_closed_one_could_not(room: Page, item: JudgingItem) -> None:
    other = entered(room.context.new_page(), item)
    room.context.route("**/save/", fail)  # for both: either may be the one that tries
    give(room, "6")
    expect(state(other)).to_have_text("Not saved yet", timeout=SOON)
    room.close()
    other.context.unroute("**/save/")
    expect_saved(other)
    assert held(item) == {"conceptual": 6}


def test_what_another_device_gives_is_shown_when_one_comes_back(
    room: Page, item: JudgingItem, another_device: Callable[[JudgingItem], Page]
) -> None:
    other = another_device(item)
    give(other, "67")
    expect_saved(other)
    come_back(room)
    expect(score_button(room, "A", FIRST, 6)).to_be_checked()
    expect(room.get_by_text("Brought up to date with another window")).to_be_visible()
    expect_saved(room)
    score_button(room, "A", FIRST, 8).check()  # knowing the 6
    expect_saved(room)
    assert held(item) == {"conceptual": 8, "evidential": 7}


def test_what_two_devices_give_differently_waits_for_the_judge_and_is_not_sent_before(
    room: Page, item: JudgingItem, another_device: Callable[[JudgingItem], Page]
) -> None:
    apart(room, item, another_device)
    expect(decision(room)).to_contain_text("Answer A, Conceptual clarity: here 5, elsewhere 7")
    expect(state(room)).to_have_text("Please choose")
    assert held(item) == {"conceptual": 7, "evidential": 6}  # what nobody else gave is saved
    sent: list[str] = []
    room.on("request", lambda request: sent.append(request.post_data or "") if "/save/" in request.url else None)
    come_back(room)
    entered(room, item)
    expect(decision(room)).to_contain_text("here 5, elsewhere 7")
    expect(score_button(room, "A", FIRST, 5)).to_be_checked()
    check_accessible(room)
    score_button(room, "A", THIRD, 9).check()
    expect(state(room)).to_have_text("Please choose")
    fields = [field for message in sent for field in json.loads(message)["fields"] if field.startswith("score:")]
    assert [field.rpartition(":")[2] for field in fields] == ["contextual_relevance"]
    decision(room).get_by_role("button", name="Keep 5").click()
    expect(decision(room)).to_be_hidden()
    expect(score_button(room, "A", FIRST, 5)).to_be_checked()
    expect_saved(room)
    assert held(item) == {"conceptual": 5, "evidential": 6, "contextual": 9}
    assert kept(room) == []


def test_giving_what_the_other_device_gave_is_a_decision_too(
    room: Page, item: JudgingItem, another_device: Callable[[JudgingItem], Page]
) -> None:
    apart(room, item, another_device)
    expect(decision(room)).to_be_visible()
    score_button(room, "A", FIRST, 6).check()
    expect(decision(room)).to_contain_text("here 6, elsewhere 7")
    score_button(room, "A", FIRST, 7).check()
    expect(decision(room)).to_be_hidden()
    expect_saved(room)
    assert held(item) == {"conceptual": 7, "evidential": 6}


def test_a_decision_is_about_what_is_held_by_now(
    room: Page, item: JudgingItem, another_device: Callable[[JudgingItem], Page]
) -> None:
    apart(room, item, another_device)
    expect(decision(room)).to_contain_text("here 5, elsewhere 7")
    other = another_device(item)
    score_button(other, "A", FIRST, 8).check()
    expect_saved(other)
    come_back(room)  # which brings the question up to date and leaves the answer alone
    expect(decision(room)).to_contain_text("here 5, elsewhere 8")
    expect(score_button(room, "A", FIRST, 5)).to_be_checked()
    score_button(other, "A", FIRST, 9).check()
    expect_saved(other)
    decision(room).get_by_role("button", name="Keep 5").click()  # instead of 8, not of 9
    expect(decision(room)).to_contain_text("here 5, elsewhere 9")
    assert held(item)["conceptual"] == 9
    decision(room).get_by_role("button", name="Keep 5").click()
    expect_saved(room)
    assert held(item)["conceptual"] == 5


def test_deciding_in_one_window_decides_in_the_other(
    room: Page, item: JudgingItem, another_device: Callable[[JudgingItem], Page]
) -> None:
    apart(room, item, another_device)
    expect(decision(room)).to_be_visible()
    window = entered(room.context.new_page(), item)
    decision(window).get_by_role("button", name="Take 7").click()
    expect(decision(room)).to_be_hidden()
    expect(score_button(room, "A", FIRST, 7)).to_be_checked()
    expect_saved(room)
    assert held(item) == {"conceptual": 7, "evidential": 6}
    assert kept(room) == []


def test_the_same_value_from_two_devices_needs_no_decision(
    room: Page, item: JudgingItem, another_device: Callable[[JudgingItem], Page]
) -> None:
    room.context.set_offline(True)
    give(room, "7")
    other = another_device(item)
    give(other, "7")
    expect_saved(other)
    room.context.set_offline(False)
    expect_saved(room)
    expect(decision(room)).to_be_hidden()


def test_places_and_the_justification_are_decided_too(
    page: Page, sign_in: SignIn, ranked: JudgingItem, another_device: Callable[[JudgingItem], Page]
) -> None:
    sign_in(page, ranked.participation.user)
    entered(page, ranked)
    page.context.set_offline(True)
    give(page, "1")
    justify(page, "A is sounder.")
    other = another_device(ranked)
    give(other, "2")
    justify(other, "B, on reflection.")
    expect_saved(other)
    page.context.set_offline(False)
    expect(decision(page)).to_contain_text("Answer A, place: here 1, elsewhere 2")
    expect(decision(page)).to_contain_text("Justification: here “A is sounder.”, elsewhere “B, on reflection.”")
    decision(page).get_by_role("button", name="Take 2").click()
    decision(page).get_by_role("button", name="Keep what is here").click()
    expect_saved(page)
    assert BlindedSlot.objects.get(item=ranked, label="A").place == 2
    assert JudgingItem.objects.get(pk=ranked.pk).justification == "A is sounder."


def test_a_justification_is_not_touched_while_it_is_typed(page: Page, sign_in: SignIn, ranked: JudgingItem) -> None:
    """Also where the server stores it in another form: a line end, or an accent of its own."""
    sign_in(page, ranked.participation.user)
    entered(page, ranked)
    typed = "Une\u0301 autre. "
    justify(page, typed)
    expect_saved(page)
    come_back(page)
    page.wait_for_timeout(300)
    expect(page.locator("[name=justification]")).to_have_value(typed)
    expect(page.get_by_text("Brought up to date")).to_be_hidden()
    justify(page, typed + "And more.")
    expect(state(page)).to_have_text("Saving …")
    expect_saved(page)
    assert JudgingItem.objects.get(pk=ranked.pk).justification == "Un\u00e9 autre. And more."
