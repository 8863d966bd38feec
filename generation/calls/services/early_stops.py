"""Models that are asked nothing more within a run, while the rest of it goes on."""

from collections import Counter
from collections.abc import Collection

from django.db.models import QuerySet

from annotation.platform.services.clock import database_now
from generation.calls.core.early_stops import ALIKE, Refusal, why_stopped
from generation.calls.models import Attempt, Call, GenerationRun, OutcomeCount, RunShare
from generation.calls.services import waiting_calls
from generation.catalogue.models import Target
from generation.providers.base import Outcome

# What says nothing about whether requests to a model are in order.
_SAYS_NOTHING = ("retryable", "unreachable", "lost")


def left_to_try(run: GenerationRun) -> dict[int, int]:
    """How many more requests may leave to models of which it is not known yet that they take any, by id: what all
    of them would be refused for shows in the first few.
    """
    found = ((share.target_id, _left_to_try(share)) for share in _unanswered(run).filter(stopped_because=""))
    return {target: left for target, left in found if left is not None}


def stop_refused(targets: Collection[Target], *, run: GenerationRun) -> None:
    """Ask those of the models nothing more that have only refused since the run was started, and alike, and of
    which no reply may be on its way.
    """
    for share in _unanswered(run).filter(target__in=targets):
        if not _awaited(share).exists() and (why := _why_stopped(share)):
            run.shares.filter(pk=share.pk).update(stopped_because=why)


def ask_again(targets: Collection[Target], *, run: GenerationRun) -> None:
    """Ask models again that have just brought a reply: none of them is stopped for what it refused. Other reasons
    stand, such as an account that is not accepted.
    """
    for share in run.shares.filter(target__in=targets).exclude(stopped_because=""):
        ended = Counter(_since_the_start(share).values_list("outcome", flat=True))
        if ended[Outcome.FINAL_REQUEST] >= ALIKE and not ended[Outcome.FINAL_ACCOUNT]:
            run.shares.filter(pk=share.pk).update(stopped_because="")


def stop(target: Target, *, run: GenerationRun, why: str) -> str:
    """Ask the model nothing more; the reasons why the run cannot go on then, as `reasons` tells them."""
    run.shares.filter(target=target).update(stopped_because=f"“{target.family}” is asked nothing more: {why}")
    return reasons(run)


def stop_provider(provider: str, *, run: GenerationRun, why: str) -> str:
    """Ask none of the provider's models anything more; the same as of `stop`."""
    for target in Target.objects.filter(pk__in=run.shares.values("target"), provider=provider):
        stop(target, run=run, why=why)
    return reasons(run)


def try_anew(shares: QuerySet[RunShare]) -> None:
    """Ask the models of these shares again, whatever they refused so far."""
    shares.update(stopped_because="", tried_since=database_now())


def reasons(run: GenerationRun) -> str:
    """Why the run cannot go on: all that is left to ask are calls to models that are stopped; "" otherwise."""
    pending = Call.objects.filter(run=run, state="pending")
    to_come = pending | waiting_calls.waiting_for_others(run)
    if to_come.exclude(target__in=stopped_targets(run)).exists():
        return ""
    stopped = run.shares.exclude(stopped_because="").filter(target__in=pending.values("target"))
    return " ".join(stopped.values_list("stopped_because", flat=True))


def stopped_targets(run: GenerationRun) -> QuerySet[RunShare, int]:
    """The ids of the models that are asked nothing more."""
    return run.shares.exclude(stopped_because="").values_list("target", flat=True)


def _unanswered(run: GenerationRun) -> QuerySet[RunShare]:
    """The shares of models that brought no reply that was accepted."""
    answering = OutcomeCount.objects.filter(run=run, attempts__gt=0, outcome=Outcome.OK)
    return run.shares.exclude(target__in=answering.values("target")).select_related("target")


def _left_to_try(share: RunShare) -> int | None:
    """None where it is known by now that it takes requests, or does not refuse them alike.

    Where so many were refused alike, one more at a time, and none while another is awaited, until it is stopped.
    """
    ended = _telling(share)
    if ended.exclude(outcome=Outcome.FINAL_REQUEST).exists():
        return None
    awaited, refused = _awaited(share).count(), ended.count()
    if refused < ALIKE:
        return max(ALIKE - refused - awaited, 0)
    return max(1 - awaited, 0) if _why_stopped(share) else None


def _why_stopped(share: RunShare) -> str:
    """Why the model is to be asked nothing more, as far as is known; "" where it may be."""
    ended = _telling(share)
    if ended.exclude(outcome=Outcome.FINAL_REQUEST).exists():
        return ""
    newest = ended.order_by("-ended_at", "-pk").values_list("status", "detail")[:ALIKE]
    return why_stopped(share.target.family, [Refusal(*row) for row in newest])


def _telling(share: RunShare) -> QuerySet[Attempt]:
    """Attempts that ended and say something about whether requests to the model are in order."""
    return _since_the_start(share).filter(ended_at__isnull=False).exclude(outcome__in=_SAYS_NOTHING)


def _awaited(share: RunShare) -> QuerySet[Attempt]:
    """Attempts on their way, but for those whose lease has run out: their worker is gone."""
    return _since_the_start(share).filter(ended_at__isnull=True, call__leased_until__gte=database_now())


def _since_the_start(share: RunShare) -> QuerySet[Attempt]:
    """Attempts at the model since the run was started, last went on or asked again for what had failed."""
    attempts = Attempt.objects.filter(call__run=share.run_id, call__target=share.target_id)
    return attempts.filter(sent_at__gte=share.tried_since)
