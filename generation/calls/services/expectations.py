"""What replies will probably take: as those did that a model gave before, or else by a first guess."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import reduce
from operator import or_
from typing import Any, Final

from django.db.models import Avg, Count, Q, StdDev
from django.db.models.functions import Ln

from generation.calls.core.estimates import CHARACTERS_PER_TOKEN, MIN_REPLIES, Expected, first_guess
from generation.calls.models import Attempt, GenerationRun, OutcomeCount, RunShare
from generation.catalogue.models import Target
from generation.providers.catalogue import known_model

RUNS_SEEN: Final = 5  # the newest: providers change what is behind a name


def expected_replies(run: GenerationRun, targets: Sequence[Target]) -> dict[str, dict[str, Any]]:
    """An `Expected` as JSON for each model by its id; `run.materials` have efforts and output tokens already."""
    return {str(target.pk): asdict(_seen(run, target) or _guess(run, target)) for target in targets}


def _guess(run: GenerationRun, target: Target) -> Expected:
    """A model that nobody told the site about reasons if it can be told how much to."""
    tokens, known = run.materials["output_tokens"], known_model(target.provider, target.model_id)
    reasons = known.reasons if known else bool(run.materials["sent"][str(target.pk)])
    effort = run.materials["efforts"][str(target.pk)] if reasons else None
    return first_guess(tokens["expected"], most=tokens["most"], effort=effort)


def _seen(run: GenerationRun, target: Target) -> Expected | None:
    """Figures of good replies to what was asked alike: for the same purpose and of the same length, at the same
    effort.
    """
    pairs = list(_asked_alike(run, target))
    if not pairs:
        return None
    of_pairs = reduce(or_, (Q(call__run=run, call__target=model) for run, model in pairs))
    found = (
        Attempt.objects.filter(of_pairs, outcome="ok", output_tokens__gt=0)
        .order_by()
        .aggregate(
            mean=Avg("output_tokens"),
            deviation=StdDev("output_tokens", sample=True),
            log_deviation=StdDev(Ln("output_tokens"), sample=True),
            replies=Count("pk"),
        )
    )
    if found["replies"] < MIN_REPLIES:
        return None
    most = run.materials["output_tokens"]["most"]
    return Expected(
        min(round(found["mean"]), most),
        float(found["deviation"]),
        float(found["log_deviation"]),
        found["replies"],
        _characters_per_token(pairs),
    )


def _characters_per_token(pairs: Sequence[tuple[int, int]]) -> float:
    """Characters planned to be read, by tokens that were read: languages differ in it, and tokenisers."""
    planned = reduce(or_, (Q(run=run, target=model) for run, model in pairs))
    read = {
        (run, model): (attempts, tokens)
        for run, model, attempts, tokens in OutcomeCount.objects.filter(planned, outcome="ok").values_list(
            "run", "target", "attempts", "input_tokens"
        )
    }
    shares = RunShare.objects.filter(planned, planned__gt=0)
    characters = total = 0.0
    for run, model, calls, estimated, expected in shares.values_list(
        "run", "target", "planned", "input_tokens", "run__materials__replies"
    ):
        attempts, tokens = read.get((run, model), (0, 0))
        if tokens:
            told = (expected or {}).get(str(model), {})
            of_a_token = told.get("characters_per_token", CHARACTERS_PER_TOKEN)
            characters += attempts / calls * estimated * of_a_token
            total += tokens
    return characters / total if total else CHARACTERS_PER_TOKEN


def _asked_alike(run: GenerationRun, target: Target) -> Iterator[tuple[int, int]]:
    """Runs, the newest first, with the id that the model has there."""
    effort, usual = run.materials["efforts"][str(target.pk)], run.materials["output_tokens"]["expected"]
    same = Target.objects.filter(provider=target.provider, model_id=target.model_id, options=target.options)
    runs = GenerationRun.objects.filter(
        purpose=run.purpose,
        mode=run.mode,
        track=run.track,
        shares__target__in=same,
        shares__accepted__gt=0,
        materials__output_tokens__expected=usual,
    )
    rows = runs.order_by("-pk").values_list("pk", "shares__target", "materials__efforts")
    alike = [(pk, model) for pk, model, efforts in rows[: 4 * RUNS_SEEN] if efforts.get(str(model)) == effort]
    yield from alike[:RUNS_SEEN]
