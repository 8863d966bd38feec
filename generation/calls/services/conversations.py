"""Conversations: requests that carry what was said before, in the model's own words."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from django.db import connection

from generation.calls.models import Attempt, Call
from generation.providers import provider
from generation.providers.base import Exchange, Request
from generation.providers.catalogue import endpoint

# Every call that others come after, directly or not.
_BEFORE = """
WITH RECURSIVE before AS (
    SELECT after_id AS id FROM generation_call WHERE id = ANY(%s) AND after_id IS NOT NULL
    UNION
    SELECT call.after_id FROM generation_call AS call JOIN before USING (id) WHERE call.after_id IS NOT NULL
)
SELECT id FROM before
"""


def calls_before(calls: Sequence[Call]) -> Mapping[int, Call]:
    """Calls of the same conversations that came before the calls, by id, with their targets: three queries."""
    if not any(call.after_id for call in calls):
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_BEFORE, [[call.pk for call in calls]])
        ids = [found for (found,) in cursor.fetchall()]
    return Call.objects.select_related("target").in_bulk(ids)


def with_conversations(
    requests: Mapping[int, Request], calls: Sequence[Call], before: Mapping[int, Call]
) -> dict[int, Request]:
    """The requests to these calls, each with the conversation it goes on: the requests to the calls `before` it and
    the replies that were accepted. Left out are those whose conversation is not there to its beginning.
    """
    said = accepted_texts(before.values())
    ready = {}
    for call in calls:
        if not call.after_id:
            if call.pk in requests:
                ready[call.pk] = requests[call.pk]
            continue
        chain = [*reversed(list(_back(call, before))), call]
        if all(each.pk in requests for each in chain) and all(each.pk in said for each in chain[:-1]):
            exchanges = [Exchange(requests[each.pk].prompt, said[each.pk]) for each in chain[:-1]]
            ready[call.pk] = replace(requests[call.pk], earlier=(*requests[chain[0].pk].earlier, *exchanges))
    return ready


def accepted_texts(calls: Collection[Call]) -> dict[int, str]:
    """The texts of the replies that were accepted, by the ids of the calls, which have their targets loaded.

    Raises `Refused` where the site does not know any more how to read one's provider.
    """
    by_id = {call.pk: call for call in calls}
    attempts = Attempt.objects.filter(call__in=by_id, outcome="ok").defer("request") if by_id else ()
    read = {name: provider(endpoint(name).name).read for name in {call.target.provider for call in calls}}
    return {
        attempt.call_id: read[by_id[attempt.call_id].target.provider](attempt.status, {}, attempt.reply).text
        for attempt in attempts
    }


def _back(call: Call, before: Mapping[int, Call]) -> Iterator[Call]:
    """The calls before it, the nearest first."""
    while call.after_id:
        call = before[call.after_id]
        yield call
