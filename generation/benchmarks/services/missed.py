"""Which of a benchmark's questions models missed, for audits that review those."""

from django.db import transaction

from annotation.benchmarks.models.benchmarks import Benchmark, Question
from annotation.benchmarks.services.drawing import draw_reviewed
from annotation.platform.core.errors import Refused
from annotation.platform.core.phrases import counted
from annotation.platform.models.users import User
from generation.benchmarks.core.asking import PUBLISHED, SINGLY
from generation.benchmarks.selectors.predictions import predicted


@transaction.atomic
def draw_missed(*, benchmark: Benchmark, by: User) -> int:
    """Draw the questions to be reviewed by what models answered to each by itself; returns how many.

    A question without any answer is reviewed as if it had been missed. Raises `Refused` while a model has not been
    asked every question, and as `draw_reviewed` does.
    """
    told = [each for each in predicted(benchmark) if (each.mode, each.wording.kind) == (SINGLY, PUBLISHED)]
    models = {each.target.pk for each in told}
    if not models:
        raise Refused("No model has answered yet: which questions were missed is not known.")
    questions = Question.objects.filter(story__benchmark=benchmark).count()
    if missing := len(models) * questions - len(told):
        raise Refused(f"{counted(missing, 'question')} of models not asked yet: have the run finished first.")
    answers: dict[int, list[str]] = {}
    for each in told:
        if each.prediction:
            answers.setdefault(each.wording.question_id, []).append(each.prediction.words)
    return draw_reviewed(benchmark=benchmark, answers=answers, by=by)
