"""Whole items in the judging room: by mouse, by keyboard, with thumbs, without a script, and for everybody."""

import gzip
import re
from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from annotation.judging.models.judging import JudgingItem, Score
from annotation.platform.models.users import User
from annotation.study.selectors.rubrics import RUBRICS
from tests.annotation.judging.browser.room import (
    DIMENSIONS,
    an_item,
    enter_room,
    finish,
    rail,
    ranking,
    ranks_of,
    ready,
    saved,
    score_button,
    show,
    strip,
    submit,
    text,
)
from tests.browsing import (
    LYING_TABLET,
    PHONE,
    SIZES,
    TABLET,
    WIDE,
    box,
    check_every_look,
    resize,
    tab_to,
    without_scripts,
)
from tests.factories import opened, scored, slots_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SignIn = Callable[[Page, User], None]
Enter = Callable[..., Page]


@pytest.fixture
def enter(page: Page, sign_in: SignIn) -> Enter:
    """Sign the item's judge in and open the item's page, whatever it shows: `enter(item, size)`."""

    def enter(item: JudgingItem, size: tuple[int, int] = WIDE) -> Page:
        resize(page, size)
        sign_in(page, item.participation.user)
        page.goto(reverse("judging_item", args=[item.pk]))
        return page

    return enter


# -- whole items ---------------------------------------------------------------------------------------------------


def test_an_item_is_judged_by_mouse(enter: Enter) -> None:
    item = an_item()
    page = enter(item)
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_text("Click or type a number in each row")).to_be_visible()
    # Sums of five: A 40, B 35, C 45, D 35, E 40, F 10; then E's first 8 becomes a 6, so 38.
    levels = {"A": 8, "B": 7, "C": 9, "D": 7, "E": 8, "F": 2}
    for label, level in levels.items():
        expect(page.get_by_role("table", name="Ranking")).to_be_hidden()
        text(page, label).click()
        for dimension in DIMENSIONS:
            score_button(page, label, dimension, level).check()
        expect(rail(page, label)).to_contain_text("scored")
    expect(page.get_by_text("Click or type a number in each row")).to_be_hidden()
    rail(page, "E").click()
    score_button(page, "E", DIMENSIONS[0], 6).check()
    assert ranking(page) == [
        ["1", "C", "45", "9.0"],
        ["2", "A", "40", "8.0"],
        ["3", "E", "38", "7.6"],
        ["4=", "B", "35", "7.0"],
        ["4=", "D", "35", "7.0"],
        ["6", "F", "10", "2.0"],
    ]
    saved(page)
    assert Score.objects.filter(slot__item=item).count() == 30
    submit(finish(page))
    page.wait_for_url("**/receipt/")
    expect(page.get_by_role("heading", name="Item 1 of 2 is submitted")).to_be_visible()
    assert ranks_of(item) == {"A": 2, "B": 4, "C": 1, "D": 4, "E": 3, "F": 6}
    assert page.evaluate("() => localStorage.getItem(`judging-item-${location.pathname.split('/')[2]}`)") is None


