"""The providers that take batches, by name."""

from collections.abc import Callable, Mapping

from generation.providers import provider
from generation.providers.anthropic_batches import AnthropicBatches
from generation.providers.base import Outcome
from generation.providers.batch_exchange import Batches, BatchFault, Exchange
from generation.providers.http import HttpProvider
from generation.providers.openai_batches import OpenAIBatches

FORMATS: Mapping[str, Callable[[Exchange], Batches]] = {
    "openai_responses": OpenAIBatches,
    "anthropic_messages": AnthropicBatches,
}


def batches(name: str) -> Batches:
    """The batches of the provider. Raises `ValueError` for one that takes none, `BatchFault` for one unknown."""
    try:
        found = provider(name)
    except KeyError:
        raise BatchFault(
            Outcome.FINAL_ACCOUNT, "the site does not know it any more. Ask whoever runs it."
        ) from None
    if not isinstance(found, HttpProvider) or found.endpoint.wire not in FORMATS:
        raise ValueError(f"The provider {name} takes no batches.")
    return FORMATS[found.endpoint.wire](Exchange(found))
