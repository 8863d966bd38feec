"""At every change of phase the people concerned get a mail, in the study's words, unless it is switched off."""

from datetime import date

import pytest
from django.conf import settings
from django.core import mail
from django.core.exceptions import PermissionDenied
from django.urls import reverse
from django.utils import timezone

from analysis.ceremony.services import ceremony
from annotation.assignment.services import designing
from annotation.design.services.protocol import clone_study
from annotation.notifications.core.occasions import OCCASIONS, Wording
from annotation.notifications.core.work_kinds import MAIL_NOTIFICATION
from annotation.notifications.models import Notification, NotificationWording
from annotation.notifications.selectors.wordings import lines_of, wording_of
from annotation.notifications.services import notifications
from annotation.people.services import members
from annotation.platform.core.errors import Refused
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.work import Task
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from annotation.writing.services import writing_desk
from tests.annotation.benchmarks.audits import audit_in_design
from tests.ceremony import asked, published
from tests.clients import signed_in
from tests.factories import (
    a_closed_study,
    a_judging_study,
    a_study,
    a_writing_study,
    an_unblinded_study,
    assignments_of,
    coordinator_of,
    members_of,
    researchers_of,
    written,
)
from tests.mail_server import nobody_listens
from tests.work import perform

pytestmark = pytest.mark.django_db
SHORT = Wording(is_on=True, subject="{study}", text="Dear {name}: {work}.")


def told(occasion: str) -> list[Notification]:
    return list(Notification.objects.filter(occasion=occasion).select_related("user"))


def reworded(study: Study, occasion: str, wording: Wording) -> None:
    notifications.word(study=study, occasion=occasion, wording=wording, by=coordinator_of(study))


# -- whom, and what ------------------------------------------------------------------------------------------


def test_writers_are_told_that_writing_has_begun_and_what_is_asked_of_them() -> None:
    study = a_writing_study(writers=2, prompts=2, writing_due_on=date(2031, 3, 1))
    mails = told("writing_begun")
    assert [told.user for told in mails] == [writer.user for writer in members_of(study, Role.WRITER)]
    assert "2 answers to write, by 1 March 2031" in mails[0].body
    assert mails[0].reply_to == coordinator_of(study)


def test_judges_are_told_that_judging_has_begun() -> None:
    study = a_judging_study(human=1, model=1, judges=2, prompts=2)
    mails = told("judging_begun")
    assert [told.user for told in mails] == [judge.user for judge in members_of(study, Role.JUDGE)]
    assert "2 items to judge." in mails[0].body


def test_a_writer_is_told_why_an_answer_is_given_back() -> None:
    study = a_writing_study()
    answer = written(assignments_of(study)[0])
    writing_desk.reopen(assignment=answer, minutes=5, reason="It names you.", by=coordinator_of(study))
    [given_back] = told("answer_given_back")
    assert given_back.user == answer.participation.user
    assert "It names you." in given_back.body
    assert "your answer to prompt 1 was given back" in given_back.subject
    assert answer.prompt.code not in given_back.subject + given_back.body  # no page tells a writer either


def test_the_other_unblinder_is_told_that_unblinding_is_asked_for_and_who_asked_that_it_is_declined() -> None:
    study = a_closed_study(1, 1, 1)
    request = asked(study)
    first, second = researchers_of(study)
    [asking] = told("unblinding_asked")
    assert asking.user == second
    assert request.reason in asking.body
    ceremony.decide_unblinding(request=request, approve=False, by=second, reason="A judge is still ill.")
    [declined] = told("unblinding_declined")
    assert declined.user == first
    assert "A judge is still ill." in declined.body


def test_everybody_who_takes_part_is_told_once_that_the_study_is_published() -> None:
    study = an_unblinded_study(1, 1, 2)
    gone, stays = members_of(study, Role.JUDGE)
    members.withdraw_consent(participation=gone, by=gone.user)
    published(study)
    told_of = {mail.user_id for mail in told("study_published")}
    assert gone.user_id not in told_of
    assert {stays.user_id, coordinator_of(study).pk, researchers_of(study)[0].pk} < told_of
    public = reverse("public_study", args=[study.slug])
    assert all(public in mail.body for mail in told("study_published")), "everybody is told where the data are"
    words, _, _ = OCCASIONS["study_published"].examples["data"].partition("https://")
    assert all(f"{words}{settings.SITE_URL}{public}" in mail.body for mail in told("study_published"))
    assert public in signed_in(stays.user).get(reverse("study", args=[study.slug])).content.decode()
    assert public in signed_in(coordinator_of(study)).get(reverse("study", args=[study.slug])).content.decode()
    published(study, k=3)
    assert len(told("study_published")) == len(told_of)


