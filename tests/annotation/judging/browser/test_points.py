"""Scores from 0 to 100: typed, raised and lowered by key, and pointed at among their bands."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from annotation.judging.models.judging import JudgingItem, Score
from annotation.study.selectors.rubrics import RUBRICS
from tests.annotation.judging.browser.room import SAVED, Enter, an_item, strip
from tests.browsing import PHONE, TABLET, box, fits, resize
from tests.factories import opened

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

POINTS = (RUBRICS / "constitutional_reasoning-2.toml").read_text("utf-8")
INTEGRITY, TRANSPARENCY = "Epistemic integrity", "Value transparency"


def field(page: Page, label: str, dimension: str) -> Locator:
    return strip(page, label).get_by_role("spinbutton", name=re.compile(f"^{dimension}"))


def points(page: Page, label: str, dimension: str) -> Locator:
    return strip(page, label).locator(".points", has=page.get_by_role("spinbutton", name=re.compile(dimension)))


def held(page: Page, label: str, dimension: str) -> Locator:
    """The bands that are marked as holding the score."""
    return points(page, label, dimension).locator(".bands > .is-held")


def kept(item: JudgingItem, label: str) -> dict[str, int]:
    found = Score.objects.filter(slot__item=item, slot__label=label)
    return dict(found.values_list("dimension", "value"))


def test_points_are_typed_and_moved_by_keys_alone_from_answer_to_answer(enter: Enter) -> None:
    item = opened(an_item(3, 3, rubric_toml=POINTS, item_opens_with="reading"))
    page = enter(item)
    within = strip(page, "A").locator(".points").first
    for band in ("Low 0–59", "Medium 60–84", "High 85–100"):  # in view, with what they mean
        expect(within.get_by_text(band)).to_be_in_viewport()
    page.keyboard.type("88")  # nothing has the focus: figures begin in the marked dimension
    expect(field(page, "A", INTEGRITY)).to_be_focused()
    expect(held(page, "A", INTEGRITY)).to_contain_text("High")
    page.keyboard.press("Enter")
    page.keyboard.type("100")
    page.keyboard.press("ArrowUp")  # and no further
    for key in ("ArrowDown", "Shift+ArrowDown", "Shift+ArrowDown", "Shift+ArrowDown", "ArrowUp"):
        page.keyboard.press(key)
    expect(field(page, "A", TRANSPARENCY)).to_have_value("85")
    page.keyboard.press("ArrowDown")
    expect(held(page, "A", TRANSPARENCY)).to_contain_text("Medium")
    page.keyboard.press("Enter")
    page.keyboard.press("x")  # on to the next answer
    page.keyboard.type("7")
    page.keyboard.press("b")  # a letter is the room's, also from the field, and loses no figure
    expect(page.locator("[data-save-state]")).to_have_text(SAVED)
    assert kept(item, "A") == {"epistemic_integrity": 88, "value_transparency": 84}
    assert kept(item, "B") == {"epistemic_integrity": 7}
    page.keyboard.type("101")
    expect(held(page, "B", TRANSPARENCY)).to_have_count(0)
    expect(strip(page, "B").get_by_text("Whole numbers from 0 to 100.")).to_be_visible()
    # Pitfalls and the rounding rule stand beside them.
    rubric = page.get_by_role("region", name="Rubric")
    expect(rubric.get_by_text("Pitfall: taking disagreement")).to_be_visible()
    expect(rubric.get_by_text("round by weight")).to_be_visible()


@pytest.mark.parametrize("answers", [1, 3])
def test_the_last_button_and_whole_bands_are_in_view_however_much_is_said_of_them(
    enter: Enter, answers: int
) -> None:
    page = enter(opened(an_item(0, answers, rubric_toml=POINTS, item_opens_with="reading", is_synthetic=True)))
    submit = page.get_by_role("button", name="Submit the item")
    for size in ((1440, 900), (1440, 760), (1024, 768), TABLET, (720, 450), (640, 400)):
        resize(page, size)
        assert fits(page), size
        track = points(page, "A", INTEGRITY).locator("[data-track]")
        assert box(track)["height"] < 50, "names of bands stand in one line"
        for band in ("Low", "Medium", "High"):
            name = track.get_by_text(band, exact=True)
            assert name.evaluate("(element) => element.scrollWidth <= element.clientWidth"), size
        if size[1] >= 600:
            expect(submit).to_be_in_viewport(ratio=1)
        submit.scroll_into_view_if_needed()
        expect(submit).to_be_in_viewport(ratio=1)
        for dimension in (INTEGRITY, TRANSPARENCY):
            field(page, "A", dimension).focus()
        expect(points(page, "A", TRANSPARENCY).locator("[data-track]")).to_be_in_viewport(ratio=0.9)
    resize(page, PHONE)
    assert fits(page)
    submit.scroll_into_view_if_needed()
    expect(submit).to_be_in_viewport(ratio=1)


def test_a_single_answer_is_scored_by_touch_and_submitted(tablet: Enter) -> None:
    # One answer is asked nothing about whether several are equal.
    item = opened(an_item(0, 1, rubric_toml=POINTS, asks_about_equal_scores=True))
    page = tablet(item)
    refused: list[str] = []
    page.on("response", lambda answer: None if answer.ok or answer.status == 302 else refused.append(answer.url))
    for dimension, share, found in ((INTEGRITY, 0.9, 90), (TRANSPARENCY, 0.5, 50)):
        track = points(page, "A", dimension).locator("[data-track]")
        track.scroll_into_view_if_needed()
        place = box(track)
        page.touchscreen.tap(place["x"] + share * place["width"], place["y"] + place["height"] / 2)
        expect(field(page, "A", dimension)).to_have_value(str(found))
    expect(page.locator("[data-save-state]")).to_have_text(SAVED)
    assert kept(item, "A") == {"epistemic_integrity": 90, "value_transparency": 50}
    page.reload()
    expect(field(page, "A", INTEGRITY)).to_have_value("90")
    expect(held(page, "A", TRANSPARENCY)).to_contain_text("Low")
    page.get_by_role("button", name=re.compile("^Submit")).click()
    expect(page.get_by_role("dialog").get_by_role("button", name="Back to the answer", exact=True)).to_be_visible()
    page.get_by_role("dialog").get_by_role("button", name=re.compile("^Submit")).click()
    expect(page.get_by_role("heading", name=re.compile("submitted"))).to_be_visible()
    # How the room was left is kept for another browser, of a single answer, too.
    item.refresh_from_db()
    assert item.view is not None
    assert item.view["sides"] == ["A"]
    assert refused == []
