"""What whole experiments would ask, before anything is asked: numbers and costs as in the protocol."""

from decimal import Decimal

import pytest
from django.db import connection

from annotation.study.models.studies import Study
from generation.calls.models import Attempt, Call, GenerationRun, Subject
from generation.calls.services import planning
from generation.framing.models import FramedAnswer, FramingSet
from generation.framing.services.scores import plan_scores
from tests.factories import coordinator_of
from tests.generation.calls.model_runs import a_locked_study, a_target, collected, good
from tests.generation.framing.app.test_framed_answers import a_passed_set, figures, ways

pytestmark = pytest.mark.django_db

PRICE = {"input": "2", "output": "10"}
FAMILIES = ("claude", "gemini", "gpt", "kimi", "llama", "magistral", "mistral", "qwen")


def with_priced_judges(study: Study) -> Study:
    for family in ("one", "two", "three"):
        a_target(study, family, role="panel", weak_temperature=None, price=PRICE)
    return study


def answered_at_once(run: GenerationRun, framing_set: FramingSet) -> None:
    """An answer for every call of the plan, as if it had come."""
    calls = list(Call.objects.filter(run=run).select_related("subject__framing__prompt", "subject__framed_prompt"))
    subjects = Subject.objects.bulk_create(Subject(kind="framed answer") for _ in calls)
    answers = []
    for subject, call in zip(subjects, calls, strict=True):
        framing = getattr(call.subject, "framing", None)
        prompt = framing.prompt if framing else call.subject.framed_prompt  # type: ignore[union-attr]
        about = {"prompt": prompt, "framing": framing, "target_id": call.target_id, "call": call}
        said = {"is_instructed": True, "raw_text": "As it is.", "text": "As it is."}
        answers.append(FramedAnswer(subject=subject, **about, **said))
    FramedAnswer.objects.bulk_create(answers)
    assert FramedAnswer.objects.filter(prompt__set=framing_set).count() == sum(figures(run))


def calls_taken_for_none() -> None:
    """What the database knows of their table after it has only seen rows in it that were taken back."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = '30s'")
        cursor.execute("UPDATE pg_class SET reltuples = 0, relpages = 1000 WHERE oid = 'generation_call'::regclass")


@pytest.mark.parametrize(
    ("models", "has_baselines", "answers", "scores"), [(3, True, 450, 13_500), (8, False, 1_200, 36_000)]
)
def test_plans_of_thirty_prompts_have_the_numbers_of_the_protocol_and_their_costs(
    *, models: int, has_baselines: bool, answers: int, scores: int
) -> None:
    study = with_priced_judges(a_locked_study(prompts=30, families=FAMILIES[:models], of_targets={"price": PRICE}))
    if has_baselines:
        collected(study, lambda _outgoing: good())
    framing_set = a_passed_set(study)
    instructed, alone = ways(framing_set)
    known = 30 * models * has_baselines
    assert figures(instructed) == (known, answers - known)
    assert figures(alone) == (0, answers)
    answered_at_once(instructed, framing_set)
    sent = Attempt.objects.count()
    panel = plan_scores(framing_set=framing_set, instructed=True, shows="framing", by=coordinator_of(study))
    calls_taken_for_none()
    planning.fill_plan(panel.pk)
    assert figures(panel) == (0, scores)
    for run in (instructed, alone, panel):
        for share in run.shares.all():
            assert Decimal(0) < (share.cost or Decimal(0)) < (share.worst_cost or Decimal(0))
    assert Attempt.objects.count() == sent
