"""What is decided about one member of a study: what they can take, and that their consent is withdrawn."""

from collections.abc import Mapping
from datetime import date

from django.core.exceptions import PermissionDenied
from django.db import transaction

from annotation.people.core.limits import Limits, columns_of, fault_of
from annotation.platform.core.errors import Refused
from annotation.platform.core.lifecycle import STIMULUS, WRITING
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit, work
from annotation.platform.services.clock import database_now
from annotation.study.models.participation import Consent, Participation
from annotation.study.models.studies import Study
from annotation.study.policies.participation import is_studied
from annotation.study.policies.roles import check_coordinator
from annotation.study.selectors.prompts import topics_of
from annotation.study.services import studies
from annotation.texts.core.work_kinds import AFTER_WITHDRAWAL
from annotation.texts.models.provenance import Arm, Stimulus
from annotation.texts.policies import takes_texts
from annotation.writing.models import WritingAssignment
from annotation.writing.services import drafts, writing

# -- limits and preferences ---------------------------------------------------------------------------------------


@transaction.atomic
def change_limits(*, participation: Participation, limits: Limits, by: User) -> None:
    """Put `limits` in the place of the member's; see `change_limits_of_many`."""
    change_limits_of_many(study=participation.study, limits={participation.pseudonym: limits}, by=by)


@transaction.atomic
def change_limits_of_many(*, study: Study, limits: Mapping[str, Limits], by: User) -> None:
    """Put the limits in the place of each member's, by pseudonym. They count from the next assignment or repair on.

    Raises `Refused`, and changes nobody's, for somebody who neither writes nor judges, for limits that contradict
    one another, and for a topic that fits no prompt of the study.
    """
    check_coordinator(by, study)
    topics = topics_of(study) if any(wanted.topics for wanted in limits.values()) else None
    members = Participation.objects.select_for_update(no_key=True).filter(study=study, pseudonym__in=limits)
    for member in members.order_by("pk"):
        if not is_studied(member):
            raise Refused("Only writers and judges are given work, so nobody else has limits.")
        wanted = limits[member.pseudonym]
        if fault := fault_of(wanted, topics=topics):
            raise Refused(f"{fault[0].upper()}{fault[1:]}.")
        _put(study, member, wanted, by)


def _put(study: Study, member: Participation, limits: Limits, by: User) -> None:
    changed = {name: value for name, value in columns_of(limits).items() if getattr(member, name) != value}
    if not changed:
        return
    for name, value in changed.items():
        setattr(member, name, value)
    member.save(update_fields=list(changed))
    told = {name: value.isoformat() if isinstance(value, date) else value for name, value in changed.items()}
    audit.record(verb=AuditVerb.PERSON_LIMITS_CHANGED, by=by, study=study, subject=member.pseudonym, **told)


def _locked(participation: Participation) -> Participation:
    """The member's row, as it stays until the transaction ends; what they write and hand in waits for it."""
    return Participation.objects.select_for_update(no_key=True).get(pk=participation.pk)


# -- the end of a consent ------------------------------------------------------------------------------------


@transaction.atomic
def withdraw_consent(*, participation: Participation, by: User) -> None:
    """Take back what the member agreed to; only they can. Idempotent.

    An answer they are writing ends. Until judging opens, their texts leave the study. A text that judges have been
    given stays before them, and judgments stay as frozen: `analysis.unblinded.selectors.unblinding` leaves both out
    of what it reveals.

    Raises `Refused` where there is no consent to withdraw.
    """
    if participation.user_id != by.pk:
        raise PermissionDenied("Only the person themselves can withdraw their consent.")
    study = participation.study
    studies.lock_shared(study)  # judging does not open in between
    begun = _locked_answers(participation)
    writer = _locked(participation)
    consent = Consent.objects.select_for_update().filter(participation=writer).first()
    if consent is None:
        raise Refused("You have not given your consent, so there is nothing to withdraw.")
    if consent.withdrawn_at:
        return
    consent.withdrawn_at = database_now()
    consent.save(update_fields=["withdrawn_at"])
    for assignment in begun:
        _end(assignment, by)
    texts = _withdraw_texts(writer) if takes_texts(study) else []
    work.ask(kind=AFTER_WITHDRAWAL, subject=study.pk)
    audit.record(verb=AuditVerb.CONSENT_WITHDRAWN, by=by, study=study, subject=writer.pseudonym, texts=texts)


def _locked_answers(participation: Participation) -> list[WritingAssignment]:
    """What the member is writing; locked before their own row, in the order in which saves do it."""
    being_written = WritingAssignment.objects.filter(participation=participation, state="writing")
    found = [drafts.locked(pk, None) for pk in being_written.values_list("pk", flat=True)]
    return [assignment for assignment in found if assignment.state == "writing"]


def _end(assignment: WritingAssignment, by: User) -> None:
    """Cancel an answer that is being written; what was saved of it is not used."""
    assignment.state = WRITING.after("cancel", assignment.state)
    writing.end_pause(assignment, database_now())
    assignment.save(update_fields=["state", "paused_at"])
    writing.close(drafts.locked_draft(assignment), database_now())
    audit.record(
        verb=AuditVerb.WRITING_CANCELLED,
        by=by,
        study=assignment.study,
        subject=assignment.pk,
        reason="The writer withdrew their consent.",
    )


def _withdraw_texts(writer: Participation) -> list[str]:
    """Take the writer's texts out of the study, those rejected already left as they are; returns which."""
    own = Stimulus.objects.select_for_update().filter(
        study=writer.study_id, arm=Arm.HUMAN, source_code=writer.pseudonym
    )
    texts = [text for text in own.order_by("pk") if STIMULUS.allows("withdraw", text.state)]
    for text in texts:
        text.state, text.names = STIMULUS.after("withdraw", text.state), []
    Stimulus.objects.bulk_update(texts, ["state", "names"])
    return [str(text.pk) for text in texts]
