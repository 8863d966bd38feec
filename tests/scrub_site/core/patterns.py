"""Every regular expression of the program, and whether it can take longer than in proportion to a text.

A pattern is tried at every place of a text. What it may run over there is bounded by a number, or is a run of
single characters that cannot be entered again while it lasts; otherwise a long enough run is walked once for each
of its characters.
"""

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from re import _constants as op  # type: ignore[attr-defined]  # the parse tree has no public name
from re import _parser  # type: ignore[attr-defined]
from typing import Any, Final

ROOT: Final = Path(__file__).parents[3]
PACKAGES: Final = ("annotation", "generation", "analysis", "scrub_site")
OF_RE: Final = frozenset("compile search match fullmatch split sub subn findall finditer".split())
TAKE_PATTERNS: Final = frozenset(("RegexValidator", "RegexField", "matching", "re_path"))
"""Functions that make patterns of their first argument, besides those of `re`."""

ALPHABET: Final = frozenset(map(chr, range(0x2500)))  # enough to tell classes of characters apart
WORD_CHARACTERS: Final = frozenset(re.findall(r"\w", "".join(sorted(ALPHABET))))
_CATEGORIES: Final = {
    op.CATEGORY_DIGIT: r"\d",
    op.CATEGORY_NOT_DIGIT: r"\D",
    op.CATEGORY_SPACE: r"\s",
    op.CATEGORY_NOT_SPACE: r"\S",
    op.CATEGORY_WORD: r"\w",
    op.CATEGORY_NOT_WORD: r"\W",
}
_REPEATS: Final = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)
_AROUND: Final = (op.ASSERT, op.ASSERT_NOT)

Item = tuple[Any, Any]


@dataclass(frozen=True)
class Found:
    """A pattern and where it stands; `pattern` is None where it is only made when the program runs."""

    place: str
    pattern: str | bytes | None
    flags: int = 0


def in_source(root: Path = ROOT) -> Iterator[Found]:
    """Those in Python modules, in the order of their files."""
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            if "migrations" not in path.parts:
                name = ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
                yield from in_module(name, path.read_text(encoding="utf-8"))


def in_module(name: str, source: str, namespace: Mapping[str, Any] | None = None) -> Iterator[Found]:
    """Those in the source of a module; `namespace` holds its names, by default those of the module imported."""
    tree = ast.parse(source)
    for around, call in _calls(tree, ""):
        argument = call.args[0] if call.args else next(iter(call.keywords)).value
        place = f"{name}:{around}".removesuffix(":")
        known = dict(vars(import_module(name)) if namespace is None else namespace)
        flags = [ast.unparse(part) for part in (*call.args[1:], *(word.value for word in call.keywords))]
        try:
            pattern = eval(compile(ast.Expression(argument), name, "eval"), known)  # noqa: S307  (our own source)
        except NameError:
            pattern = None
        yield Found(place, pattern, sum(eval(flag, known) for flag in flags if flag.startswith("re.")))  # noqa: S307


def _calls(node: ast.AST, around: str) -> Iterator[tuple[str, ast.Call]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Call) and _takes_pattern(child.func):
            yield around, child
        yield from _calls(child, child.name if isinstance(child, ast.FunctionDef | ast.ClassDef) else around)


def _takes_pattern(function: ast.expr) -> bool:
    match function:
        case ast.Attribute(value=ast.Name(id="re"), attr=name):
            return name in OF_RE
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name in TAKE_PATTERNS
    return False


def in_data(root: Path = ROOT) -> Iterator[Found]:
    """Those that data files hold under the key `pattern`."""
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.toml")):
            for pattern in _patterns(tomllib.loads(path.read_text(encoding="utf-8"))):
                yield Found(str(path.relative_to(root)), pattern, re.IGNORECASE)


