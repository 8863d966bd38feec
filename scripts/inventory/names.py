"""Whether a dotted name is the name of something."""

from dataclasses import fields, is_dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from scripts.inventory.source import module_of


@cache
def resolves(dotted: str) -> bool:
    """Whether it is a module of our own, or something in one. Imports the module."""
    module = module_of(dotted)
    if module is None:
        return False
    found: Any = import_module(module)
    for part in dotted.removeprefix(module).split(".")[1:]:
        if hasattr(found, part):
            found = getattr(found, part)
        elif hasattr(found, "__path__") and find_spec(f"{found.__name__}.{part}"):
            found = import_module(f"{found.__name__}.{part}")  # that of migrations, which nothing has imported yet
        else:
            return is_dataclass(found) and part in {field.name for field in fields(found)}
    return True
