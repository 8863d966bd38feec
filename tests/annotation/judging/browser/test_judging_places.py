"""The judging room keeps the place in what is read: from view to view, from window to window, and over a reload."""

from functools import partial

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from annotation.judging.models.judging import JudgingItem
from tests import factories
from tests.annotation.judging.browser.room import (
    Enter,
    an_item,
    is_whole,
    question,
    ready,
    rubric,
    shown,
    strip,
    text,
)
from tests.browsing import PHONE, TABLET, WIDE, resize
from tests.factories import opened

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_room_is_found_again_as_it_was_left(enter: Enter) -> None:
    item = opened(an_item())
    page = enter(item, (1440, 600))
    page.keyboard.press("c")
    page.keyboard.press("u")
    page.locator("body").press("Shift+A")
    tops = {}
    for label, top in {"C": 120, "A": 60}.items():
        text(page, label).evaluate("(element, top) => element.scrollTo(0, top)", top)
        tops[label] = scroll_top(page, label)
    assert all(tops.values())
    page.goto(reverse("study", args=[item.study.slug]))
    enter(item, (1440, 600))
    assert shown(page) == ["C", "A"]
    expect(strip(page, "C")).to_be_visible()
    expect(rubric(page)).to_be_hidden()
    expect(question(page)).to_be_visible()
    assert {label: scroll_top(page, label) for label in tops} == pytest.approx(tops, abs=1)


def scroll_top(page: Page, label: str) -> float:
    top: float = text(page, label).evaluate("(element) => element.scrollTop")
    return top


LOW, HIGH = (1440, 600), (1440, 2400)  # whatever the letters: no view shows a long answer whole, reading does
HEIGHT = "element.querySelector('.prose').offsetHeight"
MOMENT = "() => new Promise((over) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(over))))"


@pytest.fixture
def long_item(monkeypatch: pytest.MonkeyPatch) -> JudgingItem:
    """Its answers have about 600 words."""
    monkeypatch.setattr(factories, "an_essay", partial(factories.an_essay, sentences=40))
    return opened(an_item())


def read_to(page: Page, label: str, share: float) -> None:
    """Scroll until this share of a text is above what is seen."""
    text(page, label).evaluate(f"(element, share) => (element.scrollTop = share * {HEIGHT})", share)
    assert place_in(page, label) == pytest.approx(share, abs=0.01)


def place_in(page: Page, label: str) -> float:
    """What share of a text is above what is seen, once all that comes a frame late has come."""
    page.evaluate(MOMENT)
    share: float = text(page, label).evaluate(f"(element) => element.scrollTop / {HEIGHT}")
    return share


def test_an_answer_keeps_its_place_from_view_to_view(enter: Enter, long_item: JudgingItem) -> None:
    page = enter(long_item, LOW)
    read_to(page, "B", 0.2)
    for key in "b]or[o":
        page.keyboard.press(key)
        assert place_in(page, "B") == pytest.approx(0.2, abs=0.01)


def test_a_view_that_shows_the_whole_of_an_answer_leaves_its_place_as_it_was(
    enter: Enter, long_item: JudgingItem
) -> None:
    page = enter(long_item, HIGH)
    page.keyboard.press("b")
    read_to(page, "B", 0.3)
    for _ in range(2):
        page.keyboard.press("r")
        assert is_whole(text(page, "B"))
        assert place_in(page, "B") == 0
        page.reload()
        ready(page).keyboard.press("o")
        assert place_in(page, "B") == pytest.approx(0.3, abs=0.01)


def test_an_answer_keeps_its_place_while_the_window_is_another(enter: Enter, long_item: JudgingItem) -> None:
    page = enter(long_item, LOW)
    page.keyboard.press("r")
    read_to(page, "A", 0.3)
    for size in (HIGH, PHONE, TABLET, WIDE):
        resize(page, size)
        page.evaluate(MOMENT)
        resize(page, LOW)
        assert place_in(page, "A") == pytest.approx(0.3, abs=0.01)


def test_an_answer_keeps_its_place_while_there_is_more_room_for_it(enter: Enter, long_item: JudgingItem) -> None:
    page = enter(long_item, TABLET)  # question and rubric are above the answers
    text(page, "A").evaluate("(element) => (element.scrollTop = element.scrollHeight)")
    end = place_in(page, "A")
    for key, is_earlier in (("q", False), ("u", True), ("u", False)):
        page.keyboard.press(key)
        assert (place_in(page, "A") < end - 0.02) is is_earlier


def test_scrolling_by_the_layout_that_is_told_before_the_layout_leaves_the_place_as_it_was(
    enter: Enter, long_item: JudgingItem
) -> None:
    page = enter(long_item, LOW)
    read_to(page, "A", 0.3)
    # Whatever asks for a size has the text laid out at once, so that its scrolling is told first in the next frame.
    text(page, "A").evaluate(
        f"(element) => {{ element.style.blockSize = `${{0.9 * {HEIGHT}}}px`; return element.scrollTop; }}"
    )
    assert place_in(page, "A") < 0.2
    text(page, "A").evaluate("(element) => (element.style.blockSize = '')")
    assert place_in(page, "A") == pytest.approx(0.3, abs=0.01)


@pytest.mark.parametrize(("key", "size"), [("r", LOW), ("u", TABLET)])
def test_what_was_scrolled_the_moment_before_a_key_counts(
    enter: Enter, long_item: JudgingItem, key: str, size: tuple[int, int]
) -> None:
    page = enter(long_item, size)
    text(page, "A").evaluate(
        f"""(element, key) => {{
          element.scrollTop = 0.2 * {HEIGHT};
          document.body.dispatchEvent(new KeyboardEvent("keydown", {{ key, bubbles: true }}));
        }}""",
        key,
    )
    assert place_in(page, "A") == pytest.approx(0.2, abs=0.01)


def test_what_was_scrolled_the_moment_before_leaving_counts(enter: Enter, long_item: JudgingItem) -> None:
    page = enter(long_item, LOW)
    text(page, "A").evaluate(
        f"""(element) => {{
          element.scrollTop = 0.2 * {HEIGHT};
          dispatchEvent(new PageTransitionEvent("pagehide"));
          Storage.prototype.setItem = () => {{}}; // nothing is kept any more once a page has gone
        }}"""
    )
    page.reload()
    assert place_in(ready(page), "A") == pytest.approx(0.2, abs=0.01)
