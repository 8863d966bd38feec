"""The judging room in a browser: by mouse, by keyboard, without a script, offline, and readable for everybody."""

import re
from collections.abc import Callable
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from playwright.sync_api import Browser, FloatRect, Locator, Page, expect

from annotation.models.judging import JudgingItem, RankedSlot, Score
from annotation.models.people import User
from annotation.services.studies import RUBRICS
from tests.factories import a_judging_study, judging_items_of, opened, scored, slots_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WIDE, TABLET, PHONE = (1440, 900), (820, 1180), (390, 844)

SignIn = Callable[[Page, User], None]
Enter = Callable[[JudgingItem], Page]


def an_item(human: int = 3, model: int = 3, **parameters: Any) -> JudgingItem:
    return judging_items_of(a_judging_study(human, model, judges=1, prompts=2, **parameters))[0]


@pytest.fixture
def enter(page: Page, sign_in: SignIn) -> Enter:
    """Sign the item's judge in and open the item's page in a wide window."""

    def enter(item: JudgingItem) -> Page:
        page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
        sign_in(page, item.participation.user)
        page.goto(reverse("judging_item", args=[item.pk]))
        return page

    return enter


def rail(page: Page, label: str) -> Locator:
    return page.get_by_role("navigation", name="Answers").get_by_role("link", name=re.compile(f"^{label}"))


def score_button(page: Page, label: str, dimension: str, value: int) -> Locator:
    strip = page.get_by_role("region", name=f"Scores of Answer {label}")
    return strip.get_by_role("group", name=dimension).get_by_role("radio", name=str(value), exact=True)


def ranking(page: Page) -> list[list[str]]:
    rows = page.get_by_role("region", name="Ranking").get_by_role("row").all()[1:]
    return [[cell.inner_text() for cell in row.get_by_role("cell").all()] for row in rows]


def saved(page: Page) -> None:
    expect(page.locator("[data-save-state]")).to_have_text("Saved")


def ranks_of(item: JudgingItem) -> dict[str, int]:
    return dict(RankedSlot.objects.filter(slot__item=item).values_list("slot__label", "rank"))


# -- whole items ---------------------------------------------------------------------------------------------------

DIMENSIONS = (
    "Conceptual clarity",
    "Evidential grounding",
    "Contextual relevance",
    "Pluralistic engagement",
    "Argumentative soundness",
)


def test_an_item_is_judged_by_mouse(enter: Enter) -> None:
    item = an_item()
    page = enter(item)
    page.get_by_role("button", name="Begin").click()
    # Sums of five: A 40, B 35, C 45, D 35, E 40, F 10; then E's first 8 becomes a 6, so 38.
    levels = {"A": 8, "B": 7, "C": 9, "D": 7, "E": 8, "F": 2}
    for label, level in levels.items():
        expect(page.get_by_role("table", name="Ranking")).to_be_hidden()
        rail(page, label).click()
        expect(page.get_by_role("region", name=f"Answer {label}", exact=True)).to_be_visible()
        for dimension in DIMENSIONS:
            score_button(page, label, dimension, level).check()
        expect(rail(page, label)).to_contain_text("scored")
    rail(page, "E").click()
    score_button(page, "E", DIMENSIONS[0], 6).check()
    assert ranking(page) == [
        ["1", "C", "45", "9.0"],
        ["2", "A", "40", "8.0"],
        ["3", "E", "38", "7.6"],
        ["4=", "B, D", "35", "7.0"],
        ["6", "F", "10", "2.0"],
    ]
    saved(page)
    assert Score.objects.filter(slot__item=item).count() == 30
    page.get_by_role("button", name="Submit the item").click()
    dialog = page.get_by_role("dialog", name="Submit the item")
    expect(dialog.get_by_role("row")).to_have_count(6)
    dialog.get_by_role("button", name="Submit", exact=True).click()
    page.wait_for_url("**/receipt/")
    expect(page.get_by_role("heading", name="Item 1 of 2 is submitted")).to_be_visible()
    assert ranks_of(item) == {"A": 2, "B": 4, "C": 1, "D": 4, "E": 3, "F": 6}
    assert page.evaluate("() => localStorage.getItem(`judging-item-${location.pathname.split('/')[2]}`)") is None


