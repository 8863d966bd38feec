"""Runs that are worked on, and whether their books balance."""

from collections import Counter
from datetime import timedelta
from decimal import Decimal
from hashlib import sha256

from django.db.models import Count, Sum

from annotation.platform.services.clock import database_now
from generation.calls.models import Attempt, Call, GenerationRun, OutcomeCount
from generation.calls.services import claiming, planning, recording, runs
from generation.calls.services.claiming import Outgoing
from generation.calls.services.recording import Arrival
from generation.catalogue.services import targets
from generation.panel.models import GivenText, PanelScore
from generation.providers.base import Outcome, Reply
from generation.providers.core.prices import Usage
from tests.fake_providers.cases import text_for
from tests.remembered import remembered

# Of every perspective one, so a text makes ten calls to each model.
CALLS_PER_TEXT = 10
# A million tokens; a reply below uses 1,000 of input and 100 of output: 0.002 + 0.001 US dollars.
PRICE = {"input": "2", "output": "10"}
COST = Decimal("0.003")
USAGE = Usage(input_tokens=1000, output_tokens=100)


def known(amount: Decimal | None) -> Decimal:
    """The amount, which there must be."""
    assert amount is not None
    return amount


@remembered
def a_run(*, texts: int = 1, providers: tuple[str, ...] = ("demo",), cap: str = "1000") -> GenerationRun:
    """A running run of the panel over texts of a file: ten calls for each text and model. `providers` names a model
    for each: "provider", or "provider: model".
    """
    number = GivenText.objects.count()
    given = [_given_text(f"text {number:04}.{each}") for each in range(texts)]
    models = [
        targets.add_target(
            study=None,
            role="panel",
            family=f"judge {model or name}",
            provider=name,
            model_id=model or "demo",
            by=None,
            price=PRICE,
        )
        for name, _, model in (each.partition(": ") for each in providers)
    ]
    run = planning.plan_run(
        study=None,
        by=None,
        purpose="panel",
        mode="holistic",
        presentation="alone",
        targets=models,
        only={"given": [text.pk for text in given]},
    )
    planning.fill_plan(run.pk)
    run.refresh_from_db()
    runs.start_run(run=run, spend_cap=Decimal(1000), by=None)
    run.spend_cap = Decimal(cap)  # which may be less than anybody could start it with
    run.save(update_fields=["spend_cap"])
    run.refresh_from_db()
    return run


def _given_text(text: str) -> GivenText:
    return GivenText.objects.create(
        sha256=sha256(text.encode()).hexdigest(), prompt_text="Who may decide?", response_text=text
    )


def claimed(run: GenerationRun, most: int = 100, provider: str = "demo") -> list[Outgoing]:
    return claiming.claim(run.pk, room={provider: most}) or []


def good(outgoing: Outgoing, usage: Usage = USAGE) -> Reply:
    """What the panel can take in."""
    return Reply(Outcome.OK, text=text_for("", outgoing.request.schema), usage=usage, raw="{}", status=200)


def bad(outcome: Outcome, **fields: object) -> Reply:
    return Reply(outcome, usage=USAGE, detail="As the provider says.", **fields)  # type: ignore[arg-type]


def recorded(run: GenerationRun, outgoing: Outgoing, reply: Reply | None = None) -> Attempt:
    recording.record(run.pk, [Arrival(outgoing.attempt_id, reply or good(outgoing), 20)])
    return Attempt.objects.select_related("call").get(pk=outgoing.attempt_id)


def lapse(*outgoing: Outgoing) -> None:
    """The worker that claimed these has not been heard of for longer than a lease."""
    ids = [each.call_id for each in outgoing]
    past = database_now() - timedelta(seconds=1)
    Call.objects.filter(pk__in=ids, leased_until__isnull=False).update(leased_until=past)


def lapse_all(run: GenerationRun) -> None:
    """So has whoever had any of the run's calls."""
    past = database_now() - timedelta(seconds=1)
    Call.objects.filter(run=run, leased_until__isnull=False).update(leased_until=past)


def check_books(run: GenerationRun) -> None:
    """Whatever happened: what is counted is what there is, and nothing was accepted twice or costs too much."""
    run.refresh_from_db()
    attempts = Attempt.objects.filter(call__run=run)
    on_their_way = attempts.filter(ended_at__isnull=True)
    ended = attempts.filter(ended_at__isnull=False)
    assert run.reserved == (on_their_way.aggregate(sum=Sum("reserved"))["sum"] or 0)
    assert run.spent == (ended.aggregate(sum=Sum("cost"))["sum"] or 0)
    assert run.assumed == (ended.filter(is_assumed=True).aggregate(sum=Sum("cost"))["sum"] or 0)
    of_outcomes = OutcomeCount.objects.filter(run=run).aggregate(cost=Sum("cost"), assumed=Sum("assumed"))
    assert (of_outcomes["cost"] or 0, of_outcomes["assumed"] or 0) == (run.spent, run.assumed)
    assert run.spend_cap is not None
    assert run.spent + run.reserved <= run.spend_cap
    if run.state == "finished":
        assert (run.reserved, on_their_way.count()) == (Decimal(0), 0)
    outcomes = ended.order_by().values_list("outcome").annotate(Count("pk"))
    counted = OutcomeCount.objects.filter(run=run).order_by().values_list("outcome").annotate(Sum("attempts"))
    assert dict(outcomes) == {outcome: number for outcome, number in counted if number}
    states = Counter(Call.objects.filter(run=run).values_list("state", flat=True))
    for share in run.shares.all():
        assert share.planned == Call.objects.filter(run=run, target=share.target_id).count()
    assert sum(share.accepted for share in run.shares.all()) == states["accepted"]
    assert sum(share.failed for share in run.shares.all()) == states["failed"]
    accepted = ended.filter(outcome="ok").values_list("call_id", flat=True)
    scored = PanelScore.objects.filter(call__run=run).values_list("call_id", flat=True)
    assert (
        sorted(accepted)
        == sorted(scored)
        == sorted(Call.objects.filter(run=run, state="accepted").values_list("pk", flat=True))
    )
