"""The pages of a question: where it is annotated, and where it is ruled on."""

from playwright.sync_api import Page, expect

from tests.annotation.judging.browser.room import ready


def at_question(page: Page, position: int) -> Page:
    """The page once it shows this question of six, and listens to keys."""
    expect(page.get_by_role("heading", level=1, name=f"Question {position} of 6")).to_be_visible()
    return ready(page)


def at_ruling(page: Page, position: int, of: int) -> Page:
    """The page once it shows this question of those to be ruled on, and listens to keys."""
    expect(page.get_by_role("heading", level=1, name=f"Question {position} of {of}")).to_be_visible()
    expect(page.locator("form[data-listens]")).to_be_attached()
    return page
