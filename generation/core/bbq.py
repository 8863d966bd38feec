"""The BBQ source: reads its files and reduces its items to one scenario per social concept.

Every concept appears in BBQ many times: with the ambiguity resolved or not, asked negatively or not, with
other names, in other answer orders. The reduction keeps one item of each.
"""

import gzip
import json
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TypedDict, cast, get_origin

SUFFIXES = (".jsonl", ".jsonl.gz")

_LINES_PER_PROGRESS = 1000


class Item(TypedDict):
    """One line of a BBQ file, exactly as published. `example_id` is unique within its category."""

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


_KINDS = {key: cast(type, get_origin(kind) or kind) for key, kind in Item.__annotations__.items()}
_KIND_NAMES: dict[type, str] = {str: "a text", int: "a whole number", dict: "an object"}
_KNOWN_VALUES: dict[str, tuple[str | int, ...]] = {
    "context_condition": ("ambig", "disambig"),
    "question_polarity": ("neg", "nonneg"),
    "label": (0, 1, 2),
}


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the reduction: how many items it kept, and how many of the previous step's it removed."""

    name: str
    kept: int
    removed: int


@dataclass(frozen=True, slots=True)
class Scenario:
    """One social concept, represented by one item.

    `key` is stable and unique ("Age-12": category and question index); `category` is the sampling stratum;
    `payload` can be stored as JSON: context, question, answers (three texts), label (index of the answer
    "unknown"), example_id, answer_info and additional_metadata (as published: groups and their citation).
    """

    key: str
    category: str
    payload: dict[str, object]


@dataclass(frozen=True, slots=True)
class Reduction:
    """The steps in their order, the first one counting all items, and the scenarios by category and index."""

    steps: tuple[Step, ...]
    scenarios: tuple[Scenario, ...]


class BrokenLine(ValueError):
    """A line that is not a BBQ item. `file` is the file's name, `line` counts from 1, `why` is for people."""

    def __init__(self, file: str, line: int, why: str) -> None:
        super().__init__(f"{file}, line {line}: {why}")
        self.file, self.line, self.why = file, line, why


class RepeatedItem(ValueError):
    """The same category and example id twice, as when a folder holds a file and its copy."""

    def __init__(self, category: str, example_id: int) -> None:
        super().__init__(f"{category} item {example_id} occurs twice; is there a file and its copy?")


def files_of(folder: Path) -> list[Path]:
    """The folder's .jsonl and .jsonl.gz files by name, hidden ones left out.

    Raises FileNotFoundError if the folder is missing or holds no such file, NotADirectoryError if it is none.
    """
    if not folder.exists():
        raise FileNotFoundError(f"There is no folder {folder}.")
    if not folder.is_dir():
        raise NotADirectoryError(f"{folder} is not a folder.")
    files = sorted(
        file for file in folder.iterdir() if file.name.endswith(SUFFIXES) and not file.name.startswith(".")
    )
    if not files:
        raise FileNotFoundError(f"The folder {folder} holds no {' or '.join(SUFFIXES)} file.")
    return files


def read_items(path: Path, progress: Callable[[int], object] = lambda _: None) -> Iterator[Item]:
    """The items of one file in its order; blank lines are passed over.

    `progress` is called every thousand lines and at the end with the bytes of the stored file consumed since
    its last call; over a whole file the calls add up to the file's size. Raises `BrokenLine` at the first bad
    line.
    """
    for number, line in _numbered_lines(path, progress):
        if line.isspace():
            continue
        try:
            item = _item(line)
        except ValueError as fault:
            raise BrokenLine(path.name, number, str(fault)) from fault
        yield item


def reduce(items: Iterable[Item]) -> Reduction:
    """Keep ambiguous contexts, then negative questions, then one item per (category, question_index).

    The representative is the item with the smallest `example_id`, so the input's order changes nothing. Items
    that fall out are only counted. Raises `RepeatedItem`.
    """
    total = ambiguous = negative = 0
    seen: set[tuple[str, int]] = set()
    chosen: dict[tuple[str, int], Item] = {}
    for item in items:
        identity = (item["category"], item["example_id"])
        if identity in seen:
            raise RepeatedItem(*identity)
        seen.add(identity)
        total += 1
        if item["context_condition"] != "ambig":
            continue
        ambiguous += 1
        if item["question_polarity"] != "neg":
            continue
        negative += 1
        concept = (item["category"], int(item["question_index"]))
        rival = chosen.get(concept)
        if rival is None or item["example_id"] < rival["example_id"]:
            chosen[concept] = item
    return Reduction(
        steps=(
            Step("all items", total, 0),
            Step("context_condition = ambig", ambiguous, total - ambiguous),
            Step("question_polarity = neg", negative, ambiguous - negative),
            Step("one per category and question_index", len(chosen), negative - len(chosen)),
        ),
        scenarios=tuple(_scenario(category, index, chosen[category, index]) for category, index in sorted(chosen)),
    )


def _scenario(category: str, index: int, item: Item) -> Scenario:
    return Scenario(
        key=f"{category}-{index}",
        category=category,
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


def _numbered_lines(path: Path, progress: Callable[[int], object]) -> Iterator[tuple[int, bytes]]:
    number = 0
    reported = 0
    with path.open("rb") as stored:
        lines = cast(BinaryIO, gzip.GzipFile(fileobj=stored)) if path.suffix == ".gz" else stored
        try:
            for number, line in enumerate(lines, start=1):
                yield number, line
                if number % _LINES_PER_PROGRESS == 0:
                    position = stored.tell()
                    progress(position - reported)
                    reported = position
        except (gzip.BadGzipFile, EOFError, zlib.error) as fault:
            raise BrokenLine(path.name, number + 1, f"the gzip data are damaged ({fault})") from fault
        progress(stored.tell() - reported)


def _item(line: bytes) -> Item:
    """The line as a checked item; raises ValueError with what is wrong."""
    try:
        data = json.loads(line.decode())
    except UnicodeDecodeError as fault:
        raise ValueError(f"not UTF-8 (byte {fault.start + 1} of the line)") from fault
    except (ValueError, RecursionError) as fault:
        raise ValueError(f"not JSON ({fault})") from fault
    if not isinstance(data, dict):
        raise ValueError("not a JSON object")
    missing = _KINDS.keys() - data.keys()
    if missing:
        raise ValueError(f"missing: {', '.join(sorted(missing))}")
    for key, kind in _KINDS.items():
        if type(data[key]) is not kind:
            raise ValueError(f"{key} is not {_KIND_NAMES[kind]}: {data[key]!r}")
        if kind is str and not data[key].strip():
            raise ValueError(f"{key} is blank")
    if not data["question_index"].isdecimal():
        raise ValueError(f"question_index is not a number: {data['question_index']!r}")
    for key, known in _KNOWN_VALUES.items():
        if data[key] not in known:
            raise ValueError(f"{key} is {data[key]!r}, not one of {', '.join(map(str, known))}")
    return cast(Item, data)
