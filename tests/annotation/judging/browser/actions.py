"""What the tests of the room's saving do in it, and what they look at."""

from collections.abc import Callable
from typing import Any

from django.urls import reverse
from playwright.sync_api import Locator, Page, Route, expect

from annotation.judging.models.judging import JudgingItem, Score
from tests.annotation.judging.browser.room import SAVED, ready

SOON = 10_000  # ms; a save that failed is tried again after two seconds, then four
FIRST, SECOND, THIRD = "Conceptual clarity", "Evidential grounding", "Contextual relevance"


def entered(page: Page, item: JudgingItem) -> Page:
    page.goto(reverse("judging_item", args=[item.pk]))
    return ready(page)


def give(page: Page, figures: str) -> None:
    """Score the open answer, from its first dimension without a score on; 0 is 10."""
    for figure in figures:
        page.keyboard.press(figure)


def state(page: Page) -> Locator:
    return page.locator("[data-save-state]")


def notice(page: Page, name: str) -> Locator:
    return page.locator(f"[data-notice={name}]")


def decision(page: Page) -> Locator:
    return page.locator("#conflicts")


def expect_saved(page: Page) -> None:
    expect(state(page)).to_have_text(SAVED, timeout=SOON)


def come_back(page: Page) -> None:
    """As after a look at another window."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def held(item: JudgingItem) -> dict[str, int]:
    """What the server holds of A's scores, by the beginning of the dimension's key."""
    scores = Score.objects.filter(slot__item=item, slot__label="A").values_list("dimension", "value")
    return {dimension.partition("_")[0]: value for dimension, value in scores}


def kept(page: Page) -> list[Any]:
    """The judgments that wait in the browser."""
    found = page.evaluate(
        """() => Object.entries(localStorage)
            .filter(([key]) => key.startsWith("judgments:") && !key.includes(":reading:"))
            .map(([, entry]) => JSON.parse(entry).value)
            .filter((value) => value?.view === undefined)"""
    )
    return sorted(found, key=str)


def fail(route: Route) -> None:
    route.fulfill(status=503)


def justify(page: Page, text: str) -> None:
    field = page.locator("[name=justification]")
    field.evaluate(
        "(field, text) => { field.value = text; field.dispatchEvent(new Event('input', { bubbles: true })) }", text
    )


def apart(room: Page, item: JudgingItem, another_device: Callable[[JudgingItem], Page]) -> None:
    """Here 5, and a 6 on the next dimension; elsewhere 7."""
    room.context.set_offline(True)
    give(room, "56")
    other = another_device(item)
    give(other, "7")
    expect_saved(other)
    room.context.set_offline(False)
