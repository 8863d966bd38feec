"""Who can take which prompts: what is known of a study's members, as assignment reads it."""

from collections.abc import Mapping
from datetime import date
from typing import Final

from django.db.models import Q

from annotation.assignment.core.feasibility import Person
from annotation.assignment.core.repair_plan import JUDGING, WRITING
from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study
from annotation.study.selectors.prompts import folded, topics_by_prompt

ROLES: Final = {WRITING: Role.WRITER, JUDGING: Role.JUDGE}


def people_for(study: Study, *, role: Role, today: date) -> tuple[Person, ...]:
    """Everybody who can be given work of `role`, by pseudonym: here, and available today or later.

    Who has not consented yet is among them, who has withdrawn their consent is not.
    """
    topics = topics_by_prompt(study)
    here = Participation.objects.filter(
        Q(available_until__isnull=True) | Q(available_until__gte=today),
        study=study,
        role=role,
        left_at__isnull=True,
        consent__withdrawn_at__isnull=True,
    )
    return tuple(as_person(member, topics) for member in here.order_by("pseudonym"))


def colleagues(study: Study) -> dict[str, list[str]]:
    """Judge → the writers of the same institution; case and outer spaces make no other one. All by pseudonym."""
    writers: dict[str, list[str]] = {}
    judges: dict[str, str] = {}
    known = Participation.objects.filter(study=study, role__in=(Role.WRITER, Role.JUDGE)).exclude(institution="")
    for role, pseudonym, institution in known.order_by("pseudonym").values_list("role", "pseudonym", "institution"):
        house = institution.strip().casefold()
        if role == Role.WRITER:
            writers.setdefault(house, []).append(pseudonym)
        else:
            judges[pseudonym] = house
    return {judge: writers[house] for judge, house in judges.items() if house in writers}


def as_person(member: Participation, topics: Mapping[str, frozenset[str]]) -> Person:
    """The member with the codes of prompts they never get, and of those they would rather not get."""
    excludes, prefers = folded(member.excludes), folded(member.prefers)
    return Person(
        name=member.pseudonym,
        capacity=member.capacity,
        excluded=frozenset(code for code, words in topics.items() if words & excludes),
        unwished=frozenset(code for code, words in topics.items() if prefers and not words & prefers),
    )
