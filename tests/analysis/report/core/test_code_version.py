"""On what kind of processor something was computed."""

from typing import Any

import pytest

from analysis.report import code_version


def processor(monkeypatch: pytest.MonkeyPatch, *libraries: dict[str, Any]) -> str:
    monkeypatch.setattr(code_version, "threadpool_info", lambda: list(libraries))
    return code_version.environment.__wrapped__()["processor"]


def test_the_code_version_tells_for_what_linear_algebra_and_sums_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    libraries = [
        {"user_api": "blas", "architecture": "Zen"},
        {"user_api": "blas", "architecture": "Haswell"},
        {"user_api": "openmp"},
    ]
    without = processor(monkeypatch)
    assert processor(monkeypatch, *libraries) == ", ".join(filter(None, ["Haswell", "Zen", without]))


@pytest.mark.parametrize("library", [{"user_api": "blas"}, {"user_api": "blas", "architecture": None}])
def test_a_library_that_does_not_tell_costs_no_analysis(
    monkeypatch: pytest.MonkeyPatch, library: dict[str, Any]
) -> None:
    assert processor(monkeypatch, library) == processor(monkeypatch)
