"""What Django knows of the site: its addresses and its models."""

import re
from collections.abc import Callable, Iterator
from itertools import combinations, zip_longest
from pathlib import Path
from typing import Any

from django.apps import apps
from django.db.models import Field, Model
from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.converters import get_converters

from scripts.inventory.folders import write_lines
from scripts.inventory.source import APPS, PACKAGES

_OPTIONS = ("db_table", "permissions", "default_permissions", "ordering", "unique_together", "managed", "proxy")


def record_urls(folder: Path) -> None:
    """A line for each address: its pattern, its name, the view's name and the methods it takes, where known."""
    entries = list(_addresses(get_resolver().url_patterns))
    write_lines(
        folder / "urls.txt",
        [f"{path} | {entry.name} | {_view(entry)} | {_methods(entry.callback)}" for path, entry in entries],
    )
    paths = [path for path, _ in entries]  # the first that fits is served
    order = [f"{one} before {other}" for one, other in combinations(paths, 2) if _may_be_same(one, other)]
    write_lines(folder / "order.txt", order)


def _may_be_same(one: str, other: str) -> bool:
    """Whether an address may fit both patterns."""
    if "^" in one + other:  # others' addresses, which come by an expression
        return False
    return all(_fits(*pair) for pair in zip_longest(one.split("/"), other.split("/")))


def _fits(one: str | None, other: str | None) -> bool:
    """Whether a part of an address may fit both parts of patterns."""
    if one is None or other is None or one == other:
        return one == other
    if "<" in one and "<" in other:
        return True
    pattern, text = (one, other) if "<" in one else (other, one)
    found = re.fullmatch(r"(.*)<(?:(\w+):)?\w+>(.*)", pattern)
    if found is None:
        return False
    start, converter, end = found.groups()
    regex = get_converters()[converter or "str"].regex
    return bool(re.fullmatch(f"{re.escape(start)}(?:{regex}){re.escape(end)}", text))


def _addresses(patterns: list[URLPattern | URLResolver], prefix: str = "") -> Iterator[tuple[str, URLPattern]]:
    for entry in patterns:
        path = f"{prefix}{entry.pattern}"
        if isinstance(entry, URLResolver):
            yield from _addresses(entry.url_patterns, path)
        else:
            yield path, entry


def routes() -> dict[str, str]:
    """The patterns of all addresses by their names."""
    return {entry.name: path for path, entry in _addresses(get_resolver().url_patterns) if entry.name}


def _view(entry: URLPattern) -> str:
    view = getattr(entry.callback, "view_class", entry.callback)
    return str(getattr(view, "__name__", view))


def _methods(view: Callable[..., Any] | None) -> str:
    """From the lists that `require_http_methods` and its like keep, through all decorators."""
    while view is not None:
        for cell in getattr(view, "__closure__", None) or ():
            held = cell.cell_contents
            if isinstance(held, list) and held and all(isinstance(each, str) and each.isupper() for each in held):
                return " ".join(sorted(held))
        view = getattr(view, "__wrapped__", None)
    return "any"


def record_models(folder: Path) -> None:
    """Every model of our own with its options, fields, constraints and indexes; where it is defined is left out."""
    models = [model for model in apps.get_models(include_auto_created=True) if model._meta.app_label in APPS]
    write_lines(folder / "models.txt", [line for model in models for line in _model(model)])


def _model(model: type[Model]) -> Iterator[str]:
    name, options = model._meta.label, model._meta
    yield f"{name} has managers {sorted(manager.name for manager in options.managers)}"
    for option in _OPTIONS:
        yield f"{name} option {option} = {_told(getattr(options, option))}"
    for field in options.local_fields + options.local_many_to_many:
        yield f"{name}.{field.name}: {_field(field)}"
    for part in (*options.constraints, *options.indexes):
        yield f"{name} {_told(part)}"


def _field(field: "Field[Any, Any]") -> str:
    _, path, args, kwargs = field.deconstruct()
    given = [*(_told(arg) for arg in args), *(f"{key}={_told(value)}" for key, value in sorted(kwargs.items()))]
    return f"{path.rpartition('.')[2]}({', '.join(given)})"


def _told(value: object) -> str:
    """A value in words that do not say in which module something of our own is."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_told(key)}: {_told(each)}' for key, each in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(_told(each) for each in value)}]"
    if isinstance(value, set | frozenset):
        return f"{{{', '.join(sorted(_told(each) for each in value))}}}"
    if not isinstance(value, type) and hasattr(value, "deconstruct"):
        path, args, kwargs = value.deconstruct()[-3:]
        return f"{_without_module(path)}({_told(args)}, {_told(dict(sorted(kwargs.items())))})"
    if callable(value) and hasattr(value, "__qualname__"):
        return _without_module(f"{value.__module__}.{value.__qualname__}")
    return repr(value)


def _without_module(path: str) -> str:
    return path.rpartition(".")[2] if path.partition(".")[0] in PACKAGES else path
