"""The registry: one line per wire format."""

from generation.providers.base import Provider
from generation.providers.demo import DemoProvider

PROVIDERS: dict[str, Provider] = {
    "demo": DemoProvider(),
}


def provider(name: str) -> Provider:
    """The provider registered under the name; raises KeyError that lists the known ones."""
    try:
        return PROVIDERS[name]
    except KeyError:
        raise KeyError(f"no provider is called {name!r}; known: {', '.join(sorted(PROVIDERS))}") from None
