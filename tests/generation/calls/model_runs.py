"""Runs of calls to models in any state, worked off without workers, Redis or a network."""

import asyncio
import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from annotation.study.models.studies import Study
from generation.calls.models import Call, GenerationRun
from generation.calls.services import claiming, planning, recording, runs
from generation.calls.services.claiming import Outgoing
from generation.calls.services.recording import Arrival
from generation.catalogue.models import Target
from generation.catalogue.services import targets
from generation.providers import provider
from generation.providers.base import Reply
from generation.providers.http import a_client
from tests.factories import a_study, coordinator_of, locked
from tests.remembered import remembered

FAMILIES = ("claude", "gpt")
CAP = Decimal(1000)
ESSAY = "Towns differ in what they can bear. So do the rules they live by, and so do their reasons."

Answering = Callable[[Outgoing], Reply]


def a_target(study: Study, family: str = "claude", **fields: Any) -> Target:
    """A demonstration model of the study that answers prompts, unless `fields` say otherwise."""
    given = {"role": "answers", "provider": "demo", "model_id": f"demo-{family}", "weak_temperature": 1.5, **fields}
    return targets.add_target(study=study, family=family, by=coordinator_of(study), **given)


@remembered
def a_locked_study(
    slug: str = "trial",
    *,
    prompts: int = 2,
    families: tuple[str, ...] = FAMILIES,
    of_targets: dict[str, Any] | None = None,
    **parameters: Any,
) -> Study:
    """A study whose design is locked, with a target for each family."""
    study = a_study(slug, prompts=prompts, **{"model_targets_expected": len(families), **parameters})
    for family in families:
        a_target(study, family, **(of_targets or {}))
    locked(study)
    study.refresh_from_db()
    return study


def study_of(row: GenerationRun | Target) -> Study:
    """The study of a run or a target that is not of a file."""
    assert row.study
    return row.study


def planned(study: Study, **parameters: Any) -> GenerationRun:
    """A run of the study's missing answers, with its calls listed."""
    given = {"purpose": "answers", "track": "matched", **parameters}
    run = planning.plan_run(study=study, by=coordinator_of(study), **given)
    planning.fill_plan(run.pk)
    run.refresh_from_db()
    return run


def started(study: Study, *, spend_cap: Decimal = CAP, **parameters: Any) -> GenerationRun:
    run = planned(study, **parameters)
    runs.start_run(run=run, spend_cap=spend_cap, by=coordinator_of(study))
    run.refresh_from_db()
    return run


def by_its_provider(outgoing: Outgoing) -> Reply:
    """What the provider itself replies, at once."""

    async def ask() -> Reply:
        async with a_client() as client:
            return await provider(outgoing.provider).answer(outgoing.request, client=client)

    return asyncio.run(ask())


def good(text: str = ESSAY) -> Reply:
    """What the demonstration provider would reply with this text: 30 tokens read and 20 written."""
    body = {"outcome": "ok", "text": text, "usage": {"input_tokens": 30, "output_tokens": 20}}
    return provider("demo").read(200, {}, json.dumps(body))


def claimed(run: GenerationRun, *, most: int = 100) -> list[Outgoing]:
    """Calls of the run that are due, claimed."""
    names = {share.target.provider for share in run.shares.select_related("target")}
    return claiming.claim(run.pk, room=dict.fromkeys(names, most)) or []


def worked_off(run: GenerationRun, answering: Answering = by_its_provider, *, most: int = 30) -> GenerationRun:
    """The run after it was worked until it ended; nobody waits for what may only be tried again later."""
    for _ in range(most):
        batch = claimed(run)
        recording.record(run.pk, [Arrival(outgoing.attempt_id, answering(outgoing), 20) for outgoing in batch])
        runs.go_on(run.pk, 0)
        run.refresh_from_db()
        if run.state != "running":
            return run
        Call.objects.filter(run=run, state="pending").update(due_at=None)
    raise AssertionError(f"the run is still {run.state} after {most} rounds")


def collected(study: Study, answering: Answering = by_its_provider, **parameters: Any) -> GenerationRun:
    return worked_off(started(study, **parameters), answering)