def test_an_item_is_judged_with_the_keyboard_alone(enter: Enter) -> None:
    item = an_item()
    page = enter(item)
    tab_to(page, page.get_by_role("button", name="Begin"))
    page.keyboard.press("Enter")
    expect(page.locator("[data-save-state]")).to_have_text("No scores yet")
    # Five figures a letter: 0 is 10, and each figure goes on to the next dimension.
    for label, figures in zip("abcdef", ("78787", "00000", "55555", "37373", "78787", "1111"), strict=True):
        page.keyboard.press(label)
        for figure in figures:
            page.keyboard.press(figure)
    expect(page.get_by_text("29 of 30 given")).to_be_visible()
    expect(page.get_by_role("button", name="Submit the item")).to_be_disabled()
    page.keyboard.press("4")
    assert ranking(page) == [
        ["1", "B", "50", "10.0"],
        ["2=", "A", "37", "7.4"],
        ["2=", "E", "37", "7.4"],
        ["4", "C", "25", "5.0"],
        ["5", "D", "23", "4.6"],
        ["6", "F", "8", "1.6"],
    ]
    # Back one dimension, then from the button itself: up twice, and on to the next dimension.
    tab_to(page, score_button(page, "F", DIMENSIONS[4], 4))
    page.keyboard.press("ArrowLeft")
    expect(score_button(page, "F", DIMENSIONS[3], 1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(score_button(page, "F", DIMENSIONS[3], 3)).to_be_checked()
    page.keyboard.press("a")
    expect(strip(page, "A").locator(":focus")).to_have_count(1)
    tab_to(page, page.get_by_role("button", name="Submit the item"))
    page.keyboard.press("Enter")
    tab_to(page, page.get_by_role("button", name="Submit", exact=True))
    page.keyboard.press("Enter")
    page.wait_for_url("**/receipt/")
    assert ranks_of(item) == {"A": 2, "B": 1, "C": 4, "D": 5, "E": 2, "F": 6}


def test_an_item_is_judged_with_thumbs_on_a_tablet(browser: Browser, sign_in: SignIn, base_url: str) -> None:
    item = opened(an_item(2, 2, item_opens_with="reading"))
    with browser.new_context(has_touch=True, is_mobile=True, base_url=base_url) as context:
        page = context.new_page()
        enter_room(page, sign_in, item, TABLET)
        for label, level in {"A": 6, "B": 9, "C": 6, "D": 1}.items():
            rail(page, label).tap()
            expect(text(page, label)).to_be_in_viewport(ratio=0.9)
            for dimension in DIMENSIONS:
                button = score_button(page, label, dimension, level)
                assert min(box(button)["width"], box(button)["height"]) >= 40  # CSS pixels, for a thumb
                button.tap()
            assert box(page.locator(".answers"))["height"] >= TABLET[1] / 2
        assert [row[0] for row in ranking(page)] == ["1", "2=", "2=", "4"]
        for row in page.get_by_role("region", name="Ranking").get_by_role("row").all():
            expect(row).to_be_in_viewport(ratio=1)
        page.get_by_role("button", name="Submit the item").tap()
        page.get_by_role("button", name="Submit", exact=True).tap()
        page.wait_for_url("**/receipt/")
    # Sums of five: A and C 30, B 45, D 5.
    assert ranks_of(item) == {"A": 2, "B": 1, "C": 2, "D": 4}


def test_a_long_scale_is_scored_in_number_fields(enter: Enter) -> None:
    item = opened(an_item(1, 1, rubric_toml=(RUBRICS / "constitutional_reasoning-2.toml").read_text()))
    page = enter(item)
    for label, values in {"A": ("85", "60"), "B": ("73", "72")}.items():
        rail(page, label).click()
        fields = strip(page, label).get_by_role("spinbutton")
        for index, value in enumerate(values):
            fields.nth(index).fill(value)
            fields.nth(index).press("Tab")
    saved(page)
    assert sorted(Score.objects.values_list("value", flat=True)) == [60, 72, 73, 85]
    # Means of two: (85 + 60) / 2 and (73 + 72) / 2 are both 72.5.
    assert [row[:3] for row in ranking(page)] == [["1=", "A", "72.5"], ["1=", "B", "72.5"]]


def test_a_score_the_server_refuses_is_not_called_saved(enter: Enter) -> None:
    item = opened(an_item(1, 1))
    page = ready(enter(item))
    item.study.state = "closed"
    item.study.save()
    page.keyboard.press("6")
    expect(page.get_by_text("Judging is closed in this study.")).to_be_visible()
    expect(page.locator("[data-save-state]")).to_have_text("Not saved yet")


def test_help_begins_at_its_heading_and_keys_can_be_switched_off_in_it_for_good(enter: Enter) -> None:
    page = ready(enter(opened(an_item(1, 1))))
    page.keyboard.press("?")
    expect(page.get_by_role("heading", name="Help and keys")).to_be_focused()
    help_dialog = page.get_by_role("dialog", name="Help and keys")
    help_dialog.get_by_role("checkbox").uncheck()
    help_dialog.get_by_role("button", name="Close").click()
    page.reload()
    ready(page)
    for key in ("b", "7", "?", "r"):
        page.keyboard.press(key)
    expect(strip(page, "A")).to_be_visible()
    expect(text(page, "B")).to_be_visible()
    expect(page.get_by_role("radio", checked=True)).to_have_count(0)
    expect(help_dialog).to_be_hidden()


def test_once_an_answer_is_scored_the_next_one_that_is_not_is_offered(enter: Enter) -> None:
    page = ready(enter(opened(an_item())))
    hint = page.get_by_text("Click or type a number in each row (0 is 10)")
    offer = page.get_by_role("button", name="Next: answer")
    page.keyboard.press("b")
    page.keyboard.type("7777")
    expect(hint).to_be_visible()
    expect(offer).to_be_hidden()
    page.keyboard.type("7")
    expect(hint).to_be_hidden()
    expect(offer).to_contain_text("Next: answer C")
    offer.click()
    expect(text(page, "C")).to_be_focused()
    expect(offer).to_be_hidden()
    for letter in "fedc":  # then only A is left
        page.keyboard.press(letter)
        page.keyboard.type("55555")
    page.keyboard.press("x")
    expect(strip(page, "A")).to_be_visible()
    page.keyboard.type("33333")
    expect(offer).to_be_hidden()


# -- all at once ---------------------------------------------------------------------------------------------------


def test_answer_scores_and_ranking_are_in_view_together_whatever_is_open(enter: Enter) -> None:
    item = opened(an_item())
    scored(item, A=8, B=7, C=9, D=6, E=5, F=2)
    page = enter(item, WIDE)
    show(page, "Reading")
    for _ in ("prompt and rubric open", "prompt open"):
        for height in (800, 900):
            resize(page, (1440, height))
            # A line is 1.1875rem of 16 pixels times 1.6, some 30 pixels.
            assert box(text(page, "A"))["height"] >= 14 * 30
            finish = box(page.get_by_role("button", name="Submit the item"))
            last_score = box(score_button(page, "A", DIMENSIONS[-1], 1))
            first_rank = box(page.get_by_role("region", name="Ranking").get_by_role("row").nth(1))
            assert last_score["y"] + last_score["height"] <= first_rank["y"]
            assert first_rank["y"] + first_rank["height"] <= finish["y"]
            assert finish["y"] + finish["height"] <= height
        page.get_by_text("Rubric", exact=True).click()


def test_a_notice_moves_neither_the_scores_nor_the_text(enter: Enter) -> None:
    page = ready(enter(opened(an_item())))
    score_button(page, "A", DIMENSIONS[2], 7).check()
    saved(page)
    parts = [score_button(page, "A", DIMENSIONS[2], 8), text(page, "A").locator("p").first]
    notice = page.get_by_text("leave this page open: without a connection it cannot be loaded again")
    for size in (WIDE, (1366, 660), TABLET, PHONE):
        resize(page, size)
        score_button(page, "A", DIMENSIONS[2], 7).scroll_into_view_if_needed()
        before = [box(part) for part in parts]
        page.context.set_offline(True)
        expect(notice).to_be_in_viewport(ratio=1)
        assert [box(part) for part in parts] == before
        expect(page.locator("[data-save-state]")).to_be_in_viewport(ratio=1)
        page.context.set_offline(False)
        expect(notice).to_be_hidden()


@pytest.mark.parametrize(("count", "sizes"), [(6, (LYING_TABLET, (1366, 660))), (8, (TABLET, (1280, 720)))])
def test_every_rank_is_in_view_beside_the_scores(
    enter: Enter, count: int, sizes: tuple[tuple[int, int], ...]
) -> None:
    item = opened(an_item(count // 2, count // 2))
    scored(item, **dict.fromkeys("ABCDEFGH"[:count], 7))
    page = ready(enter(item))
    for size in sizes:
        resize(page, size)
        for row in page.get_by_role("region", name="Ranking").get_by_role("row").all():
            expect(row).to_be_in_viewport(ratio=1)
        expect(page.get_by_role("button", name="Submit the item")).to_be_in_viewport(ratio=1)
        expect(score_button(page, "A", DIMENSIONS[-1], 1)).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", [TABLET, (700, 1000)])
def test_the_ranking_comes_without_moving_a_score(enter: Enter, size: tuple[int, int]) -> None:
    item = opened(an_item(1, 1))
    scored(item, A=7)
    page = ready(enter(item, size))
    rail(page, "B").click()
    last = score_button(page, "B", DIMENSIONS[-1], 4)
    for dimension in DIMENSIONS[:-1]:
        score_button(page, "B", dimension, 4).check()
    before = box(last)
    last.check()
    expect(page.get_by_role("table", name="Ranking")).to_be_visible()
    assert box(last) == before


def test_on_a_tablet_the_scores_stay_at_the_foot_and_fold_away(enter: Enter) -> None:
    page = enter(opened(an_item(1, 1)), TABLET)
    last_score = score_button(page, "A", DIMENSIONS[-1], 1)
    expect(last_score).to_be_in_viewport()
    fold = page.get_by_role("button", name="Scores", exact=True)
    fold.click()
    expect(last_score).to_be_hidden()
    expect(fold).to_have_attribute("aria-expanded", "false")
    fold.click()
    expect(last_score).to_be_in_viewport()


def test_everything_a_first_visit_loads_is_small(browser: Browser, sign_in: SignIn, base_url: str) -> None:
    with browser.new_context(base_url=base_url) as context:
        page = enter_room(context.new_page(), sign_in, opened(an_item()))
        page.wait_for_load_state("networkidle")
        addresses = page.evaluate("() => performance.getEntriesByType('resource').map(({ name }) => name)")
        files = [url for url in addresses if re.search(r"\.(css|js)$", url)]
        assert any(url.endswith("judging-views.js") for url in files)
        sizes = [len(gzip.compress(page.request.get(url).body())) for url in (page.url, *files)]
    assert sum(sizes) < 100_000


# -- everybody -----------------------------------------------------------------------------------------------------


def test_without_a_script_the_item_is_one_long_form(browser: Browser, sign_in: SignIn, base_url: str) -> None:
    item = opened(an_item(1, 1, rationale="optional"))
    with browser.new_context(java_script_enabled=False, base_url=base_url) as context:
        page = context.new_page()
        sign_in(page, item.participation.user)
        page.goto(reverse("judging_item", args=[item.pk]))
        for size in (WIDE, PHONE):  # each answer's scores beside it, or between it and the next one
            resize(page, size)
            tops = [box(part(page, label))["y"] for label in "AB" for part in (text, strip)]
            assert max(tops[:2]) < min(tops[2:])
            assert [abs(tops[at + 1] - tops[at]) < 40 for at in (0, 2)] == [size == WIDE] * 2
            assert size == WIDE or tops == sorted(tops)
        expect(text(page, "A")).to_be_in_viewport()
        for label in slots_of(item):
            expect(text(page, label)).to_be_visible()
            for dimension in DIMENSIONS[: 5 if label == "A" else 4]:
                score_button(page, label, dimension, 6 if label == "A" else 8).check()
        page.get_by_role("button", name="Save", exact=True).click()
        assert Score.objects.count() == 9
        page.get_by_role("textbox", name="Why this ranking?").fill("B is sounder.")
        page.get_by_role("button", name="Submit", exact=True).click()
        expect(page.get_by_text("Scores are missing: B 1.")).to_be_visible()
        score_button(page, "B", DIMENSIONS[4], 8).check()
        page.get_by_role("button", name="Submit", exact=True).click()
        expect(page.get_by_text("B is sounder.")).to_be_visible()
    assert ranks_of(item) == {"A": 2, "B": 1}


def test_every_page_of_an_item_is_accessible(enter: Enter) -> None:
    item = an_item(2, 2, rationale="optional")
    page = enter(item)
    check_every_look(page)
    scored(item, A=7, B=7, C=4, D=9)
    with without_scripts(page):
        page.reload()
        expect(page.get_by_role("button", name="Save", exact=True)).to_be_visible()
        check_every_look(page)
    page.reload()
    ready(page)
    for size in SIZES:
        resize(page, size)
        expect(page.get_by_text("wants a larger screen")).to_be_visible(visible=size == PHONE)
    resize(page, WIDE)
    for part in ("Rubric", "All scores"):
        page.get_by_text(part, exact=True).click()
        check_every_look(page)
    page.keyboard.press("?")
    check_every_look(page)
    page.keyboard.press("Escape")
    last_step = finish(page)
    check_every_look(page)
    submit(last_step)
    page.wait_for_url("**/receipt/")
    check_every_look(page)
