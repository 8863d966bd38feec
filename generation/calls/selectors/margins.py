"""What may come to a plan's cost by chance, by the replies that were seen before it."""

from decimal import Decimal

from generation.calls.core.estimates import Expected, margin
from generation.calls.models import GenerationRun, RunShare
from generation.calls.selectors.batch_eligibility import batched_targets
from generation.providers.core.prices import price_from


def margin_of(run: GenerationRun, share: RunShare) -> Decimal | None:
    """US dollars, of a model's share; `None` where nothing tells it, as in runs from before this was kept."""
    seen, price = (run.materials.get(name, {}).get(str(share.target_id)) for name in ("replies", "prices"))
    if seen is None or price is None:
        return None
    in_batch = share.target in batched_targets(run)
    return margin(price_from(price), Expected(**seen), calls=share.planned, in_batch=in_batch)
