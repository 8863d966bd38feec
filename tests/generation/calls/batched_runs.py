"""Runs whose calls go out in the batches of a fake provider."""

from typing import Any

from annotation.platform.models.work import Task
from generation.calls.models import Attempt, GenerationRun, ProviderBatch
from generation.calls.services import batching
from tests.fake_providers.batches import Batches
from tests.fake_providers.server import FakeProviders
from tests.generation.calls.model_runs import a_locked_study, started
from tests.remembered import remembered

PROVIDERS = ("fake-openai", "fake-anthropic")
PRICE = {"input": 2, "output": 10}


def shelf_of(fake: FakeProviders, provider_name: str) -> Batches:
    """The provider's batches as it sees them."""
    return fake.openai_batches if provider_name == "fake-openai" else fake.anthropic_batches


@remembered
def a_run(provider_name: str, slug: str = "trial", **parameters: Any) -> GenerationRun:
    """Of three calls to one model, approved to go out in batches."""
    of_target = {"provider": provider_name, "model_id": "fake-1", "weak_temperature": None, "price": PRICE}
    study = a_locked_study(slug, prompts=3, families=("claude",), of_targets=of_target)
    return started(study, uses_batches=True, **parameters)


def sent(run: GenerationRun) -> ProviderBatch:
    """The run's newest batch, after it was handed over."""
    batching.send_batch(run.pk)
    return run.batches.latest("pk")


def looked_at(batch: ProviderBatch) -> ProviderBatch:
    batching.look_at_batch(batch.pk)
    batch.refresh_from_db()
    return batch


def outcomes(run: GenerationRun) -> list[str]:
    return sorted(Attempt.objects.filter(call__run=run).values_list("outcome", flat=True))


def states(run: GenerationRun) -> list[str]:
    return sorted(run.calls.values_list("state", flat=True))


def is_wanted(kind: str, subject: object) -> bool:
    return Task.objects.filter(kind=kind, subject=str(subject), done_at=None).exists()
