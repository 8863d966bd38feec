"""Files that are read as a text, and what is said of those that are none."""

from pathlib import Path

import pytest
from django import forms
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.platform.core.errors import Refused
from annotation.platform.core.line_files import as_text, text_of_file
from annotation.platform.forms.fields import TextFileField


@pytest.mark.parametrize("data", [b"One.\nCaf\xc3\xa9.", b"\xef\xbb\xbfOne.\nCaf\xc3\xa9."])
def test_utf_8_is_read_with_its_mark_and_without(data: bytes) -> None:
    assert as_text(data) == "One.\nCafé."


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"One.\nCaf\xe9.", "Line 2 is not UTF-8 text. Read as Windows-1252 (Latin-1) it says “Café.”."),
        ("One.".encode("utf-16"), "Line 1 is not UTF-8 text. It begins as text in UTF-16 does."),
        (b"%PDF-1.7\n", "This is a PDF, not a text."),
    ],
)
def test_anything_else_is_refused_with_what_it_is(data: bytes, told: str) -> None:
    with pytest.raises(Refused) as refusal:
        as_text(data)
    assert str(refusal.value).startswith(told)


@pytest.mark.parametrize("data", [b"One.\r\nTwo.\r\n", b"\xef\xbb\xbfOne.\rTwo.\r", b"One.\nTwo.\n"])
def test_a_file_on_disk_is_the_same_text_whatever_ends_its_lines(data: bytes, tmp_path: Path) -> None:
    """Its hash tells one way of scoring from another, which would be asked for and paid anew."""
    file = tmp_path / "rubric.toml"
    file.write_bytes(data)
    assert text_of_file(file) == "One.\nTwo.\n"


def a_field(**options: bool) -> TextFileField:
    return TextFileField(what="A rubric", max_bytes=2000, **options)


def test_a_field_gives_the_text_of_its_file_or_nothing_where_none_was_chosen() -> None:
    assert a_field().clean(SimpleUploadedFile("a.txt", "Café".encode())) == "Café"
    assert a_field(required=False).clean(None) is None


@pytest.mark.parametrize(
    ("data", "told"),
    [(b"Caf\xe9", "it says “Café”"), (b"a" * 2001, "A rubric has at most 2 kB."), (b"", "empty")],
)
def test_a_field_refuses_what_is_no_text_or_too_long(data: bytes, told: str) -> None:
    with pytest.raises(forms.ValidationError, match=told):
        a_field().clean(SimpleUploadedFile("a.txt", data))
