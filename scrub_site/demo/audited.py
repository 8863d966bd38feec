"""Two invented benchmarks, as files of their layouts, and the flaws that were planted in them."""

import io
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from annotation.benchmarks.core.layouts import Files

SOCIAL: Final = Path(__file__).resolve().parent / "sources/audited.toml"
PEOPLE: Final = ("Amara", "Bela", "Chidi", "Dina", "Enzo", "Fatima", "Gita", "Hugo", "Iris", "Jamal")
THINGS: Final = ("kite", "lamp", "scarf", "drum", "pear", "ticket")
PLACES: Final = ("trunk", "basket", "drawer", "crate", "bucket", "cupboard")
ROOMS: Final = ("attic", "cellar", "garden", "pantry")
STORIES: Final = 12
# Of each wrong label, which of its story's questions has it.
WRONG_LABELS: Final[Mapping[int, int]] = {2: 4, 5: 1, 7: 3, 10: 5}


@dataclass(frozen=True)
class Planted:
    """`gold` is the right answer in place of the published one, empty where there is no other."""

    category: str
    flaw: str
    note: str
    gold: str = ""


@dataclass(frozen=True)
class Audited:
    """`flaws` by the question's number in its file, from 1."""

    name: str
    files: Files
    flaws: Mapping[int, Planted]


def social() -> Audited:
    items = tomllib.loads(SOCIAL.read_text())["items"]
    rows = (
        {
            "context": item["context"],
            "question": item["question"],
            **{f"answer{letter}": option for letter, option in zip("ABC", item["options"], strict=True)},
        }
        for item in items
    )
    files: Files = {
        "questions": ("social.jsonl", _file("".join(f"{json.dumps(row)}\n" for row in rows))),
        "labels": ("social.lst", _file("".join(f"{item['right']}\n" for item in items))),
    }
    flaws = {
        number: Planted(item["category"], item["flaw"], item["note"], item.get("gold", ""))
        for number, item in enumerate(items, start=1)
        if "category" in item
    }
    return Audited("Everyday reasons", files, flaws)


def beliefs() -> Audited:
    """Stories in which somebody goes away, or does not, while a thing is moved: six questions about each."""
    text, flaws, number = "", {}, 0
    for story in range(STORIES):
        told, answers = _story(story)
        for place, (question, right) in enumerate(answers.items()):
            number += 1
            label = right
            if WRONG_LABELS.get(story) == place:
                label = next(name for name in _places(story) if name != right)
                flaws[number] = Planted(
                    "structural", "wrong_label", "The label contradicts what the story tells.", right
                )
            text += f"{told}{len(told.splitlines()) + 1} {question}\t{label}\t1\n"
    return Audited("Where is it?", {"questions": ("beliefs.txt", _file(text))}, flaws)


def _file(text: str) -> io.BytesIO:
    return io.BytesIO(text.encode())


def _places(story: int) -> tuple[str, str]:
    return PLACES[story % len(PLACES)], PLACES[(story + 1 + story // len(PLACES)) % len(PLACES)]


def _story(number: int) -> tuple[str, dict[str, str]]:
    """A story's statements, and question → answer. In every third story nobody goes away."""
    stays, leaves = PEOPLE[number % len(PEOPLE)], PEOPLE[(number + 3) % len(PEOPLE)]
    thing, room = THINGS[number % len(THINGS)], ROOMS[number % len(ROOMS)]
    first, then = _places(number)
    is_away = number % 3 != 2
    statements = [
        f"{stays} entered the {room}.",
        f"{leaves} entered the {room}.",
        f"The {thing} is in the {first}.",
        *([f"{leaves} exited the {room}."] if is_away else []),
        f"{stays} moved the {thing} to the {then}.",
    ]
    believed = first if is_away else then
    return "".join(f"{line} {statement}\n" for line, statement in enumerate(statements, start=1)), {
        f"Where was the {thing} at the beginning?": first,
        f"Where is the {thing} really?": then,
        f"Where will {stays} look for the {thing}?": then,
        f"Where will {leaves} look for the {thing}?": believed,
        f"Where does {leaves} think that {stays} searches for the {thing}?": believed,
        f"Where does {stays} think that {leaves} searches for the {thing}?": believed,
    }
