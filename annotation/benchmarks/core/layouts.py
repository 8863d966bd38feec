"""The layouts in which benchmarks come, and the files of each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import BinaryIO, Final, Literal

from annotation.benchmarks.core import fauxpas, mapped_file, socialiqa, tomi
from annotation.benchmarks.core.items import Reading
from annotation.platform.core.errors import Refused

LayoutName = Literal["socialiqa", "tomi", "fauxpas", "table"]
SlotName = Literal["questions", "labels", "trace"]
Files = Mapping[SlotName, tuple[str, BinaryIO]]
"""Each file by what it is for, with its name and a stream from its beginning."""


@dataclass(frozen=True)
class Slot:
    """A file of a layout. `suffixes` are those its name may have; `.gz` may follow each."""

    name: SlotName
    label: str
    suffixes: tuple[str, ...]
    is_required: bool = True


@dataclass(frozen=True)
class Layout:
    name: LayoutName
    label: str
    words: str
    slots: tuple[Slot, ...]
    examples: tuple[str, ...]  # static files, one for each slot that is required
    read: Callable[[Files, Mapping[str, str]], Reading]


LAYOUTS: Final[Mapping[str, Layout]] = {
    layout.name: layout
    for layout in (
        Layout(
            "socialiqa",
            "SocialIQA",
            "Questions as JSON Lines with context, question and three answers, and a list of the right ones.",
            (Slot("questions", "Questions", (".jsonl",)), Slot("labels", "Labels", (".lst", ".txt"))),
            ("benchmark-socialiqa.jsonl", "benchmark-socialiqa-labels.lst"),
            lambda files, _: socialiqa.read(files["questions"], files["labels"]),
        ),
        Layout(
            "tomi",
            "ToMi",
            "Numbered statements with a question below, as generated, or JSON Lines as published after an audit; "
            "with the trace, types of stories and roles are checked too.",
            (
                Slot("questions", "Questions", (".txt", ".jsonl")),
                Slot("trace", "Trace", (".trace",), is_required=False),
            ),
            ("benchmark-tomi.txt",),
            lambda files, _: tomi.read(files["questions"], files.get("trace")),
        ),
        Layout(
            "fauxpas",
            "FauxPas-EAI",
            "A table with a row for each question: story ID, question ID, story, question and answer.",
            (Slot("questions", "Questions", (".csv",)),),
            ("benchmark-fauxpas.csv",),
            lambda files, _: fauxpas.read(files["questions"]),
        ),
        Layout(
            "table",
            "A table of another benchmark",
            "CSV or JSON Lines with a row for each question: question and right answer; story, options, kind and "
            "source where there are such.",
            (Slot("questions", "Questions", (".csv", ".tsv", ".jsonl")),),
            ("benchmark-table.csv",),
            lambda files, mapping: mapped_file.read(files["questions"], mapping),
        ),
    )
}


def without_gz(name: str) -> str:
    return name[:-3] if name.casefold().endswith(".gz") else name


def read(layout: Layout, files: Files, mapping: Mapping[str, str] | None = None) -> Reading:
    """What the files of a benchmark come to.

    `mapping`, of a table alone, is field → column; fields that it does not name are known by their columns' names.
    Raises `Refused` where a file is missing or is called otherwise than such files are, and `BrokenFile`, which is
    a refusal, for one that cannot be read at all.
    """
    for slot in layout.slots:
        if slot.name not in files:
            if slot.is_required:
                raise Refused(f"Choose the file with the {slot.label.lower()}.", field=slot.name)
            continue
        name = files[slot.name][0]
        if not without_gz(name).casefold().endswith(slot.suffixes):
            endings = " or ".join(slot.suffixes)
            raise Refused(f"{name} cannot be read: the name of such a file ends in {endings}.", field=slot.name)
    reading = layout.read(files, mapping or {})
    if not reading.stories and not reading.problems:
        raise Refused("There is no question in it.", field="questions")
    return reading
