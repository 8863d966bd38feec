"""An invitation that a worker mails: once, so that the link which arrived is the one that works."""

from datetime import date
from decimal import Decimal
from smtplib import SMTPRecipientsRefused, SMTPServerDisconnected

import pytest
from django.core import mail
from django.utils import timezone

from annotation.design.services import protocol
from annotation.people.core.work_kinds import MAIL_INVITATION
from annotation.people.policies import MIN_MAIL_INTERVAL
from annotation.people.selectors.recruiting import invitation_lines
from annotation.people.services import recruiting
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.work import Task
from annotation.study.models.participation import Invitation
from annotation.study.models.studies import Study
from tests.annotation.people.app.test_recruiting import ago, bring, links, post, status_of, words_of
from tests.factories import a_study, coordinator_of
from tests.mail_server import nobody_listens, sending_meets
from tests.work import perform, send_mails

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    """A study to which Ada is invited by a mail that waits."""
    study = a_study()
    bring(study, "Ada,ada@example.org,writer")
    return study


def send_mails_again() -> None:
    Task.objects.filter(kind=MAIL_INVITATION).update(due_at=timezone.now())
    send_mails()


def mails_of(study: Study) -> list[str]:
    return [line.mail for line in invitation_lines(study)]


@pytest.mark.parametrize(
    "error",
    [SMTPServerDisconnected("connection unexpectedly closed"), TimeoutError("timed out")],
    ids=lambda error: type(error).__name__,
)
def test_an_invitation_that_may_have_arrived_is_not_mailed_again_and_can_be_sent_anew(
    study: Study, error: Exception
) -> None:
    with sending_meets(error):
        send_mails()
    invitation = Invitation.objects.get()
    send_mails_again()
    assert mail.outbox == []
    assert Invitation.objects.get().token_sha256 == invitation.token_sha256, "the link that may have arrived works"
    assert mails_of(study) == ["sent"]
    ago(invitation, MIN_MAIL_INTERVAL)
    anew = recruiting.resend(invitation=invitation, by=coordinator_of(study))
    assert status_of(anew.link) == 200


def test_an_invitation_that_the_server_refused_is_tried_again(study: Study) -> None:
    with sending_meets(SMTPRecipientsRefused({"ada@example.org": (450, b"come back later")})):
        send_mails()
    assert mails_of(study) == ["trying again"]
    assert "come back later" in AuditEvent.objects.get(verb="invitation.refused").detail["because"]
    send_mails_again()
    assert mails_of(study) == ["sent"]
    assert [status_of(link) for link in links()] == [200]


def test_while_the_server_is_away_the_link_stays_as_it_is(study: Study) -> None:
    before = Invitation.objects.get().token_sha256
    with nobody_listens():
        send_mails()
    assert mails_of(study) == ["trying again"]
    assert Invitation.objects.get().token_sha256 == before


@pytest.mark.usefixtures("study")
def test_an_invitation_is_noted_as_sent_before_it_goes_out() -> None:
    """Should the worker end here, the next one does not mail it again."""
    task = Task.objects.get(kind=MAIL_INVITATION)
    with sending_meets(SystemExit()), pytest.raises(SystemExit):
        perform(task)
    perform(task)
    assert mail.outbox == []


def test_an_invitation_to_an_archived_study_waits_until_the_study_is_brought_back(study: Study) -> None:
    coordinator = coordinator_of(study)
    protocol.archive(study=study, by=coordinator)
    send_mails()
    assert mail.outbox == []
    assert mails_of(study) == ["waiting"]
    protocol.bring_back(study=study, by=coordinator)
    send_mails_again()
    assert [status_of(link) for link in links()] == [200]


def test_an_invitation_is_shown_before_it_is_sent_and_says_what_its_sender_wrote() -> None:
    study = a_study(fee_per_answer=Decimal("12.50"), writing_due_on=date(2027, 3, 1))
    wilma = {"name": "Wilma", "email": "wilma@example.org", "role": "writer", "message": "We met in Graz.\r\nCome!"}
    shown = words_of(post(study, "invite", preview="yes", **wilma).content.decode())
    assert all(
        words in shown for words in ("We met in Graz. Come!", "12.50", "1 March 2027", "[the personal link]")
    )
    assert not Invitation.objects.exists()
    post(study, "invite", **wilma)
    send_mails()
    [sent] = mail.outbox
    assert "We met in Graz.\nCome!" in sent.body
