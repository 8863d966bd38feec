"""One crawl of the site for all tests that look at every page."""

import pytest
from pytest_django.plugin import DjangoDbBlocker

from tests.scrub_site.crawl.crawl import Visit, crawl


@pytest.fixture(scope="session")
def visits(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> list[Visit]:
    """Every address, requested by every actor."""
    with django_db_blocker.unblock():
        return crawl(tmp_path_factory.mktemp("mail"))
