"""A coordinator reminds people without a mouse: chooses, reads what they would get, sets a time, thinks again."""

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

from annotation.coordination.models.reminders import Reminder
from annotation.study.models.participation import Role
from tests.browsing import SignIn, check_accessible
from tests.factories import a_member, a_writing_study, coordinator_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
MAX_STEPS = 60


def tab_to(page: Page, wanted: Locator) -> None:
    for _ in range(MAX_STEPS):
        page.keyboard.press("Tab")
        if wanted.evaluate("(element) => element === document.activeElement"):
            return
    pytest.fail(f"{wanted} is not reached by the Tab key")


def press(page: Page, button: Locator) -> None:
    tab_to(page, button)
    page.keyboard.press("Enter")


def test_reminders_are_chosen_previewed_scheduled_and_withdrawn_by_keyboard(page: Page, sign_in: SignIn) -> None:
    study = a_writing_study(writers=2)
    a_member(study, Role.JUDGE, ready=False)
    sign_in(page, coordinator_of(study))
    page.goto(reverse("reminders", args=[study.slug]))
    check_accessible(page)

    press(page, page.get_by_role("button", name="Choose all: Answers left to write"))
    expect(page.get_by_label("W-0001")).to_be_checked()
    tab_to(page, page.get_by_label("W-0002"))
    page.keyboard.press("Space")
    expect(page.get_by_label("J-0001")).not_to_be_checked()
    press(page, page.get_by_role("button", name="Write the message"))

    expect(page.get_by_role("heading", name="What each person gets")).to_be_visible()
    expect(page.locator("details", has_text="W-0001")).to_contain_text("2 answers to write")
    expect(page.locator("main")).not_to_contain_text("W-0002")
    check_accessible(page)
    tab_to(page, page.get_by_label("Text", exact=True))
    page.keyboard.press("Control+A")
    page.keyboard.type("Dear {name}, only {left}!")
    expect(page.get_by_role("button", name="Send now to 1 person")).to_be_visible()
    tab_to(page, page.get_by_label("Day", exact=True))
    page.keyboard.type("03012131")
    tab_to(page, page.get_by_label("Hour", exact=True))
    page.keyboard.type("14")
    press(page, page.get_by_role("button", name="Show the preview again"))
    expect(page.get_by_text("Dear Writer 1 trial, only 2 answers to write!")).to_be_visible()
    expect(page.get_by_text("On 1 March 2131, 14:00")).to_be_visible()
    press(page, page.get_by_role("button", name="Set for 1 March 2131, 14:00, to 1 person"))

    waiting = page.get_by_role("region", name="Waiting to be sent")
    expect(waiting.get_by_role("row")).to_have_count(2)  # the heads of the columns and the reminder
    expect(waiting).to_contain_text("1 March 2131, 14:00")
    check_accessible(page)
    press(page, page.get_by_role("button", name="Withdraw the reminder to W-0001"))
    expect(page.get_by_text("The reminder to W-0001 was withdrawn.")).to_be_visible()
    expect(waiting).to_have_count(0)
    assert Reminder.objects.get().withdrawn_at
