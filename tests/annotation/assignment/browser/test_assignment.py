"""A coordinator reads the certificate and replaces a judge, by keyboard alone."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from playwright.sync_api import Page, expect

from annotation.judging.models.judging import JudgingItem
from annotation.study.models.participation import Role
from tests.browsing import SignIn
from tests.factories import a_judging_study, coordinator_of, members_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_judge_is_replaced_by_keyboard_and_the_certificate_says_so(page: Page, sign_in: SignIn) -> None:
    study = a_judging_study(2, 1, 4, prompts=4, ratings_per_prompt=2)
    leaver = members_of(study, Role.JUDGE)[0].pseudonym
    sign_in(page, coordinator_of(study))
    page.goto(reverse("certificate", args=[study.slug]))
    expect(page.get_by_text("Every rule holds")).to_be_visible()
    assert Axe().run(page).violations_count == 0

    page.get_by_role("link", name="Somebody leaves, is late or joins").press("Enter")
    box = page.get_by_role("checkbox", name=f"{leaver} leaves")
    box.press("Space")
    expect(box).to_be_checked()
    box.press("Enter")
    expect(page.get_by_role("heading", name="What would change hands")).to_be_visible()
    expect(page.get_by_text("Counted again, every rule holds afterwards.")).to_be_visible()
    assert Axe().run(page).violations_count == 0
    assert not JudgingItem.objects.filter(replaces__isnull=False).exists()

    page.get_by_label("Reason").focus()
    page.keyboard.type("Fell ill.")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Make the change")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("changed hands. “Fell ill.”")).to_be_visible()
    expect(page.get_by_text("Every rule holds")).to_be_visible()
    assert JudgingItem.objects.filter(replaces__isnull=False).exists()