def test_an_item_is_judged_with_the_keyboard_alone(enter: Enter) -> None:
    item = an_item()
    page = enter(item)
    tab_to(page, page.get_by_role("button", name="Begin"))
    page.keyboard.press("Enter")
    expect(page.locator("[data-save-state]")).to_have_text("Nothing given yet")
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
        ["2=", "A, E", "37", "7.4"],
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
    expect(page.get_by_role("region", name="Scores of Answer A").locator(":focus")).to_have_count(1)
    tab_to(page, page.get_by_role("button", name="Submit the item"))
    page.keyboard.press("Enter")
    tab_to(page, page.get_by_role("button", name="Submit", exact=True))
    page.keyboard.press("Enter")
    page.wait_for_url("**/receipt/")
    assert ranks_of(item) == {"A": 2, "B": 1, "C": 4, "D": 5, "E": 2, "F": 6}


def tab_to(page: Page, target: Locator) -> None:
    for _ in range(80):
        page.keyboard.press("Tab")
        if target.evaluate("element => element === document.activeElement"):
            return
    raise AssertionError("The tab key never got there.")


def test_four_answers_are_ranked_directly_with_ties_and_a_reason(enter: Enter) -> None:
    item = opened(an_item(2, 2, judging_mode="ranking", rationale="required"))
    page = enter(item)
    expect(page.get_by_text("0 of 4 given")).to_be_visible()
    for label, place in {"A": "2", "B": "1", "C": "2", "D": "3"}.items():
        page.get_by_label(f"Answer {label}", exact=True).and_(page.get_by_role("spinbutton")).fill(place)
    assert ranking(page) == [["1", "B"], ["2=", "A, C"], ["4", "D"]]
    # D joins nobody on place 2 but those two; up once more and it changes places with B.
    for _ in range(2):
        page.get_by_role("button", name="Move answer D up").click()
    assert ranking(page) == [["1", "D"], ["2=", "A, B, C"]]
    page.reload()
    assert ranking(page) == [["1", "D"], ["2=", "A, B, C"]]
    page.get_by_role("button", name="Submit the item").click()
    reason = page.get_by_role("textbox", name="Why this ranking?")
    reason.press_sequentially("D weighs both sides. The others (e.g. the second) do not! Do they try?")
    expect(page.get_by_text("So far 3.")).to_be_visible()
    page.get_by_role("button", name="Submit", exact=True).click()
    page.wait_for_url("**/receipt/")
    assert ranks_of(item) == {"A": 2, "B": 2, "C": 2, "D": 1}
    assert JudgingItem.objects.get(pk=item.pk).justification.startswith("D weighs")


def test_a_long_scale_is_scored_in_number_fields(enter: Enter) -> None:
    item = opened(an_item(1, 1, rubric_toml=(RUBRICS / "constitutional_reasoning-2.toml").read_text()))
    page = enter(item)
    fields = page.get_by_role("region", name="Scores of Answer A").get_by_role("spinbutton")
    fields.nth(0).fill("101")
    fields.nth(0).press("Tab")
    expect(page.locator("[data-save-state]")).to_have_text("Epistemic integrity takes whole numbers from 0 to 100.")
    fields.nth(0).fill("85")
    fields.nth(1).fill("60")
    fields.nth(1).press("Tab")
    saved(page)
    assert set(Score.objects.values_list("dimension", "value")) == {
        ("epistemic_integrity", 85),
        ("value_transparency", 60),
    }
    rail(page, "B").click()
    fields = page.get_by_role("region", name="Scores of Answer B").get_by_role("spinbutton")
    for index, value in enumerate(("73", "72")):
        fields.nth(index).fill(value)
    fields.nth(1).press("Tab")
    # Means of two: (85 + 60) / 2 and (73 + 72) / 2 are both 72.5.
    assert ranking(page) == [["1=", "A, B", "72.5"]]


