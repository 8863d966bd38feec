"""That mail is delayed is said where somebody waits for it, and nowhere else."""

from datetime import timedelta

import pytest
from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse

from annotation.platform.models.work import Task
from scrub_site.watching.selectors import is_mail_delayed

pytestmark = pytest.mark.django_db

LONG_AGO = Now() - timedelta(seconds=61)
A_MOMENT_AGO = Now() - timedelta(seconds=59)
LATER = Now() + timedelta(minutes=5)


def a_task(kind: str = "mail_account", **facts: object) -> None:
    Task.objects.create(**{"kind": kind, "subject": "1", "due_at": LONG_AGO, "asked_at": LONG_AGO, **facts})


@pytest.mark.parametrize(
    ("facts", "is_delayed"),
    [
        ({}, True),
        ({"kind": "mail_invitation", "attempts": 1, "due_at": LATER}, True),
        ({"asked_at": A_MOMENT_AGO, "due_at": A_MOMENT_AGO}, False),
        ({"kind": "mail_reminder", "due_at": LATER}, False),
        ({"done_at": Now()}, False),
        ({"gave_up_at": Now()}, False),
        ({"kind": "draw_map"}, False),
    ],
    ids=["no worker", "tried", "asked for now", "for later", "sent", "given up", "other work"],
)
def test_mail_is_delayed_while_one_has_been_waiting_for_a_minute(
    facts: dict[str, object], is_delayed: bool
) -> None:
    a_task(**facts)  # type: ignore[arg-type]
    assert is_mail_delayed() is is_delayed


@pytest.mark.parametrize("name", ["account_login", "account_request_login_code", "account_reset_password_done"])
def test_whoever_signs_in_while_mail_is_delayed_is_told_to_use_their_password(name: str) -> None:
    assert "Mail is delayed" not in Client().get(reverse(name)).content.decode()
    a_task()
    page = Client().get(reverse(name)).content.decode()
    assert "Mail is delayed" in page
    assert "Sign in with your password" in page
