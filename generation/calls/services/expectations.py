"""How long replies will probably be: as those were that a model gave before, or else by a first guess."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any, Final

from django.db.models import Avg, Count, StdDev
from django.db.models.functions import Ln

from generation.calls.core.estimates import LEAST_SEEN, Expected, first_guess
from generation.calls.models import Attempt, GenerationRun
from generation.catalogue.models import Target
from generation.providers.catalogue import known_model

RUNS_SEEN: Final = 5  # the newest: providers change what is behind a name


def expected_replies(run: GenerationRun, targets: Sequence[Target]) -> dict[str, dict[str, Any]]:
    """An `Expected` as JSON for each model by its id; `run.materials` have efforts and output tokens already."""
    return {str(target.pk): asdict(_seen(run, target) or _guess(run, target)) for target in targets}


def _guess(run: GenerationRun, target: Target) -> Expected:
    tokens, known = run.materials["output_tokens"], known_model(target.provider, target.model_id)
    effort = run.materials["efforts"][str(target.pk)]
    return first_guess(tokens["expected"], most=tokens["most"], effort=effort if known and known.reasons else "")


def _seen(run: GenerationRun, target: Target) -> Expected | None:
    """Of good replies to what was asked alike: for the same purpose and of the same length, at the same effort."""
    pairs = list(_asked_alike(run, target))
    replies = Attempt.objects.filter(
        outcome="ok",
        output_tokens__gt=0,
        call__run__in={run for run, _ in pairs},
        call__target__in={model for _, model in pairs},
    )
    found = replies.order_by().aggregate(
        mean=Avg("output_tokens"),
        deviation=StdDev("output_tokens", sample=True),
        log_deviation=StdDev(Ln("output_tokens"), sample=True),
        replies=Count("pk"),
    )
    if found["replies"] < LEAST_SEEN:
        return None
    most = run.materials["output_tokens"]["most"]
    return Expected(
        min(round(found["mean"]), most), float(found["deviation"]), float(found["log_deviation"]), found["replies"]
    )


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
