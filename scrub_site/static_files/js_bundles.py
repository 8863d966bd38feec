"""The judging room's modules put together, so that a browser fetches one file and not thirty.

Written by us in one plain style, our modules need no more than this: each becomes a function that is called once,
in the order of imports, and gives what it exports. While developing, and in tests, modules are fetched one by one.
"""

import posixpath
import re
from collections.abc import Callable
from typing import Final

# What pages load, or a page's script by a call.
BUNDLED: Final = ("judging/judging-room.js", "judging/judging-scores.js", "judging/ranking/judging-tiers.js")

_IMPORT: Final = re.compile(r'^import (?:\{([^}]{0,1000})\} from )?"(\.{1,2}/[^"]{1,200})";\n', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?:async )?(?:function|class|const) (\w+)", re.MULTILINE)
_UNKNOWN: Final = re.compile(r"^(?:import\s|export (?!(?:async )?(?:function|class|const) ))", re.MULTILINE)
_COMMENT: Final = re.compile(r"^[ \t]{0,80}(?://[^\n]{0,500}|/\*\*[\s\S]{0,5000}?\*/[ \t]{0,80})\n", re.MULTILINE)
_CALLED: Final = re.compile(r'import\("(\.{1,2}/[^"]{1,200})"\)')


def bundled(name: str) -> str:
    """The name of the file that stands for the module and all that it imports."""
    return f"{name.removesuffix('.js')}.bundle.js"


def bundle(entry: str, read: Callable[[str], str]) -> str:
    """The module `entry` with all that it imports; `read` gives a module's text by its name.

    Raises `ValueError` for what is written in another style, or modules that import each other.
    """
    numbers: dict[str, int] = {}
    parts: list[str] = []
    _put(entry, read, numbers, parts, ())
    return "\n".join(parts)


def _put(
    name: str, read: Callable[[str], str], numbers: dict[str, int], parts: list[str], above: tuple[str, ...]
) -> None:
    if name in above:
        raise ValueError(f"{name} imports itself, by way of {above[-1]}.")
    text = _COMMENT.sub("", read(name))

    def resolved(address: str) -> str:
        return posixpath.normpath(posixpath.join(posixpath.dirname(name), address))

    for _, address in _IMPORT.findall(text):
        if resolved(address) not in numbers:
            _put(resolved(address), read, numbers, parts, (*above, name))

    def taken(found: re.Match[str]) -> str:
        if not found[1]:
            return ""
        names = re.sub(r"\s{1,80}as\s{1,80}", ": ", " ".join(found[1].split()).rstrip(", "))
        return f"const {{ {names} }} = module{numbers[resolved(found[2])]};\n"

    body = _IMPORT.sub(taken, text)
    if found := _UNKNOWN.search(body):
        raise ValueError(f"{name}: what is this? {body[found.start() : found.start() + 60]}")
    numbers[name] = len(numbers)
    if above:
        exported = ", ".join(_EXPORT.findall(body))
        body = re.sub(r"^export ", "", body, flags=re.MULTILINE)
        body = f"const module{numbers[name]} = (() => {{\n{body}return {{ {exported} }};\n}})();\n"
    parts.append(_CALLED.sub(lambda found: f'import("{_address(found[1], resolved(found[1]))}")', body))


def _address(address: str, name: str) -> str:
    return bundled(address) if name in BUNDLED else address
