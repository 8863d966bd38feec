"""The judging room in windows that are wide and low, as a laptop's at 150 or 200 percent, and on phones."""

import re

import pytest
from playwright.sync_api import Page, expect

from annotation.study.models.prompts import PromptVersion
from benchmarks.support.room_figures import characters_a_line
from benchmarks.support.room_study import QUESTION
from tests.annotation.judging.browser.room import (
    DIMENSIONS,
    Enter,
    an_item,
    announced,
    drag,
    middle,
    question,
    rail,
    rubric,
    score_button,
    show,
    shown,
    strip,
    text,
)
from tests.browsing import PHONE, TABLET, box, check_accessible, fits, resize
from tests.factories import opened

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ZOOMED = ((640, 400), (720, 450), (853, 533), (960, 540), (1280, 400), (844, 390))  # CSS pixels

LINES = {(640, 400): 20, (853, 533): 32, (960, 540): 38}  # characters in lines that are compared


def test_short_and_wide_is_not_a_phone(enter: Enter) -> None:
    page = enter(opened(an_item()), ZOOMED[0])
    for size in ZOOMED:
        resize(page, size)
        assert fits(page)
        show(page, "Reading")
        page.keyboard.press("b")
        page.keyboard.press("]")
        assert shown(page) == ["B", "C"]
        for part in (text(page, "B"), text(page, "C"), question(page), strip(page, "B"), rail(page, "F")):
            expect(part).to_be_in_viewport()
        assert min(box(text(page, label))["height"] for label in "BC") >= size[1] / 3
        assert min(characters_a_line(text(page, label).locator(".prose")) for label in "BC") >= LINES.get(size, 0)
        for _ in DIMENSIONS:
            page.keyboard.press("ArrowLeft")
        page.keyboard.press("7")
        expect(score_button(page, "B", DIMENSIONS[0], 7)).to_be_in_viewport(ratio=1)
        page.keyboard.press("o")
        assert len(shown(page)) == 6
        if size == ZOOMED[0]:  # where a scale stands in two rows, one drags across both
            drag(page, *(middle(score_button(page, "B", DIMENSIONS[0], value)) for value in (2, 9)))
            expect(score_button(page, "B", DIMENSIONS[0], 9)).to_be_checked()
        finish = page.get_by_role("button", name="Submit the item")
        finish.scroll_into_view_if_needed()
        expect(finish).to_be_in_viewport(ratio=1)
    check_accessible(page)


def test_a_key_never_changes_a_score_that_cannot_be_seen(enter: Enter) -> None:
    page = enter(opened(an_item()), TABLET)
    for size in (TABLET, ZOOMED[0]):
        resize(page, size)
        page.get_by_role("button", name="Scores", exact=True).click()
        expect(score_button(page, "A", DIMENSIONS[0], 6)).to_be_hidden()
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("6")
        expect(score_button(page, "A", DIMENSIONS[0], 6)).to_be_in_viewport(ratio=1)
        expect(page.get_by_role("button", name="Scores", exact=True)).to_have_attribute("aria-expanded", "true")
    resize(page, PHONE)
    page.evaluate("scrollTo(0, 0)")
    page.keyboard.press("b")
    page.keyboard.press("5")
    expect(score_button(page, "B", DIMENSIONS[0], 5)).to_be_in_viewport(ratio=1)


def test_what_is_opened_is_in_view_however_long_the_question_is(enter: Enter) -> None:
    item = opened(an_item(2, 1))
    PromptVersion.objects.filter(pk=item.prompt_version_id).update(text=f"{QUESTION} {QUESTION}")
    page = enter(item, ZOOMED[0])
    page.keyboard.press("u")
    expect(rubric(page)).to_be_in_viewport(ratio=0.3)
    page.get_by_text("Notes", exact=True).click()
    expect(page.get_by_role("button", name="Note on the whole answer")).to_be_in_viewport(ratio=1)
    page.keyboard.press("/")
    page.keyboard.type("nowhere to be found")
    expect(page.get_by_role("searchbox")).to_be_in_viewport(ratio=1)
    expect(page.get_by_text("A 0 · B 0 · C 0")).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollHeight") == ZOOMED[0][1]


def test_on_a_phone_no_key_sets_a_view_that_a_phone_does_not_have(enter: Enter) -> None:
    page = enter(opened(an_item()), PHONE)
    before = view_of(page)
    for key in ("]", "o", "Shift+C"):
        page.keyboard.press(key)
        assert view_of(page) == before
        assert shown(page) == ["A"]
    announced(page, re.compile("wider window"))
    page.keyboard.press("q")
    page.keyboard.press("q")
    expect(question(page)).to_be_in_viewport()


def view_of(page: Page) -> str | None:
    return page.locator("[data-judging]").get_attribute("data-view")
