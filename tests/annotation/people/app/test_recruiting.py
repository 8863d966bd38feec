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
from pytest_django import Settings

from annotation.people.core.limits import Limits
from annotation.people.policies import MAILED_AT_MOST_EVERY, mailable_from
from annotation.people.selectors.recruiting import MAIL_INVITATION, invitation_lines, limits_of, sending
from annotation.people.services import people, recruiting
from annotation.people.services.members import change_limits
from annotation.platform.core.errors import Refused
from annotation.platform.core.table_import import ParsedRow
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.work import Task
from annotation.study.models.participation import Invitation, Participation, Role
from annotation.study.models.studies import Study
from tests.clients import signed_in
from tests.factories import a_member, a_person, a_study, a_writing_study, assignments_of, coordinator_of, written
from tests.work import perform, send_mails

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
        ago(offer.invitation, MAILED_AT_MOST_EVERY)
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


class TestImporting:
    def test_importing_people_invites_by_mails_that_workers_send(self) -> None:
        study = a_study()
        page = bring(study, "Ada Lovelace,Ada@example.org,Writer", "Bo,bo@example.org,judge").content.decode()
        assert "2 invitations will be mailed within minutes." in page
        assert 'value="0"' in page  # of 2
        assert mail.outbox == []
        assert {(i.email, i.name, i.role) for i in Invitation.objects.all()} == {
            ("ada@example.org", "Ada Lovelace", "writer"),
            ("bo@example.org", "Bo", "judge"),
        }
        send_mails()
        assert sorted(message.to for message in mail.outbox) == [["ada@example.org"], ["bo@example.org"]]
        assert [status_of(link) for link in links()] == [200, 200]

    def test_importing_people_does_not_write_twice_when_a_job_is_done_twice(self) -> None:
        study = a_study()
        bring(study, "Ada,ada@example.org,writer")
        send_mails()
        recruiting.mail(invitation_id=Invitation.objects.get().pk)
        assert len(mail.outbox) == 1
        assert status_of(links()[0]) == 200

    def test_importing_people_writes_to_nobody_whose_invitation_was_withdrawn_or_used_meanwhile(self) -> None:
        study = a_study()
        bring(study, "Ada,ada@example.org,writer", "Bo,bo@example.org,judge")
        first, second = Invitation.objects.order_by("email")
        recruiting.withdraw(invitation=first, by=coordinator_of(study))
        Invitation.objects.filter(pk=second.pk).update(accepted_at=timezone.now(), accepted_by=a_person("Bo"))
        for invitation in (first, second):
            recruiting.mail(invitation_id=invitation.pk)
        send_mails()
        assert mail.outbox == []

    def test_importing_people_leaves_a_link_alone_that_was_asked_for_by_hand_before_the_worker_came(self) -> None:
        study = a_study()
        bring(study, "Ada,ada@example.org,writer")
        invitation = Invitation.objects.get()
        ago(invitation, MAILED_AT_MOST_EVERY)
        link = recruiting.resend(invitation=invitation, by=coordinator_of(study)).link
        recruiting.mail(invitation_id=invitation.pk)  # a worker had the task already
        send_mails()
        assert links() == [link]
        assert status_of(link) == 200

    def test_importing_people_shows_what_is_sent_waiting_and_failed_and_lets_the_failed_be_sent_again(
        self, settings: Settings
    ) -> None:
        study = a_study()
        bring(study, *(f"P{number},p{number}@example.org,writer" for number in range(3)))
        for name, value in SMTP_IS_AWAY.items():
            setattr(settings, name, value)
        first, second, _ = Invitation.objects.order_by("email")
        [task] = Task.objects.filter(kind=MAIL_INVITATION, subject=str(first.pk))
        perform(task)
        lines = {line.id: line.mail for line in invitation_lines(study)}
        assert sorted(lines.values()) == ["trying again", "waiting", "waiting"]
        assert lines[first.pk] == "trying again"
        Task.objects.filter(pk=task.pk).update(gave_up_at=timezone.now())
        settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
        perform(Task.objects.get(subject=str(second.pk)))
        counted = sending(study)
        assert (counted.sent, counted.waiting, counted.failed, counted.total) == (1, 1, 1, 3)
        words = words_of(page_of(study))
        assert "1 of 3" in words
        assert "1 mail could not be sent." in words
        assert words.index("p0@example.org") < words.index("p1@example.org")
        ago(first, MAILED_AT_MOST_EVERY)
        post(study, "invitation_resend", first.pk)

    def test_importing_people_tells_a_page_that_is_open_how_far_the_mails_are_and_then_to_load_anew(self) -> None:
        study = a_study()
        bring(study, "Ada,ada@example.org,writer")
        client, path = signed_in(coordinator_of(study)), reverse("study_people", args=[study.slug])
        part = client.get(path, headers={"HX-Request": "true"})
        assert "0 of 1" in part.content.decode()
        assert "<html" not in part.content.decode()
        send_mails()
        assert client.get(path, headers={"HX-Request": "true"})["HX-Refresh"] == "true"
        assert "hx-get" not in page_of(study)

    def test_importing_people_gives_members_the_limits_of_their_line_and_keeps_the_others(self) -> None:
        study = a_study(prompts=3)
        judge = a_member(study, Role.JUDGE)
        change_limits(participation=judge, limits=Limits(institution="Graz", capacity=9), by=coordinator_of(study))
        line = "Judge,judge.1.trial@example.org,judge,4,2026-03-01,,BBQ; hle,MSC_03,"
        page = bring(study, line).content.decode()
        assert "The limits of 1 member are taken over." in page
        judge.refresh_from_db()
        assert (judge.institution, judge.capacity, judge.available_from) == ("Graz", 4, date(2026, 3, 1))
        assert (judge.prefers, judge.excludes) == (["BBQ", "hle"], ["MSC_03"])
        assert not Invitation.objects.exists()

    def test_whoever_is_invited_by_a_table_joins_with_the_limits_it_gave_last(self) -> None:
        study = a_study()
        bring(study, "Wilma,wilma@example.org,writer,5,2026-03-01,,Ethics,BBQ,Graz")
        page = bring(study, "Wilma,wilma@example.org,writer,4").content.decode()
        assert "The limits of 1 invitation are kept, and count from joining." in page
        again = bring(study, "Wilma,wilma@example.org,writer,4").content.decode()  # there is nothing to import
        assert "1 line passed over" in again
        assert "Import and send the invitations" not in again
        member = people.accept_invitation(invitation=Invitation.objects.get(), user=a_person("Wilma"))
        assert limits_of(member) == Limits(
            capacity=4,
            available_from=date(2026, 3, 1),
            institution="Graz",
            prefers=("Ethics",),
            excludes=("BBQ",),
        )

    def test_importing_people_replaces_an_invitation_that_has_expired(self) -> None:
        study = a_study()
        offer = invited(study)
        ago(offer.invitation, timedelta(days=40))
        bring(study, "Wilma,wilma@example.org,writer")
        assert Invitation.objects.filter(withdrawn_at__isnull=True).count() == 1
        assert status_of(offer.link) == 410

    def test_importing_people_invites_nobody_while_one_line_is_wrong(self) -> None:
        study = a_study()
        a_member(study, Role.JUDGE)
        lines = (
            "Ada,ada@example.org,writer",
            "Ada,ADA@example.org,writer",
            "Bo,bo@example,judge",
            "Cy,cy@example.org,king",
            "Di,di@example.org,judge,many",
            "Ed,ed@example.org,judge,3,1.3.2026",
            "Fay,fay@example.org,judge,3,2026-03-02,2026-03-01",
            "Judge,judge.1.trial@example.org,writer",
            "Judge,judge.1.trial@example.org,judge,,,,Lwa",
        )
        answer = bring(study, *lines)
        words = words_of(answer.content.decode())
        assert answer.status_code == 400
        for problem in (
            "Line 3 : the address ada@example.org is in line 2 already",
            "Line 4 : the address must be a mail address such as ada@example.org",
            "Line 5 : the role must be writer, judge, coordinator or researcher, or in an audit",
            "Line 6 : the capacity must be a whole number from 0 to 1,000",
            "Line 7 : the first day must be a day written like 2026-03-31",
            "Line 8 : the last day on which the person has time is before the first",
            "Line 9 : judge.1.trial@example.org takes part as a judge already; a person has one role in a study",
        ):
            assert problem in words, problem
        assert not Invitation.objects.exists()
        assert not Task.objects.filter(kind=MAIL_INVITATION).exists()

    def test_importing_two_hundred_people_mails_nobody_within_the_request(self) -> None:
        study = a_study()
        bring(study, *(f"P{number},p{number}@example.org,writer" for number in range(200)))
        assert mail.outbox == []
        assert Task.objects.filter(kind=MAIL_INVITATION, done_at__isnull=True).count() == 200


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


