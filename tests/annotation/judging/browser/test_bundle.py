"""The room's script as it is delivered, all modules in one file, does what the modules do."""

import pytest
from playwright.sync_api import Page, Route, expect

from annotation.judging.models.judging import Score
from scrub_site.js_bundles import bundle
from tests.annotation.judging.browser.room import Enter, an_item, saved, shown
from tests.factories import opened
from tests.folders import PROJECT

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def delivered(route: Route) -> None:
    """Answer with the bundle of the module that is asked for."""
    name = route.request.url.partition("/static/")[2].replace(".bundle.js", ".js")
    text = bundle(name, lambda module: (PROJECT / "static" / module).read_text(encoding="utf-8"))
    route.fulfill(body=text, content_type="text/javascript")


def test_the_room_works_by_its_bundle(page: Page, enter: Enter) -> None:
    page.route("**/static/judging/judging-room.js", delivered)
    page.route("**/*.bundle.js", delivered)
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    enter(opened(an_item(1, 1)))
    page.keyboard.press("7")
    saved(page)
    assert Score.objects.get().value == 7
    page.keyboard.press("r")
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox", name="Find in all answers")).to_be_focused()
    assert shown(page) == ["A"]
    assert problems == []
