"""Drawing the questions that are reviewed, of a benchmark of which not all are."""

from collections.abc import Mapping, Sequence

from django.db import transaction

from annotation.benchmarks.core.drawing import MISSED, Asked, draw
from annotation.benchmarks.models.benchmarks import Benchmark, DrawnQuestion, Question
from annotation.benchmarks.models.reviews import Review
from annotation.platform.core.errors import Refused
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.study.policies.roles import check_coordinator
from annotation.study.services import studies
from annotation.texts.models.seeds import StudySeed

ROWS_AT_ONCE = 2_000


@transaction.atomic
def draw_reviewed(*, benchmark: Benchmark, answers: Mapping[int, Sequence[str]], by: User) -> int:
    """Draw the questions to be reviewed by what models answered, by the question's id; returns how many.

    Drawn again, they replace those drawn before. Raises `Refused` where all are reviewed, while the design may
    change, and once questions were given out.
    """
    study = benchmark.study
    check_coordinator(by, study)
    studies.lock_for_update(study)
    if benchmark.reviewed != MISSED:
        raise Refused("All questions of this benchmark are reviewed: none are drawn.")
    if study.state == "design":
        raise Refused("The design may still change: questions are drawn once it is locked.")
    questions = list(Question.objects.filter(story__benchmark=benchmark).order_by("number"))
    if Review.objects.filter(question__in=questions).exists():
        raise Refused("Questions were given to annotators already: those stay.")
    asked = {
        str(question.number): Asked(
            question.gold, question.gold_option, question.options, answers.get(question.pk, ())
        )
        for question in questions
    }
    found = draw(
        asked,
        seed=bytes(StudySeed.objects.get(study=study).seed),
        context=benchmark.name,
        sampled=benchmark.never_missed_sampled,
    )
    DrawnQuestion.objects.filter(question__in=questions).delete()
    DrawnQuestion.objects.bulk_create(
        (
            DrawnQuestion(question=question, weight=drawn.weight, is_sampled=drawn.is_sampled, answer=drawn.answer)
            for question in questions
            if (drawn := found.get(str(question.number)))
        ),
        batch_size=ROWS_AT_ONCE,
    )
    sampled = sum(drawn.is_sampled for drawn in found.values())
    audit.record(
        verb=AuditVerb.AUDIT_QUESTIONS_DRAWN,
        by=by,
        study=study,
        subject=benchmark.name,
        missed=len(found) - sampled,
        sampled=sampled,
    )
    return len(found)
