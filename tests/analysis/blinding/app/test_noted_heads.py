"""The audit trail's head goes to people without anybody's help, and is good for `verify_audit` later."""

import re
from io import StringIO

import pytest
from django.core import mail
from django.core.management import call_command
from django.urls import reverse

from analysis.release.selectors.release_facts import release_facts
from annotation.platform.models.audit import AuditSeal
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.services import audit
from annotation.study.models.participation import Role
from annotation.writing.services import receipts
from tests.clients import signed_in
from tests.factories import (
    a_judged_study,
    a_writing_study,
    assignments_of,
    closed,
    judging_items_of,
    members_of,
    unblinded,
    written,
)

pytestmark = pytest.mark.django_db

HEAD = re.compile(r"\b\d+:[0-9a-f]{64}@[0-9T:.-]+Z")


def noted(text: str) -> str:
    """The head that stands in a text, which `verify_audit` finds."""
    [head] = HEAD.findall(text)
    call_command("verify_audit", "--head", head, stdout=StringIO())
    return str(head)


def test_a_writer_has_the_head_by_mail_and_on_the_receipt() -> None:
    answer = written(assignments_of(a_writing_study())[0])
    audit.seal()
    receipts.mail(assignment_id=answer.pk)
    page = signed_in(answer.participation.user).get(reverse("writing_receipt", args=[answer.pk]))
    assert noted(str(mail.outbox[0].body)) == noted(page.content.decode()) == str(audit.head())


def test_a_judge_has_the_head_on_the_receipt() -> None:
    study = a_judged_study(1, 1, 1)
    audit.seal()
    item = judging_items_of(study)[0]
    page = signed_in(members_of(study, Role.JUDGE)[0].user).get(reverse("judging_receipt", args=[item.pk]))
    assert noted(page.content.decode()) == str(audit.head())


def test_before_anything_is_sealed_a_receipt_names_no_head() -> None:
    answer = written(assignments_of(a_writing_study())[0])
    receipts.mail(assignment_id=answer.pk)
    page = signed_in(answer.participation.user).get(reverse("writing_receipt", args=[answer.pk]))
    assert HEAD.findall(str(mail.outbox[0].body) + page.content.decode()) == []


def test_every_release_of_a_study_names_the_seal_of_its_unblinding() -> None:
    study = unblinded(closed(a_judged_study(1, 1, 2)))
    assert release_facts(study).audit_head == ""
    audit.seal()
    seal = AuditSeal.objects.get(event__verb=AuditVerb.STUDY_UNBLIND)
    head = release_facts(study).audit_head
    assert head.startswith(f"{seal.number}:{seal.digest}@")
    audit.record(verb=AuditVerb.WRITING_PAUSED, by=None, study=study, subject=study.slug)
    audit.seal()
    assert noted(release_facts(study).audit_head) == head
