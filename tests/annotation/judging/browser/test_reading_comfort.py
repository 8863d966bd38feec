"""The judging room opens where one reads, in lines of a book, whatever the window."""

import pytest
from playwright.sync_api import Page, expect

from tests.annotation.judging.browser.room import Enter, an_item, announced, question, rubric, show, shown, text
from tests.browsing import TABLET, WIDE, box, check_accessible, fits, resize
from tests.factories import opened

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Each window, and the least share of its height that an answer has while one reads.
WINDOWS = ((WIDE, 0.8), ((1280, 800), 0.8), ((1024, 768), 0.5), (TABLET, 0.5), ((853, 533), 0.4), ((640, 400), 0.4))
LINES = """(prose) => {
  const range = document.createRange();
  const full = [...prose.children].flatMap(({ firstChild: words }) => {
    const bottoms = [...words.data].map((_, at) => {
      range.setStart(words, at);
      range.setEnd(words, at + 1);
      return range.getBoundingClientRect().bottom;
    });
    return Object.values(Object.groupBy(bottoms, (bottom) => Math.round(bottom))).slice(0, -1);
  });
  return full.reduce((sum, line) => sum + line.length, 0) / full.length;
}"""


def characters_a_line(page: Page, label: str) -> float:
    return float(text(page, label).locator(".prose").evaluate(LINES))


def size_of(page: Page, selector: str) -> float:
    return float(page.locator(selector).first.evaluate("(part) => parseFloat(getComputedStyle(part).fontSize)"))


def test_an_item_opens_where_one_reads_and_all_answers_are_a_key_away(enter: Enter) -> None:
    page = enter(opened(an_item(item_opens_with="reading")))
    expect(rubric(page)).to_be_in_viewport(ratio=1)
    page.keyboard.press("u")  # as it is at first where it has no column of its own
    for size, share in WINDOWS:
        resize(page, size)
        page.keyboard.press("r")
        assert shown(page) == ["A"]
        expect(question(page)).to_be_in_viewport(ratio=0.9)
        assert box(text(page, "A"))["height"] >= share * size[1], size
        assert fits(page)
        if size[0] >= 1024:
            assert 60 <= characters_a_line(page, "A") <= 70, size
        page.keyboard.press("o")
        assert len(shown(page)) == 6
    resize(page, WIDE)
    page.keyboard.press("r")
    assert 18 <= size_of(page, ".answer.is-open .prose") == size_of(page, ".question .prose") <= 19
    page.keyboard.press("]")
    assert min(characters_a_line(page, label) for label in "AB") >= 53  # of 55 that have room: lines end at words
    expect(question(page)).to_be_in_viewport(ratio=1)
    check_accessible(page)
    page.keyboard.press("s")
    announced(page, "Not yet: 0 of 30 are given.")


def test_the_size_of_the_texts_is_chosen_and_kept(enter: Enter) -> None:
    page = enter(opened(an_item(1, 1)))
    show(page, "Reading")
    before = size_of(page, ".answer.is-open .prose")
    page.locator(".judging-bar").get_by_role("button", name="Larger text").click()
    assert size_of(page, ".answer.is-open .prose") > before
    page.reload()
    assert size_of(page, ".answer.is-open .prose") > before
