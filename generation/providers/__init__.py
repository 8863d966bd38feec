"""The providers of this site, by name."""

from collections.abc import Callable, Mapping
from functools import cache

from generation.providers.anthropic_messages import AnthropicMessages
from generation.providers.base import Provider
from generation.providers.catalogue import catalogue
from generation.providers.chat_completions import ChatCompletions
from generation.providers.core.catalogue import Endpoint
from generation.providers.google_generate import GoogleGenerate
from generation.providers.http import HttpProvider
from generation.providers.openai_responses import OpenAIResponses

Make = Callable[[Endpoint], Provider]

WIRES: Mapping[str, Make] = {
    "openai_responses": lambda endpoint: HttpProvider(endpoint, OpenAIResponses()),
    "anthropic_messages": lambda endpoint: HttpProvider(endpoint, AnthropicMessages(endpoint.settings)),
    "google_generate": lambda endpoint: HttpProvider(endpoint, GoogleGenerate()),
    "chat_completions": lambda endpoint: HttpProvider(endpoint, ChatCompletions(endpoint.settings)),
}
WITH_SETTINGS = frozenset({"anthropic_messages", "chat_completions"})
WITH_BATCHES = frozenset({"anthropic_messages", "openai_responses"})
WITH_EMBEDDINGS = frozenset({"chat_completions", "openai_responses"})
_ADDED: dict[str, Make] = {}


def add_wire(name: str, make: Make) -> None:
    """Know one more wire format: one that is made of what providers know nothing of."""
    if name in WIRES:
        raise ValueError(f"The wire format {name} is known already.")
    _ADDED[name] = make


def wires() -> Mapping[str, Make]:
    """Every format a provider may have, those added first."""
    return {**_ADDED, **WIRES}


def provider(name: str) -> Provider:
    """The provider the catalogue gives this name; raises KeyError that lists the known ones."""
    known = _providers(catalogue().version)
    try:
        return known[name]
    except KeyError:
        raise KeyError(f"no provider is called {name!r}; known: {', '.join(sorted(known))}") from None


@cache
def _providers(version: str) -> Mapping[str, Provider]:  # noqa: ARG001
    """The providers of the catalogue of this version, made once: the demonstration's counts its calls."""
    return {endpoint.name: _made(endpoint) for endpoint in catalogue().endpoints.values()}


def _made(endpoint: Endpoint) -> Provider:
    try:
        _check(endpoint)
        return wires()[endpoint.wire](endpoint)
    except ValueError as fault:
        raise ValueError(f"The provider {endpoint.name}: {fault}.") from None


def _check(endpoint: Endpoint) -> None:
    wire = endpoint.wire
    if wire not in wires():
        raise ValueError(f"wire should be one of {', '.join(wires())}")
    if endpoint.settings and wire not in WITH_SETTINGS:
        raise ValueError(f"{wire} takes no settings")
    if endpoint.batches and wire not in WITH_BATCHES:
        raise ValueError(f"{wire} takes no batches")
    if endpoint.embeddings and wire not in WITH_EMBEDDINGS:
        raise ValueError(f"{wire} gives no embeddings")
