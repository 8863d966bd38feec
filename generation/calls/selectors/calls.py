"""The calls of a run and what became of each. Until a study is unblinded nothing here tells which text is whose.

So a call is told without its prompt, its arm and the lengths of its texts, and without what differs between an
ordinary and a deliberately weak answer, from its template to the tokens it took. Of calls about prompts that are to
be, everything is told at any time.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from django.db.models import Exists, OuterRef

from generation.calls.core.masking import ending, unquoted
from generation.calls.core.outcomes import OUTCOMES_IN_WORDS
from generation.calls.models import Attempt, Call, GenerationRun, OutcomeCount
from generation.calls.policies import is_blinded

ON_A_PAGE: Final = 100
# No model had a part in these: how long they took tells nothing of a text.
WITHOUT_A_MODEL: Final = frozenset(("retryable", "unreachable", "final_request", "final_account", "lost"))


@dataclass(frozen=True)
class CallLine:
    """`last` says in words how the newest attempt ended; empty before the first, or while it is on its way.

    `perspective` is the name of a panel's seat; empty where there is none. `scenario` is the key of the one it is
    about, directly or by its prompts; empty where it is about an answer.
    """

    id: int
    family: str
    model_id: str
    perspective: str
    scenario: str
    state: str
    attempts: int
    is_on_its_way: bool
    last: str
    due_at: datetime | None


@dataclass(frozen=True)
class CallsPage:
    """A page of a run's calls. `next_after` is the id after which the following one begins, `None` on the last."""

    calls: tuple[CallLine, ...]
    next_after: int | None


@dataclass(frozen=True)
class PromptLine:
    """A candidate by its underlying issue."""

    id: int
    label: str


@dataclass(frozen=True)
class ReplyLine:
    """A part of what was read out of a reply: what it is about, what it says, and why."""

    label: str
    said: str
    reason: str = ""


@dataclass(frozen=True)
class About:
    """What a call is about; only what applies is filled in. `prompts` are those it wrote, judged or compared."""

    prompt_code: str = ""
    arm: str = ""
    replicate: int = 1
    response: str = ""
    source: str = ""
    scenario: str = ""
    prompts: tuple[PromptLine, ...] = ()


@dataclass(frozen=True)
class Figures:
    """What an attempt took. Times are in milliseconds, tokens as billed, costs in US dollars."""

    milliseconds: int | None
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    reasoning_tokens: int
    reserved: Decimal
    cost: Decimal | None


@dataclass(frozen=True)
class AttemptLine:
    """`milliseconds`, `figures`, `request` and `reply` are empty where they are not to be told yet.

    `ending` is the part of the reply that says how it ended.
    """

    number: int
    sent_at: datetime
    ended_at: datetime | None
    outcome: str
    words: str
    detail: str
    status: int | None
    request_id: str
    model: str
    in_batch: bool
    milliseconds: int | None
    ending: str
    figures: Figures | None
    request: str
    reply: str


@dataclass(frozen=True)
class CallPage:
    """A call with its attempts, oldest first. `about` is `None`, and `said` empty, as long as nobody may know.

    `after` is the id of the call whose conversation it goes on; `instead_of` that of the call it stands for, and
    `asked_again` of the one that stands for it; `in_vain` that of the one that failed, so that this one was not
    asked, and `because` how its last attempt ended.
    """

    line: CallLine
    provider: str
    after: int | None
    instead_of: int | None
    asked_again: int | None
    in_vain: int | None
    because: str
    about: About | None
    said: tuple[ReplyLine, ...]
    attempts: tuple[AttemptLine, ...]


def outcomes_of(run: GenerationRun) -> dict[str, str]:
    """How attempts of the run have ended so far, with the words for each."""
    ended = OutcomeCount.objects.filter(run=run).order_by("outcome").values_list("outcome", flat=True).distinct()
    return {outcome: _in_words(outcome) for outcome in ended}


def calls_of(run: GenerationRun, *, state: str = "", outcome: str = "", after: int = 0) -> CallsPage:
    """`ON_A_PAGE` calls with an id above `after`: in one state, if given, and with an attempt that ended so."""
    found = Call.objects.filter(run=run, pk__gt=after)
    if state:
        found = found.filter(state=state)
    if outcome:
        found = found.filter(Exists(Attempt.objects.filter(call=OuterRef("pk"), outcome=outcome)))
    about = found.select_related("target", "scenario", "candidate__bundle__scenario")
    calls = list(about.order_by("pk")[: ON_A_PAGE + 1])
    shown = calls[:ON_A_PAGE]
    attempts: dict[int, list[Attempt]] = {}
    of_shown = Attempt.objects.filter(call__in=shown).only("call_id", "number", "outcome", "ended_at")
    for attempt in of_shown.order_by("call_id", "number"):
        attempts.setdefault(attempt.call_id, []).append(attempt)
    seats = _seats(run)
    lines = tuple(_line(call, attempts.get(call.pk, []), seats) for call in shown)
    return CallsPage(lines, shown[-1].pk if len(calls) > ON_A_PAGE else None)


