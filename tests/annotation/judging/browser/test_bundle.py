"""The room's script as it is delivered, all modules in one file, does what the modules do."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, Route, expect

from annotation.judging.models.judging import Score
from scrub_site.static_files.js_bundles import bundle
from tests.annotation.judging.browser.room import (
    Enter,
    an_item,
    hold_back,
    question,
    ready,
    rubric,
    saved,
    shown,
    strip,
    text,
)
from tests.browsing import WIDE, SignIn, box, resize
from tests.factories import opened
from tests.folders import PROJECT

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def delivered(route: Route) -> None:
    """Answer with the bundle of the module that is asked for."""
    name = route.request.url.partition("/static/")[2].replace(".bundle.js", ".js")
    script = bundle(name, lambda module: (PROJECT / "static" / module).read_text(encoding="utf-8"))
    route.fulfill(body=script, content_type="text/javascript")


USABLE_AFTER_TEXT = """() => {
    const [text] = performance.getEntriesByName("first-contentful-paint");
    return text.startTime < performance.getEntriesByName("usable")[0].startTime;
}"""


def test_one_reads_and_sees_the_rubric_before_the_rooms_script_has_come(page: Page, sign_in: SignIn) -> None:
    item = opened(an_item(1, 1, item_opens_with="reading"))
    sign_in(page, item.participation.user)
    resize(page, WIDE)
    release = hold_back(page, "**/judging/judging-room*.js")
    page.goto(reverse("judging_item", args=[item.pk]), wait_until="commit")
    for part in (text(page, "A"), question(page), rubric(page), strip(page, "A")):
        expect(part).to_be_in_viewport()
    places = box(text(page, "A"))
    expect(page.locator("[data-save-state]")).to_have_attribute("data-save-state", "")
    release()
    assert box(text(ready(page), "A")) == places
    assert page.evaluate(USABLE_AFTER_TEXT)


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
