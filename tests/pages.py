"""Pages as people read them."""

import re
from typing import Any


def in_words(answer: Any) -> str:
    """The text of the page that a test client was answered with, without its markup and with single spaces."""
    return " ".join(re.sub(r"<[^>]+>|&nbsp;", " ", answer.content.decode()).split())
