"""Small faults of a source: where, what, and by what it is replaced. Offsets are in bytes."""

import ast
import copy
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import Final

Fault = tuple[int, str, str]
Faults = Callable[[str], Iterator[Fault]]

OPPOSITES: Final[dict[type[ast.AST], type[ast.AST]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
}
# Patterns with one group, and what it is replaced by.
TEMPLATE_FAULTS: Final = (
    (r"(\{\{[^}]+\}\})", ""),
    (r"\{% if (?=[\w.]+ %\})()", "not "),
    (r"(\{% url [^%]+%\})", "/"),
    (r"\s((?:hidden|disabled|required|checked|autofocus|novalidate)(?=[\s>]))", ""),
)
SCRIPT_FAULTS: Final = (
    (r" (===) ", "!=="),
    (r" (!==) ", "==="),
    (r" (&&) ", "||"),
    (r" (\|\|) ", "&&"),
    (r" (<) ", "<="),
    (r" (>=) ", ">"),
    (r" (\+) 1\b", "-"),
    (r"\b(true)\b", "false"),
    (r"\b(false)\b", "true"),
    (r"(?m)^ +([\w.]+\([^\n]*\);)$", ";"),
    (r"\bif \((!)", ""),
)
STYLE_FAULTS: Final = ((r"(?m)^ +([a-z-]+: [^;{}]+;)$", ""),)


def python_faults(source: str) -> Iterator[Fault]:
    """Of one module: where, what, and by what it is replaced."""
    content = source.encode()
    starts = [0, *accumulate(map(len, content.splitlines(keepends=True)))]
    for node, text in _faults_below(ast.parse(source)):
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
        yield start, content[start:end].decode(), text


def _faults_below(node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    """Types, patterns and parts of formatted strings are left alone: they are no code, or have no exact place."""
    if isinstance(node, ast.JoinedStr | ast.MatchValue) or _is_docstring(node):
        return
    match node:
        case ast.Expr(value=ast.Call() as value):
            yield value, "None"
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield value, "None"
    if isinstance(node, ast.If | ast.IfExp) and _turned(node.test) is None:  # else it is turned by itself
        yield node.test, f"(not ({ast.unparse(node.test)}))"
    if isinstance(node, ast.expr) and (turned := _turned(node)):
        yield node, f"({ast.unparse(turned)})"
    for name, value in ast.iter_fields(node):
        if name not in {"annotation", "returns"}:
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _faults_below(child)


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _turned(node: ast.expr) -> ast.expr | None:
    """The expression with its first operator turned round, or its value changed."""
    other = copy.deepcopy(node)
    match other:
        case ast.Compare(ops=[first, *_]) if type(first) in OPPOSITES:
            other.ops[0] = OPPOSITES[type(first)]()  # type: ignore[call-overload]
        case ast.BoolOp(op=op) | ast.BinOp(op=op) if type(op) in OPPOSITES:
            other.op = OPPOSITES[type(op)]()  # type: ignore[assignment]
        case ast.UnaryOp(op=ast.Not()):
            return other.operand
        case ast.Constant(value=bool()):
            other.value = not other.value
        case ast.Constant(value=int() as number):
            other.value = number + 1
        case _:
            return None
    return other


def constraint_faults(source: str) -> Iterator[Fault]:
    """Of a migration: constraints that are left out."""
    for node in ast.walk(ast.parse(source)):
        for part in node.elts if isinstance(node, ast.List) else ():
            match part:
                case ast.Call(func=ast.Attribute(attr="AddConstraint") | ast.Name(id="AddConstraint")):
                    yield *_span(part, source), 'migrations.RunSQL("SELECT 1")'
                case ast.Call(func=ast.Name(id="CheckConstraint" | "UniqueConstraint")):
                    yield *_span(part, source), "*[]"


def _span(node: ast.expr, source: str) -> tuple[int, str]:
    """Where an expression begins, in bytes, and what it says."""
    before = source.encode().splitlines(keepends=True)[: node.lineno - 1]
    return sum(map(len, before)) + node.col_offset, ast.get_source_segment(source, node) or ""


def text_faults(patterns: Sequence[tuple[str, str]]) -> Faults:
    def faults(source: str) -> Iterator[Fault]:
        for pattern, text in patterns:
            for hit in re.finditer(pattern, source):
                # What stands around it goes with it, so that the place can be found again.
                whole = hit[0][: hit.start(1) - hit.start()] + text + hit[0][hit.end(1) - hit.start() :]
                yield len(source[: hit.start()].encode()), hit[0], whole

    return faults