def _patterns(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for part in value:
            yield from _patterns(part)
    elif isinstance(value, dict):
        for key, part in value.items():
            if key == "pattern" and isinstance(part, str):
                yield part
            yield from _patterns(part)


def unbounded(pattern: str | bytes, flags: int = 0) -> list[str]:
    """The repeats of a pattern that are refused; empty where it takes time in proportion to any text."""
    written = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
    parsed = _parser.parse(written, flags)
    return list(_refused(list(parsed), [], is_last=True, flags=parsed.state.flags))


def _refused(items: Sequence[Item], before: Sequence[Item], *, is_last: bool, flags: int) -> Iterator[str]:
    """`before` stands in front of `items` in one sequence; `is_last` where nothing that must match comes after."""
    for number, (kind, value) in enumerate(items):
        earlier = [*before, *items[:number]]
        ends = is_last and all(map(_may_be_empty, items[number + 1 :]))
        if kind in _REPEATS:
            _, most, body = value
            if most is op.MAXREPEAT and not _is_linear(kind, list(body), earlier, ends, flags):
                yield f"{kind} of {body}"
            yield from _refused(list(body), earlier, is_last=False, flags=flags)
        elif kind is op.BRANCH:
            for branch in value[1]:
                yield from _refused(list(branch), earlier, is_last=ends, flags=flags)
        elif kind is op.SUBPATTERN:
            _, added, removed, body = value
            yield from _refused(list(body), earlier, is_last=ends, flags=(flags | added) & ~removed)
        elif kind is op.ATOMIC_GROUP:
            yield from _refused(list(value), earlier, is_last=ends, flags=flags)
        elif kind in _AROUND:
            yield from _refused(list(value[1]), earlier if value[0] > 0 else [], is_last=False, flags=flags)
        elif kind is op.GROUPREF_EXISTS:
            yield "conditional group"


def _is_linear(kind: Any, body: Sequence[Item], earlier: Sequence[Item], ends: bool, flags: int) -> bool:
    run = _run(body, flags)
    if ends and kind is not op.MIN_REPEAT:  # whatever was run over is a match, and the search goes on behind it
        return run is not None or kind is op.POSSESSIVE_REPEAT
    return run is not None and any(
        _guards(item, run, flags, is_next=number == 1)
        for number, item in enumerate(_back_to_the_next_run(earlier), start=1)
    )


def _back_to_the_next_run(earlier: Sequence[Item]) -> Iterator[Item]:
    """What stands before a run, nearest first, as far as it is bounded, and the run that stands before that."""
    for item in reversed(earlier):
        yield item
        if _is_unbounded(item):
            return


def _is_unbounded(item: Item) -> bool:
    return bool(list(_unbounded_anywhere([item])))


def _unbounded_anywhere(items: Sequence[Item]) -> Iterator[Item]:
    for kind, value in items:
        if kind in _REPEATS:
            if value[1] is op.MAXREPEAT:
                yield kind, value
            yield from _unbounded_anywhere(list(value[2]))
        elif kind is op.BRANCH:
            for branch in value[1]:
                yield from _unbounded_anywhere(list(branch))
        elif kind is op.SUBPATTERN:
            yield from _unbounded_anywhere(list(value[3]))


def _guards(item: Item, run: frozenset[str], flags: int, *, is_next: bool) -> bool:
    """Whether `item`, in front of a run, cannot match within it, so that nobody enters the run twice."""
    kind, value = item
    if kind is op.SUBPATTERN and len(value[3]) == 1:
        return _guards(value[3][0], run, flags, is_next=is_next)
    if kind is op.AT:
        begins = value is op.AT_BEGINNING_STRING or (value is op.AT_BEGINNING and not flags & re.MULTILINE)
        begins_line = value is op.AT_BEGINNING and "\n" not in run
        return begins or begins_line or (value is op.AT_BOUNDARY and run <= WORD_CHARACTERS)
    if kind is op.ASSERT_NOT:
        behind = _run(list(value[1]), flags)
        return value[0] < 0 and behind is not None and run <= behind
    if kind in _REPEATS:  # of at least one character outside of the run, straight in front of it
        one = _run(list(value[2]), flags)
        return is_next and value[0] > 0 and one is not None and one.isdisjoint(run)
    one = _run([item], flags)
    return one is not None and one.isdisjoint(run)


def _run(body: Sequence[Item], flags: int) -> frozenset[str] | None:
    """The characters of which `body` takes exactly one; None where it may take another number of them."""
    kinds = [item for item in body if item[0] not in _AROUND]
    if len(kinds) != 1 or any(_is_unbounded(part) for kind, value in body if kind in _AROUND for part in value[1]):
        return None
    kind, value = kinds[0]
    if kind is op.SUBPATTERN:
        return _run(list(value[3]), (flags | value[1]) & ~value[2])
    found = _characters(kind, value, flags)
    if found is not None and flags & re.IGNORECASE:
        return (found | {each for one in found for each in (one.lower(), one.upper())}) & ALPHABET
    return found


def _characters(kind: Any, value: Any, flags: int) -> frozenset[str] | None:  # noqa: PLR0911  (a table)
    match kind:
        case op.LITERAL:
            return frozenset(chr(value))
        case op.NOT_LITERAL:
            return ALPHABET - {chr(value)}
        case op.ANY:
            return ALPHABET if flags & re.DOTALL else ALPHABET - {"\n"}
        case op.RANGE:
            return frozenset(map(chr, range(value[0], value[1] + 1)))
        case op.CATEGORY:
            return frozenset(one for one in ALPHABET if re.fullmatch(_CATEGORIES[value], one))
        case op.IN:
            parts = [_characters(part, of, flags) or frozenset() for part, of in value if part is not op.NEGATE]
            held = frozenset().union(*parts)
            return ALPHABET - held if value[0][0] is op.NEGATE else held
    return None


def _may_be_empty(item: Item) -> bool:
    kind, value = item
    return kind in _REPEATS and value[0] == 0
