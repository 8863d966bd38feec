"""Overview, reading and comparing in the judging room, and the rail of letters."""

import re
from itertools import combinations

import pytest
from playwright.sync_api import Page, expect

from tests.annotation.judging.browser.room import (
    Enter,
    an_item,
    is_whole,
    middle,
    question,
    rail,
    rubric,
    saved,
    show,
    shown,
    strip,
    text,
)
from tests.browsing import LYING_TABLET, PHONE, TABLET, WIDE, box, check_accessible, check_every_look, resize
from tests.factories import judging_items_of, opened

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


# -- views ---------------------------------------------------------------------------------------------------------


def test_a_new_item_shows_all_answers_question_and_rubric_at_once(enter: Enter) -> None:
    page = enter(opened(an_item()))
    for size, columns in (((1280, 600), 2), ((1366, 660), 2), (WIDE, 2), ((1920, 1080), 3), (LYING_TABLET, 2)):
        resize(page, size)
        assert shown(page) == ["A", "B", "C", "D", "E", "F"]
        assert len({box(text(page, label))["x"] for label in "ABCDEF"}) == columns
        assert is_whole(question(page))
        for part in (question(page), rubric(page), strip(page, "A"), *(text(page, label) for label in "ABCDEF")):
            expect(part).to_be_in_viewport(ratio=1)


def test_the_answer_one_clicks_tabs_to_scrolls_or_touches_is_the_one_that_is_scored(enter: Enter) -> None:
    page = enter(opened(an_item()))
    text(page, "D").click()
    expect(strip(page, "D")).to_be_visible()
    expect(strip(page, "A")).to_be_hidden()
    expect(rail(page, "D")).to_have_attribute("aria-current", "true")
    page.keyboard.press("Tab")
    expect(text(page, "E")).to_be_focused()
    expect(strip(page, "E")).to_be_visible()
    page.mouse.move(*middle(text(page, "D")))
    page.mouse.wheel(0, 40)
    expect(strip(page, "D")).to_be_visible()
    text(page, "B").dispatch_event("pointerdown")
    expect(strip(page, "B")).to_be_visible()
    assert len(shown(page)) == 6
    heads = [part(page, "B").get_by_role("heading", name="Answer B") for part in (text, strip)]
    colours = {head.evaluate("(head) => getComputedStyle(head).backgroundColor") for head in heads}
    other = text(page, "D").get_by_role("heading")
    assert len(colours) == 1
    assert colours != {other.evaluate("(head) => getComputedStyle(head).backgroundColor")}


def test_one_answer_is_read_in_lines_of_a_book_and_so_is_the_next_item(enter: Enter) -> None:
    item = opened(an_item(item_opens_with="reading"))
    page = enter(item)
    page.keyboard.press("c")
    show(page, "Reading")
    assert shown(page) == ["C"]
    size, characters = (
        text(page, "C")
        .locator(".prose")
        .evaluate(
            """(prose) => {
          const range = document.createRange();
          const full = [...prose.children].flatMap(({ firstChild: words }) => {
            const tops = [...words.data].map((_, at) => {
              range.setStart(words, at);
              range.setEnd(words, at + 1);
              return range.getBoundingClientRect().bottom;
            });
            return Object.values(Object.groupBy(tops, (top) => Math.round(top))).slice(0, -1);
          });
          return [
            parseFloat(getComputedStyle(prose).fontSize),
            full.reduce((sum, line) => sum + line.length, 0) / full.length,
          ];
        }"""
        )
    )
    assert 18 <= size <= 19
    assert 60 <= characters <= 70
    enter(opened(judging_items_of(item.study)[1]))
    assert shown(page) == ["A"]