# -- what is kept --------------------------------------------------------------------------------------------------


def test_leaving_and_returning_restores_answer_and_scores(enter: Enter) -> None:
    page = enter(opened(an_item(2, 2)))
    rail(page, "C").click()
    score_button(page, "C", DIMENSIONS[0], 7).check()
    saved(page)
    page.reload()
    expect(page.get_by_role("region", name="Answer C", exact=True)).to_be_visible()
    expect(score_button(page, "C", DIMENSIONS[0], 7)).to_be_checked()
    expect(rail(page, "C")).to_contain_text("partly scored")
    expect(rail(page, "D")).to_contain_text("unread")


def test_scores_given_offline_are_kept_and_saved_when_the_connection_returns(enter: Enter) -> None:
    item = opened(an_item(1, 1))
    page = enter(item)
    page.context.set_offline(True)
    for figure in "678":
        page.keyboard.press(figure)
    expect(page.locator("[data-save-state]")).to_contain_text("You are offline")
    assert not Score.objects.exists()
    page.context.set_offline(False)
    saved(page)
    assert sorted(Score.objects.values_list("value", flat=True)) == [6, 7, 8]


def test_scores_given_after_the_session_ended_are_saved_after_signing_in_again(
    enter: Enter, sign_in: SignIn
) -> None:
    item = opened(an_item(1, 1))
    page = enter(item)
    page.context.clear_cookies(name="sessionid")
    page.keyboard.press("6")
    expect(page.locator("[data-save-state]")).to_contain_text("You have been signed out")
    sign_in(page, item.participation.user)
    expect(page.locator("[data-save-state]")).to_have_text("Saved", timeout=10_000)
    assert Score.objects.get().value == 6


def test_without_any_cookie_the_judge_signs_in_again_and_can_submit(enter: Enter, sign_in: SignIn) -> None:
    item = opened(an_item(1, 1))
    scored(item, A=7, B=4)
    page = enter(item)
    page.context.clear_cookies()
    page.keyboard.press("6")
    expect(page.locator("[data-save-state]")).to_contain_text("Sign in again in a new window")
    sign_in(page, item.participation.user)
    page.context.new_page().goto(reverse("judging_item", args=[item.pk]))  # brings a new CSRF token
    expect(page.locator("[data-save-state]")).to_have_text("Saved", timeout=10_000)
    page.get_by_role("button", name="Submit the item").click()
    page.get_by_role("button", name="Submit", exact=True).click()
    page.wait_for_url("**/receipt/")


def test_a_score_the_server_refuses_is_not_called_saved(enter: Enter) -> None:
    item = opened(an_item(1, 1))
    page = enter(item)
    item.study.state = "closed"
    item.study.save()
    page.keyboard.press("6")
    expect(page.locator("[data-save-state]")).to_have_text("Judging is not open in this study.")


def test_keys_can_be_switched_off_for_good(enter: Enter) -> None:
    page = enter(opened(an_item(1, 1)))
    page.keyboard.press("?")
    help_dialog = page.get_by_role("dialog", name="Help and keys")
    help_dialog.get_by_role("checkbox").uncheck()
    help_dialog.get_by_role("button", name="Close").click()
    page.reload()
    for key in ("b", "7", "?"):
        page.keyboard.press(key)
    expect(page.get_by_role("region", name="Answer A", exact=True)).to_be_visible()
    expect(page.get_by_role("radio", checked=True)).to_have_count(0)
    expect(help_dialog).to_be_hidden()


