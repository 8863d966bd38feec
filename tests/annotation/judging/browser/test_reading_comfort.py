"""The judging room opens where one reads, in lines of a book, whatever the window."""

import pytest
from playwright.sync_api import Page, expect

from annotation.study.models.prompts import PromptVersion
from benchmarks.support.room_figures import characters_a_line, reach_by_tab
from benchmarks.support.room_study import QUESTION
from tests.annotation.judging.browser.actions import give
from tests.annotation.judging.browser.room import Enter, an_item, announced, question, rubric, show, shown, text
from tests.browsing import TABLET, WIDE, box, check_accessible, fits, resize
from tests.factories import opened

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Each window, and the least share of its height that an answer has while one reads.
WINDOWS = ((WIDE, 0.8), ((1280, 800), 0.8), ((1024, 768), 0.5), (TABLET, 0.5), ((853, 533), 0.4), ((640, 400), 0.4))


def characters(page: Page, label: str) -> float:
    return characters_a_line(text(page, label).locator(".prose"))


def size_of(page: Page, selector: str) -> float:
    return float(page.locator(selector).first.evaluate("(part) => parseFloat(getComputedStyle(part).fontSize)"))


def test_an_item_opens_where_one_reads_and_all_answers_are_a_key_away(enter: Enter) -> None:
    item = an_item(item_opens_with="reading")
    PromptVersion.objects.filter(pk=item.prompt_version_id).update(text=QUESTION)
    page = enter(opened(item))
    expect(rubric(page)).to_be_in_viewport(ratio=1)
    page.keyboard.press("u")  # as it is at first where it has no column of its own
    for size, share in WINDOWS:
        resize(page, size)
        page.keyboard.press("r")
        assert shown(page) == ["A"]
        expect(question(page)).to_be_in_viewport(ratio=0.9 if size[1] >= 700 else 0.3)
        assert box(text(page, "A"))["height"] >= share * size[1], size
        assert fits(page)
        finish = box(page.get_by_role("button", name="Submit the item"))
        assert finish["x"] + finish["width"] <= size[0], size
        if size[0] >= 1024:
            assert 60 <= characters(page, "A") <= 70, size
        page.keyboard.press("o")
        assert len(shown(page)) == 6
    resize(page, WIDE)
    page.keyboard.press("r")
    assert 18 <= size_of(page, ".answer.is-open .prose") == size_of(page, ".question .prose") <= 19
    page.keyboard.press("]")
    assert min(characters(page, label) for label in "AB") >= 55
    assert reach_by_tab(page).unreached == []
    expect(page.get_by_role("button", name="Submit the item")).to_be_in_viewport(ratio=1)
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


def test_question_and_answers_are_of_the_chosen_size_in_every_window(enter: Enter) -> None:
    page = enter(opened(an_item(item_opens_with="reading")))
    for size in (WIDE, (853, 533), (640, 400)):
        resize(page, size)
        for key in "ro]":
            page.keyboard.press(key)
            sizes = []
            for step in "012":
                page.evaluate("(step) => (document.documentElement.dataset.textSize = step)", step)
                parts = (".answer.is-open .prose", ".question .prose")
                sizes.append([size_of(page, part) for part in parts])
            answers, questions = zip(*sizes, strict=True)
            assert answers[0] < answers[1] < answers[2], (size, key)
            assert questions[0] < questions[1] < questions[2], (size, key)
            if (size, key) != (WIDE, "o"):  # where the question has a narrow column, and all of it is seen
                assert answers == questions, (size, key)


def test_on_a_touched_tablet_a_long_question_scrolls_and_leaves_half_of_the_window_to_the_answer(
    tablet: Enter,
) -> None:
    item = opened(an_item(item_opens_with="reading"))
    PromptVersion.objects.filter(pk=item.prompt_version_id).update(text=f"{QUESTION} {QUESTION}")
    page = tablet(item)
    for label in "ABCDEF":
        page.keyboard.press(label.lower())
        give(page, "76543")
    page.keyboard.press("a")
    assert box(text(page, "A"))["height"] >= TABLET[1] / 2
    expect(question(page)).to_be_in_viewport(ratio=0.3)
    for row in page.get_by_role("region", name="Ranking").get_by_role("row").all():
        expect(row).to_be_in_viewport(ratio=1)
    page.keyboard.press("u")  # the rubric takes what it needs
    expect(rubric(page)).to_be_in_viewport(ratio=0.5)
    assert fits(page)
