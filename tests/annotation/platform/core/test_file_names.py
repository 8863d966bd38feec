"""Names of files are broken behind their separators, and lose or gain no letter by it."""

import pytest
from django.utils.html import strip_tags

from annotation.platform.templatetags.files import file_name


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("judgments.csv", ["judgments.", "csv"]),
        (
            "data/prompts/train-00000-of-00001.parquet",
            ["data/", "prompts/", "train-", "00000-", "of-", "00001.", "parquet"],
        ),
        ("README", ["README"]),
        ("a__b", ["a_", "_", "b"]),
        ("", []),
    ],
)
def test_a_file_name_may_be_broken_behind_each_separator_and_nowhere_else(name: str, parts: list[str]) -> None:
    assert file_name(name).split("<wbr>")[:-1] == parts
    assert strip_tags(file_name(name)) == name


def test_a_file_name_cannot_bring_markup_along() -> None:
    assert "<script>" not in file_name("<script>.csv")