def test_any_two_answers_are_compared_side_by_side(enter: Enter) -> None:
    page = enter(opened(an_item()))
    page.keyboard.press("b")
    page.keyboard.press("]")
    assert shown(page) == ["B", "C"]
    expect(page.get_by_role("button", name="Compare")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("]")
    assert shown(page) == ["B", "D"]
    page.keyboard.press("[")
    page.keyboard.press("[")  # B is the current one, so A is before C
    assert shown(page) == ["B", "A"]
    page.get_by_role("combobox", name="Compare with").select_option("F")
    assert shown(page) == ["B", "F"]
    page.locator("body").press("Shift+E")
    assert shown(page) == ["B", "E"]
    expect(strip(page, "B")).to_be_visible()
    text(page, "E").click()
    expect(strip(page, "E")).to_be_visible()
    assert shown(page) == ["B", "E"]  # both stay where they were
    page.keyboard.press("a")
    assert shown(page) == ["B", "A"]
    rail(page, "D").click(modifiers=["Shift"])
    assert shown(page) == ["D", "A"]
    page.keyboard.press("Escape")
    assert shown(page) == ["A"]
    page.keyboard.press("o")
    assert len(shown(page)) == 6


def test_escape_closes_a_definition_before_it_leads_back_to_reading(enter: Enter) -> None:
    page = enter(opened(an_item(1, 1)))
    strip(page, "A").get_by_role("button", name="Conceptual clarity").click()
    definition = page.get_by_role("group", name="Conceptual clarity").get_by_text("Low", exact=True)
    expect(definition).to_be_visible()
    page.mouse.move(0, 0)  # pointing at the name would show it again
    page.keyboard.press("Escape")
    expect(definition).to_be_hidden()
    assert shown(page) == ["A", "B"]
    page.keyboard.press("Escape")
    assert shown(page) == ["A"]


def test_question_and_rubric_stay_as_they_are_pinned_in_every_view_and_item(enter: Enter) -> None:
    item = opened(an_item(2, 2))
    following = opened(judging_items_of(item.study)[1])
    page = enter(item)
    page.keyboard.press("q")
    for view in ("Reading", "Compare", "Overview"):
        show(page, view)
        expect(question(page)).to_be_hidden()
        expect(rubric(page)).to_be_in_viewport()
    enter(following)
    expect(rubric(page)).to_be_visible()
    page.keyboard.press("u")
    enter(item)
    expect(rubric(page)).to_be_hidden()
    page.keyboard.press("q")
    expect(question(page)).to_be_visible()


def test_the_rubric_is_read_a_dimension_at_a_time(enter: Enter) -> None:
    page = enter(opened(an_item()))
    expect(rubric(page).get_by_text("Use the whole scale")).to_be_in_viewport()
    rubric(page).get_by_text("Evidence", exact=True).click()
    for size in (WIDE, (1920, 1080)):
        resize(page, size)
        for words in ("Evidential grounding.", "Which concrete case", "Sweeping claims", "The main claims each"):
            expect(rubric(page).get_by_text(words)).to_be_in_viewport()
        expect(rubric(page).get_by_text("Use the whole scale")).to_be_hidden()
        assert is_whole(question(page))


def test_notes_and_scores_take_the_place_of_the_rubric_while_they_are_open(enter: Enter) -> None:
    page = enter(opened(an_item()))
    for name in ("Notes", "All scores"):
        page.get_by_text(name, exact=True).click()
        expect(rubric(page)).to_be_hidden()
    expect(page.get_by_role("region", name="Notes and highlights")).to_be_hidden()
    table = page.get_by_role("region", name="All scores")
    assert is_whole(table)
    page.reload()
    expect(table).to_be_visible()
    page.get_by_text("All scores", exact=True).click()
    expect(rubric(page)).to_be_visible()


@pytest.mark.parametrize("answers", [2, 5, 8])
def test_however_many_answers_there_are_each_has_room(enter: Enter, answers: int) -> None:
    labels = "ABCDEFGH"[:answers]
    page = enter(opened(an_item(answers // 2, answers - answers // 2)))
    for size in ((1280, 800), TABLET, LYING_TABLET):
        resize(page, size)
        panels = [box(text(page, label)) for label in labels]
        for panel in panels:
            assert panel["width"] >= 230
            assert panel["height"] >= 140
        for one, other in combinations(panels, 2):
            beside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
            below = one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]
            assert beside or below
        page.keyboard.press(labels[-1].lower())
        expect(text(page, labels[-1])).to_be_in_viewport(ratio=1)


def test_on_a_phone_each_answer_is_read_from_its_beginning(enter: Enter) -> None:
    page = enter(opened(an_item(1, 1)), PHONE)
    assert shown(page) == ["A"]
    page.get_by_role("region", name="Ranking").scroll_into_view_if_needed()
    rail(page, "B").click()
    assert shown(page) == ["B"]
    expect(text(page, "B").get_by_role("heading")).to_be_in_viewport(ratio=1)
    assert box(rail(page, "B"))["y"] < box(text(page, "B").get_by_role("heading"))["y"]


# -- the rail ------------------------------------------------------------------------------------------------------


def test_the_rail_says_how_far_each_answer_is_even_after_a_reload_before_anything_was_saved(enter: Enter) -> None:
    page = enter(opened(an_item(1, 1)))
    page.route("**/save/", lambda route: route.abort())
    show(page, "Reading")
    expect(rail(page, "A")).to_have_text(re.compile(r"\bunread$"))
    text(page, "A").evaluate("(element) => element.scrollTo(0, element.scrollHeight)")
    expect(rail(page, "A")).to_have_text(re.compile(r"\bread$"), timeout=10_000)
    page.reload()
    expect(rail(page, "A")).to_have_text(re.compile(r"\bread$"))
    expect(rail(page, "B")).to_have_text(re.compile(r"\bunread$"))
    page.unroute("**/save/")
    page.keyboard.press("7")
    expect(rail(page, "A")).to_have_text(re.compile("partly scored$"))
    page.keyboard.type("7777")
    expect(rail(page, "A")).to_have_text(re.compile(r"\bscored$"))
    saved(page)
    page.reload()
    expect(rail(page, "A")).to_have_text(re.compile(r"\bscored$"))


SHIFTS = """
new PerformanceObserver((list) => {
  for (const { value } of list.getEntries()) globalThis.shifted = (globalThis.shifted ?? 0) + value;
}).observe({ type: "layout-shift", buffered: true });
"""


def shifted_by_a_reload(page: Page) -> float:
    page.reload()
    page.wait_for_timeout(300)  # so that a shift that comes late is seen
    return float(page.evaluate("() => globalThis.shifted ?? 0"))


def test_nothing_moves_while_the_page_comes(enter: Enter) -> None:
    page = enter(opened(an_item()))
    page.add_init_script(SHIFTS)
    for keys in ("o", "d]", "er"):
        for key in keys:
            page.keyboard.press(key)
        for size in (WIDE, (1920, 1080), TABLET):
            resize(page, size)
            # A machine that is busy with other tests may paint half a page; what the page does, it does every time.
            assert any(shifted_by_a_reload(page) < 0.001 for _ in range(5))


def test_browsers_are_asked_to_paint_nothing_until_the_whole_desk_is_there(enter: Enter) -> None:
    """They paint once what they are to wait for has begun, whatever is inside it."""
    page = enter(opened(an_item()))
    waited_for = page.locator(str(page.locator("link[rel=expect][blocking=render]").get_attribute("href")))
    come_later = """(waited_for) => [...document.querySelectorAll(".judging-desk, .judging-desk *")]
        .filter((part) => !(waited_for.compareDocumentPosition(part) & Node.DOCUMENT_POSITION_PRECEDING)).length"""
    assert waited_for.evaluate(come_later) == 0


def test_every_view_is_accessible_by_day_and_by_night(enter: Enter) -> None:
    page = enter(opened(an_item()))
    check_accessible(page)
    for view in ("Overview", "Reading", "Compare"):
        show(page, view)
        check_every_look(page)
