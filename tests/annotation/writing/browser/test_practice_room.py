"""The practice room: the writing room as it is, for a minute, and nothing of it reaches anybody."""

import re
from collections.abc import Callable
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from playwright.sync_api import Page, Request, expect

from annotation.platform.models.users import User
from annotation.study.models.studies import Study
from annotation.writing.models import Draft, WritingAssignment
from tests.factories import a_writing_study, assignments_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SAVED = re.compile("^Saved")
OVER = "That was the practice. It has been thrown away."

SignIn = Callable[[Page, User], None]


@pytest.fixture
def study() -> Study:
    return a_writing_study()


@pytest.fixture
def practice(page: Page, sign_in: SignIn, study: Study) -> Page:
    """The practice room as a writer finds it, its clock under the test's control."""
    page.clock.install()
    sign_in(page, assignments_of(study)[0].participation.user)
    page.goto(reverse("study", args=[study.slug]))
    page.get_by_role("link", name="Practise for a minute first").click()
    expect(page.get_by_role("heading", name="Practise for a minute")).to_be_visible()
    return page


def begin(page: Page) -> None:
    page.get_by_role("button", name="Start the minute").click()
    expect(page.locator("#status")).to_have_text("Nothing to save yet")


def hand_in(page: Page) -> None:
    page.get_by_role("button", name="Submit…").click()
    page.get_by_role("dialog").get_by_role("checkbox").check()
    page.get_by_role("dialog").get_by_role("button", name="Submit").click()


def test_the_practice_room_has_the_rooms_saving_its_clock_and_its_question_before_handing_in(
    practice: Page,
) -> None:
    begin(practice)
    expect(practice.locator("#answer")).to_be_focused()
    practice.keyboard.type("Four words of practice.")
    expect(practice.locator("#word-count")).to_have_text("4 words")
    expect(practice.locator("#status")).to_have_text("Not saved yet")
    practice.clock.run_for(3000)
    expect(practice.locator("#status")).to_have_text(SAVED)
    hand_in(practice)
    expect(practice.get_by_role("heading", name=OVER)).to_be_focused()
    expect(practice.locator("#answer")).to_be_hidden()
    expect(practice.locator("#answer")).to_have_value("")


def test_practice_sends_nothing_and_keeps_nothing(practice: Page, study: Study) -> None:
    addresses: list[str] = []

    def note(request: Request) -> None:
        if "/static/" not in request.url:
            addresses.append(request.url)

    practice.on("request", note)
    begin(practice)
    practice.keyboard.type("Not for anybody.")
    practice.clock.run_for(10_000)
    expect(practice.locator("#status")).to_have_text(SAVED)
    hand_in(practice)
    expect(practice.get_by_role("heading", name=OVER)).to_be_visible()
    assert addresses == []
    assert practice.evaluate("async () => (await indexedDB.databases()).map(({ name }) => name)") == []
    assert not Draft.objects.exists()
    assert set(WritingAssignment.objects.values_list("state", flat=True)) == {"assigned"}


def test_the_minute_starts_when_the_writer_says_so_and_ends_by_itself(practice: Page) -> None:
    practice.clock.run_for(120_000)
    begin(practice)
    expect(practice.locator("#time-left")).to_have_text(re.compile("^(1:00|0:59)$"))
    practice.keyboard.type("Until the end.")
    practice.clock.run_for(58_000)
    expect(practice.locator("#answer")).to_be_editable()
    practice.clock.run_for(10_000)
    expect(practice.get_by_role("heading", name=OVER)).to_be_visible()


def test_after_practice_one_may_practise_again_or_go_on(practice: Page, study: Study) -> None:
    begin(practice)
    practice.keyboard.type("Once.")
    hand_in(practice)
    practice.get_by_role("link", name="Practise again").click()
    expect(practice.get_by_role("heading", name="Practise for a minute")).to_be_visible()
    begin(practice)
    practice.keyboard.type("Twice.")
    hand_in(practice)
    practice.get_by_role("link", name="Go to your prompts").click()
    practice.wait_for_url(f"**{reverse('study', args=[study.slug])}")


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1440, "light")])
def test_the_practice_room_is_accessible_and_fits_the_screen(
    practice: Page, width: int, scheme: Literal["dark", "light"]
) -> None:
    practice.emulate_media(color_scheme=scheme)
    practice.set_viewport_size({"width": width, "height": 800})
    check_page(practice, width)
    begin(practice)
    practice.keyboard.type("A word.")
    check_page(practice, width)
    hand_in(practice)
    check_page(practice, width)


def check_page(page: Page, width: int) -> None:
    violations = Axe().run(page).response["violations"]
    assert not violations, [(found["id"], [node["html"] for node in found["nodes"]]) for found in violations]
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
