"""A preview of the design before it is drawn: could the people who are there now do the work?

Only numbers: the study's seed is not used. Whoever could look at the real draw before it is made could change
limits and preferences until they like it.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from math import comb
from typing import Final

from annotation.assignment.core.assignment import allocate
from annotation.assignment.core.certificate import JUDGING, WRITING, Wording
from annotation.assignment.core.feasibility import Infeasible
from annotation.assignment.selectors.assigning import people_for
from annotation.platform.core.phrases import counted
from annotation.study.models.participation import Role
from annotation.study.models.prompts import Prompt
from annotation.study.models.studies import Study

NO_SEED: Final = bytes(32)


@dataclass(frozen=True)
class DesignPreview:
    """`loads` is pieces of work → how many people would have so many, most first; empty where `obstacles` are."""

    wording: Wording
    prompts: int
    people: int
    each: int
    loads: Mapping[int, int]
    unwished: int
    obstacles: tuple[str, ...]


def preview_writing(study: Study, *, today: date) -> DesignPreview:
    return _preview(study, Role.WRITER, WRITING, each=_answers(study, today), today=today)


def preview_judging(study: Study, *, today: date) -> DesignPreview:
    return _preview(study, Role.JUDGE, JUDGING, each=study.ratings_per_prompt, today=today)


def _answers(study: Study, today: date) -> int:
    """How many answers every prompt will have."""
    if study.every_writer_answers_every_prompt:
        return len(people_for(study, role=Role.WRITER, today=today))
    return study.answers_per_prompt


def _preview(study: Study, role: Role, wording: Wording, *, each: int, today: date) -> DesignPreview:
    people = people_for(study, role=role, today=today)
    prompts = list(Prompt.objects.filter(study=study).values_list("code", flat=True))
    obstacles = _sets_too_few(study, today) if role == Role.JUDGE else []
    loads: Counter[int] = Counter()
    unwished = 0
    try:
        drawn = allocate(people, prompts, each=each, seed=NO_SEED, work=f"{wording.work}s")
        loads.update(len(own) for own in drawn.prompts.values())
        unwished = len(drawn.unwished)
    except Infeasible as refusal:
        obstacles.append(str(refusal))
    return DesignPreview(
        wording=wording,
        prompts=len(prompts),
        people=len(people),
        each=each,
        loads=dict(sorted(loads.items(), reverse=True)),
        unwished=unwished,
        obstacles=tuple(obstacles),
    )


def _sets_too_few(study: Study, today: date) -> list[str]:
    """Whether there would be more judges to a prompt than different sets of its human answers."""
    size, ratings = study.human_answers_per_item, study.ratings_per_prompt
    answers = _answers(study, today)
    sets = comb(answers, size)
    if not size or not study.sets_rotate or sets >= ratings:
        return []
    enough = next(number for number in range(answers, answers + ratings + size) if comb(number, size) >= ratings)
    return [
        f"{counted(answers, 'human answer')} to a prompt give {counted(sets, 'different set')} of {size}; "
        f"{counted(ratings, 'rating')} are asked for, each with a set of its own. Enough would be "
        f"{counted(sets, 'rating')} or {counted(enough, 'answer')} for each prompt, or one set for all its judges."
    ]
