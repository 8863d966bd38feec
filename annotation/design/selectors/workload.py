"""What a study's design asks for, with the people and prompts it has or will have."""

from collections import Counter
from dataclasses import dataclass
from typing import Final

from annotation.people.selectors.recruiting import usable
from annotation.study.core.workload import Counts, Design, Workload, workload
from annotation.study.models.participation import Participation, Role
from annotation.study.models.prompts import Prompt
from annotation.study.models.studies import Study
from annotation.study.selectors.rubrics import rubric_by_hash

SOURCES: Final = 3  # of prompts, in the full study


@dataclass(frozen=True)
class Gathered:
    """What a study in preparation has so far; `invited` hold an invitation that can still be accepted."""

    joined: Counts
    invited: Counts


def gathered(study: Study) -> Gathered:
    prompts = Prompt.objects.filter(study=study).count()
    here = Participation.objects.filter(study=study, left_at__isnull=True)
    joined, invited = (Counter(people.values_list("role", flat=True)) for people in (here, usable(study)))
    return Gathered(
        Counts(prompts, joined[Role.WRITER], joined[Role.JUDGE]),
        Counts(0, invited[Role.WRITER], invited[Role.JUDGE]),
    )


def expected(study: Study, found: Gathered) -> Counts:
    """What to count on: those who are here or invited; where there is nothing yet, the least a study needs."""
    return Counts(
        prompts=found.joined.prompts or SOURCES * study.prompts_per_source,
        writers=found.joined.writers + found.invited.writers or study.answers_per_prompt,
        judges=found.joined.judges + found.invited.judges or study.ratings_per_prompt,
    )


def workload_of(study: Study, counts: Counts) -> Workload:
    """The workload of the study as `study` has it, saved or not, with so many prompts and people."""
    scored = study.judging_mode == Study.Mode.SCORES
    dimensions = rubric_by_hash(study.rubric_id).dimensions if scored else ()
    return workload(Design(study, counts, scores_per_answer=len(dimensions) or 1))
