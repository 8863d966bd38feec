"""Calls that wait for another call's reply: freed when it is there, not asked when it will not come."""

from collections import Counter
from collections.abc import Collection

from django.db.models import OuterRef, QuerySet, Subquery

from generation.calls.core.lifecycles import CALL
from generation.calls.models import Call, GenerationRun
from generation.calls.services.ledger import Ledger

IN_VAIN = ("failed", "not_asked")


def follow_up_on(calls: Collection[int], *, ledger: Ledger) -> int:
    """Tell those of the run that wait for these calls, by id, which have just been settled, what became of them.

    How many may be asked now.
    """
    return _tell(_waiting(ledger.run).filter(after__in=calls), ledger) if calls else 0


def look_around(*, ledger: Ledger) -> int:
    """Do so for all that wait in the run, also for calls of other runs; how many may be asked now."""
    waiting = _waiting(ledger.run)
    if not waiting.exists():
        return 0
    instead = Call.objects.filter(instead_of=OuterRef("after"))
    while waiting.filter(after__state="superseded").update(after=Subquery(instead.values("pk"))):
        pass
    return _tell(waiting, ledger)


def waiting_for_others(run: GenerationRun) -> QuerySet[Call]:
    """Calls of the run that wait for one of another run."""
    return _waiting(run).exclude(after__run=run)


def not_asked(calls: QuerySet[Call], *, ledger: Ledger) -> None:
    """Give up these calls of the run, which wait, and all that come after them in it."""
    while ids := list(calls.values_list("pk", flat=True)):
        _count(ids, ledger, 1)
        Call.objects.filter(pk__in=ids).update(state=CALL.after("skip", "waiting"))
        calls = _waiting(ledger.run).filter(after__in=ids)


def hold_again(calls: QuerySet[Call], *, ledger: Ledger) -> list[int]:
    """Let these calls of the run, which were not asked, wait again; their ids."""
    ids = list(calls.values_list("pk", flat=True))
    _count(ids, ledger, -1)
    Call.objects.filter(pk__in=ids).update(state=CALL.after("hold", "not_asked"))
    return ids


def wait_anew(call: Call, *, ledger: Ledger) -> None:
    """A reply came to a call that counted as failed: what was not asked for that reason waits again.

    Once the run is finished, it is asked for together with what failed.
    """
    after = [call.pk] if ledger.run.state != "finished" else []
    while after:
        followers = Call.objects.filter(run=ledger.run, after__in=after, target__retired_at__isnull=True)
        after = hold_again(followers.filter(state="not_asked"), ledger=ledger)


def _waiting(run: GenerationRun) -> QuerySet[Call]:
    return Call.objects.filter(run=run, state="waiting")


def _tell(waiting: QuerySet[Call], ledger: Ledger) -> int:
    freed = waiting.filter(after__state="accepted").update(state=CALL.after("free", "waiting"))
    not_asked(waiting.filter(after__state__in=IN_VAIN), ledger=ledger)
    return freed


def _count(ids: Collection[int], ledger: Ledger, sign: int) -> None:
    by_target = Counter(Call.objects.filter(pk__in=ids).values_list("target", flat=True))
    ledger.not_asked({target: sign * number for target, number in by_target.items()})
