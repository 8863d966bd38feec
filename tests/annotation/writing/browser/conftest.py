"""An answer that has been started, and its room."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page

from annotation.platform.models.users import User
from annotation.writing.models import WritingAssignment
from annotation.writing.services import writing
from tests.annotation.writing.browser.actions import open_room
from tests.factories import a_writing_study, assignments_of

SignIn = Callable[[Page, User], None]


@pytest.fixture
def waiting() -> WritingAssignment:
    """An answer that has not been started."""
    return assignments_of(a_writing_study())[0]


@pytest.fixture
def assignment(waiting: WritingAssignment) -> WritingAssignment:
    """An answer that has just been started."""
    return writing.start(assignment=waiting, attested=True, by=waiting.participation.user)


@pytest.fixture
def room(page: Page, sign_in: SignIn, assignment: WritingAssignment) -> Page:
    """Its room, ready to be written in."""
    sign_in(page, assignment.participation.user)
    open_room(page, assignment)
    return page


@pytest.fixture
def clocked_room(page: Page, sign_in: SignIn, assignment: WritingAssignment) -> Page:
    """Its room, with the page's clock in the test's hands."""
    page.clock.install()
    sign_in(page, assignment.participation.user)
    open_room(page, assignment)
    return page


@pytest.fixture
def another_device(
    a_browser: Callable[[], BrowserContext], sign_in: SignIn, assignment: WritingAssignment
) -> Callable[[], Page]:
    """`another_device()` is a page of another browser in which the same writer is signed in."""

    def another_device() -> Page:
        page = a_browser().new_page()
        sign_in(page, assignment.participation.user)
        return page

    return another_device
