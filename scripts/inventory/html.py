"""Pages of HTML: where they lead to, what they load, and what of them is the same each time."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser

_ADDRESS = re.compile(r"/(?!/)\S*|\?\S*")
_TOKEN = re.compile(
    r'(name="csrfmiddlewaretoken" value="|X-CSRFToken&quot;: &quot;|"X-CSRFToken": ")[A-Za-z0-9]{20,}'
)
_STATIC = re.compile(r'(?<=["\'\s,(])/?static/[^"\'\s,)&]+')
_LOADS = re.compile(r'\s*<link\b[^>]*\bhref="/?static/[^>]*>|\s*<script\b[^>]*\bsrc="/?static/[^>]*>\s*</script>')


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del tag
        for name, value in attrs:
            if value and (_ADDRESS.fullmatch(value) or name in {"href", "action", "hx-get"}):
                self.addresses.append(value)


def addresses_in(page: str) -> Iterator[str]:
    """What links, forms, refreshed parts and scripts' attributes name, in their order.

    Forms that post are among them: what they say to a GET is part of what is compared.
    """
    reader = _Reader()
    reader.feed(page)
    yield from dict.fromkeys(reader.addresses)


def assets_in(page: str) -> Iterator[str]:
    """The static files that the page names."""
    yield from dict.fromkeys(_STATIC.findall(page))


def normalised(page: str) -> str:
    """Without what is new each time, and without the names of static files and what loads them."""
    page = _TOKEN.sub(r"\1TOKEN", page)
    page = _STATIC.sub("STATIC", _LOADS.sub("", page))
    return "\n".join(line.strip() for line in page.splitlines() if line.strip()) + "\n"
