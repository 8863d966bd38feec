"""The rows of somebody's own table as they stand in its file, and a question's corrections in their columns."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from annotation.benchmarks.core.options import BY_LETTER, FROM_1, gold_option, way_to_name, with_letter
from annotation.platform.core.line_files import examine_objects
from annotation.platform.core.table_import import FIRST_COLUMN, Table

ROW: Final = "row"
COLUMNS: Final = "columns"
IS_JSON: Final = "is_json"
"""Of a question's raw line: the row, field → column, and whether it is one of JSON Lines."""

Row = Mapping[str, Any]


def is_json(text: str) -> bool:
    return text.lstrip()[:1] in {"{", "["}


def own_rows(table: Table) -> dict[int, Row]:
    """The file's rows by their lines: cells, or the objects of JSON Lines with whatever they hold."""
    if not is_json(table.text):
        return {row.line: dict(row.cells) for row in table.rows}
    found, _ = examine_objects("table", io.BytesIO(table.text.encode()), lambda line, row: (line, dict(row)))
    # What JSON does not know of numbers, such as NaN, is kept as words.
    return {line: json.loads(json.dumps(row), parse_constant=str) for line, row in found}


def changed(raw: Mapping[str, Any], options: Sequence[str], changes: Mapping[str, str]) -> Row:
    """The row with a question's corrections: its words, its story, its right answer in the way it was named."""
    columns, row = raw[COLUMNS], dict(raw[ROW])
    for name, field in (("text", "question"), ("story", "story")):
        if name in changes:
            row[columns.get(field, field)] = changes[name]
    if "gold" in changes:
        column = columns["gold_index"] if "gold_index" in columns else columns["gold"]
        gold = _named_alike(raw, options, changes["gold"])
        row[column] = _typed_alike(row.get(column), gold)
    return row


def as_csv(rows: Sequence[Row]) -> bytes:
    columns = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["" if name == FIRST_COLUMN else name for name in columns])
    writer.writerows([[row.get(name, "") for name in columns] for row in rows])
    return text.getvalue().encode()


def _named_alike(raw: Mapping[str, Any], options: Sequence[str], words: str) -> str | int:
    """The name of an option: its number or its letter where the published one is named so, and where that means no
    other option.
    """
    if not options:
        return words
    place = options.index(words)
    if "gold_index" in raw:
        return place
    way, found = way_to_name(raw["gold"], options), words
    if way == FROM_1:
        found = str(place + 1)
    elif way == BY_LETTER:
        found = with_letter(raw["gold"], place)
    return words if gold_option(found, options) != place + 1 else int(found) if way == FROM_1 else found


def _typed_alike(published: Any, gold: str | int) -> Any:
    """A number where one stood, a list of one where a list stood, else a text."""
    if isinstance(published, list):
        return [gold]
    is_number = isinstance(published, (int, float)) and not isinstance(published, bool)
    return gold if is_number else str(gold)
