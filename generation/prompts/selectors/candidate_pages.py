"""The list of a study's prompts that wait to be chosen, what it can be narrowed by, and the page of each."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from operator import attrgetter
from typing import Final

from django.db.models import Q

from annotation.study.models.studies import Study
from generation.prompts.core.quality import CRITERIA, REASONS, Scheme
from generation.prompts.models import Candidate, QualityVote
from generation.prompts.selectors.candidate_facts import PASSES, REVIEWS, VERDICTS, Facts, facts_of
from generation.prompts.selectors.origins import generators, sources
from generation.sources.core.shapes import FINISHED, SHAPES
from generation.sources.models import Scenario

FACETS: Final[Mapping[str, str]] = {
    "source": "Source",
    "stratum": "Stratum",
    "generator": "Generator",
    "verdict": "Verdict",
    "passes": "Models that pass it",
    "review": "Reviewed",
}
"""What the list can be narrowed by: fields of `Facts`, with their labels."""


@dataclass(frozen=True)
class Asked:
    """What is asked for: a value of some facets, words in text or label, and whose votes make the verdict."""

    facets: Mapping[str, str]
    words: str = ""
    scheme: Scheme = "all"


@dataclass(frozen=True)
class Option:
    """A value of a facet. `number` is how many prompts have it that are as all else asks."""

    value: str
    label: str
    number: int
    is_chosen: bool


@dataclass(frozen=True)
class Facet:
    """One thing to narrow the list by. `number` is how many prompts there are without it."""

    name: str
    label: str
    number: int
    options: tuple[Option, ...]


@dataclass(frozen=True)
class Found:
    """The prompts that are as asked, in order, and what they can be narrowed by."""

    facts: Sequence[Facts]
    facets: tuple[Facet, ...]

    def next_unreviewed(self, *, after: int | None = None) -> int | None:
        """The id of the next prompt that no person has reviewed; after the last one, from the beginning again."""
        start = next((place for place, fact in enumerate(self.facts, 1) if fact.id == after), 0)
        onwards = chain(self.facts[start:], self.facts[:start])
        return next((fact.id for fact in onwards if fact.review == "none" and fact.id != after), None)

    def position(self, pk: int) -> "ListPosition | None":
        """Where a prompt stands among these; `None` where it is not one of them (any more)."""
        ids = [fact.id for fact in self.facts]
        if pk not in ids:
            return None
        index = ids.index(pk)
        return ListPosition(
            number=index + 1,
            of=len(ids),
            before=ids[index - 1] if index else None,
            following=ids[index + 1] if index + 1 < len(ids) else None,
        )


@dataclass(frozen=True)
class ListPosition:
    """A prompt's position in a list, from 1 on, with the ids of its neighbours."""

    number: int
    of: int
    before: int | None
    following: int | None


@dataclass(frozen=True)
class CandidateLine:
    """A prompt in a list. `passes` of its `votes` by models are in its favour."""

    id: int
    label: str
    text: str
    source_code: str
    scenario_key: str
    stratum: str
    generator: str
    position: int
    passes: int
    votes: int
    verdict: str
    verdict_words: str
    review: str
    review_words: str


@dataclass(frozen=True)
class VoteLine:
    """`by` is a family of models or a person's name; `is_own`: who wrote the prompt. `against` is in words.

    `call` is the call that a model was asked by.
    """

    by: str
    model_id: str
    is_own: bool
    passes: bool
    against: tuple[str, ...]
    reason: str
    voted_at: datetime
    call: int | None


@dataclass(frozen=True)
class PayloadPart:
    """A field of a scenario: a text, or several with their citations, which may be empty."""

    label: str
    texts: tuple[tuple[str, str], ...]
    is_list: bool


@dataclass(frozen=True)
class CandidatePage:
    """Everything about a prompt. `bundle` are all prompts of its call, `scratchpad` what came before them."""

    line: CandidateLine
    dimensions: str
    model_id: str
    source: str
    scenario: tuple[PayloadPart, ...]
    bundle: tuple[CandidateLine, ...]
    scratchpad: str
    call: int | None
    by_models: tuple[VoteLine, ...]
    by_people: tuple[VoteLine, ...]


def find(study: Study, asked: Asked) -> Found:
    """The prompts that are as asked. Each facet counts those that are as all but itself asks."""
    words = Q(text__icontains=asked.words) | Q(label__icontains=asked.words) if asked.words else None
    every = facts_of(study, scheme=asked.scheme, where=words)
    chosen = {name: value for name, value in asked.facets.items() if value}
    found = _with(every, chosen)
    labels = _labels(study)
    facets = []
    for name in FACETS:
        others = {other: value for other, value in chosen.items() if other != name}
        among = _with(every, others) if name in chosen else found
        facets.append(_facet(name, among, chosen.get(name), labels.get(name, {})))
    return Found(found, tuple(facets))


