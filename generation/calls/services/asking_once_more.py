"""Asking once more: a new call stands instead of one that is superseded, and of all that come after it."""

from collections import Counter
from collections.abc import Mapping, Sequence

from django.db import connection, transaction

from annotation.platform.core.errors import Refused
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.study.policies.roles import check_coordinator
from generation.calls.core.call_keys import key_once_more
from generation.calls.core.lifecycles import CALL, RUN
from generation.calls.models import Call, GenerationRun
from generation.calls.services import early_stops, runs
from generation.calls.services.ledger import Ledger, lock_run
from generation.calls.services.purposes import purpose_of

# A call and those that come after it, directly or not, in the order in which they are asked.
_ONWARD = """
WITH RECURSIVE onward AS (
    SELECT id, 0 AS turn FROM generation_call WHERE id = %s
    UNION
    SELECT call.id, turn + 1 FROM generation_call AS call JOIN onward ON call.after_id = onward.id
    WHERE call.state <> 'superseded'
)
SELECT id FROM onward ORDER BY turn, id
"""
_SETTLED = ("accepted", "failed")
# All but what a call is about, of whom and how it is asked.
_NEW = frozenset(("id", "key", "state", "due_at", "leased_until", "after", "instead_of"))
_KEPT = tuple(field.attname for field in Call._meta.concrete_fields if field.name not in _NEW)


@transaction.atomic
def ask_once_more(*, call: Call, by: User | None) -> Call:
    """Ask a call that was accepted or failed once more, and all that carry its reply, whatever their run.

    Returns the new call. The old ones are superseded, with what they brought. What they cost stays spent, and the
    new ones are paid for under the limits that their runs have. Raises `Refused` where the call has no outcome yet,
    where its purpose takes no second reply, and where a model concerned is retired.
    """
    ids, locked = _locked_onward(call, by)
    found = Call.objects.select_related("target").in_bulk(ids)
    calls = [found[pk] for pk in ids]
    _check(calls)
    instead = _replaced(calls, {pk: Ledger(run) for pk, run in locked.items()})
    numbers = Counter(new.run_id for new in instead.values())
    for run in locked.values():
        early_stops.try_anew(run.shares.filter(target__in={old.target_id for old in calls}))
        _go_on(run)
        audit.record(
            verb=AuditVerb.RUN_RETRIED,
            by=by,
            study=run.study,
            subject=run.pk,
            calls=numbers[run.pk],
            instead_of=call.key,
        )
    return instead[call.pk]


def may_be_asked_once_more(call: Call) -> bool:
    """Whether `ask_once_more` is worth offering for the call, which has its target and run loaded."""
    purpose = purpose_of(call.run)
    is_settled = call.state in _SETTLED and not call.target.retired_at
    return purpose.asks_again and is_settled and not purpose.closed(call.run)


def _locked_onward(call: Call, by: User | None) -> tuple[list[int], dict[int, GenerationRun]]:
    """The call with those after it, by id, and their runs, locked. Until then another plan may have gone on from
    one of them.
    """
    locked = _locked_runs(_onward(call), by)
    ids = _onward(call)
    if Call.objects.filter(pk__in=ids).exclude(run__in=locked).exists():
        raise Refused("Another plan has just gone on from this conversation. Ask once more for it.")
    return ids, locked


def _onward(call: Call) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(_ONWARD, [call.pk])
        return [found for (found,) in cursor.fetchall()]


def _locked_runs(ids: Sequence[int], by: User | None) -> dict[int, GenerationRun]:
    """The runs, locked in the order of their ids, as everybody locks them."""
    of_calls = Call.objects.filter(pk__in=ids).order_by("run_id").values_list("run_id", flat=True).distinct()
    locked = {run_id: lock_run(run_id) for run_id in of_calls}
    for run in locked.values():
        if run.study and by:
            check_coordinator(by, run.study)
        if not purpose_of(run).asks_again:
            raise Refused("What these models are asked for is asked once.")
        runs.check_open(run)
    return locked


def _check(calls: Sequence[Call]) -> None:
    if calls[0].state not in _SETTLED:
        raise Refused("This was not asked to its end yet.")
    if retired := next((call.target for call in calls if call.target.retired_at), None):
        raise Refused(f"“{retired.family}” is retired: it is asked nothing more.")


def _replaced(calls: Sequence[Call], ledgers: Mapping[int, Ledger]) -> dict[int, Call]:
    """New calls instead of these, by the ids of the old ones; each waits for the new one before it, if there is."""
    instead: dict[int, Call] = {}
    for old in calls:
        before = instead.get(old.after_id or 0)
        new = Call(
            key=key_once_more(old.key),
            instead_of=old,
            after_id=before.pk if before else old.after_id,
            state=CALL.after("hold", CALL.initial) if before else CALL.initial,
            **{name: getattr(old, name) for name in _KEPT},
        )
        _supersede(old, ledgers[old.run_id])
        new.save(force_insert=True)
        instead[old.pk] = new
    for ledger in ledgers.values():
        ledger.write()
    return instead


def _supersede(call: Call, ledger: Ledger) -> None:
    if call.state in ("accepted", "failed", "not_asked"):
        ledger.unsettle(call)
    call.state, call.leased_until, call.due_at = CALL.after("supersede", call.state), None, None
    call.save(update_fields=["state", "leased_until", "due_at"])


def _go_on(run: GenerationRun) -> None:
    if run.state == "finished":
        run.state, run.finished_at = RUN.after("retry", run.state), None
        run.save(update_fields=["state", "finished_at"])
    if run.state == "running":
        runs.ask_workers(run)
