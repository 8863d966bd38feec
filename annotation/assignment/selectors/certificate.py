"""The certificate of a study's assignment, for its coordinators and researchers: the same for both.

Before unblinding nothing in it tells which prompts serve calibration, or whose a text is: figures from which that
could be worked out, with what else the two may see, are left out. So are those that would change with a repair or
with somebody's institution, for a coordinator can try these until the change tells what an item shows.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, Final

from django.core.serializers.json import DjangoJSONEncoder

from annotation.assignment.core import item_certificate as items_proof
from annotation.assignment.core.certificate import (
    JUDGING,
    WRITING,
    Given,
    Property,
    Wording,
    allocation_properties,
    loads,
)
from annotation.assignment.core.chi_square import ChiSquare
from annotation.assignment.selectors import assignment_rows as rows
from annotation.assignment.selectors.assigning import colleagues
from annotation.assignment.selectors.repairing import answers_wanted
from annotation.judging.selectors.guessing import options_of
from annotation.platform.core.blinding import LABELS, seeded_order
from annotation.platform.core.sealing import canonical_json
from annotation.platform.services.clock import database_now
from annotation.study.models.participation import Role
from annotation.study.models.prompts import Prompt
from annotation.study.models.studies import Study
from annotation.study.policies.unblinding import is_unblinded
from annotation.texts.models.provenance import Kind, PromptPlan
from annotation.texts.models.seeds import StudySeed

PEOPLE: Final = "People"


@dataclass(frozen=True)
class Load:
    """What a person has, and the most they take (`None`: no limit)."""

    person: str
    number: int
    limit: int | None
    has_left: bool


@dataclass(frozen=True)
class Part:
    """Writing or judging: `number` answers or ratings, what was counted of them, and what each person has."""

    given_out_at: datetime
    number: int
    properties: tuple[Property, ...]
    loads: tuple[Load, ...]

    @property
    def broken(self) -> int:
        return sum(one.holds is False for one in self.properties)


@dataclass(frozen=True)
class SourceLabels:
    """How often a source stands under each label, and what chance leads to expect."""

    source: str
    found: tuple[int, ...]
    expected: tuple[float, ...]
    chance: ChiSquare


@dataclass(frozen=True)
class Positions:
    labels: tuple[str, ...]
    sources: tuple[SourceLabels, ...]
    together: ChiSquare


@dataclass(frozen=True)
class Certificate:
    """`seed` (hexadecimal) is empty before unblinding. A part is `None` before its work is given out."""

    study: str
    preset: str
    prompts: int
    commitment: str
    committed_at: datetime
    seed: str
    assignment_sha256: str
    writing: Part | None
    judging: Part | None
    positions: Positions | None
    repairs: tuple[rows.Repair, ...]


def certificate(study: Study) -> Certificate | None:
    """Count everything again; `None` before the design is locked."""
    committed = StudySeed.objects.filter(study=study).first()
    if committed is None:
        return None
    seed, past = bytes(committed.seed), rows.history(study)
    codes = list(Prompt.objects.filter(study=study).values_list("code", flat=True))
    answers = rows.answers_given(study, added=past.added("writing"))
    items = rows.items_shown(study)
    writers, judges = rows.people(study, Role.WRITER), rows.people(study, Role.JUDGE)
    writing = judging = positions = None
    if "writing" in past.given_out_at:
        wanted = answers_wanted(study, now=database_now())
        writing = _part(answers, (), writers, past, wanted, wording=WRITING, seed=seed)
        if study.every_writer_answers_every_prompt:
            writing = _against_design(writing, study)
    if "judging" in past.given_out_at:
        texts = rows.texts(study)
        shown = (
            items_proof.roles_apart(_by_account(writers), _by_account(judges)),
            *_properties_of_items(study, items, texts, writers.accounts | judges.accounts),
        )
        wanted = dict.fromkeys(codes, study.ratings_per_prompt)
        judging = _part(items.standing, shown, judges, past, wanted, wording=JUDGING, seed=seed)
        positions = _positions(study, items, texts, seed)
    return Certificate(
        study=study.slug,
        preset=study.preset,
        prompts=len(codes),
        commitment=committed.commitment,
        committed_at=committed.committed_at,
        seed=seed.hex() if is_unblinded(study) else "",
        assignment_sha256=items_proof.assignment_sha256(answers, items.standing),
        writing=writing,
        judging=judging,
        positions=positions,
        repairs=past.repairs,
    )


def document(certificate: Certificate) -> dict[str, Any]:
    """The certificate as JSON has it, and the SHA-256 of its canonical bytes."""
    plain = json.loads(json.dumps(asdict(certificate), cls=DjangoJSONEncoder))
    return {"certificate": plain, "sha256": hashlib.sha256(canonical_json(plain)).hexdigest()}


def _by_account(people: rows.People) -> dict[int, str]:
    return {account: name for name, account in people.accounts.items()}


def _part(
    given: Sequence[Given],
    shown: Sequence[Property],
    people: rows.People,
    past: rows.History,
    wanted: Mapping[str, int],
    *,
    wording: Wording,
    seed: bytes,
) -> Part:
    name = "writing" if wording == WRITING else "judging"
    numbers, recorded = loads(given), past.people[name]
    today = people.of([*recorded, *numbers])
    concerned = {person: recorded.get(person, now) for person, now in today.items()}
    properties = allocation_properties(
        given,
        wanted=wanted,
        people=concerned,
        today=today,
        absent=people.absent,
        wording=wording,
        seed=seed,
        is_repaired=any(repair.task == name for repair in past.repairs),
    )
    return Part(
        given_out_at=past.given_out_at[name],
        number=len(given),
        properties=(*properties, *shown),
        loads=tuple(
            Load(name, numbers[name], person.capacity, name in people.absent) for name, person in concerned.items()
        ),
    )


def _against_design(writing: Part, study: Study) -> Part:
    """Say where other people than foreseen decide how many answers there are."""
    number, *others = writing.properties
    here = sum(not load.has_left for load in writing.loads)
    if here == study.answers_per_prompt:
        return writing
    take_part = "writer takes part" if here == 1 else "writers take part"
    told = f"{number.counted}. {here} {take_part}; the design foresaw {study.answers_per_prompt}"
    return replace(writing, properties=(replace(number, counted=told), *others))


def _properties_of_items(
    study: Study, items: rows.Items, texts: rows.Texts, accounts: dict[str, int]
) -> list[Property]:
    shown, standing = texts.by_response, items.standing
    sets = items_proof.human_sets(standing, shown)
    found = [
        items_proof.complete_items(standing, shown, size=study.answers_per_item),
        items_proof.no_own_text(standing, shown, accounts),
    ]
    if is_unblinded(study):
        found.append(items_proof.own_institution(standing, shown, colleagues(study)))
    if not study.sets_rotate:
        found.append(items_proof.fixed_sets(sets))
    else:
        concurrences = items_proof.concurrences(sets, texts.pools)
        found += [
            items_proof.different_sets(sets),
            items_proof.even_uses(concurrences),
            items_proof.meetings(concurrences.values()),
        ]
    calibration = PromptPlan.objects.filter(prompt__study=study).exclude(kind=Kind.STANDARD)
    if hidden := set(calibration.values_list("prompt__code", flat=True)):
        places = items_proof.calibration_places(items.opened_with, hidden)
        # Whoever knows the judges' lists could try all prompts until the figures fit.
        found.append(items_proof.hidden_by_chance(places.by_kind[0], with_figures=is_unblinded(study)))
    return found


def _positions(study: Study, items: rows.Items, texts: rows.Texts, seed: bytes) -> Positions | None:
    """Once unblinded, sources by name in the items as they stand.

    Before, models go by numbers that the seed gives them, and items are those that judging opened with: counts that
    changed with a repair would tell what the items show that it moved.
    """
    shown, size = texts.by_response, study.answers_per_item
    families = {text.source for text in shown.values() if not text.is_human}
    models = seeded_order(seed, "masked sources", items=sorted(families))
    numbers = {source: number for number, source in enumerate(("", *models))}
    counted = items.standing if is_unblinded(study) else items.opened_with
    counts = items_proof.label_counts(counted, shown, numbers, size=size)
    if counts is None:
        return None
    told = options_of(study.pk)
    named = [told.get(source, source) for source in models]
    names = named if is_unblinded(study) else [f"Source {number}" for number in range(1, len(models) + 1)]
    lines = zip((PEOPLE, *names), counts.found, counts.expected, counts.by_kind, strict=True)
    return Positions(
        labels=LABELS[:size],
        sources=tuple(SourceLabels(*line) for line in lines if sum(line[1])),
        together=counts.together,
    )
