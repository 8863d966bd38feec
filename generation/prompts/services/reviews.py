"""What people make of prompts: whether one is fit for experts, and whether two ask for the same."""

from collections.abc import Collection, Mapping
from dataclasses import asdict
from typing import Any

from django.db import transaction

from annotation.platform.core.errors import Refused
from annotation.platform.core.text import clean
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.platform.services.clock import database_now
from annotation.study.models.studies import Study
from annotation.study.policies.roles import check_coordinator
from annotation.study.services import studies
from generation.prompts.core.quality import REJECTIONS, Assessment
from generation.prompts.models import Candidate, PairVote, QualityVote
from generation.prompts.services import pool

MAX_REASON_LENGTH = 2_000  # characters


@transaction.atomic
def review_quality(
    *,
    candidate: Candidate,
    by: User,
    depth: bool,
    open_endedness: bool,
    generalisation: bool,
    rejections: Collection[str] = (),
    reason: str = "",
) -> QualityVote:
    """A person's verdict on a prompt; an earlier one of theirs is changed to it.

    A prompt that somebody fails passes the quality filter no more, whatever models say. One that people pass still
    needs the votes of models.
    """
    study = candidate.bundle.study
    _check_open(study, by)
    if unknown := sorted(set(rejections) - set(REJECTIONS)):
        raise Refused(f"“{unknown[0]}” is nothing a prompt can be rejected for.")
    listed = tuple(name for name in REJECTIONS if name in rejections)
    assessment = Assessment(depth, open_endedness, generalisation, listed, _tidy(reason))
    said = {**asdict(assessment), "rejections": list(listed), "passes": assessment.passes}
    vote, is_new = QualityVote.objects.get_or_create(candidate=candidate, reviewer=by, defaults=said)
    if is_new or _changed(vote, said):
        audit.record(
            verb=AuditVerb.CANDIDATE_REVIEWED, by=by, study=study, subject=candidate.pk, passes=vote.passes
        )
    return vote


@transaction.atomic
def compare_pair(
    *, first: Candidate, second: Candidate, is_equivalent: bool, reason: str = "", by: User
) -> PairVote:
    """A person's verdict on two prompts of a scenario, in any order; an earlier one of theirs is changed to it."""
    study = first.bundle.study
    _check_open(study, by)
    one, other = sorted((first, second), key=lambda candidate: candidate.pk)
    if one == other or _scenario(one) != _scenario(other):
        raise Refused("Two prompts of one scenario are compared, no others.")
    said = {"is_equivalent": is_equivalent, "reason": _tidy(reason)}
    vote, is_new = PairVote.objects.get_or_create(first=one, second=other, reviewer=by, defaults=said)
    if is_new or _changed(vote, said):
        about = f"{one.pk} and {other.pk}"
        audit.record(verb=AuditVerb.PAIR_COMPARED, by=by, study=study, subject=about, is_equivalent=is_equivalent)
    return vote


def _check_open(study: Study, by: User) -> None:
    check_coordinator(by, study)
    studies.lock_shared(study)
    if why := pool.closed_in(study):
        raise Refused(why)


def _tidy(reason: str) -> str:
    reason = clean(reason).strip()
    if len(reason) > MAX_REASON_LENGTH:
        raise Refused(f"The reason has {len(reason):,} characters; {MAX_REASON_LENGTH:,} are the most.")
    return reason


def _scenario(candidate: Candidate) -> tuple[int, int]:
    return candidate.bundle.study_id, candidate.bundle.scenario_id


def _changed(vote: QualityVote | PairVote, said: Mapping[str, Any]) -> bool:
    """Whether the vote said something else before; it says this now."""
    if all(getattr(vote, name) == value for name, value in said.items()):
        return False
    for name, value in said.items():
        setattr(vote, name, value)
    vote.voted_at = database_now()
    vote.save()
    return True
