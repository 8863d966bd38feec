"""The browser is killed while somebody types: a real process, ended without a word."""

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from annotation.writing.models import WritingAssignment
from tests.annotation.writing.browser.actions import SAVED, editor, held, status
from tests.killable import Killable

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

KEY = 0.1  # seconds from one key to the next
SENTENCE = "Nobody saves by hand, and nobody has to. "


def test_a_killed_browser_costs_six_seconds_at_the_server_and_one_in_the_journal(
    killable: Killable,
    base_url: str,
    sign_in: Callable[[Page, object], None],
    assignment: WritingAssignment,
) -> None:
    address = base_url + reverse("writing_room", args=[assignment.pk])
    page = killable.start()
    sign_in(page, assignment.participation.user)
    page.goto(address)
    expect(editor(page)).to_be_editable()
    typed = SENTENCE * 2  # eight seconds
    page.keyboard.type(typed, delay=1000 * KEY)
    killable.kill()
    at_the_server = held(assignment)
    assert typed.startswith(at_the_server)
    assert len(typed) - len(at_the_server) <= 6 / KEY

    page = killable.start()
    sign_in(page, assignment.participation.user)
    page.goto(address)
    expect(status(page)).to_have_text(SAVED)
    restored = editor(page).input_value()
    assert typed.startswith(restored)
    assert len(typed) - len(restored) <= 1 / KEY
    assert held(assignment) == restored
    before = assignment.deadline_at
    assignment.refresh_from_db()
    assert assignment.deadline_at == before
