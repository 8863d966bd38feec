"""What every test can count on."""

import pytest
from django.conf import settings


def pytest_configure() -> None:
    """Pages link hashed static files unless DEBUG is set, and nothing has collected those before a test."""
    if settings.STORAGES["staticfiles"]["BACKEND"].startswith("whitenoise"):
        raise pytest.UsageError("Run the tests by `make test`, or set DEBUG=1 besides DATABASE_URL and REDIS_URL.")
