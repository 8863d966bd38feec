"""What administrators do with a study that nobody has entered: have its coordinator invited, or remove it."""

from django.db import transaction

from annotation.people.selectors.recruiting import pending
from annotation.people.selectors.unentered import is_unentered
from annotation.people.services import people, recruiting
from annotation.platform.core.errors import Refused
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.platform.services.clock import database_now
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from annotation.study.policies.roles import check_administrator
from annotation.study.services import studies


@transaction.atomic
def invite_coordinator(*, study: Study, email: str, name: str, by: User) -> None:
    """Invite somebody to coordinate, in the place of whoever is invited: another person, or another address.

    Raises `Refused` where somebody has entered the study meanwhile.
    """
    _lock(study, by)
    withdraw_all(study=study, by=by)
    people.invite(study=study, email=email, name=name, role=Role.COORDINATOR, by=by)


@transaction.atomic
def send_again(*, study: Study, by: User) -> None:
    """Have every open invitation mailed once more, with a new link.

    Raises `Refused` where there is none, one was sent a moment ago, or somebody has entered the study meanwhile.
    """
    _lock(study, by)
    invitations = list(pending(study))
    if not invitations:
        raise Refused("Nobody is invited to this study.")
    for invitation in invitations:
        recruiting.resend(invitation=invitation, by=by)


@transaction.atomic
def withdraw_all(*, study: Study, by: User) -> None:
    """Let the links of all open invitations lead nowhere. Raises `Refused` where somebody has entered the study."""
    _lock(study, by)
    for invitation in pending(study):
        recruiting.withdraw(invitation=invitation, by=by)


@transaction.atomic
def remove(*, study: Study, by: User) -> None:
    """Take the study out of every list and free its short name; its row stays, as the audit trail speaks of it.

    Raises `Refused` where somebody has entered the study.
    """
    withdraw_all(study=study, by=by)
    slug, study.slug, study.removed_at = study.slug, f"removed-{study.pk}", database_now()
    study.save(update_fields=["slug", "removed_at"])
    audit.record(verb=AuditVerb.STUDY_REMOVED, by=by, study=study, subject=slug)


def _lock(study: Study, by: User) -> None:
    check_administrator(by)
    studies.lock_for_update(study)
    if not is_unentered(study):
        raise Refused("Somebody takes part in this study: whoever coordinates it sees to invitations.")
