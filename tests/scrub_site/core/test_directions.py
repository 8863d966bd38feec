"""What somebody has written is set from its own side, whatever its script."""

import re
from typing import Final

import pytest

from tests.folders import PROJECT

TEMPLATES: Final = sorted((PROJECT / "templates").rglob("*.html"))
# The site's own words, or paragraphs that each have a direction of their own.
OTHERS: Final = {
    "design/_protocol.html",
    "design/_rubric.html",
    "judging/answers.html",
    "judging/guesses.html",
    "judging/room.html",
    "report/_findings.html",
}
SAYING: Final = re.compile(r"<(?:blockquote|q)\b[^>]*>|<\w+\b[^>]*class=\"(?:[^\"]* )?prose(?: [^\"]*)?\"[^>]*>")


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(PROJECT / "templates")))
def test_whatever_shows_a_text_lets_the_text_say_its_direction(path: object) -> None:
    name = str(path).removeprefix(f"{PROJECT / 'templates'}/")
    source = (PROJECT / "templates" / name).read_text()
    found = [tag for tag in SAYING.findall(source) if 'dir="auto"' not in tag]
    assert not found or name in OTHERS
    lines = [line for line in source.splitlines() if "|linebreaks" in line and "dir=" not in line]
    assert all("<blockquote dir" in source for _ in lines), lines
