"""The providers' keys: read from the environment or a secrets file when needed, and kept nowhere."""

import json
import os
from pathlib import Path

from generation.providers.core.catalogue import Endpoint

# Servers that check no key are given placeholders such as "EMPTY", which may well stand in an answer.
MIN_SECRET_LENGTH = 8
HIDDEN = "[key]"


class NoKey(Exception):
    """A provider's key is missing or cannot be one. The message is for a person and does not show it."""


def has_key(endpoint: Endpoint) -> bool:
    """Whether requests to the provider can leave: it needs no key, or there is one."""
    try:
        key_of(endpoint)
    except NoKey:
        return False
    return True


def key_of(endpoint: Endpoint) -> str:
    """The key in the endpoint's variable, or in the file that VARIABLE_FILE names; "" where none is needed.

    Raises `NoKey`.
    """
    variable = endpoint.key_variable
    if not variable:
        return ""
    key = os.environ.get(variable, "").strip() or _in_file(variable)
    if not key:
        raise NoKey(f"No key is set for {endpoint.label}: {variable} and {variable}_FILE are empty.")
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise NoKey(f"What {variable} holds cannot be a key: it has blanks or special characters.")
    return key


def without_key(text: str, key: str) -> str:
    """The text with the key, as it is or as JSON escapes it, replaced."""
    if len(key) < MIN_SECRET_LENGTH:
        return text
    escaped = json.dumps(key)[1:-1]
    for form in (key, escaped, escaped.replace("/", r"\/")):
        text = text.replace(form, HIDDEN)
    return text


def _in_file(variable: str) -> str:
    file = os.environ.get(f"{variable}_FILE", "")
    if not file:
        return ""
    try:
        return Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        raise NoKey(f"The file that {variable}_FILE names cannot be read.") from None
