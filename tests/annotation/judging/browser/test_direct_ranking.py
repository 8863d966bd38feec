"""Direct ranking: answers moved into tiers by mouse, finger and keyboard, or placed in number fields."""

import re
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Locator, Page, expect

from annotation.judging.models.judging import BlindedSlot, JudgingItem
from tests.annotation.judging.browser.room import (
    Enter,
    announced,
    drag,
    finish,
    middle,
    ranks_of,
    ready,
    saved,
    submit,
    touch,
)
from tests.browsing import SignIn, box, check_accessible, check_every_look
from tests.factories import a_judging_study, judging_items_of, opened

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Point = tuple[float, float]


def an_item(human: int = 2, model: int = 2, **parameters: Any) -> JudgingItem:
    study = a_judging_study(human, model, judges=1, prompts=2, judging_mode="ranking", **parameters)
    return opened(judging_items_of(study)[0])


def card(page: Page, label: str) -> Locator:
    return page.get_by_role("button", name=f"Answer {label}")


def field(page: Page, label: str) -> Locator:
    return page.get_by_role("spinbutton", name=f"Place of answer {label}")


def tiers(page: Page) -> list[str]:
    """Each tier as its place and its letters."""
    return [
        " ".join([tier.locator("[data-place]").inner_text(), *tier.locator("strong").all_inner_texts()])
        for tier in page.locator("[data-tier-list] > li").all()
    ]


def places(page: Page) -> dict[str, str]:
    return {label: field(page, label).input_value() for label in "ABCD"}


def places_held(item: JudgingItem) -> dict[str, int | None]:
    return dict(BlindedSlot.objects.filter(item=item).values_list("label", "place"))


def unplaced(page: Page) -> Point:
    """Among the cards not yet placed, also where there is none just now."""
    rect = box(page.locator("[data-unplaced]"))
    return rect["x"] + 60, rect["y"] + rect["height"] + 20


def above(page: Page, label: str) -> Point:
    rect = box(card(page, label))
    return rect["x"] + 40, rect["y"] - 4


def by_mouse(page: Page) -> None:
    first = box(page.locator("[data-tier-list]"))
    drag(page, middle(card(page, "A")), (first["x"] + 80, first["y"] + 10))
    drag(page, middle(card(page, "B")), above(page, "A"))  # before the only tier
    drag(page, middle(card(page, "C")), middle(card(page, "A")))  # a tie
    last = box(page.locator("[data-tier-list] > li").last)
    drag(page, middle(card(page, "D")), (last["x"] + 80, last["y"] + last["height"] - 1))


def by_keyboard(page: Page) -> None:
    for label, steps in {"A": 1, "B": 3, "C": 2, "D": 1}.items():
        card(page, label).focus()  # to the last place, into the tier above it, out of that one, and so on
        for _ in range(steps):
            page.keyboard.press("ArrowUp")
            expect(card(page, label)).to_be_focused()


def by_fields(page: Page) -> None:
    for label, place in {"A": "2", "B": "1", "C": "2", "D": "4"}.items():
        field(page, label).fill(place)
        expect(field(page, label)).to_be_focused()


def by_figures(page: Page) -> None:
    for key in "a2b1c2d4":
        page.keyboard.press(key)


def take_back_all(page: Page) -> None:
    for label in "ABCD":
        field(page, label).fill("")
    page.get_by_role("region", name="Answer A", exact=True).click()


def test_every_way_leads_to_the_same_places_and_they_are_there_again_on_returning(enter: Enter) -> None:
    item = an_item()
    page = enter(item)
    for way in (by_mouse, by_keyboard, by_fields, by_figures):
        take_back_all(page)
        expect(page.get_by_text("0 of 4 given")).to_be_visible()
        way(page)
        assert tiers(page) == ["1 B", "2= A C", "4 D"]
        assert places(page) == {"A": "2", "B": "1", "C": "2", "D": "4"}
        expect(page.get_by_text("Not yet placed")).to_be_hidden()
        saved(page)
        assert places_held(item) == {"A": 2, "B": 1, "C": 2, "D": 4}
    page.reload()
    ready(page)
    assert tiers(page) == ["1 B", "2= A C", "4 D"]
    dialog = finish(page)
    rows = ("Rank", r"1\s*B", r"2=\s*A", r"2=\s*C", r"4\s*D")
    expect(dialog.get_by_role("row")).to_have_text(list(map(re.compile, rows)))
    submit(dialog)
    page.wait_for_url("**/receipt/")
    assert ranks_of(item) == {"A": 2, "B": 1, "C": 2, "D": 4}


def test_a_finger_drags_a_card(tablet: Enter) -> None:
    page = tablet(an_item())
    list_ = box(page.locator("[data-tier-list]"))
    touch(page, middle(card(page, "C")), (list_["x"] + 80, list_["y"] + 10))
    touch(page, middle(card(page, "A")), middle(card(page, "C")))
    assert tiers(page) == ["1= A C"]


def test_each_move_is_announced(enter: Enter) -> None:
    page = enter(an_item())
    for label in "AB":
        card(page, label).focus()
        page.keyboard.press("ArrowUp")
    announced(page, "B: place 2")
    page.keyboard.press("ArrowUp")
    announced(page, "B: place 1, shared with A")
    page.keyboard.press("ArrowDown")
    announced(page, "B: place 2")
    page.keyboard.press("Delete")
    announced(page, "B: not placed")
    expect(card(page, "B")).to_be_focused()


