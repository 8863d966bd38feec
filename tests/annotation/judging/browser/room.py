"""What tests do in the judging room, and what they read there."""

import re
from collections.abc import Callable
from typing import Any

from django.urls import reverse
from playwright.sync_api import Locator, Page, Request, Route, expect

from annotation.judging.models.judging import JudgingItem, RankedSlot
from tests.browsing import WIDE, SignIn, box, resize
from tests.factories import a_judging_study, judging_items_of

SAVED = re.compile("^Saved")
DIMENSIONS = (
    "Conceptual clarity",
    "Evidential grounding",
    "Contextual relevance",
    "Pluralistic engagement",
    "Argumentative soundness",
)

Enter = Callable[..., Page]


def an_item(human: int = 3, model: int = 3, **parameters: Any) -> JudgingItem:
    """A judge's first item of two, not opened yet; unless said otherwise, it opens with all answers."""
    parameters = {"item_opens_with": "overview", **parameters}
    return judging_items_of(a_judging_study(human, model, judges=1, prompts=2, **parameters))[0]


def enter_room(page: Page, sign_in: SignIn, item: JudgingItem, size: tuple[int, int] = WIDE) -> Page:
    """Sign the item's judge in and open its room in a window of this size."""
    resize(page, size)
    sign_in(page, item.participation.user)
    page.goto(reverse("judging_item", args=[item.pk]))
    return ready(page)


def ready(page: Page) -> Page:
    """The room once its script is there."""
    expect(page.locator("[data-save-state]")).not_to_have_attribute("data-save-state", "")
    return page


def show(page: Page, view: str) -> None:
    page.get_by_role("group", name="View").get_by_role("button", name=view).click()


def text(page: Page, label: str) -> Locator:
    return page.get_by_role("region", name=f"Answer {label}", exact=True)


def shown(page: Page) -> list[str]:
    """The letters of the answers in view, from the left and from above."""
    texts = [(label, text(page, label)) for label in "ABCDEFGH"]
    places = {label: box(found) for label, found in texts if found.is_visible()}
    return sorted(places, key=lambda label: (places[label]["y"], places[label]["x"]))


def question(page: Page) -> Locator:
    return page.get_by_role("region", name="Question")


def rubric(page: Page) -> Locator:
    return page.get_by_role("region", name="Rubric")


def is_whole(region: Locator) -> bool:
    whole: bool = region.evaluate("(element) => element.scrollHeight <= element.clientHeight")
    return whole


def rail(page: Page, label: str) -> Locator:
    return page.get_by_role("navigation", name="Answers").get_by_role("link", name=re.compile(f"^{label}"))


def strip(page: Page, label: str) -> Locator:
    return page.get_by_role("region", name=f"Scores of Answer {label}")


def scale(page: Page, label: str, dimension: str = DIMENSIONS[0]) -> Locator:
    return strip(page, label).get_by_role("group", name=dimension)


def score_button(page: Page, label: str, dimension: str, value: int) -> Locator:
    return scale(page, label, dimension).get_by_role("radio", name=str(value), exact=True)


def ranking(page: Page) -> list[list[str]]:
    """Rank, letter and composites of each answer, best first, as the panel beside the answers shows them."""
    rows = page.get_by_role("region", name="Ranking").get_by_role("row").all()[1:]
    return [[cell.inner_text() for cell in row.locator("th, td").all() if cell.inner_text()] for row in rows]


def saved(page: Page) -> None:
    expect(page.locator("[data-save-state]")).to_have_text(SAVED)


def announced(page: Page, words: str | re.Pattern[str]) -> None:
    expect(page.locator("[data-announce]")).to_have_text(words)


def finish(page: Page) -> Locator:
    """Open the last step; returns its dialog."""
    page.get_by_role("button", name="Submit the item").click()
    return page.get_by_role("dialog", name="Submit the item")


def submit(dialog: Locator) -> None:
    dialog.get_by_role("button", name="Submit", exact=True).click()


def ranks_of(item: JudgingItem) -> dict[str, int]:
    return dict(RankedSlot.objects.filter(slot__item=item).values_list("slot__label", "rank"))


def middle(element: Locator) -> tuple[float, float]:
    rect = box(element)
    return rect["x"] + rect["width"] / 2, rect["y"] + rect["height"] / 2


def touch(page: Page, start: tuple[float, float], end: tuple[float, float], steps: int = 8) -> None:
    """Put a finger down at `start`, move it to `end` and lift it, as the browser gets it from a screen."""
    send = page.context.new_cdp_session(page).send
    across, down = end[0] - start[0], end[1] - start[1]
    for step in range(steps + 1):
        at = {"x": start[0] + across * step / steps, "y": start[1] + down * step / steps}
        send("Input.dispatchTouchEvent", {"type": "touchMove" if step else "touchStart", "touchPoints": [at]})
    send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def drag(page: Page, start: tuple[float, float], *via: tuple[float, float]) -> None:
    """Press the mouse at `start`, lead it past each point and let it go at the last."""
    page.mouse.move(*start)
    page.mouse.down()
    for point in via:
        page.mouse.move(*point, steps=6)
    page.mouse.up()


def posts_to(page: Page, ending: str) -> list[Request]:
    """What the page posts from now on to addresses that end so, in order; the list grows."""
    posts: list[Request] = []

    def note(request: Request) -> None:
        if request.method == "POST" and request.url.endswith(ending):
            posts.append(request)

    page.on("request", note)
    return posts


def hold_back(page: Page, pattern: str) -> Callable[[], None]:
    """Requests to such addresses wait from now on, until what is returned is called."""
    waiting: list[Route] = []
    released = False

    def wait(route: Route) -> None:
        if released:
            route.continue_()
        else:
            waiting.append(route)

    def release() -> None:
        nonlocal released
        released = True
        for route in waiting:
            route.continue_()

    page.route(pattern, wait)
    return release
