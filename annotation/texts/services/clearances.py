"""Withdrawing what was cleared: before judging the text waits again, after unblinding releases leave it out."""

from django.db import transaction

from annotation.platform.core.errors import Refused
from annotation.platform.core.lifecycle import STIMULUS
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit, work
from annotation.platform.services.clock import database_now
from annotation.study.policies.roles import check_coordinator, check_researcher
from annotation.study.policies.unblinding import is_unblinded
from annotation.study.services import studies
from annotation.texts.core.work_kinds import AFTER_WITHDRAWAL
from annotation.texts.models.provenance import Stimulus, TextClearance
from annotation.texts.policies import takes_texts


@transaction.atomic
def withdraw_clearance(*, clearance: TextClearance, reason: str, by: User) -> None:
    """Take a clearance back, for a reason that is kept.

    Until judging opens a coordinator may, and the text is quarantined again. Once the study is unblinded a
    researcher may: releases and analyses leave the text out from then on, and the files of those that were there
    before are deleted. Raises `Refused` in between, when judges
    read the text, and for a clearance that was withdrawn before.
    """
    reason = audit.stated(reason)
    stimulus = Stimulus.objects.select_related("study").get(pk=clearance.response_id)
    study = stimulus.study
    studies.lock_shared(study)  # whoever decides about a text has it first, then shares the study
    stimulus = Stimulus.objects.select_for_update(of=("self",)).get(pk=stimulus.pk)
    clearance = TextClearance.objects.select_for_update().get(pk=clearance.pk)
    if clearance.withdrawn_at:
        raise Refused("This clearance was withdrawn before.")
    if is_unblinded(study):
        check_researcher(by, study)
        clearance.is_withheld = True
        work.ask(kind=AFTER_WITHDRAWAL, subject=study.pk)
    else:
        check_coordinator(by, study)
        if not takes_texts(study):
            raise Refused(
                "Judges are given this text: what was cleared can be withdrawn once the study is unblinded."
            )
        stimulus.state = STIMULUS.after("hold", stimulus.state)
        stimulus.save(update_fields=["state"])
    clearance.withdrawn_at, clearance.withdrawn_by, clearance.withdrawn_because = database_now(), by, reason
    clearance.save(update_fields=["withdrawn_at", "withdrawn_by", "withdrawn_because", "is_withheld"])
    audit.record(
        verb=AuditVerb.TEXT_CLEARANCE_WITHDRAWN, by=by, study=study, subject=clearance.response_id, reason=reason
    )
