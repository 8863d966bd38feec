"""Who annotates which stories: every one by the same number of people, drawn from the study's seed."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from annotation.platform.core.blinding import seeded_order
from annotation.platform.core.errors import Refused
from annotation.platform.core.phrases import counted

EACH: Final = 2
"""How many people annotate a question, independently of each other."""


def allot(
    benchmarks: Sequence[Mapping[str, int]], annotators: Sequence[str], *, seed: bytes, each: int = EACH
) -> dict[str, list[str]]:
    """Annotator → stories in the order in which they come to them, a benchmark after the other.

    `benchmarks` give for every story how many questions it has; keys are unique over all. A story stays together:
    it goes to those who have the fewest questions so far, and among equals by the seed. So two loads never differ
    by more than the questions of the largest story. Raises `Refused` for fewer people than `each`.
    """
    if len(annotators) < each:
        are = "is" if len(annotators) == 1 else "are"
        raise Refused(
            f"Every question is annotated by {each} people; there {are} {counted(len(annotators), 'annotator')}."
        )
    loads = dict.fromkeys(annotators, 0)
    found: dict[str, list[str]] = {annotator: [] for annotator in annotators}
    for stories in benchmarks:
        own: dict[str, list[str]] = {annotator: [] for annotator in annotators}
        for story in seeded_order(seed, "stories of an audit", items=list(stories)):
            drawn = seeded_order(seed, "annotators of a story", story, items=list(annotators))
            for annotator in sorted(drawn, key=loads.__getitem__)[:each]:
                own[annotator].append(story)
                loads[annotator] += stories[story]
        for annotator in annotators:
            found[annotator] += seeded_order(seed, "order of an annotator", annotator, items=own[annotator])
    return found


def passed_on(
    pieces: Mapping[str, int], holders: Mapping[str, Collection[str]], loads: Mapping[str, int], *, seed: bytes
) -> dict[str, str]:
    """Piece → who gets it: whoever has least to do of those who are not its holders, among equals by the seed.

    `pieces` give for each how many questions it has, `loads` for everybody who can have more how many they have
    still to do. Raises `Refused` where for a piece nobody is left.
    """
    now, found = dict(loads), {}
    for piece in seeded_order(seed, "pieces passed on", items=list(pieces)):
        free = [person for person in now if person not in holders[piece]]
        if not free:
            raise Refused(
                "Nobody is left for some of it: everybody who is here has it already. Invite somebody else first."
            )
        drawn = seeded_order(seed, "passed on to", piece, items=sorted(free))
        found[piece] = min(drawn, key=now.__getitem__)
        now[found[piece]] += pieces[piece]
    return found


@dataclass(frozen=True)
class AuditCertificate:
    """How the work was given out. `least` and `most` questions are those of who has the fewest and the most."""

    questions: int
    by_two: int
    least: int
    most: int
    largest_story: int

    @property
    def is_balanced(self) -> bool:
        return self.questions == self.by_two and self.most - self.least <= self.largest_story


def certify(annotators_of: Mapping[int, Sequence[str]], stories: Mapping[int, int]) -> AuditCertificate:
    """`annotators_of` says who has each question, `stories` which story it belongs to."""
    loads: dict[str, int] = {}
    for people in annotators_of.values():
        for person in people:
            loads[person] = loads.get(person, 0) + 1
    sizes: dict[int, int] = {}
    for story in stories.values():
        sizes[story] = sizes.get(story, 0) + 1
    return AuditCertificate(
        questions=len(stories),
        by_two=sum(len(set(people)) == EACH == len(people) for people in annotators_of.values()),
        least=min(loads.values(), default=0),
        most=max(loads.values(), default=0),
        largest_story=max(sizes.values(), default=0),
    )
