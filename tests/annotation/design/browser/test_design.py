"""A coordinator changes the design with the keyboard alone, and sees at once what it asks for."""

import re
from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, Dialog, Page, Route, expect

from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from tests.browsing import WIDE, SignIn, box, check_accessible, resize
from tests.factories import a_member, a_study, coordinator_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_what_differs_from_the_preset_stands_in_one_line_with_the_usual_value(page: Page, sign_in: SignIn) -> None:
    study = a_study(prompts=0, writing_minutes=25)
    sign_in(page, coordinator_of(study))
    resize(page, WIDE)
    page.goto(reverse("study_design", args=[study.slug]))
    line = page.get_by_role("listitem").filter(has=page.get_by_text("Minutes for an answer:")).last
    heights = [box(part)["y"] for part in (line.locator("strong"), line.locator(".soft"))]
    assert heights[0] == pytest.approx(heights[1], abs=4)
    assert box(line)["height"] < 30


def test_a_section_is_changed_by_keyboard_with_its_meaning_beside_it(page: Page, sign_in: SignIn) -> None:
    study = a_study(prompts=0, answers_per_prompt=10, human_answers_per_item=3, model_answers_per_item=1)
    sign_in(page, coordinator_of(study))
    page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
    page.goto(reverse("study_design", args=[study.slug]))
    check_accessible(page)
    page.get_by_role("link", name="Judging", exact=True).press("Enter")

    # 30 prompts are expected, and ten answers of each give 120 sets of three.
    preview = page.get_by_role("complementary", name="What this means")
    ratings = page.get_by_label("Ratings of each prompt")
    ratings.focus()
    page.keyboard.press("Control+a")
    page.keyboard.type("130")
    expect(preview).to_contain_text("10 answers of each prompt give 120 sets of 3; 130 ratings asked")
    expect(preview.get_by_role("status")).to_contain_text("3,900 items")
    expect(ratings).to_be_focused()

    # Leaving asks first, and staying keeps what was typed.
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    page.once("dialog", stay)
    page.get_by_role("link", name="All sections").click()
    expect(ratings).to_have_value("130")
    assert asked == ["beforeunload"]

    # What is typed elsewhere counts too; nothing is saved yet.
    page.get_by_label("Prompts", exact=True).fill("2")
    expect(preview.get_by_role("status")).to_contain_text("260 items")
    assert Study.objects.get(pk=study.pk).ratings_per_prompt == 1

    ratings.focus()
    page.keyboard.press("Control+a")
    page.keyboard.type("5")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Saved: Ratings of each prompt.")).to_be_visible()
    check_accessible(page)
    assert Study.objects.get(pk=study.pk).ratings_per_prompt == 5

    # What is refused comes back with the reason in focus; its link leads to the field.
    ratings.fill("500")
    ratings.evaluate("field => field.form.noValidate = true")
    ratings.press("Enter")
    expect(page.get_by_text("Nothing was saved.")).to_be_visible()
    expect(page.locator(".notice-danger")).to_be_focused()
    check_accessible(page)
    page.get_by_role("link", name="Ratings of each prompt").press("Enter")
    expect(page).to_have_url(re.compile("#id_ratings_per_prompt$"))


def test_what_is_typed_before_the_scripts_have_come_is_counted_once_they_have(page: Page, sign_in: SignIn) -> None:
    study = a_study(prompts=2)
    sign_in(page, coordinator_of(study))
    on_their_way: list[Route] = []

    def hold_up(route: Route) -> None:
        on_their_way.append(route)

    page.route("**/htmx*.js", hold_up)
    page.goto(reverse("design_section", args=[study.slug, "judging"]), wait_until="commit")
    page.get_by_label("Ratings of each prompt").fill("130")

    status = page.get_by_role("complementary", name="What this means").get_by_role("status")
    expect(status).not_to_contain_text("260 items")
    on_their_way[0].continue_()
    expect(status).to_contain_text("260 items")


def test_two_coordinators_in_two_browsers_overwrite_nothing_of_each_other(
    a_browser: Callable[[], BrowserContext], sign_in: SignIn
) -> None:
    study = a_study(prompts=2)
    people = (coordinator_of(study), a_member(study, Role.COORDINATOR).user)
    first, second = [a_browser().new_page() for _ in people]
    for page, person in zip((first, second), people, strict=True):
        sign_in(page, person)
        page.goto(reverse("design_section", args=[study.slug, "judging"]))

    def typed(page: Page, label: str, value: str) -> None:
        page.get_by_label(label, exact=True).fill(value)
        page.get_by_label(label, exact=True).press("Enter")

    ratings, hours = "Ratings of each prompt", "Hours until an item counts as stalled"
    typed(first, ratings, "3")
    expect(first.get_by_text(f"Saved: {ratings}.")).to_be_visible()
    typed(second, hours, "90")
    expect(second.get_by_text(f"Somebody else has changed {ratings} meanwhile: that stays.")).to_be_visible()
    expect(second.get_by_label(ratings, exact=True)).to_have_value("3")
    typed(second, ratings, "4")
    expect(second.get_by_text(f"Saved: {ratings}.")).to_be_visible()
    typed(first, ratings, "5")
    expect(first.get_by_text(f"Now “{ratings}” is 4, yours 5. Save again to have yours.")).to_be_visible()
    expect(first.get_by_label(hours, exact=True)).to_have_value("90")
    study.refresh_from_db()
    assert study.ratings_per_prompt == 4

    for page in (first, second):
        page.goto(reverse("design_fill_in", args=[study.slug, "pilot"]))
    filled = second.get_by_role("button", name=re.compile(r"Change \d+ parameters"))
    count = re.sub(r"\D", "", filled.inner_text())
    filled.click()
    expect(second.get_by_text(f"{count} parameters changed.")).to_be_visible()
    first.get_by_role("button", name=re.compile("^Change")).click()
    expect(first.get_by_text("was changed after this page was made")).to_be_visible()
