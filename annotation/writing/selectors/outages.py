"""Time that answers lost while the server was away, for a coordinator to decide about."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet

from annotation.platform.models.uptime import UpPeriod
from annotation.study.models.studies import Study
from annotation.writing.core.outages import Span, outages, seconds_lost
from annotation.writing.models import DraftRevision, OutageCredit, WritingAssignment, WritingPause


@dataclass(frozen=True)
class Loss:
    """What one answer lost. `is_over`: the clock has ended it, so that a credit gives it back to its writer."""

    assignment: int
    pseudonym: str
    name: str
    prompt_code: str
    is_over: bool
    seconds: int


@dataclass(frozen=True)
class Proposal:
    """One outage, and the answers for which nobody has decided about it yet."""

    began_at: datetime
    ended_at: datetime
    losses: tuple[Loss, ...]


def proposals(study: Study) -> list[Proposal]:
    """Credits a coordinator may approve, earliest outage first; none once writing is closed.

    An answer that its writer handed in has nothing to be credited, nor has one without a time limit.
    """
    if study.state != "writing":
        return []
    answers = (
        WritingAssignment.objects.filter(study=study, deadline_at__isnull=False)
        .filter(participation__left_at__isnull=True, participation__consent__withdrawn_at__isnull=True)
        .filter(Q(state__in=("writing", "lapsed")) | Q(state="submitted", submitted_by_clock=True))
        .select_related("participation__user", "prompt")
        .order_by("participation__pseudonym", "position")
    )
    pauses = _pauses(answers)
    time_for = {a: Span(a.started_at, a.deadline_at) for a in answers if a.started_at and a.deadline_at}
    decided = set(OutageCredit.objects.filter(assignment__in=answers).values_list("assignment_id", "began_at"))
    found = []
    for outage in _outages(time_for.values()):
        losses = tuple(
            _loss(answer, seconds)
            for answer, time in time_for.items()
            if (seconds := seconds_lost(outage, time, pauses[answer.pk]))
            and (answer.pk, outage.began_at) not in decided
        )
        if losses:
            found.append(Proposal(outage.began_at, outage.ended_at, losses))
    return found


def _pauses(answers: QuerySet[WritingAssignment]) -> defaultdict[int, list[Span]]:
    """When the clock of an answer stood still and went on again, by the answer."""
    pauses = defaultdict(list)
    for pause in WritingPause.objects.filter(assignment__in=answers):
        if pause.ended_at:
            pauses[pause.assignment_id].append(Span(pause.began_at, pause.ended_at))
    return pauses


def _loss(answer: WritingAssignment, seconds: int) -> Loss:
    return Loss(
        assignment=answer.pk,
        pseudonym=answer.participation.pseudonym,
        name=answer.participation.user.name,
        prompt_code=answer.prompt.code,
        is_over=answer.state != "writing",
        seconds=seconds,
    )


def _outages(answers: Collection[Span]) -> list[Span]:
    """The outages that fell into any of these answers."""
    if not answers:
        return []
    periods = _periods(since=min(answer.began_at for answer in answers))
    gaps = [gap for gap in outages(periods) if any(seconds_lost(gap, answer) for answer in answers)]
    if not gaps:
        return []
    inside = Q()
    for gap in gaps:
        inside |= Q(saved_at__gt=gap.began_at, saved_at__lt=gap.ended_at)
    return outages(periods, DraftRevision.objects.filter(inside).values_list("saved_at", flat=True))


def _periods(*, since: datetime) -> list[Span]:
    """The recorded periods from the one in which `since` lies, or the last one before it."""
    before = UpPeriod.objects.filter(began_at__lte=since).order_by("-began_at").first()
    periods = UpPeriod.objects.filter(began_at__gte=before.began_at if before else since)
    return [Span(period.began_at, period.seen_at) for period in periods]
