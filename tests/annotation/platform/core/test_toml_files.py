import tracemalloc

import pytest

from annotation.platform.core import limits
from annotation.platform.core.toml_files import NotToml, read_toml


@pytest.mark.parametrize(
    ("toml", "told"),
    [
        ("a = 1\nb = " + "[" * 13, "Line 2: brackets stand in brackets"),
        ("a = " + "[" * 100_000, "Line 1: brackets stand in brackets"),
        ("a = " + "{b=" * 13, "Line 1: brackets stand in brackets"),
        ("a." * 8 + "a = 1", "Line 1: a key has more than 8 names"),
        ("\n\n[" + "a." * 20_000 + "a]", "Line 3: a key has more than 8 names"),
        ("a = " + "9" * 199_000, "Line 1: a number has more than 15 digits"),
        ("a = -1234567890123456", "Line 1: a number has more than 15 digits"),
        ("a = 0x" + "f" * 100, "Line 1: a number has more than 15 digits"),
        ("a = [" + "1," * 9_000 + "]", "Line 1: up to here there are more than 8,000 keys"),
        ("\n".join(f"k{number} = 1" for number in range(9_000)), "up to here there are more than 8,000 keys"),
        ("a = '" + "a" * limits.TOML_BYTES + "'", "This has 200,006 bytes, and at most 200,000 are read."),
        ("a = 'é", "This is not TOML: "),
        ("a = \ud800", "This is not TOML: "),
        ("a = 2026-13-99", "This is not TOML: "),
    ],
)
def test_more_than_is_read_is_refused_with_its_line(toml: str, told: str) -> None:
    with pytest.raises(NotToml) as refused:
        read_toml(toml)
    assert told in str(refused.value)


@pytest.mark.parametrize(
    "text",
    ["[[[[[[[[[[[[[[[[[[", "a.a.a.a.a.a.a.a.a.a.a", "12345678901234567890", "# no comment", r"\\ and \" and '"],
)
@pytest.mark.parametrize("quote", ['"""', "'''", '"', "'"])
def test_what_stands_in_texts_and_comments_is_of_no_account(text: str, quote: str) -> None:
    written = text if quote.startswith("'") else text.replace("\\", "\\\\").replace('"', '\\"')
    if quote == "'":
        written = written.replace("'", "’")
    found = read_toml(f"# {text}\na = {quote}{written}{quote} # {text}\nb = [1]")
    assert found == {"a": text.replace("'", "’") if quote == "'" else text, "b": [1]}


def test_a_dotted_key_of_40_kb_takes_no_memory() -> None:
    tracemalloc.start()
    with pytest.raises(NotToml):
        read_toml("a." * 20_000 + "a = 1")
    assert tracemalloc.get_traced_memory()[1] < 1_000_000
    tracemalloc.stop()


@pytest.mark.parametrize("quote", ['"""', "'''"])
def test_a_long_text_goes_on_behind_a_quotation_mark_and_over_its_lines(quote: str) -> None:
    text = f"one {quote[0]} and\n{'[' * 20} {quote[:2]} {'a.' * 10}"
    assert read_toml(f"a = {quote}{text} {quote}\nb = [1]") == {"a": f"{text} ", "b": [1]}


def test_a_short_text_ends_with_its_line() -> None:
    with pytest.raises(NotToml, match="Line 2: brackets stand in brackets"):
        read_toml(f'a = "\nb = {"[" * 20}"""')
