"""A few signs each in other languages than English: `annotation/texts/data/leak_signs_other_languages.toml`."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from annotation.texts.core.leaks.signs import Kind

_FILE: Final = Path(__file__).resolve().parents[2] / "data" / "leak_signs_other_languages.toml"


@dataclass(frozen=True)
class ForeignSign:
    """A pattern of one language; tried where two of `first_words`, folded, stand in the text, if there are any."""

    kind: Kind
    meaning: str
    pattern: re.Pattern[str]
    first_words: frozenset[str]


def read_signs(toml: str) -> Iterator[ForeignSign]:
    """The signs of such a file. Raises `KeyError` where one lacks something."""
    for language in tomllib.loads(toml)["language"]:
        first_words = frozenset(language["first_words"].split())
        for sign in language["sign"]:
            pattern = re.compile(sign["pattern"])
            yield ForeignSign(sign["kind"], sign["meaning"], pattern, first_words)


FOREIGN_SIGNS: Final = tuple(read_signs(_FILE.read_text("utf-8")))
