"""A coordinator checks a prompt's framings with the keyboard alone."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from generation.framing.models import FramingCheck
from tests.browsing import SignIn, check_every_look
from tests.factories import coordinator_of
from tests.generation.framing.framed import a_framing_set, rewritten

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_framings_are_checked_by_keyboard_one_prompt_after_the_other(page: Page, sign_in: SignIn) -> None:
    found = a_framing_set(prompts=2)
    rewritten(found)
    sign_in(page, coordinator_of(found.study))
    page.goto(reverse("framing_set", args=[found.study.slug, found.pk]))
    check_every_look(page)
    page.get_by_role("link", name="Check the next prompt").press("Enter")
    expect(page.get_by_text("Prompt 1 of 2.")).to_be_visible()
    check_every_look(page)
    for key in "yyyynyyyy":
        page.keyboard.press(key)
    page.get_by_label("In your words").fill("It is an essay question in disguise.")
    page.keyboard.press("Control+Enter")

    expect(page.get_by_text(re.compile("Kept: your check"))).to_be_visible()
    expect(page.get_by_text("Prompt 2 of 2.")).to_be_visible()
    kept = FramingCheck.objects.get(reviewer=coordinator_of(found.study))
    assert [said["holds"] for said in kept.verdicts] == [key == "y" for key in "yyyynyyyy"]
