"""The scheme of flaws that annotators work by."""

from pathlib import Path

import pytest

from annotation.benchmarks.core.scheme import CATEGORIES, parse
from annotation.benchmarks.selectors.schemes import DATA, scheme


def test_every_version_is_read_and_called_as_its_file() -> None:
    files = sorted(DATA.glob("flaws-*.toml"))
    assert files
    for file in files:
        assert f"flaws-{parse(file.read_text()).version}" == Path(file).stem


def test_a_layout_narrows_what_a_category_means() -> None:
    hints = {each.key: each.hint for each in scheme("1").for_layout("tomi")}
    assert all(hints[key].startswith("In ToMi") for key in CATEGORIES)
    assert {each.hint for each in scheme("1").for_layout("socialiqa")} == {""}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('key = "semantic"', 'key = "syntactic"'),
        ('key = "granularity_mismatch"', 'key = "coarse"'),
        ('key = "repeated_option"', 'key = "duplicate"'),
        ('key = "repeated_option"', 'key = "Repeated option"'),
        ('letter = "2"', 'letter = "1"'),
        ('letter = "6"', 'letter = "3"'),
    ],
)
def test_a_scheme_that_nobody_could_work_by_is_refused(before: str, after: str) -> None:
    toml = (DATA / "flaws-1.toml").read_text()
    assert before in toml
    with pytest.raises(ValueError, match=r"are|has|have"):
        parse(toml.replace(before, after, 1))
