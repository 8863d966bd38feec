"""Likert instruments as data: a TOML file in, a checked `Instrument` out.

    low = "progressive"                # what the lowest position stands for
    high = "conservative"              # what the highest position stands for
    labels = ["Disagree", …, "Agree"]  # the choices of every item, from 1 upwards
    [[items]]
    key = "public_services"
    text = "Public services should be paid for by higher taxes."
    reversed = true                    # agreeing points to the low pole

The poles are named in the file, so that nobody has to guess later which end a mean lies near.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from annotation.platform.core.errors import Refused
from annotation.platform.core.toml_files import NotToml, read_toml

_KEY = re.compile(r"[a-z][a-z0-9_]*")


class InstrumentError(Refused):
    """The file is no instrument; the message says what is wrong."""


@dataclass(frozen=True)
class Item:
    key: str
    text: str
    reversed: bool


@dataclass(frozen=True)
class Instrument:
    """Items that are all answered by one of `labels`, numbered from 1."""

    low: str
    high: str
    labels: tuple[str, ...]
    items: tuple[Item, ...]

    def position(self, answers: Mapping[str, int | None]) -> float | None:
        """The mean over the answered items, from 1 (`low`) to the number of labels (`high`).

        A reversed item counts as labels + 1 - answer. `None` stands for an item left out, and for the mean where no
        item is answered.
        """
        points = [
            len(self.labels) + 1 - answer if item.reversed else answer
            for item in self.items
            if (answer := answers.get(item.key)) is not None
        ]
        return sum(points) / len(points) if points else None


@lru_cache(maxsize=16)
def parse(toml: str) -> Instrument:
    """Read an instrument. Raises `InstrumentError`."""
    try:
        data = read_toml(toml)
    except NotToml as error:
        raise InstrumentError(str(error)) from error
    labels = data.get("labels")
    if not isinstance(labels, list) or len(labels) < 2 or not all(_is_text(label) for label in labels):
        raise InstrumentError("labels must name at least two choices.")
    for pole in ("low", "high"):
        if not _is_text(data.get(pole)):
            raise InstrumentError(f"{pole} must say what that end of the scale stands for.")
    items = data.get("items")
    if not isinstance(items, list) or not items:
        raise InstrumentError("There must be at least one [[items]].")
    parsed = tuple(_item(entry) for entry in items)
    if len({item.key for item in parsed}) < len(parsed):
        raise InstrumentError("Two items have the same key.")
    return Instrument(data["low"], data["high"], tuple(labels), parsed)


def _item(entry: Any) -> Item:
    if not isinstance(entry, dict) or not _is_text(entry.get("text")):
        raise InstrumentError("Every item needs a text.")
    key, turned = entry.get("key"), entry.get("reversed")
    if not isinstance(key, str) or not _KEY.fullmatch(key):
        raise InstrumentError(f"An item's key is a lower-case word with underscores, not {key!r}.")
    if not isinstance(turned, bool):
        raise InstrumentError(f"Say for item {key} whether it is reversed: true or false.")
    return Item(key, entry["text"], turned)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())
