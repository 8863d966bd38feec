"""A table of people: read whole or not at all, previewed, and brought in once."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from annotation.people.core.limits import Limits
from annotation.people.core.work_kinds import MAIL_INVITATION
from annotation.people.policies import MIN_MAIL_INTERVAL
from annotation.people.selectors.recruiting import invitation_lines, limits_of, sending
from annotation.people.services import people, recruiting
from annotation.people.services.members import change_limits
from annotation.platform.core.table_import import ParsedRow
from annotation.platform.models.work import Task
from annotation.study.models.participation import Invitation, Participation, Role
from tests.annotation.people.app.test_recruiting import (
    SMTP_IS_AWAY,
    ago,
    bring,
    invited,
    links,
    page_of,
    post,
    status_of,
    words_of,
)
from tests.clients import signed_in
from tests.factories import a_member, a_person, a_study, coordinator_of
from tests.work import perform, send_mails

pytestmark = pytest.mark.django_db


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
        ago(invitation, MIN_MAIL_INTERVAL)
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
        ago(first, MIN_MAIL_INTERVAL)
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
