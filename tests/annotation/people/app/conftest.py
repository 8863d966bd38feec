"""What tests of accounts share."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache


@pytest.fixture
def fresh_counters() -> Iterator[None]:
    """Nobody has failed to sign in yet. The cache's table is no model's: a flush between tests leaves it alone."""
    cache.clear()
    yield
    cache.clear()
