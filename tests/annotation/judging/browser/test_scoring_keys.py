"""Scoring with the keyboard: what figures and arrow keys score, and what they leave alone."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.annotation.judging.browser.room import (
    DIMENSIONS,
    Enter,
    an_item,
    announced,
    middle,
    ready,
    saved,
    scale,
    score_button,
    show,
    shown,
)
from tests.factories import opened

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

CLARITY, EVIDENCE, RELEVANCE, PLURALITY, SOUNDNESS = DIMENSIONS


def test_figures_score_the_marked_dimension_and_arrows_move_between_them(enter: Enter) -> None:
    page = enter(opened(an_item(1, 1)))
    for key in ("7", "0", "ArrowLeft", "9"):
        page.keyboard.press(key)
    announced(page, f"A, {EVIDENCE} 9")
    expect(score_button(page, "A", CLARITY, 7)).to_be_checked()
    expect(score_button(page, "A", EVIDENCE, 9)).to_be_checked()  # was 10 for a moment
    score_button(page, "A", EVIDENCE, 9).focus()
    for _ in range(2):
        page.keyboard.press("ArrowUp")
    expect(score_button(page, "A", EVIDENCE, 10)).to_be_checked()  # and no further
    page.keyboard.press("ArrowDown")
    expect(score_button(page, "A", EVIDENCE, 9)).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(score_button(page, "A", DIMENSIONS[2], 1)).to_be_focused()


def test_one_and_nought_at_once_are_ten_and_later_they_are_two_scores(enter: Enter) -> None:
    page = enter(opened(an_item(1, 1)))
    for key in "10":
        page.keyboard.press(key)
    announced(page, f"A, {CLARITY} 10")
    expect(score_button(page, "A", CLARITY, 10)).to_be_checked()
    expect(scale(page, "A", EVIDENCE).get_by_role("radio", checked=True)).to_have_count(0)
    page.keyboard.press("1")
    page.wait_for_timeout(800)
    page.keyboard.press("0")
    expect(score_button(page, "A", EVIDENCE, 1)).to_be_checked()
    expect(score_button(page, "A", RELEVANCE, 10)).to_be_checked()
    for key in ("1", "ArrowRight", "0"):
        page.keyboard.press(key)
    expect(score_button(page, "A", PLURALITY, 1)).to_be_checked()
    expect(score_button(page, "A", SOUNDNESS, 10)).to_be_checked()


def test_a_figure_too_many_changes_nothing_and_says_so(enter: Enter) -> None:
    page = enter(opened(an_item(1, 1)))
    for key in "777771":
        page.keyboard.press(key)
    announced(page, re.compile("^Answer A has all its scores."))
    expect(score_button(page, "A", SOUNDNESS, 7)).to_be_checked()
    page.keyboard.press("ArrowLeft")  # nothing is marked any more: this chooses the last
    page.keyboard.press("4")
    expect(score_button(page, "A", SOUNDNESS, 4)).to_be_checked()
    page.keyboard.press("5")
    expect(score_button(page, "A", SOUNDNESS, 4)).to_be_checked()
    score_button(page, "A", SOUNDNESS, 4).focus()
    page.keyboard.press("1")
    page.keyboard.press("0")
    expect(score_button(page, "A", SOUNDNESS, 10)).to_be_checked()


def test_figures_change_nothing_in_a_scored_answer_that_one_comes_back_to_until_a_dimension_is_chosen(
    enter: Enter,
) -> None:
    page = enter(opened(an_item(1, 1)))
    for key in "a77777b88":
        page.keyboard.press(key)
    announced(page, f"B, {EVIDENCE} 8")
    for comes_back in ("a", "reload"):
        if comes_back == "reload":
            saved(page)
            page.reload()
            ready(page)
        else:
            page.keyboard.press(comes_back)
        for key in "12":
            page.keyboard.press(key)
        announced(page, re.compile("^Answer A has all its scores."))
        for dimension in DIMENSIONS:
            expect(score_button(page, "A", dimension, 7)).to_be_checked()
    for key in ("ArrowRight", "3", "4"):
        page.keyboard.press(key)
    expect(score_button(page, "A", CLARITY, 3)).to_be_checked()
    expect(score_button(page, "A", EVIDENCE, 7)).to_be_checked()
    for key in ("ArrowRight", "6", "ArrowLeft", "5"):  # on to the next, then back to what was scored just now
        page.keyboard.press(key)
    expect(score_button(page, "A", EVIDENCE, 5)).to_be_checked()
    expect(score_button(page, "A", CLARITY, 3)).to_be_checked()
    for key in "b9":  # which goes on where something is missing
        page.keyboard.press(key)
    expect(score_button(page, "B", RELEVANCE, 9)).to_be_checked()
    for key in ("a", "ArrowLeft", "5"):
        page.keyboard.press(key)
    expect(score_button(page, "A", SOUNDNESS, 5)).to_be_checked()


def test_figures_go_back_to_a_dimension_that_was_left_out(enter: Enter) -> None:
    page = enter(opened(an_item(1, 1)))
    for key in ("7", "ArrowRight", "7", "7", "7", "5"):
        page.keyboard.press(key)
    expect(score_button(page, "A", EVIDENCE, 5)).to_be_checked()
    expect(score_button(page, "A", SOUNDNESS, 7)).to_be_checked()


def test_after_a_click_arrows_up_and_down_scroll_the_text_and_leave_the_score(enter: Enter) -> None:
    page = enter(opened(an_item(1, 1)))
    page.set_viewport_size({"width": 1440, "height": 640})
    text = page.get_by_role("region", name="Answer A", exact=True)
    text.evaluate("element => element.querySelector('.prose').append('Line. '.repeat(2000))")
    page.mouse.click(*middle(score_button(page, "A", CLARITY, 7)))
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    assert text.evaluate("element => element.scrollTop") == 80  # twice 40 down
    expect(score_button(page, "A", CLARITY, 7)).to_be_checked()
    for key in ("Tab", "Shift+Tab", "ArrowDown"):
        page.keyboard.press(key)
    expect(score_button(page, "A", CLARITY, 6)).to_be_checked()
    assert text.evaluate("element => element.scrollTop") == 80


def test_a_figure_that_is_held_too_long_is_one_score(enter: Enter) -> None:
    page = enter(opened(an_item(1, 1)))
    for _ in range(3):
        page.keyboard.down("7")  # from the second time on, as a key repeats by itself
    page.keyboard.up("7")
    expect(score_button(page, "A", CLARITY, 7)).to_be_checked()
    expect(scale(page, "A", EVIDENCE).get_by_role("radio", checked=True)).to_have_count(0)


def pressed(page: Page, key: str, code: str, *modifiers: str) -> None:
    """A key with what another keyboard layout writes with it."""
    page.evaluate(
        "(options) => document.body.dispatchEvent(new KeyboardEvent('keydown', options))",
        {"key": key, "code": code, "bubbles": True, "cancelable": True, **dict.fromkeys(modifiers, True)},
    )


def test_keys_are_at_their_places_in_every_script_and_under_caps_lock(enter: Enter) -> None:
    page = enter(opened(an_item(1, 1)))
    show(page, "Reading")
    pressed(page, "и", "KeyB")
    assert shown(page) == ["B"]
    flag = page.get_by_role("link", name="Tell the coordinator about an answer")
    expect(flag).to_have_attribute("href", re.compile(r"about=B$"))
    pressed(page, "٧", "Digit7")
    announced(page, f"B, {CLARITY} 7")
    pressed(page, "é", "Digit2")  # a letter of the Latin script is no figure
    expect(scale(page, "B", EVIDENCE).get_by_role("radio", checked=True)).to_have_count(0)
    pressed(page, "A", "KeyA")  # under Caps Lock
    assert shown(page) == ["A"]
    pressed(page, "х", "BracketLeft")
    assert shown(page) == ["A", "B"]
    pressed(page, "r", "KeyR")
    pressed(page, "]", "Digit9", "ctrlKey", "altKey")  # by AltGr
    assert len(shown(page)) == 2
    pressed(page, "я", "KeyZ", "ctrlKey")
    announced(page, f"Undone: Answer B, {CLARITY} from 7 to none.")
    pressed(page, "٧", "Digit7")
    pressed(page, "ы", "KeyS", "ctrlKey")
    saved(page)
    expect(page.get_by_role("dialog")).to_have_count(0)
