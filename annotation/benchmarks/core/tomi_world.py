"""What follows from a ToMi story: where its thing is, who saw it being moved, and who thinks what.

People see what happens in the room where they are. Whoever comes into the thing's room again may find it there or
may not have looked yet: the stories do not say, so both readings are followed.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from annotation.benchmarks.core.tomi import asked

_NUMBER: Final = r"(?:\d{1,4}\s{1,9})?"
_NAME: Final = r"\S{1,80}"
_ENTERED: Final = re.compile(rf"{_NUMBER}({_NAME}) (?:entered|came into|is in) the ({_NAME}?)\.?")
_EXITED: Final = re.compile(rf"{_NUMBER}({_NAME}) (?:exited|left|went out of) the ({_NAME}?)\.?")
_MOVED: Final = re.compile(rf"{_NUMBER}({_NAME}) moved the ({_NAME}) to the ({_NAME}?)\.?")
_STANDS: Final = re.compile(rf"{_NUMBER}The ({_NAME}) (?:is|was|are|were) in the ({_NAME}?)\.?")
_FEELS: Final = re.compile(rf"{_NUMBER}{_NAME} (?:likes|loves|dislikes|hates|wants) the {_NAME}?\.?")

MAX_STATEMENTS: Final = 60
MAX_PEOPLE: Final = 6
MAX_THINGS: Final = 3
"""Far more than such stories have. A longer one is not followed: that takes so many times so many steps."""

Step = tuple[str, tuple[str, ...]]


@dataclass(frozen=True)
class Beliefs:
    """Beliefs about one thing, by people's names: where each thinks that it is, and where each thinks that another
    does.
    """

    beginning: str
    really: str
    first: Mapping[str, str]
    second: Mapping[tuple[str, str], str]


@dataclass(frozen=True)
class World:
    """A story that was understood. `unclear` are its lines that were not; `movers` moved something."""

    things: Mapping[str, tuple[Beliefs, Beliefs]]
    movers: frozenset[str]
    unclear: tuple[str, ...]

    def answers(self, question: str) -> tuple[str, ...]:
        """What is right by each reading: one answer where both agree, none where the story says too little."""
        kind, named = asked(question)
        if named.get("thing") not in self.things:
            return ()
        found = [_answer(kind, named, beliefs) for beliefs in self.things[named["thing"]]]
        return () if None in found else tuple(dict.fromkeys(filter(None, found)))


def world_of(story: str) -> World:
    """Follow a story, a statement in each line; not one with more of them, people or things than such have."""
    if story.count("\n") >= MAX_STATEMENTS:
        return World({}, frozenset(), (f"More than {MAX_STATEMENTS} statements",))
    steps, unclear = _steps(story)
    things = dict.fromkeys(names[0] for verb, names in steps if verb == "stands")
    people = {names[0] for verb, names in steps if verb in {"enters", "exits"}}
    if len(things) > MAX_THINGS or len(people) > MAX_PEOPLE:
        return World({}, frozenset(), (f"More than {MAX_PEOPLE} people or {MAX_THINGS} things",))
    return World(
        things={thing: (_follow(steps, thing, looks=True), _follow(steps, thing, looks=False)) for thing in things},
        movers=frozenset(names[2] for verb, names in steps if verb == "moves"),
        unclear=tuple(unclear),
    )


def _steps(story: str) -> tuple[list[Step], list[str]]:
    """What happens, one after the other, and the lines that say nothing known here. Tastes change nothing."""
    known: tuple[tuple[str, re.Pattern[str], Callable[[re.Match[str]], tuple[str, ...]]], ...] = (
        ("stands", _STANDS, lambda found: (found[1], found[2])),
        ("enters", _ENTERED, lambda found: (found[1], found[2])),
        ("exits", _EXITED, lambda found: (found[1], found[2])),
        ("moves", _MOVED, lambda found: (found[2], found[3], found[1])),
    )
    steps: list[Step] = []
    unclear = []
    for line in filter(None, map(str.strip, story.splitlines())):
        found = next(
            ((verb, names(match)) for verb, pattern, names in known if (match := pattern.fullmatch(line))), None
        )
        if found:
            steps.append(found)
        elif not _FEELS.fullmatch(line):
            unclear.append(line)
    return steps, unclear


@dataclass
class _Scene:
    """People by the room where they are, and one thing."""

    room_of_thing: str
    looks: bool
    place: str = ""
    beginning: str = ""
    rooms: dict[str, str] = field(default_factory=dict)
    first: dict[str, str] = field(default_factory=dict)
    second: dict[tuple[str, str], str] = field(default_factory=dict)

    def here(self) -> list[str]:
        return [person for person, room in self.rooms.items() if room == self.room_of_thing]

    def everybody_here_sees(self) -> None:
        here = self.here()
        for person in here:
            self.first[person] = self.place
            self.second |= {(person, other): self.place for other in here if other != person}

    def enters(self, person: str, room: str) -> None:
        self.rooms[person] = room
        if not (self.looks and self.place and room == self.room_of_thing):
            return
        self.first[person] = self.place
        for other in self.here():
            if other != person:
                self.second[person, other] = self.second[other, person] = self.place


def _follow(steps: Sequence[Step], thing: str, *, looks: bool) -> Beliefs:
    scene = _Scene(_room_of(steps, thing), looks)
    for verb, names in steps:
        match verb:
            case "enters":
                scene.enters(names[0], names[1])
            case "exits":
                scene.rooms.pop(names[0], None)
            case "stands" | "moves" if names[0] == thing:
                scene.place = names[1]
                scene.beginning = scene.beginning or scene.place
                scene.everybody_here_sees()
    return Beliefs(scene.beginning, scene.place, scene.first, scene.second)


def _room_of(steps: Sequence[Step], thing: str) -> str:
    """The room of whoever moves the thing; where nobody does, that of who entered last before it was named."""
    rooms: dict[str, str] = {}
    latest = named = ""
    for verb, names in steps:
        match verb:
            case "enters":
                rooms[names[0]] = latest = names[1]
            case "exits":
                rooms.pop(names[0], None)
            case "stands" if names[0] == thing:
                named = named or latest
            case "moves" if names[0] == thing:
                return rooms.get(names[2], named)
    return named


def _answer(kind: str, named: Mapping[str, str], beliefs: Beliefs) -> str | None:
    match kind:
        case "memory":
            return beliefs.beginning
        case "reality":
            return beliefs.really
        case "first-order belief":
            return beliefs.first.get(named["who"])
        case _:
            return beliefs.second.get((named["who"], named["whom"]))
