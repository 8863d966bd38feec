"""Pages as people read them."""

import re
from typing import Any


def in_words(answer: Any) -> str:
    """The text of the page that a test client was answered with, without its markup and what scripts read, and with
    single spaces.
    """
    page = re.sub(r"<script\b.*?</script>", " ", answer.content.decode(), flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>|&nbsp;", " ", page).split())
