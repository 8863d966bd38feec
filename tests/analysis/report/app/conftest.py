"""The studies whose runs are tested, and runs that draw nothing."""

from collections.abc import Iterator
from unittest import mock

import pytest

from analysis.report.services import runs
from annotation.study.models.studies import Study
from tests.analysis.report.analyses import LEVELS, few_files
from tests.factories import a_closed_study, an_unblinded_study


@pytest.fixture
def closed() -> Study:
    return a_closed_study(2, 2, 2, levels=LEVELS)


@pytest.fixture
def unblinded() -> Study:
    return an_unblinded_study(2, 2, 2, levels=LEVELS)


@pytest.fixture
def undrawn() -> Iterator[None]:
    with mock.patch.object(runs, "files", few_files):
        yield
