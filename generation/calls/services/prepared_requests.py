"""Requests that are ready to be sent, and what each may cost at worst."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from generation.calls.models import Call, GenerationRun
from generation.calls.services.conversations import calls_before, with_conversations
from generation.calls.services.ledger import frozen_price
from generation.calls.services.purposes import purpose_of
from generation.providers import provider
from generation.providers.base import Request
from generation.providers.core.prices import worst_cost


@dataclass(frozen=True, slots=True)
class PreparedRequest:
    """`body` is the request as JSON; `worst` is in US dollars."""

    call: Call
    request: Request
    body: str
    worst: Decimal


def prepared_requests(run: GenerationRun, calls: Sequence[Call], *, is_batch: bool) -> list[PreparedRequest]:
    """Requests for calls with their targets loaded, in their order; left out where a text may not be sent any
    more.
    """
    before = calls_before(calls)
    requests = purpose_of(run).requests(run, [*calls, *before.values()]) if calls else {}
    ready = with_conversations(requests, calls, before)
    return [_prepared(run, call, ready[call.pk], is_batch) for call in calls if call.pk in ready]


def _prepared(run: GenerationRun, call: Call, request: Request, is_batch: bool) -> PreparedRequest:
    if call.instead_of_id:  # a seed of its own: the same one might bring the same reply
        request = replace(request, replicate=call.pk)
    body = json.dumps(provider(call.target.provider).body(request), ensure_ascii=False)
    worst = worst_cost(
        frozen_price(run, call.target_id),
        input_bytes=len(body.encode()),
        max_output_tokens=request.max_output_tokens,
        in_batch=is_batch,
    )
    return PreparedRequest(call, request, body, worst)
