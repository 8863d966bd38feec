"""Links of those who will supervise a study are mailed to their address and shown to nobody."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.db.models import F
from django.urls import reverse

from annotation.study.models.participation import Invitation, Role
from annotation.study.models.studies import Study
from annotation.study.policies.participation import STUDIED, SUPERVISING
from tests.annotation.benchmarks.audits import audit_in_design
from tests.clients import signed_in
from tests.factories import a_study, coordinator_of
from tests.work import send_mails

pytestmark = pytest.mark.django_db


def pages_after_inviting(study: Study, role: Role) -> tuple[str, str]:
    """What the coordinator sees on inviting Tomas and on sending it again, and the mails that Tomas got."""
    client = signed_in(coordinator_of(study))
    given = {"email": "tomas@example.org", "name": "Tomas", "role": role}
    pages = client.post(reverse("invite", args=[study.slug]), given, follow=True).content.decode()
    send_mails()
    invitation = Invitation.objects.get()
    Invitation.objects.update(expires_at=F("expires_at") - timedelta(days=1))  # it may be sent again after minutes
    again = reverse("invitation_resend", args=[study.slug, invitation.pk])
    pages += client.post(again, follow=True).content.decode()
    send_mails()
    pages += client.get(reverse("study_people", args=[study.slug])).content.decode()
    return pages, "".join(str(each.body) for each in mail.outbox)


def links(text: str) -> list[str]:
    return re.findall(r"https?://[^\s<\"]+/invitations?/[\w-]+", text)


@pytest.mark.parametrize("role", SUPERVISING)
def test_a_supervisors_link_is_in_the_mail_alone(role: Role) -> None:
    pages, mails = pages_after_inviting(a_study(), role)
    assert len(links(mails)) == 2
    assert links(pages) == []
    assert "Its link is in that mail alone" in pages


@pytest.mark.parametrize("role", STUDIED)
def test_a_writers_or_judges_link_can_be_passed_on(role: Role) -> None:
    study = audit_in_design() if role in (Role.ANNOTATOR, Role.ADJUDICATOR) else a_study()
    pages, mails = pages_after_inviting(study, role)
    assert set(links(mails)) == set(links(pages))
    assert len(links(mails)) == 2
