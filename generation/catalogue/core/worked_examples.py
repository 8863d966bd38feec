"""Worked examples: what others made of other texts, shown to a model before it says what it makes of one."""

import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from annotation.platform.core.errors import Refused
from annotation.platform.core.text import clean, sha256_hex
from generation.catalogue.core.fences import fenced
from generation.catalogue.core.toml_tables import check_names

MAX_EXAMPLES: Final = 10


@dataclass(frozen=True)
class WorkedExample:
    """`texts` are by the names under which a request shows them; `reply` is the JSON object given to them."""

    texts: Mapping[str, str]
    reply: Mapping[str, Any]


def read_examples(toml: str, *, names: Mapping[str, str]) -> tuple[WorkedExample, ...]:
    """The examples of a file, in its order; none where it has none.

    `names` says under which key of an example each text stands, by its name in a request. Raises `Refused`.
    """
    try:
        table = tomllib.loads(toml)
    except tomllib.TOMLDecodeError as fault:
        raise Refused(f"The examples are no TOML: {fault}.") from fault
    check_names(table, (), "the file", optional=("examples",))
    rows = table.get("examples", [])
    if not isinstance(rows, list) or len(rows) > MAX_EXAMPLES:
        raise Refused(f"“examples” are up to {MAX_EXAMPLES} tables, each under [[examples]].")
    return tuple(_example(row, f"example {number}", names) for number, row in enumerate(rows, start=1))


def _example(row: Any, where: str, names: Mapping[str, str]) -> WorkedExample:
    check_names(row, (*names.values(), "reply"), where)
    texts = {name: clean(row[key]).strip() if isinstance(row[key], str) else "" for name, key in names.items()}
    if empty := [key for name, key in names.items() if not texts[name]]:
        raise Refused(f"“{empty[0]}” of {where} is no text.")
    if not isinstance(row["reply"], Mapping):
        raise Refused(f"The reply of {where} is no table.")
    return WorkedExample(texts, row["reply"])


def fitted(
    examples: Sequence[WorkedExample], schema: Mapping[str, Any], read: Callable[[str], object]
) -> tuple[WorkedExample, ...]:
    """The examples with what of their replies the JSON `schema` asks for, in its order.

    `read` reads a reply, and raises `ValueError` for one that a model would have to give again. Raises `Refused`
    where it does.
    """
    found = []
    for number, example in enumerate(examples, start=1):
        reply = _part(example.reply, schema)
        try:
            read(json.dumps(reply))
        except ValueError as fault:
            raise Refused(f"The reply of worked example {number} is not what is asked for here. {fault}") from fault
        found.append(WorkedExample(example.texts, reply))
    return tuple(found)


def _part(value: Any, schema: Mapping[str, Any]) -> Any:
    if not isinstance(value, Mapping) or "properties" not in schema:
        return value
    return {name: _part(value[name], part) for name, part in schema["properties"].items() if name in value}


def before(materials: str, examples: Sequence[WorkedExample]) -> str:
    """The materials of a request after the examples; as they are where there are none."""
    if not examples:
        return materials
    shown = []
    for number, example in enumerate(examples, start=1):
        reply = json.dumps(example.reply, ensure_ascii=False)
        shown += [f"Example {number}", fenced(example.texts), "The reply to it:", reply]
    return "\n\n".join([_BEFORE, *shown, _AFTER, materials])


def version_of(examples: Sequence[WorkedExample]) -> str:
    """Twelve hex digits that tell them from others; "" of none."""
    said = [{"texts": dict(each.texts), "reply": dict(each.reply)} for each in examples]
    return sha256_hex(json.dumps(said, sort_keys=True))[:12] if examples else ""


_BEFORE: Final = "These examples show how the same task was done before. They are no part of what you judge."
_AFTER: Final = "The examples end here. What follows is what you judge."
