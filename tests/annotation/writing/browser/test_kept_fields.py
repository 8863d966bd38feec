"""What is typed into one of several forms of a page stays in the browser until the server has taken it."""

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

from annotation.writing.models import WritingAssignment
from tests.browsing import SignIn
from tests.factories import a_writing_study, assignments_of, written

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def answer(page: Page, sign_in: SignIn) -> WritingAssignment:
    """An answer that was handed in; the page is its receipt."""
    study = a_writing_study(feedback="each_prompt", allow_prompt_rewrites=False)
    answer = written(assignments_of(study)[0])
    sign_in(page, answer.participation.user)
    page.goto(reverse("writing_receipt", args=[answer.pk]))
    return answer


def feedback(page: Page) -> Locator:
    return page.locator("#feedback").get_by_role("textbox")


def comment(page: Page) -> Locator:
    return page.locator("#process").get_by_role("textbox")


def test_sending_one_form_keeps_what_was_typed_into_the_other(page: Page, answer: WritingAssignment) -> None:
    feedback(page).fill("The question assumes towns.")
    comment(page).fill("I wrote the end first.")
    page.get_by_role("button", name="Save the feedback").click()
    expect(page.get_by_text("is saved.")).to_be_visible()
    expect(comment(page)).to_have_value("I wrote the end first.")
    answer.refresh_from_db()
    assert (answer.feedback, answer.process_comment) == ("The question assumes towns.", "")


def test_what_was_sent_after_the_session_had_ended_is_there_after_signing_in(
    page: Page, answer: WritingAssignment, sign_in: SignIn
) -> None:
    feedback(page).fill("The question assumes towns.")
    page.context.clear_cookies(name="sessionid")
    page.get_by_role("button", name="Save the feedback").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    sign_in(page, answer.participation.user)
    page.goto(reverse("writing_receipt", args=[answer.pk]))
    expect(feedback(page)).to_have_value("The question assumes towns.")


def test_what_the_server_has_taken_is_not_brought_back_over_something_newer(
    page: Page, answer: WritingAssignment
) -> None:
    feedback(page).fill("The question assumes towns.")
    page.get_by_role("button", name="Save the feedback").click()
    expect(page.get_by_text("is saved.")).to_be_visible()
    WritingAssignment.objects.filter(pk=answer.pk).update(feedback="Changed on another device.")
    page.reload()
    expect(feedback(page)).to_have_value("Changed on another device.")
