"""Keys come from the environment or a file named there, and are asked for each time."""

from pathlib import Path

import pytest

from generation.providers.core.catalogue import Endpoint
from generation.providers.keys import NoKey, has_key, key_of, without_key
from tests.generation.providers.core.asking import KEY

NEEDS_ONE = Endpoint("test", "Test", "demo", key_variable="TEST_KEY")


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TEST_KEY", raising=False)
    monkeypatch.delenv("TEST_KEY_FILE", raising=False)


def test_an_endpoint_without_a_variable_needs_no_key() -> None:
    needs_none = Endpoint("test", "Test", "demo")
    assert has_key(needs_none)
    assert key_of(needs_none) == ""


def test_a_key_is_taken_from_the_variable_or_else_from_the_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert not has_key(NEEDS_ONE)
    file = tmp_path / "key"
    file.write_text(f"{KEY}\n")
    monkeypatch.setenv("TEST_KEY_FILE", str(file))
    assert key_of(NEEDS_ONE) == KEY
    monkeypatch.setenv("TEST_KEY", "another-one")
    assert key_of(NEEDS_ONE) == "another-one"


def test_a_key_that_was_changed_counts_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "key"
    monkeypatch.setenv("TEST_KEY_FILE", str(file))
    for key in ("first-key", "second-key"):
        file.write_text(key)
        assert key_of(NEEDS_ONE) == key


def test_a_file_that_cannot_be_read_is_no_key_and_is_not_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TEST_KEY_FILE", str(tmp_path / "secret-place"))
    with pytest.raises(NoKey, match="The file that TEST_KEY_FILE names cannot be read") as refusal:
        key_of(NEEDS_ONE)
    assert "secret-place" not in str(refusal.value)
    assert not has_key(NEEDS_ONE)


@pytest.mark.parametrize("key", ["two words-here", "line\nbreak", "clé-secrète"])
def test_what_no_header_could_carry_is_no_key_and_is_not_shown(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_KEY", key)
    with pytest.raises(NoKey) as refusal:
        key_of(NEEDS_ONE)
    assert key not in str(refusal.value)


def test_a_key_is_hidden_as_it_is_and_as_json_writes_it() -> None:
    key = 'sk/with"signs-in-it'
    assert without_key(rf"{key} sk/with\"signs-in-it sk\/with\"signs-in-it", key) == "[key] [key] [key]"


def test_a_placeholder_is_no_secret() -> None:
    # Seven characters stay, eight are taken for a secret.
    assert without_key("EMPTY words", "EMPTY") == "EMPTY words"
    assert without_key("eightchr", "eightchr") == "[key]"
