"""Texts that name a module, as settings, patches and documents do, name one that is there."""

import pytest

from scripts.inventory.texts import is_meant, named


@pytest.fixture(scope="module")
def names() -> list[tuple[str, str]]:
    """Read when a test asks: every process that tests collects this module, and one of them runs it."""
    return sorted(set(named()))


def test_texts_of_every_kind_name_modules(names: list[tuple[str, str]]) -> None:
    files = {path for path, _ in names}
    assert {"Dockerfile", "Makefile", "pyproject.toml", "scrub_site/settings.py"} <= files
    assert any(path.startswith("tests/") for path in files)


def test_a_name_of_nothing_is_noticed() -> None:
    for module in ("scrub_site", "scrub_site.urls"):
        assert is_meant(module)
        assert not is_meant(f"{module}.no_such_name")


def test_every_module_or_part_of_one_that_a_text_names_is_there(names: list[tuple[str, str]]) -> None:
    assert [f"{path}: {name}" for path, name in names if not is_meant(name)] == []
