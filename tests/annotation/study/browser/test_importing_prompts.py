"""A table of prompts, brought along by keyboard alone."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from annotation.study.models.prompts import Prompt
from tests.browsing import PHONE, SignIn, check_accessible
from tests.factories import a_study, coordinator_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TABLE = "area;question\nBBQ;Is it fair?\nhle;Is it just?\nMSC;Is it good?"


def tab_to(page: Page, name: str) -> None:
    """Press Tab until the control of this name has the focus."""
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate(
            "name => (document.activeElement.labels?.[0] ?? document.activeElement).innerText.trim() === name", name
        ):
            return
    raise AssertionError(f"Tab does not lead to “{name}”")


def test_a_table_of_prompts_is_mapped_corrected_and_imported_by_keyboard(page: Page, sign_in: SignIn) -> None:
    study = a_study(prompts=0)
    sign_in(page, coordinator_of(study))
    page.goto(reverse("prompts_import", args=[study.slug]))
    check_accessible(page)
    tab_to(page, "Or the table itself")
    page.keyboard.insert_text(TABLE)
    tab_to(page, "Read the table")
    page.keyboard.press("Enter")

    # The question is known by its name; the area is to be chosen.
    expect(page.get_by_text("Choose the column that holds it.")).to_be_visible()
    tab_to(page, "Domain")
    page.keyboard.type("area")
    tab_to(page, "Check again")
    page.keyboard.press("Enter")

    # The problem leads to its line, which is marked and so is replaced by what is typed.
    expect(page.get_by_text("the domain must be 2 to 12 capital letters")).to_be_visible()
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    check_accessible(page)
    tab_to(page, "Line 3")
    page.keyboard.press("Enter")
    page.keyboard.insert_text("HLE;Is it just?")
    tab_to(page, "Check again")
    page.keyboard.press("Enter")

    expect(page.get_by_text("3 prompts to be added.")).to_be_visible()
    tab_to(page, "Import the prompts")
    page.keyboard.press("Enter")
    expect(page.get_by_text("3 prompts imported.")).to_be_visible()
    check_accessible(page)
    assert list(Prompt.objects.order_by("position").values_list("code", flat=True)) == [
        "BBQ_01",
        "HLE_01",
        "MSC_01",
    ]
