"""What browsers are sent besides pages: scripts, style sheets, pictures."""

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from scripts.inventory.folders import differences, read_lines, write_lines
from scripts.inventory.renames import Renames
from scripts.inventory.source import PROJECT, read, tracked

_IMPORT = re.compile(r"""(?P<start>\b(?:from|import)\s*\(?\s*)(?P<quote>["'])(?P<path>\.{1,2}/[^"']+)(?P=quote)""")
_REMARK = re.compile(r"^\s*//.*\n", re.MULTILINE)
_AROUND = ("@layer", "@media", "@supports", "@container", "@scope")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def record(folder: Path) -> None:
    """A hash for each file. A script's leaves out remarks, and the paths it imports from, which have lines.

    Style sheets are told by their rules, since they may be put together otherwise.
    """
    files = [path for path in tracked() if path.startswith("static/")]
    sheets = [path for path in files if path.endswith(".css")]
    write_lines(folder / "files.txt", [f"{path} {_sha256(path)}" for path in files if path not in sheets])
    write_lines(folder / "imports.txt", [f"{path} -> {target}" for path in files for target in _imports(path)])
    for path in sheets:
        lines = [f"{number:04} {rule}" for number, rule in enumerate(_rules(read(path)))]
        write_lines(folder / "rules" / f"{path.removeprefix('static/')}.txt", lines)


def compare(before: Path, after: Path, renames: Renames) -> Iterator[str]:
    """Files and imports one by one; of style sheets all rules together, and that their order is kept in each."""
    for name in ("files.txt", "imports.txt"):
        old = [renames.text(line) for line in read_lines(before / name)]
        yield from (f"{name}: {line}" for line in differences(old, read_lines(after / name)))
    old_sheets, new_sheets = _sheets(before), _sheets(after)
    all_rules = [[rule for rules in sheets.values() for rule in rules] for sheets in (old_sheets, new_sheets)]
    yield from (f"rules: {line}" for line in differences(*all_rules))
    for path, rules in old_sheets.items():
        new = new_sheets.get(renames.path(path), [])
        if not _holds(new, rules):
            yield f"rules: {renames.path(path)} does not hold the rules of {path} in their order"


def _sha256(path: str) -> str:
    content = (PROJECT / path).read_bytes()
    if path.endswith(".js"):
        script = _REMARK.sub("", content.decode())
        content = _IMPORT.sub(r"\g<start>\g<quote>\g<quote>", script).encode()
    return hashlib.sha256(content).hexdigest()


def _imports(path: str) -> Iterator[str]:
    if path.endswith(".js"):
        for found in _IMPORT.finditer(read(path)):
            yield _resolved(PurePosixPath(path).parent, found["path"])


def _resolved(folder: PurePosixPath, path: str) -> str:
    parts: list[str] = []
    for part in (folder / path).parts:
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)


def _rules(sheet: str) -> Iterator[str]:
    """The rules on a line each, without comments, behind the layers and conditions that they stand in."""
    for head, content in _blocks(_COMMENT.sub("", sheet)):
        if head.startswith(_AROUND) and content is not None:
            yield from (f"{head} > {rule}" for rule in _rules(content))
        else:
            yield head if content is None else f"{head} {{ {' '.join(content.split())} }}"


def _blocks(sheet: str) -> Iterator[tuple[str, str | None]]:
    """What stands before each outermost pair of braces, and what is between them; nothing is for a statement."""
    depth, start, opened = 0, 0, 0
    for place, character in enumerate(sheet):
        depth += (character == "{") - (character == "}")
        if character == "{" and depth == 1:
            opened = place
        elif character == "}" and depth == 0:
            yield " ".join(sheet[start:opened].split()), sheet[opened + 1 : place]
            start = place + 1
        elif character == ";" and depth == 0:
            yield " ".join(sheet[start:place].split()), None
            start = place + 1


def _sheets(folder: Path) -> dict[str, list[str]]:
    files = sorted((folder / "rules").rglob("*.txt"))
    return {
        f"static/{file.relative_to(folder / 'rules').as_posix().removesuffix('.txt')}": [
            line.partition(" ")[2] for line in read_lines(file)
        ]
        for file in files
    }


def _holds(whole: list[str], part: list[str]) -> bool:
    """Whether the whole has all of the part in its order, with whatever between."""
    rest = iter(whole)
    return all(rule in rest for rule in part)
