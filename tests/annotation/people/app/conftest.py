"""What tests of accounts share."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from pytest_django import Settings


@pytest.fixture
def fresh_counters() -> Iterator[None]:
    """Nobody has failed to sign in yet. The cache's table is no model's: a flush between tests leaves it alone."""
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def patient_codes(settings: Settings) -> None:
    """A code stays good for five minutes, so that none is replaced while a test copies it from the phone."""
    settings.MFA_TOTP_TOLERANCE = 10
