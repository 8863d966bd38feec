"""What the rows of an imported table of prompts mean, given the prompts that a study has already."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from annotation.platform.core.table_import import Examined, ParsedRow, Problem
from annotation.platform.core.text import sha256_hex

DOMAIN = "[A-Z]{2,12}"
CODE = "[A-Za-z0-9][A-Za-z0-9_-]{0,23}"
MAX_TEXT_LENGTH = 10_000  # characters
_NUMBERED = re.compile(rf"({DOMAIN})_(\d{{1,6}})")


@dataclass(frozen=True)
class NewPrompt:
    """A prompt to be added; without a code it gets the next one of its domain."""

    text: str
    domain: str
    code: str = ""
    title: str = ""
    disciplines: tuple[str, ...] = ()


class NextCodes:
    """Codes such as BBQ_07, for each domain from the greatest number on that `taken` has."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._numbers: dict[str, int] = {}
        for code in taken:
            if match := _NUMBERED.fullmatch(code):
                self._numbers[match[1]] = max(int(match[2]), self._numbers.get(match[1], 0))

    def next(self, domain: str) -> str:
        number = self._numbers[domain] = self._numbers.get(domain, 0) + 1
        return f"{domain}_{number:02}"


def examine(lines: Collection[ParsedRow], *, wordings: Mapping[str, str]) -> Examined[NewPrompt]:
    """The prompts to add, each with its code. `wordings` is the study's: SHA-256 of a text → code of its prompt.

    A line whose text the study has, under the code it gives or with no code given, says nothing new.
    """
    prompts = [(line.line, NewPrompt(**line.values)) for line in lines]
    taken = dict.fromkeys(wordings.values(), "by a prompt of the study with another text")
    codes = NextCodes([*taken, *(prompt.code for _, prompt in prompts)])
    texts: dict[str, str] = {sha256: f"prompt {code} of the study" for sha256, code in wordings.items()}
    new, problems, known = [], [], 0
    for line, prompt in prompts:
        sha256 = sha256_hex(prompt.text)
        if prompt.code in ("", wordings.get(sha256)) and sha256 in wordings:
            known += 1
        elif sha256 in texts:
            problems.append(Problem(f"the text is that of {texts[sha256]}", line))
        elif prompt.code in taken:
            problems.append(Problem(f"the code {prompt.code} is taken {taken[prompt.code]}", line))
        else:
            new.append(prompt if prompt.code else replace(prompt, code=codes.next(prompt.domain)))
            texts[sha256] = f"line {line}"
            if prompt.code:
                taken[prompt.code] = f"in line {line}"
    return Examined(tuple(new), known, tuple(problems))
