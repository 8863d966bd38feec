"""Which calls of a run go out in providers' batches."""

from generation.calls.models import GenerationRun
from generation.catalogue.models import Target
from generation.providers.catalogue import catalogue


def batched_targets(run: GenerationRun) -> list[Target]:
    """The run's targets whose provider takes batches; none where it does not use them."""
    if not run.uses_batches:
        return []
    endpoints = catalogue().endpoints
    shares = run.shares.select_related("target")
    batching = {name for name, endpoint in endpoints.items() if endpoint.batches}
    return [share.target for share in shares if share.target.provider in batching]