def _with(facts: Sequence[Facts], chosen: Mapping[str, str]) -> Sequence[Facts]:
    for name, value in chosen.items():
        facts = [fact for fact in facts if str(getattr(fact, name)) == value]
    return facts


def _facet(name: str, among: Sequence[Facts], choice: str | None, labels: Mapping[str, str]) -> Facet:
    """Values with a label come in the labels' order, others by name. The one that is chosen is always there."""
    counts = Counter(map(str, map(attrgetter(name), among)))
    unnamed = sorted({*counts, choice or ""} - {"", *labels}, reverse=name == "passes")
    options = (
        Option(value, labels.get(value, value), counts[value], value == choice)
        for value in (*labels, *unnamed)
        if counts[value] or value == choice
    )
    return Facet(name, FACETS[name], len(among), tuple(options))


def _labels(study: Study) -> dict[str, Mapping[str, str]]:
    return {
        "source": dict(sources(study).values_list("slug", "name")),
        "generator": {str(pk): family for pk, family in generators(study).items()},
        "passes": PASSES,
        "verdict": VERDICTS,
        "review": REVIEWS,
    }


def lines(facts: Iterable[Facts]) -> list[CandidateLine]:
    """The prompts as a list shows them, in the same order."""
    by_id = {fact.id: fact for fact in facts}
    candidates = Candidate.objects.filter(pk__in=by_id).select_related("bundle__scenario__source", "bundle__target")
    found = {candidate.pk: _line(candidate, by_id[candidate.pk]) for candidate in candidates}
    return [found[pk] for pk in by_id]


def _line(candidate: Candidate, fact: Facts) -> CandidateLine:
    scenario = candidate.bundle.scenario
    return CandidateLine(
        id=candidate.pk,
        label=candidate.label,
        text=candidate.text,
        source_code=scenario.source.code,
        scenario_key=scenario.key,
        stratum=scenario.stratum,
        generator=candidate.bundle.target.family,
        position=candidate.position,
        passes=fact.in_favour,
        votes=fact.votes,
        verdict=fact.verdict,
        verdict_words=VERDICTS[fact.verdict],
        review=fact.review,
        review_words=REVIEWS[fact.review],
    )


def candidate_page(study: Study, candidate: Candidate, *, scheme: Scheme) -> CandidatePage:
    """The prompt with its scenario, its bundle and every vote."""
    bundle = candidate.bundle
    in_bundle = lines(facts_of(study, scheme=scheme, where=Q(bundle=bundle)))
    votes = candidate.votes.select_related("target", "reviewer").order_by("target__family", "pk")
    return CandidatePage(
        line=next(line for line in in_bundle if line.id == candidate.pk),
        dimensions=candidate.dimensions,
        model_id=bundle.target.model_id,
        source=bundle.scenario.source.name,
        scenario=_payload(bundle.scenario),
        bundle=tuple(in_bundle),
        scratchpad=bundle.scratchpad,
        call=bundle.call_id,
        by_models=tuple(
            _vote(vote, by=vote.target.family, model_id=vote.target.model_id, is_own=vote.target == bundle.target)
            for vote in votes
            if vote.target
        ),
        by_people=tuple(_vote(vote, by=vote.reviewer.name) for vote in votes if vote.reviewer),
    )


def _vote(vote: QualityVote, *, by: str, model_id: str = "", is_own: bool = False) -> VoteLine:
    unmet = [REASONS[name] for name in CRITERIA if not getattr(vote, name)]
    return VoteLine(
        by=by,
        model_id=model_id,
        is_own=is_own,
        passes=vote.passes,
        against=(*unmet, *(REASONS[code] for code in vote.rejections)),
        reason=vote.reason,
        voted_at=vote.voted_at,
        call=vote.call_id,
    )


def _payload(scenario: Scenario) -> tuple[PayloadPart, ...]:
    """What the scenario says, in the order of its shape; what it leaves empty is left out. Of finished prompts
    nothing is known but themselves.
    """
    if scenario.source.shape == FINISHED:
        return ()
    parts = []
    for name, label in SHAPES[scenario.source.shape].fields.items():
        value = scenario.payload.get(name)
        if isinstance(value, list):
            texts = tuple(
                (item["text"], _said_where(item)) if isinstance(item, dict) else (item, "") for item in value
            )
            parts.append(PayloadPart(label, texts, is_list=True))
        elif value:
            parts.append(PayloadPart(label, ((value, ""),), is_list=False))
    return tuple(parts)


def _said_where(quote: Mapping[str, str]) -> str:
    """The document of a quotation, and the place in it."""
    return ", ".join(filter(None, (quote.get("document"), quote.get("citation"))))
