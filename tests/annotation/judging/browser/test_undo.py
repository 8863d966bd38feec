"""Scores and places are taken back and given again, and what changed is said."""

import re
from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from annotation.judging.models.judging import BlindedSlot, JudgingItem, Score
from tests.annotation.judging.browser.actions import expect_saved, give
from tests.annotation.judging.browser.room import (
    DIMENSIONS,
    Enter,
    an_item,
    announced,
    ready,
    rubric,
    score_button,
    shown,
)
from tests.factories import opened
from tests.waiting import eventually

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def left(item: JudgingItem) -> str:
    """How the item was left last, as the server has it."""
    view: dict[str, str] = JudgingItem.objects.get(pk=item.pk).view or {}
    return view.get("view", "")


def checked(page: Page, label: str, dimension: str) -> list[str]:
    group = page.locator(f"[data-scores={label}]").get_by_role("group", name=dimension, include_hidden=True)
    return [str(radio.get_attribute("value")) for radio in group.locator("input:checked").all()]


def test_scores_are_undone_and_redone_with_what_changed_said_and_in_view(enter: Enter) -> None:
    item = opened(an_item(1, 1, item_opens_with="reading"))
    page = enter(item)
    give(page, "7")
    page.keyboard.press("b")
    give(page, "4")
    score_button(page, "B", DIMENSIONS[0], 5).check(force=True)  # by pointer
    page.keyboard.press("a")
    page.keyboard.press("Control+z")
    announced(page, "Undone: Answer B, Conceptual clarity from 5 to 4.")
    expect(page.get_by_text("Undone: Answer B, Conceptual clarity from 5 to 4.").last).to_be_visible()
    assert shown(page) == ["B"], "what was changed is in view"
    assert checked(page, "B", DIMENSIONS[0]) == ["4"]
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    announced(page, "Undone: Answer A, Conceptual clarity from 7 to none.")
    assert checked(page, "A", DIMENSIONS[0]) == []
    expect(page.locator("[data-save-state]")).to_have_text("No scores yet")
    assert not Score.objects.exists()
    page.get_by_role("button", name="Give it again").click()
    announced(page, "Redone: Answer A, Conceptual clarity from none to 7.")
    expect_saved(page)
    assert Score.objects.get().value == 7
    page.reload()
    ready(page)
    page.keyboard.press("Control+z")
    announced(page, "Undone: Answer A, Conceptual clarity from 7 to none.")
    page.keyboard.press("Control+z")
    announced(page, "Nothing to undo.")
    give(page, "3")
    page.keyboard.press("Control+y")
    announced(page, "Nothing to redo.")
    # The browser takes nothing back beside: what is written in a note would go, too.
    page.evaluate("addEventListener('keydown', (event) => { window.isTaken = event.defaultPrevented; })")
    for key, is_taken in (("Control+z", True), ("Control+y", True), ("Control+ArrowUp", False)):
        page.keyboard.press(key)
        assert page.evaluate("window.isTaken") == is_taken, key
    assert checked(page, "A", DIMENSIONS[0]) == ["3"]


def test_one_undo_takes_back_all_places_that_moving_a_card_gave(enter: Enter) -> None:
    item = opened(an_item(2, 1, judging_mode="ranking"))
    page = enter(item)
    for letter, place in zip("abc", "123", strict=True):
        page.keyboard.press(letter)
        page.keyboard.press(place)
    page.keyboard.press("c")
    page.locator("[data-card=C] [data-open]").focus()
    page.keyboard.press("ArrowUp")
    announced(page, "C: place 2, shared with B")
    expect_saved(page)
    page.get_by_role("button", name="Undo the last place").click()
    announced(page, re.compile("^Undone: Answer C, place from 2 to 3"))
    expect_saved(page)
    assert list(BlindedSlot.objects.filter(item=item).order_by("label").values_list("place", flat=True)) == [
        1,
        2,
        3,
    ]


def test_the_view_is_found_again_in_another_browser(
    enter: Enter, another_device: Callable[[JudgingItem], Page]
) -> None:
    item = opened(an_item(2, 2, item_opens_with="reading"))
    page = enter(item)
    page.keyboard.press("c")
    page.keyboard.press("Shift+A")
    page.keyboard.press("u")
    page.goto("/")
    eventually(lambda: left(item) == "compare")  # what is sent on leaving arrives by itself
    other = another_device(item)
    assert shown(other) == ["C", "A"]
    expect(rubric(other)).to_be_hidden()
    other.keyboard.press("r")
    other.goto("/")
    eventually(lambda: left(item) == "reading")
    page.goto(reverse("judging_item", args=[item.pk]))
    assert shown(page) == ["C"], "what was left last, wherever that was"
