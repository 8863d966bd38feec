"""Pages as people read them."""

import re
from typing import Any


def in_words(answer: Any) -> str:
    """The text of the page that a test client was answered with, without its markup and what scripts read, and with
    single spaces.
    """
    page = re.sub(r"<script\b.*?</script>", " ", answer.content.decode(), flags=re.DOTALL)
    return without_markup(page.replace("&nbsp;", " "))


def main_of(page: str) -> str:
    """The text of a page's main part."""
    return without_markup(page.split("<main", 1)[-1].split("</main>", maxsplit=1)[0])


def without_markup(page: str) -> str:
    """A page's text, or a part's, with single spaces."""
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())
