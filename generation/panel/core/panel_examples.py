"""Worked examples for judge models, in the form of what a run asks for."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import chain

from generation.catalogue.core.prompt_templates import EXAMPLES
from generation.catalogue.core.worked_examples import WorkedExample, fitted, read_examples, version_of
from generation.panel.core.panel import Shape, reply_schema
from generation.panel.core.panel_replies import read_reply

Examples = Mapping[str, Sequence[WorkedExample]]


def examples_for(toml: str, shape: Shape, prompts: Sequence[str]) -> Examples:
    """What each of `prompts`, dimensions with one of their own or "", shows of a file of examples.

    Raises `Refused` where a reply in the file is not what the run asks for.
    """
    found = {}
    for dimension in prompts:
        of_one = replace(shape, dimension=dimension)
        found[dimension] = fitted(read_once(toml), reply_schema(of_one), partial(read_reply, shape=of_one))
    return found


@lru_cache(maxsize=16)
def read_once(toml: str) -> tuple[WorkedExample, ...]:
    """The examples of a file, whatever is asked for. Raises `Refused`."""
    return read_examples(toml, names=EXAMPLES["panel_examples"])


def version_of_examples(examples: Examples) -> str:
    """Twelve hex digits; "" where there are none."""
    return version_of(list(chain.from_iterable(examples.values())))
