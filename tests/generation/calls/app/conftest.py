"""A run whose calls go out in batches, once for each fake provider that takes them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from generation.calls.models import GenerationRun
from tests.fake_providers.batches import Batches
from tests.fake_providers.server import FakeProviders, fake_providers
from tests.fake_providers.site import site_of
from tests.generation.calls.batched_runs import PROVIDERS, a_run, shelf_of


@pytest.fixture(params=PROVIDERS)
def provider_name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def listening() -> Iterator[FakeProviders]:
    """Always at one address, so that studies whose models are asked there are built once."""
    with fake_providers() as listening:
        yield listening


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("providers")


@pytest.fixture
def fake(listening: FakeProviders, folder: Path) -> Iterator[FakeProviders]:
    """Fakes of whom nobody has asked anything yet, and the catalogue names them."""
    listening.forget()
    with site_of(listening.url, folder):
        yield listening


@pytest.fixture
def shelf(fake: FakeProviders, provider_name: str) -> Batches:
    """The provider's batches as it sees them."""
    return shelf_of(fake, provider_name)


@pytest.fixture
def run(fake: FakeProviders, provider_name: str) -> GenerationRun:
    """A run of three calls to one model, approved to go out in batches."""
    run = a_run(provider_name)
    assert run.calls.count() == 3
    return run
