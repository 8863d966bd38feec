"""The BBQ source: one scenario for each social concept.

Every concept appears in BBQ many times: with the ambiguity resolved or not, asked negatively or not, with
other names, in other answer orders. The reduction keeps one item of each.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, BinaryIO, Final, TypedDict, cast, get_origin

from annotation.platform.core.errors import Refused
from annotation.platform.core.line_files import read_objects
from generation.sources.core.funnel import Funnel, Reduction, Scenario, each_once


class Item(TypedDict):
    """One line of a BBQ file as published. `example_id` is unique within its category."""

    example_id: int
    question_index: str
    question_polarity: str
    context_condition: str
    category: str
    answer_info: dict[str, list[str]]
    additional_metadata: dict[str, object]
    context: str
    question: str
    ans0: str
    ans1: str
    ans2: str
    label: int


_MAX_CATEGORY_LENGTH: Final = 60

_KINDS = {key: cast(type, get_origin(kind) or kind) for key, kind in Item.__annotations__.items()}
_KIND_NAMES: dict[type, str] = {str: "a text", int: "a whole number", dict: "an object"}
_KNOWN_VALUES: dict[str, tuple[str | int, ...]] = {
    "context_condition": ("ambig", "disambig"),
    "question_polarity": ("neg", "nonneg"),
    "label": (0, 1, 2),
}


def read_items(name: str, stream: BinaryIO) -> Iterator[Item]:
    """The items of one file, plain or compressed, in its order. Raises `BrokenFile` at the first bad line."""
    return read_objects(name, stream, _item)


def reduce(items: Iterable[Item]) -> Reduction:
    """Keep ambiguous contexts, then negative questions, then one item per (category, question_index).

    The representative is the item with the smallest `example_id`, so the input's order changes nothing in the
    counts and the scenarios; what was removed is listed in the input's order, in the last step with the key of the
    scenario that represents it. A scenario's key is its category and
    question index ("Age-12"), its payload also has `label` (index of the answer "unknown"), `example_id`,
    `answer_info` and `additional_metadata` as published. Raises `Refused` where an item occurs twice.
    """
    funnel = Funnel("all items", each_once(items, _identity), _told)
    funnel.narrow("context_condition = ambig", lambda item: None if item["context_condition"] == "ambig" else "")
    funnel.narrow("question_polarity = neg", lambda item: None if item["question_polarity"] == "neg" else "")
    chosen: dict[tuple[str, int], Item] = {}
    for item in sorted(funnel.items(), key=lambda item: item["example_id"]):
        chosen.setdefault(_concept(item), item)
    funnel.narrow(
        "one per category and question_index",
        lambda item: None if chosen[_concept(item)] is item else f"represented by {_key(item)}",
        counts_by_rule=False,
    )
    return funnel.reduction(_scenario(chosen[concept]) for concept in sorted(chosen))


def _told(item: Item) -> tuple[str, str]:
    return _identity(item), f"{item['context']} {item['question']}"


def _identity(item: Item) -> str:
    return f"{item['category']} {item['example_id']}"


def _concept(item: Item) -> tuple[str, int]:
    return item["category"], int(item["question_index"])


def _key(item: Item) -> str:
    category, index = _concept(item)
    return f"{category}-{index}"


def _scenario(item: Item) -> Scenario:
    return Scenario(
        key=_key(item),
        stratum=item["category"],
        payload={
            "context": item["context"],
            "question": item["question"],
            "answers": [item["ans0"], item["ans1"], item["ans2"]],
            "label": item["label"],
            "example_id": item["example_id"],
            "answer_info": item["answer_info"],
            "additional_metadata": item["additional_metadata"],
        },
    )


def _item(data: Mapping[str, Any]) -> Item:
    """The object as a checked item; raises `Refused` with what is wrong."""
    missing = _KINDS.keys() - data.keys()
    if missing:
        raise Refused(f"missing: {', '.join(sorted(missing))}")
    for key, kind in _KINDS.items():
        if type(data[key]) is not kind:
            raise Refused(f"{key} is not {_KIND_NAMES[kind]}: {data[key]!r}")
        if kind is str and not data[key].strip():
            raise Refused(f"{key} is blank")
    if len(data["category"]) > _MAX_CATEGORY_LENGTH:
        raise Refused(f"category has more than {_MAX_CATEGORY_LENGTH} characters")
    if not re.fullmatch("[0-9]{1,9}", data["question_index"]):
        raise Refused(f"question_index is not a number: {data['question_index']!r}")
    for key, known in _KNOWN_VALUES.items():
        if data[key] not in known:
            raise Refused(f"{key} is {data[key]!r}, not one of {', '.join(map(str, known))}")
    return cast(Item, data)
