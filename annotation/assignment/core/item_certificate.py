"""What is proved of the items that judges see, counted again from the labels as they are."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from annotation.assignment.core.certificate import Given, Property, reported, rule
from annotation.assignment.core.chi_square import ChiSquare, Fit, fit
from annotation.assignment.core.human_sets import Concurrence, concurrence
from annotation.platform.core.blinding import LABELS
from annotation.platform.core.phrases import counted
from annotation.platform.core.sealing import canonical_json

SORTS_OF_PLACE: Final = 3  # the first, the second and the last third of a judge's items
UNLIKELY: Final = 0.001


@dataclass(frozen=True)
class Item(Given):
    """What one judge sees of one prompt: responses by label."""

    answers: Mapping[str, str]


@dataclass(frozen=True)
class Text:
    """A response: its prompt, who wrote it (a writer's pseudonym, a model's name) and a hash of its words."""

    prompt: str
    is_human: bool
    source: str
    digest: str


Texts = Mapping[str, Text]


def assignment_sha256(answers: Iterable[Given], items: Iterable[Item]) -> str:
    """SHA-256, in hex, of who writes and judges what in which order, and of what stands under which label.

    Of the canonical JSON of {"writing": [[writer, position, prompt], …], "judging": [[judge, position, prompt,
    {label: response}], …]}, both lists sorted.
    """
    writing = sorted([one.person, one.position, one.prompt] for one in answers)
    ordered = sorted(items, key=lambda item: (item.person, item.position))
    judging = [[item.person, item.position, item.prompt, {**item.answers}] for item in ordered]
    return hashlib.sha256(canonical_json({"writing": writing, "judging": judging})).hexdigest()


def complete_items(items: Sequence[Item], texts: Texts, *, size: int) -> Property:
    wrong = (f"{item.person} on {item.prompt}" for item in items if not _is_complete(item, texts, size))
    return rule(
        f"Every item shows {size} different answers to its prompt, labelled A to {LABELS[size - 1]}",
        f"{counted(len(items), 'item')}, {counted(sum(len(item.answers) for item in items), 'answer')}",
        wrong,
    )


def _is_complete(item: Item, texts: Texts, size: int) -> bool:
    shown = [texts[response] for response in item.answers.values()]
    return (
        tuple(sorted(item.answers)) == LABELS[:size]
        and len({text.digest for text in shown}) == size
        and all(text.prompt == item.prompt for text in shown)
    )


def roles_apart(writers: Mapping[int, str], judges: Mapping[int, str]) -> Property:
    """The property that no writer is a judge; both mappings lead from the number of an account to the pseudonym."""
    return rule(
        "No writer is a judge",
        f"{counted(len(writers), 'writer')} and {counted(len(judges), 'judge')} with accounts of their own",
        (f"{writers[account]} is {judges[account]}" for account in sorted(writers.keys() & judges.keys())),
    )


def no_own_text(items: Sequence[Item], texts: Texts, accounts: Mapping[str, int]) -> Property:
    """`accounts` maps pseudonyms to the numbers of accounts."""
    met = [
        (item, accounts.get(texts[response].source))
        for item in items
        for response in item.answers.values()
        if texts[response].is_human
    ]
    own = (f"{item.person} on {item.prompt}" for item, author in met if author == accounts[item.person])
    return rule("Nobody judges a text of their own", f"{counted(len(met), 'human answer')} shown to judges", own)


def human_sets(items: Iterable[Item], texts: Texts) -> dict[str, list[frozenset[str]]]:
    """The human answers of each item by prompt, as the items show them; prompts without any are left out."""
    sets: dict[str, list[frozenset[str]]] = defaultdict(list)
    for item in items:
        shown = frozenset(response for response in item.answers.values() if texts[response].is_human)
        if shown:
            sets[item.prompt].append(shown)
    return dict(sets)


def different_sets(sets: Mapping[str, Sequence[frozenset[str]]]) -> Property:
    wrong = (
        f"{prompt}: {len(set(shown))} different sets for {counted(len(shown), 'judge')}"
        for prompt, shown in sorted(sets.items())
        if len(set(shown)) < len(shown)
    )
    return rule("No two judges of a prompt see the same human answers", _sets_of(sets), wrong)


def fixed_sets(sets: Mapping[str, Sequence[frozenset[str]]]) -> Property:
    different = {prompt: len(set(shown)) for prompt, shown in sorted(sets.items())}
    wrong = (f"{prompt}: {number} different sets" for prompt, number in different.items() if number > 1)
    return rule("All judges of a prompt see the same human answers", _sets_of(sets), wrong)


def _sets_of(sets: Mapping[str, Sequence[frozenset[str]]]) -> str:
    different = sum(len(set(shown)) for shown in sets.values())
    return f"{counted(different, 'different set')} on {counted(len(sets), 'prompt')} with human answers"


def concurrences(
    sets: Mapping[str, Sequence[frozenset[str]]], pools: Mapping[str, Collection[str]]
) -> dict[str, Concurrence]:
    """How the sets of each prompt use its human answers; `pools` are all that there are, by prompt."""
    return {
        prompt: concurrence(shown, sorted({*pools.get(prompt, ()), *(one for chosen in shown for one in chosen)}))
        for prompt, shown in sets.items()
    }


def even_uses(by_prompt: Mapping[str, Concurrence]) -> Property:
    wrong = (
        f"{prompt}: from {one.least_uses} to {one.most_uses} times"
        for prompt, one in sorted(by_prompt.items())
        if one.most_uses - one.least_uses > 1
    )
    least = min((one.least_uses for one in by_prompt.values()), default=0)
    most = max((one.most_uses for one in by_prompt.values()), default=0)
    return rule(
        "Every human answer to a prompt is shown equally often, give or take one",
        f"between {least} and {most} times on {counted(len(by_prompt), 'prompt')} with human answers",
        wrong,
    )


def meetings(by_prompt: Iterable[Concurrence]) -> Property:
    """How evenly pairs of answers meet. There may be no family of sets that reaches the bound."""
    times: Counter[int] = Counter()
    unevenness = bound = 0
    for one in by_prompt:
        times.update(one.meetings)
        unevenness, bound = unevenness + one.unevenness, bound + one.bound
    pairs = ", ".join(f"{counted(number, 'pair')} {often}×" for often, number in sorted(times.items()))
    return reported(
        "How often two human answers to a prompt meet in an item",
        f"{pairs or 'none'}; sum of squares {unevenness}, and no choice of sets goes below {bound}",
    )


def own_institution(items: Sequence[Item], texts: Texts, colleagues: Mapping[str, Collection[str]]) -> Property:
    """`colleagues`: judge → the writers of the same institution."""
    met = [
        item.person
        for item in items
        if any(texts[response].source in colleagues.get(item.person, ()) for response in item.answers.values())
    ]
    return reported(
        "Items with an answer from the judge’s own institution (a wish, not a rule)",
        f"{len(met)} of {len(items)}, {counted(len(set(met)), 'judge')}",
    )


def label_counts(items: Sequence[Item], texts: Texts, sources: Mapping[str, int], *, size: int) -> Fit | None:
    """How often each group of sources stands under each label; `sources` numbers groups from 0, "" is people's.

    `None` where not all items show `size` answers: then labels cannot be compared.
    """
    if not all(_is_complete(item, texts, size) for item in items):
        return None
    groups = {response: sources["" if text.is_human else text.source] for response, text in texts.items()}
    draws = np.zeros((len(items), len(sources), size), dtype=int)
    for number, item in enumerate(items):
        for place, label in enumerate(sorted(item.answers)):
            draws[number, groups[item.answers[label]], place] = 1
    return fit(draws)


def calibration_places(items: Iterable[Item], calibration: Iterable[str]) -> Fit:
    """The thirds of their judges' items in which those on `calibration` prompts stand (row 0), and the others (row
    1).

    `items` are those that judging opened with: what a repair adds stands at the end, not where the seed puts it.
    """
    hidden = set(calibration)
    own: dict[str, list[Item]] = defaultdict(list)
    for item in sorted(items, key=lambda item: item.position):
        own[item.person].append(item)
    draws = np.zeros((len(own), 2, SORTS_OF_PLACE), dtype=int)
    for number, drawn in enumerate(own.values()):
        for place, item in enumerate(drawn):
            draws[number, int(item.prompt not in hidden), SORTS_OF_PLACE * place // len(drawn)] += 1
    return fit(draws)


def hidden_by_chance(chance: ChiSquare, *, with_figures: bool) -> Property:
    """The property; without the figures it says only whether they are credible."""
    is_credible = chance.p >= UNLIKELY
    if with_figures:
        found = f"χ² = {chance.value:.2f} on {chance.degrees} degrees of freedom, p = {chance.p:.3f}"
    else:
        found = f"p {'≥' if is_credible else '<'} {UNLIKELY}; figures after unblinding"
    return Property(
        "Calibration items are spread over the thirds of judges’ lists as chance alone would spread them",
        is_credible,
        found,
    )
