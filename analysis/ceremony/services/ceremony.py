"""Closing, freezing, unblinding by two people."""

from django.db import transaction

from analysis.blinding.models import SealedTable
from analysis.blinding.selectors import sealed_tables
from analysis.blinding.services.verification import check_untouched
from analysis.ceremony.models import UnblindingRequest
from analysis.ceremony.policies import check_may_approve, check_may_ask, check_may_decide
from analysis.ceremony.selectors.ceremony import closing
from analysis.data.core.study_tables import table_bytes
from analysis.frozen.models import Freeze, FrozenTable
from analysis.frozen.selectors import frozen_tables
from annotation.judging.selectors.requested_ratings import surplus
from annotation.notifications.core.occasions import UNBLINDING_ASKED, UNBLINDING_DECLINED
from annotation.notifications.services import notifications
from annotation.platform.core.errors import Refused
from annotation.platform.core.text import clean
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.platform.services.clock import database_now
from annotation.study.models.studies import Study
from annotation.study.policies.roles import check_researcher
from annotation.study.services import studies
from annotation.texts.models.seeds import StudySeed
from annotation.unblinders.selectors.offices import offices_of


@transaction.atomic
def close_study(*, study: Study, by: User, despite_missing: bool = False) -> Freeze:
    """End collection and freeze what was collected, by hash and as canonical tables that everything later reads.

    Of an item and those that replace it, one counts.

    Raises `Refused` while judgments or guesses are missing, or a judge may still take an item back, unless
    `despite_missing`: what is missing then stays out of the data, and nothing is taken back any more.
    """
    check_researcher(by, study)
    studies.move(study, "close", by=by)
    page = closing(study)
    if page.costs and not despite_missing:
        raise Refused(f"{'; '.join(page.costs)}. Close all the same, or wait.")
    masked, sealed = frozen_tables.collected_tables(study), sealed_tables.collected_tables(study)
    judgments = masked[frozen_tables.JUDGMENTS]
    if judgments.empty and study.has_judging:
        raise Refused("There is no judgment to freeze.")
    hashes = {**frozen_tables.hashes_of(masked), **sealed_tables.hashes_of(study, sealed)}
    sha256 = hashes.pop(frozen_tables.JUDGMENTS)
    frozen = Freeze.objects.create(study=study, sha256=sha256, rows=len(judgments), tables=hashes, frozen_by=by)
    FrozenTable.objects.bulk_create(
        FrozenTable(freeze=frozen, name=name, content=table_bytes(found)) for name, found in masked.items()
    )
    SealedTable.objects.bulk_create(
        SealedTable(freeze=frozen, name=name, content=table_bytes(found)) for name, found in sealed.items()
    )
    audit.record(
        verb=AuditVerb.STUDY_FROZEN,
        by=by,
        study=study,
        subject=study.slug,
        sha256=frozen.sha256,
        tables=frozen.tables,
        missing_items=page.judging.missing,
        surplus_items=len(surplus(study)),
    )
    return frozen


@transaction.atomic
def request_unblinding(*, study: Study, reason: str, by: User) -> UnblindingRequest:
    """Ask for unblinding, with a reason.

    Raises `PermissionDenied` before the study is closed and for whoever holds no office of unblinder, `Refused`
    where it is suspended.
    """
    studies.lock_for_update(study)
    own = check_may_ask(by, study)
    reason = clean(reason).strip()
    if not reason:
        raise Refused("Say why the study should be unblinded now.")
    request = UnblindingRequest.objects.create(study=study, reason=reason, requested_by=by, requested_as=own.row)
    audit.record(verb=AuditVerb.UNBLINDING_REQUESTED, by=by, study=study, subject=request.pk, reason=reason)
    told = {"by": by.name, "reason": reason}
    others = {office.row.user_id: told for office in offices_of(study) if office.stands}
    others.pop(by.pk, None)
    notifications.tell(study=study, occasion=UNBLINDING_ASKED, people=others, by=by)
    return request


@transaction.atomic
def decide_unblinding(
    *, request: UnblindingRequest, approve: bool, by: User, reason: str = ""
) -> UnblindingRequest:
    """A second unblinder approves, or another researcher declines, with a `reason`.

    Approving verifies data and labels, then reveals the seed.

    Raises `PermissionDenied` for the person who asked, and for approving without an office; `Refused` where
    `check_blinding` finds a difference, where the office of either does not stand any more, and for declining
    without a reason.
    """
    study = request.study
    studies.lock_for_update(study)
    request = UnblindingRequest.objects.select_for_update().get(pk=request.pk)
    if approve:
        request.decided_as = check_may_approve(by, request).row
    else:
        check_may_decide(by, request)
        request.decline_reason = audit.stated(reason)
    request.decision = UnblindingRequest.Decision.APPROVED if approve else UnblindingRequest.Decision.DECLINED
    verb = AuditVerb.UNBLINDING_APPROVED if approve else AuditVerb.UNBLINDING_DECLINED
    request.decided_at, request.decided_by = database_now(), by
    request.save()
    if approve:
        check_untouched(study)
        seed = StudySeed.objects.select_for_update().get(study=study)
        seed.revealed_at = database_now()
        seed.save(update_fields=["revealed_at"])
        studies.move(study, "unblind", by=by, seed=bytes(seed.seed).hex())
    else:
        told = {"by": by.name, "reason": request.decline_reason}
        notifications.tell(study=study, occasion=UNBLINDING_DECLINED, people={request.requested_by_id: told}, by=by)
    because = {"reason": request.decline_reason} if request.decline_reason else {}
    audit.record(verb=verb, by=by, study=study, subject=request.pk, **because)
    return request
