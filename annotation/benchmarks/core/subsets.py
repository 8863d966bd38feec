"""The subsets of an audited benchmark, written in the layout it came in, as its own readers read them."""

import csv
import hashlib
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from annotation.benchmarks.core.items import MORE
from annotation.benchmarks.core.options import options_cell
from annotation.benchmarks.core.own_rows import COLUMNS, IS_JSON, ROW, as_csv, changed

ORIGINAL: Final = "original"
CLEANED: Final = "cleaned"
CORRECTED: Final = "corrected"
SUBSETS: Final = (ORIGINAL, CLEANED, CORRECTED)

_FAUXPAS_COLUMNS: Final = {
    "story_id": "Story ID",
    "question_id": "Question ID",
    "story": "Story",
    "question": "Question",
    "answer": "Answer",
    "source": "Source",
    "created_by": "Created by",
    "type": "Type",
}
Written = Mapping[str, bytes]
"""Files by their names."""


@dataclass(frozen=True)
class Item:
    """A question of a benchmark after its audit. `category` is what was ruled, “none” for no flaw.

    `changes` say what stands in place of what was published: `gold`, `text`, `story`, `roles`.
    """

    number: int
    story: str
    options: tuple[str, ...]
    raw: Mapping[str, Any]
    category: str = "none"
    is_excluded: bool = False
    changes: Mapping[str, str] = field(default_factory=dict)


def members(kind: str, items: Sequence[Item]) -> list[Item]:
    """The questions of a subset, in the file's order, with the corrections that it has.

    Cleaned: without every question that was found flawed, corrected or not. Corrected: without those that were
    excluded, the others as they were corrected.
    """
    if kind == ORIGINAL:
        return [_without_changes(item) for item in items]
    if kind == CLEANED:
        return [_without_changes(item) for item in items if item.category == "none"]
    return [item for item in items if not item.is_excluded]


def _without_changes(item: Item) -> Item:
    return Item(item.number, item.story, item.options, item.raw, item.category, item.is_excluded)


def digest(files: Written) -> str:
    """SHA-256, in hex, over the files' names and SHA-256s, a line for each, by name."""
    lines = "".join(f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in sorted(files.items()))
    return hashlib.sha256(lines.encode()).hexdigest()


def written(layout: str, items: Sequence[Item]) -> Written:
    """The items in the benchmark's layout; what was not changed is as its file had it."""
    return _WRITERS[layout](items)


def _socialiqa(items: Sequence[Item]) -> Written:
    questions, labels = [], []
    for item in items:
        row = {name: value for name, value in item.raw.items() if name not in {"label", MORE}}
        questions.append({**_changed(row, item, story="context", text="question"), **_more(item)})
        gold = item.changes.get("gold")
        labels.append(str(item.options.index(gold) + 1) if gold in item.options else str(item.raw["label"]))
    return {
        "questions.jsonl": _json_lines(questions),
        "labels.lst": "".join(f"{label}\n" for label in labels).encode(),
    }


def _tomi(items: Sequence[Item]) -> Written:
    if all("context" in item.raw for item in items):
        rows = [
            {
                **_changed(
                    {name: value for name, value in item.raw.items() if name not in {"trace", MORE}},
                    item,
                    story="context",
                    text="question",
                    gold="label",
                ),
                **_more(item),
            }
            for item in items
        ]
        found: dict[str, bytes] = {"questions.jsonl": _json_lines(rows)}
    else:
        found = {"questions.txt": "".join(map(_block, items)).encode()}
    traces = [item.changes.get("roles", item.raw.get("trace", "")) for item in items]
    if items and all(traces):
        found["questions.trace"] = "".join(f"{trace}\n" for trace in traces).encode()
    return found


def _block(item: Item) -> str:
    """A question below its story, as ToMi's generator writes them."""
    number, _, rest = str(item.raw["line"]).partition(" ")
    question, gold, *support = rest.split("\t")
    story = item.changes.get("story", item.story)
    if "story" in item.changes:
        number = str(len(story.splitlines()) + 1)
    cells = [item.changes.get("text", question), item.changes.get("gold", gold), *support]
    return f"{story}\n{number} " + "\t".join(cells) + "\n"


def _fauxpas(items: Sequence[Item]) -> Written:
    """The subset in the columns of its file, under their names and in their order."""
    named = {"story": "story", "text": "question", "gold": "answer", "roles": "type"}
    if not items or any(ROW not in item.raw for item in items):
        return _fauxpas_by_fields(items, named)
    rows = [
        {**item.raw[ROW], **{item.raw[COLUMNS][named[name]]: text for name, text in item.changes.items()}}
        for item in items
    ]
    return {"questions.csv": as_csv(rows)}


def _fauxpas_by_fields(items: Sequence[Item], named: Mapping[str, str]) -> Written:
    """The subset of what was read before rows were kept as they stand."""
    rows = [_changed(item.raw, item, **named) for item in items]
    columns = [name for name in _FAUXPAS_COLUMNS if any(name in row for row in rows)]
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow([_FAUXPAS_COLUMNS[name] for name in columns])
    writer.writerows([[row.get(name, "") for name in columns] for row in rows])
    return {"questions.csv": text.getvalue().encode()}


def _table(items: Sequence[Item]) -> Written:
    """The subset in the columns and the format of its file."""
    if not items or any(ROW not in item.raw for item in items):
        return _table_by_fields(items)
    rows = [changed(item.raw, item.options, item.changes) for item in items]
    if any(item.raw[IS_JSON] for item in items):
        return {"questions.jsonl": _json_lines(rows)}
    return {"questions.csv": as_csv(rows)}


def _table_by_fields(items: Sequence[Item]) -> Written:
    """The subset of what was read before rows were kept as they stand."""
    rows = []
    for item in items:
        row = _changed(item.raw, item, story="story", text="question", gold="gold", roles="kind")
        options = row.pop("options", [])
        if "gold_index" in row and "gold" in row:
            row["gold_index"] = item.options.index(row.pop("gold"))
        rows.append({**row, **({"options": options_cell(options)} if options else {})})
    return {"questions.jsonl": _json_lines(rows)}


def _more(item: Item) -> Mapping[str, Any]:
    """What its line has besides, as it was published."""
    found: Mapping[str, Any] = item.raw.get(MORE, {})
    return found


def _changed(row: Mapping[str, Any], item: Item, **columns: str) -> dict[str, Any]:
    return {**row, **{columns[name]: text for name, text in item.changes.items() if name in columns}}


def _json_lines(rows: Sequence[Mapping[str, Any]]) -> bytes:
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows).encode()


_WRITERS: Final[Mapping[str, Callable[[Sequence[Item]], Written]]] = {
    "socialiqa": _socialiqa,
    "tomi": _tomi,
    "fauxpas": _fauxpas,
    "table": _table,
}
