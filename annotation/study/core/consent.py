"""What a consent text leaves to each study to say: blanks in square brackets, filled in before the lock.

A blank stands in a line that makes sense only with it, so that one that a study does not need goes with its line.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final

_BLANK: Final = re.compile(r"\[to fill in: ([^\[\]\n]+)\]", re.IGNORECASE)
# What the blanks of the standard text ask for, by their names.
ASKS: Final = {
    "institution": "Who answers for the study: the institution, and the department.",
    "contact": "Name and address for questions and complaints.",
    "risks": "What taking part may cost or do to somebody, such as time, strain, or questions that touch them.",
    "ethics approval": "Which board approved the study, and under which number.",
    "data": "Where the data are kept, who has access, for how long, and whether they leave the country.",
    "withdrawal": "Until when, and in which ways, people can have their data taken out.",
}


def blanks(text: str) -> list[str]:
    """The names of what is to be filled in, in the order of the text, each once."""
    return list(dict.fromkeys(name.strip().casefold() for name in _BLANK.findall(text)))


def fill(text: str, said: Mapping[str, str], unneeded: Iterable[str] = ()) -> str:
    """The text with what is `said` in its blanks, by name. Other blanks stay.

    A line with an `unneeded` blank is left out, and with its last line a part's heading.
    """
    left_out = set(unneeded)
    parts = []
    for part in text.split("\n\n"):
        lines = part.splitlines()
        kept = [line for line in lines if left_out.isdisjoint(blanks(line))]
        if len(kept) == len(lines) or len(kept) > 1:
            parts.append("\n".join(kept))
    whole = "\n\n".join(parts)
    return _BLANK.sub(lambda blank: said.get(blank[1].strip().casefold(), blank[0]), whole)
