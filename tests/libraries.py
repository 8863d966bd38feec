"""Libraries that only a few tests need, most of them independent judges of what the project computes or sends.

They take seconds to load. So they are loaded by the test that asks first, and the tests of all modules that ask
share a process (see `tests.conftest`): the others never load them.
"""

from functools import cache
from importlib import import_module
from typing import Any


@cache
def library(module: str) -> Any:
    """The module of that name, whose types are not looked into."""
    return import_module(module)
