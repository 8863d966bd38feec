"""What evaluators give answers to cases, asked in one way or another, without perspectives."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from django.db import transaction

from annotation.platform.core.errors import Refused
from annotation.platform.models.users import User
from annotation.study.core.rubric import Rubric, parse
from annotation.study.core.rubric_parts import all_parts
from annotation.study.models.studies import Study
from annotation.study.policies.roles import check_coordinator
from generation.calls.core.planned_calls import PlannedCall
from generation.calls.models import GenerationRun
from generation.calls.services import planning
from generation.panel.core.panel import Materials
from generation.panel.core.ways_to_score import WayToScore
from generation.panel.selectors.panel_subjects import Subject
from generation.panel.services.panel import Panel, wanted_about
from generation.prompts.services import pool
from generation.trials.selectors.answers import Answered, answered
from generation.trials.selectors.designs import approaches_of

MAX_REPEATS = 10


def why_closed(study: Study) -> str:
    """Why no evaluations of answers can be asked for now; "" where they can."""
    if study.state == "released":
        return "The study is released: evaluations stay as they are."
    if study.state not in ("judging", "closed", "unblinded"):
        opens = "judging" if study.has_judging else "scoring"
        return f"Evaluators are asked once {opens} is open and no text changes any more."
    if next(answered(study), None) is None:
        return "There are no answers to evaluate yet."
    return ""


@transaction.atomic
def plan_scores(*, study: Study, approaches: Collection[str], repeats: int = 1, by: User) -> list[GenerationRun]:
    """A run for each of these approaches, keys of the rubric's variants; every evaluator scores each answer
    `repeats` times. Nothing is sent.

    Raises `Refused` where no answer is there, and before judging opens: until then texts may change.
    """
    check_coordinator(by, study)
    known = [key for _, key, _, _ in approaches_of(parse(study.rubric.toml))]
    asked = [key for key in known if key in approaches]
    if len(asked) < len(set(approaches)) or not asked or not 1 <= repeats <= MAX_REPEATS:
        raise ValueError("There is no such approach, or there are no so many repeats.")
    if closed := why_closed(study):
        raise Refused(closed)
    return [
        planning.plan_run(
            study=study,
            by=by,
            purpose=GenerationRun.Purpose.TRIAL_SCORE,
            mode="per_dimension",
            presentation=GenerationRun.Presentation.ALONE,
            only={"approach": approach, "repeats": repeats},
        )
        for approach in asked
    ]


def parts_told(rubric: Rubric) -> list[str]:
    """All of the rubric. Examples are no part of one that has none, whose calls keep the keys they had."""
    has_examples = any(dimension.examples for dimension in rubric.dimensions)
    return [part for part in all_parts() if part != "examples" or has_examples]


class TrialScores(Panel):
    """The purpose “trial_score”: nobody who scores is told a condition or a model."""

    def closed(self, run: GenerationRun) -> str:
        return why_closed(pool.study_of(run))

    def check_plan(self, run: GenerationRun, study: Study) -> None:
        """Any number of evaluators may score."""

    def way(self, run: GenerationRun) -> WayToScore:
        """The whole rubric, whatever part of it the study's panel sees."""
        study = pool.study_of(run)
        return WayToScore(
            study.rubric.toml,
            pool.only(run)["approach"],
            parts_told(parse(study.rubric.toml)),
            perspectives=False,
            reasons=study.panel_gives_reasons,
        )

    def scope(self, run: GenerationRun) -> Sequence[tuple[str, str]]:
        rubric = parse(run.materials["rubric"])
        approach = run.materials["approach"]
        named = {key: f"{letter}, {name[0].lower()}{name[1:]}" for letter, key, name, _ in approaches_of(rubric)}
        asked = [("Approach", named[approach]), ("Times each is scored", str(pool.only(run)["repeats"]))]
        return [*asked, *super().scope(run)]

    def about(self, run: GenerationRun, ids: Collection[Any] | None = None) -> Iterator[Subject]:
        for answer in answered(pool.study_of(run), ids):
            yield _subject(answer)

    def wanted(self, run: GenerationRun) -> Iterator[PlannedCall]:
        return wanted_about(run, self.about(run), repeats=pool.only(run)["repeats"])


TRIAL_SCORES = TrialScores()


def _subject(answer: Answered) -> Subject:
    return Subject("subject_id", answer.id, Materials(answer.question, {"": answer.text}), {"": None})
