"""The tabs of a study stand in one row, as wide on every page, and the present one is in view."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from tests.browsing import PHONE, WIDE, SignIn, check_accessible, resize
from tests.factories import a_study, coordinator_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PAGES = (
    *("study", "study_design", "pool", "study_prompts", "study_people", "unblinders", "progress", "flags"),
    *("study_runs", "writing_desk", "texts", "reminders", "honoraria"),
)


def test_tabs_are_one_row_of_one_width_on_every_page_with_the_present_one_in_view(
    page: Page, sign_in: SignIn
) -> None:
    study = a_study()
    sign_in(page, coordinator_of(study))
    for width, height in (WIDE, PHONE):
        page.set_viewport_size({"width": width, "height": height})
        sizes = set()
        for name in PAGES:
            page.goto(reverse(name, args=[study.slug]))
            bar = page.get_by_role("navigation", name="Coordination")
            box = bar.bounding_box()
            assert box
            sizes.add((box["width"], box["height"]))
            expect(bar.locator("[aria-current]")).to_be_in_viewport(ratio=1)
        assert len(sizes) == 1
        assert next(iter(sizes))[1] < 60, "one row"
        assert page.evaluate("document.documentElement.scrollWidth") == width, "the row scrolls, the page does not"
    check_accessible(page)


def test_the_present_tab_stays_in_view_when_the_page_is_zoomed_into_or_a_phone_is_turned(
    page: Page, sign_in: SignIn
) -> None:
    study = a_study()
    sign_in(page, coordinator_of(study))
    resize(page, WIDE)
    page.goto(reverse("honoraria", args=[study.slug]))
    present = page.get_by_role("navigation", name="Coordination").locator("[aria-current]")
    for size in ((WIDE[0] // 2, WIDE[1] // 2), PHONE):
        resize(page, size)
        expect(present).to_be_in_viewport(ratio=1)


def test_a_table_that_is_wider_than_the_page_says_so_in_words_as_long_as_it_is(page: Page, sign_in: SignIn) -> None:
    study = a_study()
    sign_in(page, coordinator_of(study))
    page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
    page.goto(reverse("study_people", args=[study.slug]))
    words = page.get_by_text("This table is wider than the page").first
    expect(page.locator(".table-scroll").first).to_be_visible()
    expect(words).to_be_hidden()
    page.set_viewport_size({"width": 250, "height": 700})
    expect(words).to_be_visible()
    check_accessible(page)
