"""An item that has been begun, and its room."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from annotation.judging.models.judging import JudgingItem
from tests.annotation.judging.browser.actions import entered
from tests.annotation.judging.browser.room import Enter, enter_room
from tests.browsing import TABLET, SignIn
from tests.factories import a_judging_study, judging_items_of, opened


def an_item(human: int = 1, model: int = 1, **parameters: Any) -> JudgingItem:
    parameters = {"item_opens_with": "overview", **parameters}
    return opened(judging_items_of(a_judging_study(human, model, judges=1, prompts=1, **parameters))[0])


@pytest.fixture
def item() -> JudgingItem:
    return an_item()


@pytest.fixture
def ranked() -> JudgingItem:
    """An item whose answers are ranked directly, with a reason."""
    return an_item(judging_mode="ranking", rationale="required")


@pytest.fixture
def room(page: Page, sign_in: SignIn, item: JudgingItem) -> Page:
    sign_in(page, item.participation.user)
    return entered(page, item)


@pytest.fixture
def another_device(a_browser: Callable[[], BrowserContext], sign_in: SignIn) -> Callable[[JudgingItem], Page]:
    """`another_device(item)` is the item's room in another browser of its judge."""

    def another_device(item: JudgingItem) -> Page:
        page = a_browser().new_page()
        sign_in(page, item.participation.user)
        return entered(page, item)

    return another_device


@pytest.fixture
def enter(page: Page, sign_in: SignIn) -> Enter:
    """`enter(item)` opens an item's judging room as its judge; `enter(item, size)` in a window of that size."""
    return partial(enter_room, page, sign_in)


@pytest.fixture
def tablet(browser: Browser, base_url: str, sign_in: SignIn) -> Iterator[Enter]:
    """`tablet(item)` opens it on a tablet that is touched."""
    context = browser.new_context(base_url=base_url, has_touch=True)
    yield lambda item: enter_room(context.new_page(), sign_in, item, TABLET)
    context.close()
