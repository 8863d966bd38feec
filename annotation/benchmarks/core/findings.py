"""What can be found in a benchmark without reading it as people do. Each finding is a suggestion, and no flag."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from annotation.benchmarks.core.items import Question, Story
from annotation.benchmarks.core.tomi import FIRST_ORDER, SECOND_ORDER, asked, role_of
from annotation.benchmarks.core.tomi_world import World, world_of
from annotation.platform.core.phrases import listed

FindingKind = Literal[
    "duplicate", "repeated_option", "gold_not_an_option", "empty", "cut", "encoding", "other_story", "label",
    "depends", "unclear", "story_type", "role",
]  # fmt: skip

KINDS: Final[Mapping[FindingKind, str]] = {
    "label": "Label contradicts the story",
    "gold_not_an_option": "Right answer is not among the options",
    "repeated_option": "Option given twice",
    "duplicate": "Question asked twice",
    "empty": "Empty text",
    "cut": "Text that seems cut off",
    "encoding": "Broken encoding",
    "other_story": "Story differs between its questions",
    "story_type": "Type of the story contradicts it",
    "role": "Role of who is asked about contradicts the story",
    "depends": "Answer depends on how the story is read",
    "unclear": "Statement not understood",
}
"""Every kind of finding by its name, in the order in which they are shown."""

_MOJIBAKE: Final = re.compile("\ufffd|[\u00c2\u00c3][\u0080-\u00bf]|\u00e2\u20ac|\u00e2\u0080")
_CUT: Final = re.compile(
    r"(?:[,;:(\[–—-]|\b(?:a|an|and|at|because|but|for|from|in|of|or|than|that|the|to|with))\Z", re.I
)
_FALSE_BELIEFS: Final = {
    "true_belief": None,
    "false_belief": FIRST_ORDER,
    "second_order_false_belief": SECOND_ORDER,
}


@dataclass(frozen=True)
class Finding:
    """`line` is that of the question concerned; of a finding about a story, that of its first one."""

    line: int
    kind: FindingKind
    text: str


def findings(stories: Sequence[Story], layout: str) -> list[Finding]:
    """Everything found, in the file's order. Of a benchmark in ToMi's layout every answer is computed anew."""
    lines = sorted(question.line for story in stories for question in story.questions)
    numbers = {line: number for number, line in enumerate(lines, start=1)}
    found = [*_duplicates(stories, numbers)]
    may_lack_stories = layout == "table" and not any(story.text for story in stories)
    for story in stories:
        found += _of_story(story, numbers, may_be_empty=may_lack_stories)
        for question in story.questions:
            found += (Finding(question.line, kind, text) for kind, text in _of_question(question))
        if layout == "tomi":
            found += _of_world(story)
    return sorted(found, key=lambda finding: (finding.line, [*KINDS].index(finding.kind)))


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _reference(line: int, numbers: Mapping[int, int]) -> str:
    """Questions are shown by their number, and looked up in the file by their line."""
    return f"question {numbers[line]} of the benchmark (line {line} of the file)"


def _duplicates(stories: Sequence[Story], numbers: Mapping[int, int]) -> Iterator[Finding]:
    first: dict[tuple[str, str, tuple[str, ...]], int] = {}
    for story in stories:
        for question in story.questions:
            options = tuple(sorted(map(_plain, question.options)))
            earlier = first.setdefault((_plain(story.text), _plain(question.text), options), question.line)
            if earlier != question.line:
                told = f"The same is asked of the same story in {_reference(earlier, numbers)}."
                yield Finding(question.line, "duplicate", told)


def _of_story(story: Story, numbers: Mapping[int, int], *, may_be_empty: bool) -> Iterator[Finding]:
    """A story may be empty where the whole benchmark has none."""
    line = story.questions[0].line
    for kind, text in _of_text("story", story.text, may_be_empty=may_be_empty):
        yield Finding(line, kind, text)
    others = [question.line for question in story.questions if question.raw.get("story", story.text) != story.text]
    if others:
        questions = listed([_reference(other, numbers) for other in others])
        yield Finding(line, "other_story", f"The story is not letter for letter that of {questions}.")


def _of_question(question: Question) -> Iterator[tuple[FindingKind, str]]:
    yield from _of_text("question", question.text)
    yield from _of_text("right answer", question.gold, can_be_cut=False)
    seen: dict[str, int] = {}
    for number, option in enumerate(question.options, start=1):
        yield from _of_text(f"option {number}", option, can_be_cut=False)
        earlier = seen.setdefault(_plain(option), number)
        if earlier != number:
            yield "repeated_option", f"Options {earlier} and {number} are the same: “{option}”."
    if question.options and question.gold_option is None:
        yield "gold_not_an_option", f"The right answer is “{question.gold}”, which is none of the options."


def _of_text(
    name: str, text: str, *, can_be_cut: bool = True, may_be_empty: bool = False
) -> Iterator[tuple[FindingKind, str]]:
    if not text.strip():
        if not may_be_empty:
            yield "empty", f"The {name} is empty."
        return
    if broken := _MOJIBAKE.search(text):
        around = text[max(broken.start() - 12, 0) : broken.end() + 12]
        yield "encoding", f"The {name} was saved in another encoding than it was read in: “{around}”."
    if can_be_cut and (end := _CUT.search(text.rstrip())):
        yield "cut", f"The {name} ends with “{end[0]}”."


def _of_world(story: Story) -> Iterator[Finding]:
    world = world_of(story.text)
    line = story.questions[0].line
    for statement in world.unclear:
        yield Finding(line, "unclear", f"“{statement}” says nothing that is known of such stories.")
    for question in story.questions:
        checks: tuple[Callable[[Question, World], Iterator[tuple[FindingKind, str]]], ...] = (_label, _role)
        for check in checks:
            yield from (Finding(question.line, kind, text) for kind, text in check(question, world))
    yield from (Finding(line, "story_type", text) for text in _story_type(story, world))


def _label(question: Question, world: World) -> Iterator[tuple[FindingKind, str]]:
    answers = world.answers(question.text)
    if not answers:
        yield "unclear", "From the story follows no answer: it tells nothing of whom or what this asks about."
    elif question.gold not in answers:
        yield "label", f"The label is “{question.gold}”; from the story follows “{'” or “'.join(answers)}”."
    elif len(answers) > 1:
        yield (
            "depends",
            f"“{answers[0]}” if whoever comes in again sees where the thing is, otherwise “{answers[1]}”; "
            f"the label is “{question.gold}”.",
        )


def _role(question: Question, world: World) -> Iterator[tuple[FindingKind, str]]:
    """Agent 0 moves the thing, agent 1 does not; `tom` says that the right answer is not where it really is."""
    role, _ = role_of(question)
    kind, named = asked(question.text)
    if not role.startswith(("first_order", "second_order")) or not named:
        return
    is_mover = named["who"] in world.movers
    if is_mover != (role.split("_")[2] == "0"):
        moves = "moves something" if is_mover else "moves nothing"
        yield "role", f"The trace says {role}, agent 0 being who moves the thing; {named['who']} {moves}."
    thing = world.things.get(named["thing"])
    needs_theory = thing is not None and question.gold != thing[0].really
    if thing is not None and needs_theory == ("no_tom" in role):
        differs = "is not" if needs_theory else "is"
        yield "role", f"The trace says {role}, and the label {differs} where the thing really is ({kind})."


def _story_type(story: Story, world: World) -> Iterator[str]:
    """A type that neither reading of the story bears out."""
    if story.kind not in _FALSE_BELIEFS or not world.things:
        return
    said = _FALSE_BELIEFS[story.kind]
    held = [
        (
            any(place != beliefs.really for place in beliefs.first.values()),
            any(place != beliefs.really for place in beliefs.second.values()),
        )
        for readings in world.things.values()
        for beliefs in readings
    ]
    if said == FIRST_ORDER and not any(first for first, _ in held):
        yield "It is called a false belief, and nobody thinks the thing where it is not."
    if said == SECOND_ORDER and not any(second for _, second in held):
        yield "It is called a second-order false belief, and nobody is wrong about what another thinks."
    if said is None and all(first for first, _ in held):
        yield "It is called a true belief, and somebody thinks the thing where it is not."