def test_a_card_is_taken_back_by_drag_and_by_clearing_its_field(enter: Enter) -> None:
    item = an_item()
    page = enter(item)
    by_fields(page)
    page.mouse.move(*middle(card(page, "B")))
    page.mouse.down()
    page.mouse.move(*unplaced(page), steps=6)
    expect(page.locator('[data-unplaced][data-drop="into"]')).to_be_visible()  # where it would land
    page.mouse.up()
    assert tiers(page) == ["1= A C", "3 D"]
    field(page, "D").fill("")
    assert tiers(page) == ["1= A C"]
    expect(page.get_by_text("2 of 4 given")).to_be_visible()
    expect(page.get_by_role("button", name="Submit the item")).to_be_disabled()
    saved(page)
    assert places_held(item) == {"A": 1, "B": None, "C": 1, "D": None}


def test_only_a_pressed_card_opens_its_answer_and_on_escape_a_dragged_one_stays(enter: Enter) -> None:
    page = enter(an_item())
    by_fields(page)
    current = page.get_by_role("navigation", name="Answers").locator("[aria-current]")
    drag(page, middle(card(page, "D")), middle(card(page, "B")))
    expect(current).to_have_text(re.compile("^A"))
    card(page, "C").click()
    expect(current).to_have_text(re.compile("^C"))
    page.mouse.move(*middle(card(page, "D")))
    page.mouse.down()
    page.mouse.move(*middle(card(page, "A")), steps=6)
    page.keyboard.press("Escape")
    page.mouse.up()
    assert tiers(page) == ["1= B D", "3= A C"]


def test_fields_show_the_places_that_count(enter: Enter) -> None:
    item = an_item()
    page = enter(item)
    # A number is missing after a tie; numbers are left out.
    for typed, counts in (("1123", {"A": 1, "B": 1, "C": 3, "D": 4}), ("3134", {"A": 2, "B": 1, "C": 2, "D": 4})):
        take_back_all(page)
        for label, place in zip("ABCD", typed, strict=True):
            field(page, label).press_sequentially(place)
        field(page, "D").press("Tab")
        expect(field(page, "D")).not_to_be_focused()
        assert places(page) == {label: str(place) for label, place in counts.items()}
        saved(page)
        assert places_held(item) == counts


def test_a_place_that_there_is_not_is_not_taken_and_says_why(enter: Enter) -> None:
    item = an_item()
    page = enter(item)
    by_fields(page)
    field(page, "B").fill("9")
    expect(page.get_by_text("3 of 4 given")).to_be_visible()
    expect(field(page, "B")).to_have_attribute("aria-invalid", "true")
    expect(field(page, "B")).to_have_accessible_description("Places go from 1 to 4.")
    expect(field(page, "A")).to_have_accessible_description("")
    expect(page.locator("[data-tiers]").get_by_text("Places go from 1 to 4.")).to_be_visible()
    announced(page, "Places go from 1 to 4.")
    check_accessible(page)
    saved(page)
    assert places_held(item) == {"A": 2, "B": 1, "C": 2, "D": 4}
    field(page, "B").fill("1")
    expect(page.locator("[data-tiers]").get_by_text("Places go from 1 to 4.")).to_be_hidden()


def test_an_empty_list_says_what_to_do_and_nothing_speaks_of_a_scale(enter: Enter) -> None:
    page = enter(an_item())
    words = page.locator("[data-tier-list]").evaluate("list => getComputedStyle(list, '::before').content")
    assert words == '"Drag the best answer here, or type a place"'
    expect(page.locator(".rubric")).not_to_contain_text("Use the whole scale")
    expect(page.locator(".rubric")).to_contain_text("Five qualities")


@pytest.mark.parametrize("answers", [2, 8])
def test_from_two_to_eight_answers_are_ranked(enter: Enter, answers: int) -> None:
    item = an_item(answers // 2, answers // 2)
    page = enter(item)
    labels = "ABCDEFGH"[:answers]
    for label in labels:
        card(page, label).focus()
        page.keyboard.press("ArrowDown")
    card(page, labels[-1]).focus()
    page.keyboard.press("ArrowUp")
    check_accessible(page)
    submit(finish(page))
    page.wait_for_url("**/receipt/")
    # In their order, but that the last shares the place of the one before.
    assert ranks_of(item) == {label: min(place, answers - 1) for place, label in enumerate(labels, start=1)}


def test_without_a_script_places_are_typed(browser: Browser, sign_in: SignIn, base_url: str) -> None:
    item = an_item(rationale="required")
    context = browser.new_context(java_script_enabled=False, base_url=base_url)
    page = context.new_page()
    sign_in(page, item.participation.user)
    page.goto(reverse("judging_item", args=[item.pk]))
    for label, place in {"A": "2", "B": "1", "C": "2"}.items():
        field(page, label).fill(place)
    page.get_by_role("button", name="Save").click()
    assert places_held(item) == {"A": 2, "B": 1, "C": 2, "D": None}
    field(page, "D").fill("4")
    page.get_by_role("textbox", name="Why this ranking?").fill("B is sounder.")
    page.get_by_role("button", name="Submit", exact=True).click()
    assert ranks_of(item) == {"A": 2, "B": 1, "C": 2, "D": 4}
    context.close()


def test_tiers_and_last_step_are_accessible(enter: Enter) -> None:
    page = enter(an_item(rationale="required"))
    check_every_look(page)
    by_fields(page)
    check_every_look(page)
    page.get_by_role("textbox", name="Why this ranking?").fill("B is sounder.")
    finish(page)
    check_every_look(page)