def test_nobody_is_told_who_has_left_or_whose_account_is_closed() -> None:
    study = a_writing_study(writers=3)
    left, inactive, here = members_of(study, Role.WRITER)
    Notification.objects.all().delete()
    left.left_at = timezone.now()
    left.save()
    inactive.user.is_active = False
    inactive.user.save()
    everybody = {member.user_id: {"work": "2 answers to write"} for member in (left, inactive, here)}
    notifications.tell(study=study, occasion="writing_begun", people=everybody, by=coordinator_of(study))
    assert [mail.user for mail in told("writing_begun")] == [here.user]


# -- mailing -------------------------------------------------------------------------------------------------


def test_a_mail_goes_through_the_outbox_and_once() -> None:
    study = a_writing_study()
    [waiting] = told("writing_begun")
    task = Task.objects.get(kind=MAIL_NOTIFICATION, subject=waiting.pk)
    with nobody_listens():
        perform(task)
    assert not Notification.objects.get(pk=waiting.pk).sent_at
    perform(task)
    notifications.send(notification_id=waiting.pk)
    [sent] = mail.outbox
    assert sent.to == [waiting.user.email]
    assert sent.reply_to == [coordinator_of(study).email]
    assert sent.body == waiting.body


def test_a_step_that_is_refused_mails_nobody() -> None:
    study = a_writing_study()
    with pytest.raises(Refused):
        designing.assign_writing(study=study, by=coordinator_of(study))
    assert len(told("writing_begun")) == 1


# -- a study's own words -------------------------------------------------------------------------------------


def test_a_study_mails_in_its_own_words_and_a_clone_does_so_too() -> None:
    study = a_study()
    reworded(study, "writing_begun", SHORT)
    copy = clone_study(study=study, slug="copy", title="Copy", with_prompts=True, by=coordinator_of(study))
    assert wording_of(copy, "writing_begun") == SHORT
    assert NotificationWording.objects.filter(study=study).count() == 1
    member = members_of(study, Role.COORDINATOR)[0]
    values = {member.user_id: {"work": "{name}"}}
    notifications.tell(study=study, occasion="writing_begun", people=values, by=member.user)
    assert told("writing_begun")[0].body == f"Dear {member.user.name}: {{name}}."


def test_an_occasion_that_is_switched_off_mails_nobody() -> None:
    study = a_study()
    reworded(study, "writing_begun", Wording(is_on=False, subject=SHORT.subject, text=SHORT.text))
    by = coordinator_of(study)
    values = {by.pk: {"work": "much"}}
    assert notifications.tell(study=study, occasion="writing_begun", people=values, by=by) == 0
    assert not told("writing_begun")


@pytest.mark.parametrize(
    "wording",
    [
        Wording(is_on=True, subject="{study}", text="{reason}"),
        Wording(is_on=True, subject="{", text="Hello"),
        Wording(is_on=True, subject=" ", text="Hello"),
    ],
)
def test_words_that_could_not_be_filled_in_are_refused_when_they_are_saved(wording: Wording) -> None:
    """A step must not fail on them later."""
    with pytest.raises(Refused):
        reworded(a_study(), "writing_begun", wording)
    assert not NotificationWording.objects.exists()


def test_a_study_s_words_are_its_coordinator_s_and_on_record_once() -> None:
    study = a_writing_study()
    writer = members_of(study, Role.WRITER)[0].user
    with pytest.raises(PermissionDenied):
        notifications.word(study=study, occasion="writing_begun", wording=SHORT, by=writer)
    reworded(study, "writing_begun", SHORT)
    reworded(study, "writing_begun", SHORT)
    assert AuditEvent.objects.filter(verb="notification.worded").count() == 1


def test_the_overview_counts_what_was_sent_and_what_is_on_its_way() -> None:
    study = a_writing_study(writers=2)
    Notification.objects.filter(pk=told("writing_begun")[0].pk).update(sent_at=timezone.now())
    lines = {line.key: line for line in lines_of(study)}
    assert set(OCCASIONS) - set(lines) == {"annotating_begun", "adjudication_begun"}
    of_audits = {line.key for line in lines_of(audit_in_design())}
    assert set(OCCASIONS) - of_audits == {"writing_begun", "judging_begun", "answer_given_back"}
    assert (lines["writing_begun"].sent, lines["writing_begun"].waiting) == (1, 1)
    assert (lines["judging_begun"].sent, lines["judging_begun"].waiting) == (0, 0)
