"""Models that are asked nothing more within a run, while the rest of it goes on."""

from collections import defaultdict
from collections.abc import Collection

from django.db.models import QuerySet

from generation.calls.core.early_stops import ALIKE, Refusal, why_stopped
from generation.calls.models import Attempt, Call, GenerationRun, OutcomeCount, RunShare
from generation.catalogue.models import Target
from generation.providers.base import Outcome

# What says nothing about whether requests to a model are in order.
_SAYS_NOTHING = ("retryable", "unreachable", "lost")


def left_to_try(run: GenerationRun) -> dict[int, int]:
    """How many more requests may leave to models that refused all so far, by id, until one is not refused."""
    ended = OutcomeCount.objects.filter(run=run, attempts__gt=0).exclude(outcome__in=_SAYS_NOTHING)
    outcomes: defaultdict[int, set[str]] = defaultdict(set)
    for target, outcome in ended.values_list("target", "outcome"):
        outcomes[target].add(outcome)
    return {
        target: left
        for target, found in outcomes.items()
        if found == {Outcome.FINAL_REQUEST} and (left := _left_to_try(run, target)) is not None
    }


def stop_refused(targets: Collection[Target], *, run: GenerationRun) -> None:
    """Ask those of the models nothing more that have only refused since the run was started, and alike."""
    for target in targets:
        attempts = _since_the_start(run, target.pk).filter(ended_at__isnull=False)
        if attempts.exclude(outcome__in=[Outcome.FINAL_REQUEST, *_SAYS_NOTHING]).exists():
            continue
        refused = attempts.filter(outcome=Outcome.FINAL_REQUEST).order_by("-ended_at", "-pk")
        refusals = [Refusal(*row) for row in refused.values_list("status", "detail")[:ALIKE]]
        if why := why_stopped(target.family, refusals):
            run.shares.filter(target=target).update(stopped_because=why)


def reasons(run: GenerationRun) -> str:
    """Why the run cannot go on: all that is left to ask are calls to models that are stopped; "" otherwise."""
    pending = Call.objects.filter(run=run, state="pending")
    if pending.exclude(target__in=stopped_targets(run)).exists():
        return ""
    stopped = run.shares.exclude(stopped_because="").filter(target__in=pending.values("target"))
    return " ".join(stopped.values_list("stopped_because", flat=True))


def stopped_targets(run: GenerationRun) -> QuerySet[RunShare, int]:
    """The ids of the models that are asked nothing more."""
    return run.shares.exclude(stopped_because="").values_list("target", flat=True)


def _left_to_try(run: GenerationRun, target_id: int) -> int | None:
    """None where so many were refused that it is known by now: not alike."""
    tried = _since_the_start(run, target_id).exclude(outcome__in=_SAYS_NOTHING)
    if tried.filter(ended_at__isnull=False).count() >= ALIKE:
        return None
    return max(ALIKE - tried.count(), 0)


def _since_the_start(run: GenerationRun, target_id: int) -> QuerySet[Attempt]:
    """Attempts at the model since the run was started, or last went on."""
    return Attempt.objects.filter(call__run=run, call__target=target_id, sent_at__gte=run.approved_at)
