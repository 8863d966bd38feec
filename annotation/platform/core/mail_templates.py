"""Texts of mails with words in braces, which are filled in for each person."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from annotation.platform.core.errors import Refused

_BRACES = re.compile(r"\{[^{}]*\}|[{}]")


@dataclass(frozen=True)
class Template:
    """A text to begin with. `name` is its file's, version included, such as "what_is_left-1"."""

    name: str
    title: str
    subject: str
    text: str


def parse_template(name: str, source: str) -> Template:
    """A template from its file: lines "Title: …" and "Subject: …", an empty line, then the text.

    Raises `ValueError` for a file of another form.
    """
    form = re.fullmatch(r"\ATitle: (.+)\nSubject: (.+)\n\n((?s:.+))", source)
    if not form:
        raise ValueError(f"{name} does not begin with a title, a subject and an empty line")
    return Template(name, form[1], form[2], form[3].strip())


def fill(text: str, values: Mapping[str, str], *, placeholders: Mapping[str, str]) -> str:
    """`text` with each placeholder's value in its place; values are not looked into again.

    `placeholders` says what each of them stands for. Raises `Refused` for a brace that is no placeholder's, and for
    a placeholder whose value is empty.
    """
    return _BRACES.sub(lambda found: _value(found.group(), values, placeholders), text)


def _value(braces: str, values: Mapping[str, str], placeholders: Mapping[str, str]) -> str:
    name = braces.strip("{}")
    if name not in placeholders or braces != f"{{{name}}}":
        known = ", ".join(f"{{{placeholder}}}" for placeholder in placeholders)
        raise Refused(f"“{braces}” is not a placeholder. Braces stand around these words only: {known}.")
    if not values[name]:
        raise Refused(f"{braces} stands for nothing here, as {placeholders[name]} is not set.")
    return values[name]
