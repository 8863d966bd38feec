"""What is proved of an assignment: each property counted again from what everybody was given.

`item_certificate` goes on with what judges see.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from annotation.assignment.core.assignment import is_even
from annotation.assignment.core.feasibility import Person
from annotation.platform.core.blinding import seeded_order
from annotation.platform.core.phrases import counted


@dataclass(frozen=True)
class Property:
    """A claim about an assignment and what was counted, in words.

    `holds` is `None` where there is nothing to hold: a figure that is reported. `problems` name the prompts and
    people because of whom a claim does not hold.
    """

    claim: str
    holds: bool | None
    counted: str
    problems: tuple[str, ...] = ()


@dataclass(frozen=True)
class Wording:
    """The words for one kind of work; `work` in the plural names it in the seed's draws."""

    person: str
    work: str


WRITING: Final = Wording("writer", "answer")
JUDGING: Final = Wording("judge", "rating")


@dataclass(frozen=True)
class Given:
    """A prompt that a person has, at `position` among their own. `is_added`: it came by a repair."""

    person: str
    prompt: str
    position: int
    is_added: bool
    is_done: bool


def rule(claim: str, found: str, problems: Iterable[str] = ()) -> Property:
    """A property that holds where there is no problem."""
    problems = tuple(problems)
    return Property(claim, not problems, found, problems)


def reported(claim: str, found: str) -> Property:
    return Property(claim, None, found)


def allocation_properties(
    given: Sequence[Given],
    *,
    wanted: Mapping[str, int],
    people: Mapping[str, Person],
    today: Mapping[str, Person],
    absent: Collection[str],
    wording: Wording,
    seed: bytes,
    is_repaired: bool,
) -> tuple[Property, ...]:
    """What holds for writing and for judging alike.

    `people` are all who were there when the work was given out, or have some now, with the limits under which they
    were given it; `today` the same with their limits now; `absent` those of them who take no part any more.
    `wanted` is how many pieces of work each prompt asks for.
    """
    return (
        exactly(given, wanted=wanted, wording=wording),
        nobody_twice(given, wording=wording),
        all_present(given, absent=absent, wording=wording),
        within_limits(given, people=people, wording=wording),
        no_exclusion(given, people=people, wording=wording),
        later_limits(given, people=today, wording=wording),
        even_loads(given, people=people, absent=absent, wording=wording, is_repaired=is_repaired),
        preferences(given, people=people, wording=wording),
        in_seeded_order(given, wording=wording, seed=seed),
    )


def loads(given: Iterable[Given]) -> Counter[str]:
    """Pieces of work by person."""
    return Counter(one.person for one in given)


def exactly(given: Sequence[Given], *, wanted: Mapping[str, int], wording: Wording) -> Property:
    counts, numbers = Counter(one.prompt for one in given), Counter(wanted.values())
    wrong = (f"{prompt} has {counts[prompt]}" for prompt, number in wanted.items() if counts[prompt] != number)
    work = counted(next(iter(numbers)), wording.work) if len(numbers) == 1 else f"the {wording.work}s it asks for"
    sums = " + ".join(f"{prompts} × {each}" for each, prompts in sorted(numbers.items(), reverse=True))
    return rule(
        f"Every prompt has exactly {work}",
        f"{counted(len(wanted), 'prompt')}, {counted(len(given), wording.work)}; "
        f"{sums or 0} = {sum(wanted.values())}",
        wrong,
    )


def nobody_twice(given: Sequence[Given], *, wording: Wording) -> Property:
    pairs = Counter((one.person, one.prompt) for one in given)
    twice = (
        f"{person} has {prompt} {times} times" for (person, prompt), times in sorted(pairs.items()) if times > 1
    )
    return rule(
        f"No {wording.person} has a prompt twice",
        f"{len(pairs)} different pairs of {wording.person} and prompt",
        twice,
    )


def all_present(given: Sequence[Given], *, absent: Collection[str], wording: Wording) -> Property:
    """Work that is not done lies with people who take part."""
    left = loads(one for one in given if one.person in absent and not one.is_done)
    return rule(
        f"Whoever has {wording.work}s to give takes part in the study",
        f"{counted(sum(not one.is_done for one in given), wording.work)} to be given, "
        f"{sum(left.values())} by people who have left",
        (
            f"{person} has left, {counted(number, wording.work)} to be given"
            for person, number in sorted(left.items())
        ),
    )