def call_page(call: Call, *, prompts: Iterable[PromptLine], said: Iterable[ReplyLine] = ()) -> CallPage:
    """Everything the page of a call shows; `prompts` are those that it wrote, judged or compared, and `said` is
    what was read out of its reply.
    """
    attempts = list(call.attempts.order_by("number"))
    tells_all = not is_blinded(call.run)
    in_vain = _failed_before(call)
    return CallPage(
        line=_line(call, attempts, _seats(call.run)),
        provider=call.target.provider,
        after=call.after_id,
        instead_of=call.instead_of_id,
        asked_again=Call.objects.filter(instead_of=call).values_list("pk", flat=True).first(),
        in_vain=in_vain.pk if in_vain else None,
        because=_in_words(getattr(in_vain.attempts.order_by("number").last(), "outcome", "")) if in_vain else "",
        about=_about(call, prompts) if tells_all else None,
        said=tuple(said) if tells_all else (),
        attempts=tuple(_attempt(attempt, tells_all=tells_all) for attempt in attempts),
    )


def _failed_before(call: Call) -> Call | None:
    """The call for whose failure this one was not asked."""
    if call.state != "not_asked":
        return None
    before = call
    while before.state == "not_asked" and before.after:
        before = before.after
    return before


def _seats(run: GenerationRun) -> dict[str, str]:
    """The names of the perspectives that the run asks from, by their keys."""
    return {seat["key"]: seat["name"] for seat in run.materials.get("perspectives", ())}


def _line(call: Call, attempts: list[Attempt], seats: Mapping[str, str]) -> CallLine:
    last = attempts[-1] if attempts else None
    scenario = _scenario(call)
    return CallLine(
        id=call.pk,
        family=call.target.family,
        model_id=call.target.model_id,
        perspective=seats.get(call.perspective, ""),
        scenario=scenario.key if scenario else "",
        state=call.state,
        attempts=len(attempts),
        is_on_its_way=last is not None and last.ended_at is None,
        last=_in_words(last.outcome) if last else "",
        due_at=call.due_at if call.state == "pending" else None,
    )


def _in_words(outcome: str) -> str:
    return OUTCOMES_IN_WORDS.get(outcome, outcome)


def _about(call: Call, prompts: Iterable[PromptLine]) -> About:
    scenario = _scenario(call)
    return About(
        prompt_code=call.prompt_version.prompt.code if call.prompt_version else "",
        arm=call.get_arm_display(),
        replicate=call.replicate,
        response=str(call.response_id or ""),
        source=scenario.source.name if scenario else "",
        scenario=scenario.key if scenario else "",
        prompts=tuple(prompts),
    )


def _scenario(call: Call) -> Any:
    """The one it is about, directly or by a prompt; `None` where there is none."""
    return call.candidate.bundle.scenario if call.candidate else call.scenario


def _attempt(attempt: Attempt, *, tells_all: bool) -> AttemptLine:
    return AttemptLine(
        number=attempt.number,
        sent_at=attempt.sent_at,
        ended_at=attempt.ended_at,
        outcome=attempt.outcome,
        words=_in_words(attempt.outcome),
        detail=attempt.detail if tells_all else unquoted(attempt.detail, request=attempt.request),
        status=attempt.status,
        request_id=attempt.request_id,
        model=attempt.model,
        in_batch=attempt.batch_id is not None,
        milliseconds=attempt.milliseconds if tells_all or attempt.outcome in WITHOUT_A_MODEL else None,
        ending="" if tells_all else ending(attempt.reply, request=attempt.request),
        figures=_figures(attempt) if tells_all else None,
        request=_indented(attempt.request) if tells_all else "",
        reply=_indented(attempt.reply) if tells_all else "",
    )


def _figures(attempt: Attempt) -> Figures:
    return Figures(
        milliseconds=attempt.milliseconds,
        input_tokens=attempt.input_tokens,
        cached_tokens=attempt.cached_tokens,
        output_tokens=attempt.output_tokens,
        reasoning_tokens=attempt.reasoning_tokens,
        reserved=attempt.reserved,
        cost=attempt.cost,
    )


def _indented(body: str) -> str:
    """JSON with a line for each value; anything else as it is."""
    try:
        return json.dumps(json.loads(body), indent=2, ensure_ascii=False)
    except ValueError:
        return body