# -- all at once ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("height", [800, 900])
def test_answer_scores_and_ranking_are_in_view_together_whatever_is_open(enter: Enter, height: int) -> None:
    item = opened(an_item())
    scored(item, A=8, B=7, C=9, D=6, E=5, F=2)
    page = enter(item)
    page.set_viewport_size({"width": 1440, "height": height})
    for _ in ("prompt open", "prompt and rubric open"):
        text = box(page.get_by_role("region", name="Answer A", exact=True))
        assert text["height"] >= 14 * 30  # a line is 1.1875rem of 16 pixels times 1.6, some 30 pixels
        finish = box(page.get_by_role("button", name="Submit the item"))
        last_rank = box(page.get_by_role("region", name="Ranking").get_by_role("row").last)
        last_score = box(score_button(page, "A", DIMENSIONS[-1], 1))
        assert last_score["y"] + last_score["height"] <= last_rank["y"]
        assert last_rank["y"] + last_rank["height"] <= finish["y"]
        assert finish["y"] + finish["height"] <= height
        page.get_by_text("Rubric", exact=True).click()
    heading = page.get_by_role("heading", name="Answer A", exact=True).first
    assert box(page.get_by_text("Prompt", exact=True))["x"] == box(heading)["x"]


def test_on_a_tablet_the_scores_stay_at_the_foot_and_fold_away(enter: Enter) -> None:
    page = enter(opened(an_item(1, 1)))
    page.set_viewport_size({"width": TABLET[0], "height": TABLET[1]})
    last_score = score_button(page, "A", DIMENSIONS[-1], 1)
    expect(last_score).to_be_in_viewport()
    fold = page.get_by_role("button", name="Scores", exact=True)
    fold.click()
    expect(last_score).to_be_hidden()
    expect(fold).to_have_attribute("aria-expanded", "false")
    fold.click()
    expect(last_score).to_be_in_viewport()


def box(element: Locator) -> FloatRect:
    found = element.bounding_box()
    assert found is not None
    return found


# -- everybody -----------------------------------------------------------------------------------------------------


def test_without_a_script_the_item_is_one_long_form(browser: Browser, sign_in: SignIn, base_url: str) -> None:
    item = opened(an_item(1, 1, rationale="optional"))
    context = browser.new_context(java_script_enabled=False, base_url=base_url)
    page = context.new_page()
    sign_in(page, item.participation.user)
    page.goto(reverse("judging_item", args=[item.pk]))
    for label in slots_of(item):
        expect(page.get_by_role("region", name=f"Answer {label}", exact=True)).to_be_visible()
        for dimension in DIMENSIONS[: 5 if label == "A" else 4]:
            score_button(page, label, dimension, 6 if label == "A" else 8).check()
    page.get_by_role("button", name="Save scores").click()
    assert Score.objects.count() == 9
    page.get_by_role("textbox", name="Why this ranking?").fill("B is sounder.")
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.get_by_text("Answer B still needs 1 of its 5 scores")).to_be_visible()
    score_button(page, "B", DIMENSIONS[4], 8).check()
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.get_by_text("B is sounder.")).to_be_visible()
    assert ranks_of(item) == {"A": 2, "B": 1}
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, TABLET, PHONE], ids=["wide", "tablet", "phone"])
def test_every_page_of_an_item_is_accessible(
    enter: Enter, scheme: Literal["light", "dark"], size: tuple[int, int]
) -> None:
    item = an_item(2, 2, rationale="optional")
    page = enter(item)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(color_scheme=scheme)
    check(page, size[0])
    scored(item, A=7, B=7, C=4, D=9)
    page.reload()
    expect(page.get_by_text("wants a larger screen")).to_be_visible(visible=size == PHONE)
    for part in ("Rubric", "All scores"):
        page.get_by_text(part, exact=True).click()
        check(page, size[0])
    page.keyboard.press("?")
    check(page, size[0])
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Submit the item").click()
    check(page, size[0])
    page.get_by_role("button", name="Submit", exact=True).click()
    page.wait_for_url("**/receipt/")
    check(page, size[0])


def test_a_direct_ranking_is_accessible(enter: Enter) -> None:
    page = enter(opened(an_item(2, 2, judging_mode="ranking", rationale="required")))
    check(page, WIDE[0])


def check(page: Page, width: int) -> None:
    violations = Axe().run(page).response["violations"]
    assert not violations, [(found["id"], [node["html"] for node in found["nodes"]]) for found in violations]
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
