"""What is wrong with the operator's file of providers shows at start."""

from pathlib import Path

import pytest
from django.core.checks import run_checks
from pytest_django import Settings


def found() -> list[str]:
    return [fault.msg for fault in run_checks() if fault.id == "generation.E001"]


def test_the_catalogue_that_is_shipped_is_in_order() -> None:
    assert found() == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[providers.ours]\nlabel = "Ours"\nwire = "telegraph"\n', "The provider ours: wire should be one of"),
        ('[providers.ours]\nlabel = "Ours"\nwire = "chat_completions"\n', "base_url is missing"),
        ("providers = 5", "providers"),
        ("[providers", ""),
    ],
    ids=["wire", "address", "table", "TOML"],
)
def test_a_faulty_file_is_told_in_words(text: str, words: str, settings: Settings, tmp_path: Path) -> None:
    file = tmp_path / "providers.toml"
    file.write_text(text)
    settings.PROVIDERS_FILE = str(file)
    (fault,) = found()
    assert words in fault


def test_a_file_that_is_not_there_is_told(settings: Settings) -> None:
    settings.PROVIDERS_FILE = "/nowhere/providers.toml"
    (fault,) = found()
    assert "/nowhere/providers.toml" in fault
