"""A site whose providers are the fakes."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from django.test import override_settings

from tests.fake_providers.server import FakeProviders, fake_providers

KEY = "fake-key-4f1c/and+more"
VARIABLE = "FAKE_PROVIDERS_KEY"
# By name: the wire format, the end of the address, and what else the catalogue says.
ENDPOINTS = {
    "fake-openai": ("openai_responses", "/v1", "batches = true"),
    "fake-anthropic": ("anthropic_messages", "/v1", "batches = true"),
    "fake-google": ("google_generate", "/v1beta", ""),
    "fake-chat": (
        "chat_completions",
        "/v1",
        "settings = { states_cost = true }\nembeddings = { fake-embedding = 0.02 }",
    ),
}


def provider_file(url: str) -> str:
    """What an operator would write in PROVIDERS_FILE about fakes at this address."""
    return "\n".join(
        f"""
        [providers.{name}]
        label = "{name}"
        wire = "{wire}"
        base_url = "{url}{end}"
        key_variable = "{VARIABLE}"
        concurrency = 64
        {more}
        """
        for name, (wire, end, more) in ENDPOINTS.items()
    )


@contextmanager
def site_of(url: str, folder: Path) -> Iterator[None]:
    """The catalogue names fakes at the address as long as the block lasts. `folder` takes a file."""
    file = folder / "providers.toml"
    file.write_text(provider_file(url))
    with override_settings(PROVIDERS_FILE=str(file)), patch.dict(os.environ, {VARIABLE: KEY}):
        yield


@contextmanager
def site_with_fakes(folder: Path) -> Iterator[FakeProviders]:
    """Fakes listen, and the catalogue names them."""
    with fake_providers() as fake, site_of(fake.url, folder):
        yield fake
