"""A study whose coordinator was never reached: administrators see it, mend the invitation, or remove the study."""

import pytest
from django.core import mail
from django.db.models import F
from django.test import Client
from django.urls import reverse

from annotation.people.policies import MIN_MAIL_INTERVAL
from annotation.people.services import people, unentered
from annotation.platform.core.errors import Refused
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.users import User
from annotation.study.models.participation import Invitation, Participation
from annotation.study.models.studies import Study
from tests.annotation.people.app.test_recruiting import links, status_of
from tests.clients import signed_in
from tests.factories import a_person, a_study
from tests.mail_server import nobody_listens
from tests.work import send_mails

pytestmark = pytest.mark.django_db

NEW = {"slug": "towns", "title": "Towns", "preset": "full", "coordinator_name": "Cora"}


@pytest.fixture
def administrator() -> User:
    return a_person("Ada Administrator", is_staff=True)


@pytest.fixture
def client(administrator: User) -> Client:
    return signed_in(administrator)


@pytest.fixture
def study(client: Client) -> Study:
    """Set up by an administrator who has mistyped the coordinator's address, while the mail server is away."""
    client.post(reverse("administration"), {**NEW, "coordinator_email": "cora@exmaple.org"})
    with nobody_listens():
        send_mails()
    return Study.objects.get(slug="towns")


def page(client: Client) -> str:
    return client.get(reverse("administration")).content.decode()


def post(client: Client, view: str, study: Study, /, **fields: str) -> str:
    return client.post(reverse(view, args=[study.slug]), fields, follow=True).content.decode()


def test_an_invitation_that_could_not_be_mailed_is_seen_by_administrators(client: Client, study: Study) -> None:
    assert study.title in page(client)
    assert "cora@exmaple.org" in page(client)
    assert "Trying again" in page(client)


def test_a_mistyped_address_is_corrected_and_the_first_link_leads_nowhere(client: Client, study: Study) -> None:
    assert "is being mailed" in post(client, "coordinator_invite", study, name="Cora", email="cora@example.org")
    first, second = Invitation.objects.order_by("id")
    assert (first.withdrawn_at is None, second.email) == (False, "cora@example.org")
    send_mails()
    assert [message.to for message in mail.outbox] == [["cora@example.org"]]
    assert [status_of(link) for link in links()] == [200]
    again = post(client, "coordinator_invite", study, name="Cora", email="no address")
    assert "valid email" in again


def test_an_invitation_is_sent_again_with_a_new_link(client: Client, study: Study) -> None:
    before = Invitation.objects.get().token_sha256
    assert "written to a moment ago" in post(client, "coordinator_send_again", study)
    Invitation.objects.update(expires_at=F("expires_at") - MIN_MAIL_INTERVAL)
    assert "mailed again" in post(client, "coordinator_send_again", study)
    assert Invitation.objects.get().token_sha256 != before


def test_a_study_nobody_entered_is_removed_and_its_short_name_is_free(client: Client, study: Study) -> None:
    assert "short name is free" in post(client, "study_remove", study)
    assert "Towns" not in page(client)
    assert Invitation.objects.get().withdrawn_at
    assert AuditEvent.objects.get(verb="study.removed").subject == "towns"
    client.post(reverse("administration"), {**NEW, "coordinator_email": "cora@example.org"})
    assert Study.objects.get(slug="towns").pk != study.pk


def test_a_withdrawn_invitation_leaves_a_study_to_which_somebody_else_is_invited(
    client: Client, study: Study
) -> None:
    post(client, "coordinator_withdraw", study)
    assert "Nobody is invited." in page(client)
    post(client, "coordinator_invite", study, name="Bo", email="bo@example.org")
    assert Invitation.objects.get(withdrawn_at=None).email == "bo@example.org"


@pytest.mark.parametrize("name", ["coordinator_send_again", "coordinator_withdraw", "study_remove"])
def test_once_somebody_has_entered_administrators_change_nothing(
    client: Client, study: Study, administrator: User, name: str
) -> None:
    [offer] = Invitation.objects.all()
    people.open_account(invitation=offer, name="Cora", password="a long enough secret")
    assert "Somebody takes part" in post(client, name, study)
    assert "Waiting for a coordinator" not in page(client)
    study.refresh_from_db()
    assert study.removed_at is None
    Participation.objects.update(left_at=F("joined_at"))
    with pytest.raises(Refused, match="Somebody takes part"):
        unentered.remove(study=study, by=administrator)


def test_nobody_else_sees_or_removes_a_study_that_nobody_entered(study: Study) -> None:
    stranger = signed_in(a_person("Sam Stranger"))
    assert stranger.post(reverse("study_remove", args=[study.slug])).status_code == 404
    assert a_study("other").removed_at is None
