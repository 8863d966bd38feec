"""What people decide about concepts that models propose: taken up, every quotation verified, or declined."""

from collections.abc import Sequence

from django.db import transaction

from annotation.platform.core.errors import Refused
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.platform.services.clock import database_now
from generation.sources.core.concepts import Quote
from generation.sources.models import ProposedConcept, Scenario
from generation.sources.policies import check_may_change_concepts
from generation.sources.services.concepts import add_concept

MAX_REASON_LENGTH = 400


@transaction.atomic
def take_up(
    *,
    proposal: ProposedConcept,
    theme: str,
    name: str,
    interpretation: str,
    quotes: Sequence[Quote],
    verified: Sequence[Quote],
    by: User,
) -> Scenario:
    """Make a concept of the proposal, in the words given. `verified` are the quotations that the person has read in
    their document: each must be, or `Refused` is raised, as by `add_concept`. Where it was taken up before, the
    person is told so.
    """
    source = proposal.document.source
    check_may_change_concepts(by, source)
    proposal = _locked(proposal)
    if set(quotes) - set(verified):
        raise Refused("Read every quotation in its document, and say so, before the concept is taken up.")
    concept = add_concept(
        source=source, theme=theme, name=name, interpretation=interpretation, quotes=quotes, by=by
    )
    proposal.verdict, proposal.taken_as = ProposedConcept.Verdict.TAKEN, concept.stratum
    _decided(proposal, by)
    audit.record(
        verb=AuditVerb.CONCEPT_PROPOSAL_TAKEN,
        by=by,
        subject=source.slug,
        proposal=proposal.pk,
        proposed=proposal.name,
        concept=concept.key,
        quotes=len(quotes),
    )
    return concept


@transaction.atomic
def decline(*, proposal: ProposedConcept, reason: str, by: User) -> None:
    """Leave the proposal aside, and say why. Raises `Refused` without a reason, and where it was decided before."""
    source = proposal.document.source
    check_may_change_concepts(by, source)
    proposal = _locked(proposal)
    if not (reason := " ".join(reason.split())):
        raise Refused("Say why the proposal is declined.", field="reason")
    if len(reason) > MAX_REASON_LENGTH:
        raise Refused(f"A reason has at most {MAX_REASON_LENGTH} characters.", field="reason")
    proposal.verdict, proposal.reason = ProposedConcept.Verdict.DECLINED, reason
    _decided(proposal, by)
    audit.record(
        verb=AuditVerb.CONCEPT_PROPOSAL_DECLINED,
        by=by,
        subject=source.slug,
        proposal=proposal.pk,
        proposed=proposal.name,
        reason=reason,
    )


def _locked(proposal: ProposedConcept) -> ProposedConcept:
    """The proposal as it is now, locked. Raises `Refused` where somebody has decided about it."""
    found = (
        ProposedConcept.objects.select_for_update(of=("self",), no_key=True)
        .select_related("decided_by", "document__source")
        .get(pk=proposal.pk)
    )
    if found.decided_by:
        what = f"taken up as “{found.taken_as}”" if found.verdict == "taken" else f"declined: {found.reason}"
        raise Refused(f"{found.decided_by.name} has decided about this proposal already. It was {what}")
    return found


def _decided(proposal: ProposedConcept, by: User) -> None:
    proposal.decided_at, proposal.decided_by = database_now(), by
    proposal.save(update_fields=["verdict", "taken_as", "reason", "decided_at", "decided_by"])
