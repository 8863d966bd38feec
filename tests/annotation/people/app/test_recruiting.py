"""A study's people and invitations on their page; a table of people, invited by mails that workers send."""

import re
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotation.people.core.limits import Limits
from annotation.people.policies import MIN_MAIL_INTERVAL, mailable_from
from annotation.people.services import people, recruiting
from annotation.people.services.members import change_limits
from annotation.platform.core.errors import Refused
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.work import Task
from annotation.study.models.participation import Invitation, Participation, Role
from annotation.study.models.studies import Study
from tests.clients import signed_in
from tests.factories import a_member, a_study, a_writing_study, assignments_of, coordinator_of, written
from tests.work import send_mails

pytestmark = pytest.mark.django_db

ACCOUNT = {"name": "Wilma Writer", "password": "a long enough secret", "time_zone": "Europe/Vienna"}
SMTP_IS_AWAY = {
    "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
    "EMAIL_HOST": "127.0.0.1",
    "EMAIL_PORT": 9,
}


def page_of(study: Study, **query: str) -> str:
    client = signed_in(coordinator_of(study))
    return client.get(reverse("study_people", args=[study.slug]), query).content.decode()


def words_of(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def post(study: Study, view: str, /, *arguments: object, **fields: object) -> Any:
    client = signed_in(coordinator_of(study))
    return client.post(reverse(view, args=[study.slug, *arguments]), fields, follow=True)


COLUMNS = "name,email,role,capacity,available_from,available_until,prefers,excludes,institution"


def bring(study: Study, *lines: str, **fields: str) -> Any:
    """Import a table of `COLUMNS`; lines are filled up with empty cells."""
    filled = (line + "," * (COLUMNS.count(",") - line.count(",")) for line in lines)
    source = "\n".join([COLUMNS, *filled])
    return post(study, "people_import", source=source, **({"import": "yes"} | fields))


def test_a_table_invites_with_words_of_ones_own_after_a_look_at_the_mail_of_each_role() -> None:
    study = a_study(writing_minutes=1)
    source = "name,email,role\nAda,ada@example.org,writer\nBo,bo@example.org,writer\nCy,cy@example.org,researcher"
    looked = post(study, "people_import", source=source, message="We met in Graz.").content.decode()
    assert looked.count("We met in Graz.") == 1 + 2, "in the form, and in the mails of the first in each role"
    assert "within 1 minute each" in looked
    assert "What Ada (writer) gets" in looked
    too_long = post(study, "people_import", source=source, message="o" * 2_001, **{"import": "yes"})
    assert (too_long.status_code, Invitation.objects.filter(study=study).count()) == (400, 0)
    post(study, "people_import", source=source, message="We met in Graz.", **{"import": "yes"})
    assert set(Invitation.objects.filter(study=study).values_list("message", flat=True)) == {"We met in Graz."}


def invited(study: Study, name: str = "Wilma") -> people.Invited:
    email = f"{name.lower()}@example.org"
    return people.invite(study=study, email=email, name=name, role=Role.WRITER, by=coordinator_of(study))


def ago(invitation: Invitation, time: timedelta) -> None:
    """Let the invitation have been sent `time` ago."""
    Invitation.objects.filter(pk=invitation.pk).update(expires_at=invitation.expires_at - time)


def status_of(link: str) -> int:
    return Client().get(link[link.index("/invitations/") :]).status_code


def links() -> list[str]:
    found = [re.search(r"http\S+/invitations/\S+", str(message.body)) for message in mail.outbox]
    return [link.group() for link in found if link]


class TestMembers:
    def test_members_stand_under_their_role_with_consent_profile_and_how_far_they_are(self) -> None:
        study = a_writing_study(writers=2, prompts=2)
        written(assignments_of(study)[0])
        a_member(study, Role.JUDGE, ready=False)
        words = words_of(page_of(study))
        assert "Writers Writer 1 trial writer.1.trial@example.org W-0001" in words
        assert "Given Complete 1 of 2 Writer 2 trial" in words
        assert "Judges Judge 1 trial judge.1.trial@example.org J-0001 , Judge 1 trial Missing Missing" in words
        assert "C-0001 , Cora Coordinator not asked not asked" in words

    def test_members_who_fall_short_of_the_rule_are_named_as_not_eligible(self) -> None:
        study = a_study(minimum_years_experience=20)
        a_member(study, Role.WRITER)
        assert "Not eligible" in page_of(study)

    def test_members_who_withdrew_consent_are_not_asked_for_it_again(self) -> None:
        study = a_study()
        writer = a_member(study, Role.WRITER)
        writer.consent.withdrawn_at = timezone.now()
        writer.consent.save()
        assert "Withdrawn" in page_of(study)

    def test_members_have_their_limits_beside_them_and_a_page_of_their_own(self) -> None:
        study = a_study()
        writer = a_member(study, Role.WRITER)
        limits = Limits(capacity=1, available_from=date(2026, 3, 1), available_until=date(2026, 4, 30))
        change_limits(participation=writer, limits=limits, by=coordinator_of(study))
        assert "up to 1 prompt from 1 March until 30 April" in words_of(page_of(study))
        assert reverse("person", args=[study.slug, "W-0001"]) in page_of(study)

    def test_members_who_left_are_kept_apart(self) -> None:
        study = a_study()
        writer = a_member(study, Role.WRITER)
        Participation.objects.filter(pk=writer.pk).update(left_at=timezone.now())
        there, gone = words_of(page_of(study)).split("Who has left (1)")
        assert "Writer 1 trial" not in there
        assert "Writer 1 trial W-0001" in gone

    def test_members_are_looked_for_by_role_and_words(self) -> None:
        study = a_study()
        for role in (Role.WRITER, Role.WRITER, Role.JUDGE):
            a_member(study, role)
        assert "J-0001" not in page_of(study, role="writer")
        assert "W-0002" not in page_of(study, words="WRITER 1")
        assert "W-0001" in page_of(study, words="WRITER 1")
        assert "Nobody here matches." in page_of(study, words="nobody")

    def test_members_are_asked_for_as_often_whether_few_or_many(self) -> None:
        counts = []
        for slug, number in (("few", 2), ("many", 9)):
            study = a_study(slug)
            for place in range(number):
                a_member(study, Role.WRITER)
                invited(study, f"{slug}{place}")
            client, path = signed_in(coordinator_of(study)), reverse("study_people", args=[study.slug])
            with CaptureQueriesContext(connection) as queries:
                client.get(path)
            counts.append(len(queries))
        assert counts[0] == counts[1] <= 16


class TestInviting:
    def test_inviting_mails_a_personal_link_and_shows_it_once(self) -> None:
        study = a_study()
        page = post(study, "invite", name="Wilma", email="wilma@example.org", role="writer").content.decode()
        assert "An invitation to wilma@example.org is being mailed." in page
        send_mails()
        [link] = links()
        assert link in page
        assert link not in page_of(study)
        assert "Wilma wilma@example.org Writer" in words_of(page_of(study))

    @pytest.mark.parametrize(
        ("fields", "complaint"),
        [
            ({"name": "Wilma", "email": "wilma", "role": "writer"}, "valid email"),
            ({"name": "Wilma", "email": "w" * 250 + "@example.org", "role": "writer"}, "at most 254 characters"),
            ({"name": "Wilma", "email": "cora.coordinator@example.org", "role": "writer"}, "takes part"),
            ({"name": "Wilma", "email": "wilma@example.org", "role": "king"}, "valid choice"),
        ],
    )
    def test_an_invitation_that_cannot_be_made_comes_back_as_it_was_typed(
        self, fields: dict[str, str], complaint: str
    ) -> None:
        answer = post(a_study(), "invite", **fields)
        page = answer.content.decode()
        assert answer.status_code == 400
        assert complaint in page
        assert f'value="{fields["email"]}"' in page
        assert not Invitation.objects.exists()


class TestWithdrawing:
    def test_withdrawing_an_invitation_lets_its_link_lead_nowhere_and_its_address_be_invited_again(self) -> None:
        study = a_study()
        offer = invited(study)
        for _ in range(2):  # the second time changes nothing
            page = post(study, "invitation_withdraw", offer.invitation.pk).content.decode()
        assert "is withdrawn" in page
        assert offer.invitation.email not in words_of(page_of(study))
        assert status_of(offer.link) == 410
        assert AuditEvent.objects.filter(verb="invitation.withdrawn").count() == 1
        assert status_of(invited(study).link) == 200

    def test_withdrawing_an_invitation_is_asked_about_before_it_is_done(self) -> None:
        study = a_study()
        address = reverse("invitation_withdraw", args=[study.slug, invited(study).invitation.pk])
        before, _ = page_of(study).split(f'action="{address}"')
        assert before.rindex('<details class="confirm">') > before.rfind("</details>")

    def test_withdrawing_an_accepted_invitation_is_refused(self) -> None:
        study = a_study()
        offer = invited(study)
        people.open_account(invitation=offer.invitation, name="Wilma", password="a long enough secret")
        page = post(study, "invitation_withdraw", offer.invitation.pk).content.decode()
        assert "wilma@example.org has accepted this invitation already." in page
        assert Invitation.objects.get().withdrawn_at is None


class TestSendingAgain:
    def test_sending_an_invitation_again_makes_a_link_valid_as_long_as_the_first_and_ends_that_one(self) -> None:
        study = a_study()
        offer = invited(study)
        send_mails()
        mail.outbox.clear()
        ago(offer.invitation, timedelta(days=40))
        assert "Expired" in page_of(study)
        page = post(study, "invitation_resend", offer.invitation.pk).content.decode()
        send_mails()
        [link] = links()
        assert link in page
        assert link not in page_of(study)
        assert (status_of(offer.link), status_of(link)) == (404, 200)
        assert Invitation.objects.get().expires_at > timezone.now() + timedelta(days=29)
        assert "Expired" not in page_of(study)

    def test_sending_an_invitation_again_is_not_done_twice_within_minutes(self) -> None:
        study = a_study()
        offer = invited(study)
        assert f'aria-label="Send again to {offer.invitation.email}"' not in page_of(study)
        again = mailable_from(offer.invitation)
        assert f"can be sent again from {again:%H:%M}" in page_of(study)
        page = post(study, "invitation_resend", offer.invitation.pk).content.decode()
        assert "was written to a moment ago" in page
        assert status_of(offer.link) == 200
        ago(offer.invitation, MIN_MAIL_INTERVAL)
        assert f'aria-label="Send again to {offer.invitation.email}"' in page_of(study)
        assert (
            "An invitation to wilma@example.org is being mailed"
            in post(study, "invitation_resend", offer.invitation.pk).content.decode()
        )

    def test_sending_an_invitation_that_is_over_again_is_refused(self) -> None:
        study = a_study()
        offer = invited(study)
        ago(offer.invitation, timedelta(days=1))
        recruiting.withdraw(invitation=offer.invitation, by=coordinator_of(study))
        assert "was withdrawn" in post(study, "invitation_resend", offer.invitation.pk).content.decode()
        assert status_of(offer.link) == 410


def test_only_a_coordinator_of_the_study_invites_whatever_page_asks() -> None:
    study = a_study()
    offer, researcher = invited(study), a_member(study, Role.RESEARCHER).user
    for verb in (
        lambda: recruiting.withdraw(invitation=offer.invitation, by=researcher),
        lambda: recruiting.resend(invitation=offer.invitation, by=researcher),
        lambda: recruiting.import_people(study=study, lines=[], by=researcher),
    ):
        with pytest.raises(PermissionDenied):
            verb()


def test_no_link_is_kept_in_the_database_or_the_trail() -> None:
    study = a_study()
    bring(study, "Ada,ada@example.org,writer")
    send_mails()
    token = Path(links()[0]).name
    kept = [*Invitation.objects.values(), *AuditEvent.objects.values(), *Task.objects.values()]
    assert token not in str(kept)


@pytest.mark.parametrize(
    ("state", "role", "why"),
    [
        ("judging", Role.WRITER, "Writing is closed in this study"),
        ("unblinded", Role.WRITER, "Writing is closed in this study"),
        ("closed", Role.JUDGE, "whoever joins as judge now never gets anything"),
        ("writing", Role.ANNOTATOR, "Only audits of benchmarks have annotators"),
    ],
)
def test_nobody_is_invited_to_what_is_over_or_never_comes(state: str, role: Role, why: str) -> None:
    study = a_study()
    Study.objects.filter(pk=study.pk).update(state=state)
    with pytest.raises(Refused, match=why):
        people.invite(study=study, email="w@example.org", name="W", role=role, by=coordinator_of(study))
    bring(study, f"W,w@example.org,{role}")
    assert not Invitation.objects.exists()
    assert people.invite(
        study=study, email="r@example.org", name="R", role=Role.RESEARCHER, by=coordinator_of(study)
    )


@pytest.mark.parametrize(
    ("lacking", "role", "why"),
    [
        ("answers_per_prompt", Role.WRITER, "Nobody writes in this study"),
        ("ratings_per_prompt", Role.JUDGE, "Nobody judges in this study"),
    ],
)
def test_nobody_is_invited_to_what_the_locked_design_does_not_have(lacking: str, role: Role, why: str) -> None:
    study = a_study()
    Study.objects.filter(pk=study.pk).update(human_answers_per_item=0, **{lacking: 0})
    study.refresh_from_db()
    by = coordinator_of(study)
    people.invite(study=study, email="w@example.org", name="W", role=role, by=by)
    Study.objects.filter(pk=study.pk).update(state="writing")
    with pytest.raises(Refused, match=why):
        people.invite(study=study, email="other@example.org", name="O", role=role, by=by)


def test_an_invitation_to_what_is_over_by_now_is_not_sent_again() -> None:
    study = a_study()
    by = coordinator_of(study)
    sent = people.invite(study=study, email="w@example.org", name="W", role=Role.WRITER, by=by).invitation
    Study.objects.filter(pk=study.pk).update(state="judging")
    with pytest.raises(Refused, match="Writing is closed in this study"):
        recruiting.resend(invitation=sent, by=by)


def test_an_open_invitation_to_what_is_over_by_now_lets_nobody_in_and_says_why() -> None:
    study = a_study()
    sent = people.invite(study=study, email="j@example.org", name="J", role=Role.JUDGE, by=coordinator_of(study))
    Study.objects.filter(pk=study.pk).update(state="closed")
    answer = Client().post(sent.link[sent.link.index("/invitations/") :], ACCOUNT)
    assert answer.status_code == 410
    assert "This invitation comes too late" in answer.content.decode()
    assert "Collection is closed in this study" in answer.content.decode()
    with pytest.raises(Refused, match="Collection is closed"):
        people.open_account(invitation=sent.invitation, **ACCOUNT)
