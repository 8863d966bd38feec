"""A release that was built, and the folder that it was written to."""

from pathlib import Path

import pytest

from analysis.release.core.building import BuiltRelease, build_release
from tests.analysis.release.core.releases import a_study, some_facts, write


@pytest.fixture(scope="module")
def built() -> BuiltRelease:
    return build_release(a_study(), some_facts(), k=1)


@pytest.fixture
def folder(built: BuiltRelease, tmp_path: Path) -> Path:
    return write(built.files, tmp_path / "release")
