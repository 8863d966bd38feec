"""How a benchmark's questions are asked, and the words they are asked in."""

from collections.abc import Iterator

from django.db import transaction

from annotation.benchmarks.models.benchmarks import Benchmark, Question
from annotation.platform.core.errors import Refused
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.study.policies.roles import check_coordinator
from annotation.study.services import studies
from generation.benchmarks.core.asking import CORRECTED, PUBLISHED
from generation.benchmarks.models import AskingRules, Prediction, Wording
from generation.benchmarks.selectors.wordings import changes_of, members_of
from generation.calls.models import Subject

ROWS_AT_ONCE = 2_000


@transaction.atomic
def set_asking_rules(
    *, benchmark: Benchmark, says_one_word: bool, output_tokens: int | None, temperature: float, by: User
) -> AskingRules:
    """Decide how models are asked. Raises `Refused` once any has answered: answers would not compare."""
    check_coordinator(by, benchmark.study)
    studies.lock_for_update(benchmark.study)
    if Prediction.objects.filter(wording__question__story__benchmark=benchmark).exists():
        raise Refused("Models have answered already: the questions are asked in one way.")
    rules, _ = AskingRules.objects.update_or_create(
        benchmark=benchmark,
        defaults={"says_one_word": says_one_word, "output_tokens": output_tokens, "temperature": temperature},
    )
    audit.record(
        verb=AuditVerb.BENCHMARK_ASKING_SET,
        by=by,
        study=benchmark.study,
        subject=benchmark.name,
        says_one_word=says_one_word,
        output_tokens=output_tokens,
        temperature=temperature,
    )
    return rules


def want_wordings(benchmark: Benchmark, subset: str) -> None:
    """Keep the words of a subset's questions that are not kept yet, in a transaction that holds the study."""
    members, changes = members_of(benchmark, subset), changes_of(benchmark, subset)
    questions = [
        question
        for question in Question.objects.filter(story__benchmark=benchmark)
        .select_related("story")
        .order_by("number")
        if members is None or question.number in members
    ]
    there = set(
        Wording.objects.filter(question__in=questions).exclude(kind="rephrased").values_list("question", "kind")
    )
    wanted = [
        wording
        for question in questions
        for wording in _wordings(question, changes.get(question.number))
        if (question.pk, wording.kind) not in there
    ]
    subjects = Subject.objects.bulk_create((Subject(kind="wording") for _ in wanted), batch_size=ROWS_AT_ONCE)
    for wording, subject in zip(wanted, subjects, strict=True):
        wording.subject = subject
    Wording.objects.bulk_create(wanted, batch_size=ROWS_AT_ONCE)


def _wordings(question: Question, changes: dict[str, str] | None) -> Iterator[Wording]:
    yield Wording(
        question=question,
        kind=PUBLISHED,
        story=question.story.text,
        text=question.text,
        options=question.options,
    )
    if changes:
        yield Wording(
            question=question,
            kind=CORRECTED,
            number=1,
            story=changes.get("story", question.story.text),
            text=changes.get("text", question.text),
            options=question.options,
        )