def test_the_preview_names_the_line_whose_limits_contradict_one_another_and_nobody_is_invited() -> None:
    study = a_study(prompts=3)
    a_member(study, Role.JUDGE)
    both = "Judge,judge.1.trial@example.org,judge,,,,BBQ,BBQ,"
    for fields in ({"import": ""}, {}):
        page = words_of(bring(study, "Ada,ada@example.org,writer", both, **fields).content.decode())
        assert "Line 3 : both preferred and excluded: “BBQ”; decide on one" in page
        assert "Import and send the invitations" not in page
    assert not Invitation.objects.exists()


def test_limits_of_many_members_read_the_prompts_once_and_cost_two_queries_each() -> None:
    """One row changed and one line of the trail for each."""
    counts = []
    for slug, number in (("few", 2), ("many", 7)):
        study = a_study(slug, prompts=3)
        lines = [ParsedRow(place + 2, _limits_line(a_member(study, Role.JUDGE))) for place in range(number)]
        with CaptureQueriesContext(connection) as captured:
            done = recruiting.import_people(study=study, lines=lines, by=coordinator_of(study))
        assert done.changed == number
        counts.append(len(captured))
        assert sum('FROM "annotation_prompt"' in query["sql"] for query in captured.captured_queries) <= 2
    assert counts[1] - counts[0] == 2 * (7 - 2)


def _limits_line(member: Participation) -> dict[str, Any]:
    return {"name": "Judge", "email": member.user.email, "role": "judge", "capacity": 4, "prefers": ("BBQ",)}


@pytest.mark.parametrize(
    ("state", "role", "why"),
    [
        ("judging", Role.WRITER, "Writing is over in this study"),
        ("unblinded", Role.WRITER, "Writing is over in this study"),
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
    with pytest.raises(Refused, match="Writing is over in this study"):
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