def within_limits(given: Sequence[Given], *, people: Mapping[str, Person], wording: Wording) -> Property:
    limits = {name: person.capacity for name, person in people.items() if person.capacity is not None}
    over = (
        f"{person} has {number} and takes {limits[person]}"
        for person, number in sorted(loads(given).items())
        if number > limits.get(person, number)
    )
    return rule(
        f"No {wording.person} has more prompts than they take",
        f"{counted(len(limits), wording.person)} of {len(people)} with a limit",
        over,
    )


def no_exclusion(given: Sequence[Given], *, people: Mapping[str, Person], wording: Wording) -> Property:
    number = sum(len(person.excluded) for person in people.values())
    against = sorted(f"{one.person} has {one.prompt}" for one in given if one.prompt in people[one.person].excluded)
    return rule(
        f"No {wording.person} has a prompt they must not get",
        f"{counted(number, 'pair')} of {wording.person} and prompt excluded, {len(against)} given",
        against,
    )


def later_limits(given: Sequence[Given], *, people: Mapping[str, Person], wording: Wording) -> Property:
    """`people` are with their limits as they are now: no rule for what was given before."""
    numbers = loads(given)
    over = sum(numbers[name] > person.capacity for name, person in people.items() if person.capacity is not None)
    against = sum(one.prompt in people[one.person].excluded for one in given)
    return reported(
        "Prompts given before a limit was changed (a repair heeds it for what is not begun)",
        f"{counted(over, wording.person)} with more than they take now, "
        f"{counted(against, 'prompt')} that their {wording.person} must not get any more",
    )


def even_loads(
    given: Iterable[Given],
    *,
    people: Mapping[str, Person],
    absent: Collection[str],
    wording: Wording,
    is_repaired: bool,
) -> Property:
    """A repair moves as little as it can, so after one this is no rule any more, and is only reported."""
    claim = (
        f"{wording.work.capitalize()}s are spread over {wording.person}s as evenly as limits and exclusions allow"
    )
    present = [person for name, person in people.items() if name not in absent]
    own: dict[str, set[str]] = {person.name: set() for person in present}
    for one in given:
        if one.person in own:
            own[one.person].add(one.prompt)
    numbers = [len(prompts) for prompts in own.values()]
    found = f"{counted(len(own), wording.person)}, from {min(numbers, default=0)} to {max(numbers, default=0)} each"
    if not present or is_even(present, own):
        return rule(claim, found)
    if is_repaired:
        return reported(claim, f"{found}; a repair moves as little as it can, and so may leave them less even")
    return rule(claim, found, ["prompts could be passed on so that loads are more even"])


def preferences(given: Sequence[Given], *, people: Mapping[str, Person], wording: Wording) -> Property:
    wishing = sum(bool(person.unwished) for person in people.values())
    against = sum(one.prompt in people[one.person].unwished for one in given)
    return reported(
        "Prompts given against a wish (a wish, not a rule)",
        f"{against} of {len(given)}; {wishing} of {counted(len(people), wording.person)} with wishes",
    )


def in_seeded_order(given: Sequence[Given], *, wording: Wording, seed: bytes) -> Property:
    """Each person meets their prompts in the order that the seed draws; what a repair added comes after these."""
    own: dict[str, list[Given]] = defaultdict(list)
    for one in sorted(given, key=lambda one: one.position):
        own[one.person].append(one)
    wrong = (
        f"{person}’s order" for person, prompts in sorted(own.items()) if not _is_seeded(prompts, wording, seed)
    )
    return rule(
        f"Every {wording.person} has their prompts in the order drawn from the seed",
        f"{counted(len(own), 'order')} drawn again",
        wrong,
    )


def _is_seeded(own: Sequence[Given], wording: Wording, seed: bytes) -> bool:
    drawn = [one.prompt for one in own if not one.is_added]
    if len(set(drawn)) < len(drawn) or any(one.is_added for one in own[: len(drawn)]):
        return False
    return tuple(drawn) == seeded_order(seed, "prompts of a person", f"{wording.work}s", own[0].person, items=drawn)
