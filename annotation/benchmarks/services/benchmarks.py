"""Bringing benchmarks into a study, while it is being designed."""

from dataclasses import asdict
from typing import Final

from django.db import transaction

from annotation.benchmarks.core.contents import Contents
from annotation.benchmarks.core.drawing import ALL, MISSED, REVIEWED
from annotation.benchmarks.models.benchmarks import Benchmark, MechanicalFinding, Question, Story
from annotation.platform.core.errors import Refused
from annotation.platform.core.lifecycle import STUDY
from annotation.platform.core.text import clean
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.study.models.studies import Study
from annotation.study.policies.roles import check_coordinator
from annotation.study.services import studies

ROWS_AT_ONCE: Final = 2_000


@transaction.atomic
def add_benchmark(*, study: Study, name: str, contents: Contents, by: User) -> Benchmark:
    """Keep a benchmark that was read, in a study in design, with what was found in it by rule.

    Raises `Refused` for a name that the study has.
    """
    _check_designing(study, by)
    name = " ".join(clean(name).split())
    if Benchmark.objects.filter(study=study, name=name).exists():
        raise Refused(f"The study has a benchmark called “{name}” already.", field="name")
    benchmark = Benchmark.objects.create(
        study=study,
        name=name,
        layout=contents.layout,
        files=[asdict(file) for file in contents.files],
        mapping=dict(contents.mapping),
        lacking=list(contents.reading.lacking),
        several_flaws=contents.layout == "tomi",  # as its published guidelines have it
        added_by=by,
    )
    questions = _keep(benchmark, contents)
    audit.record(
        verb=AuditVerb.BENCHMARK_ADDED,
        by=by,
        study=study,
        subject=name,
        layout=contents.layout,
        files=benchmark.files,
        stories=len(contents.reading.stories),
        questions=questions,
    )
    return benchmark


@transaction.atomic
def remove_benchmark(*, benchmark: Benchmark, by: User) -> None:
    """Take a benchmark out of a study in design."""
    _check_designing(benchmark.study, by)
    audit.record(
        verb=AuditVerb.BENCHMARK_REMOVED,
        by=by,
        study=benchmark.study,
        subject=benchmark.name,
        files=benchmark.files,
    )
    benchmark.delete()


@transaction.atomic
def set_rules(
    *,
    benchmark: Benchmark,
    several_flaws: bool,
    agreements_adjudicated: int,
    by: User,
    reviewed: str = ALL,
    shows_answers: bool = False,
    never_missed_sampled: int = 10,
) -> None:
    """How a benchmark's questions are annotated, in a study in design. Shares are in per cent.

    Where all questions are reviewed, nobody sees a model's answer, whatever `shows_answers` says.
    """
    _check_designing(benchmark.study, by)
    if not 0 <= agreements_adjudicated <= 100:
        raise Refused("A share is between 0 and 100 per cent.", field="agreements_adjudicated")
    if not 1 <= never_missed_sampled <= 100:
        raise Refused("The sample has between 1 and 100 per cent.", field="never_missed_sampled")
    if reviewed not in REVIEWED:
        raise Refused("Say which questions are reviewed.", field="reviewed")
    rules = {
        "several_flaws": several_flaws,
        "agreements_adjudicated": agreements_adjudicated,
        "reviewed": reviewed,
        "shows_answers": shows_answers and reviewed == MISSED,
        "never_missed_sampled": never_missed_sampled,
    }
    for name, value in rules.items():
        setattr(benchmark, name, value)
    benchmark.save(update_fields=list(rules))
    audit.record(verb=AuditVerb.BENCHMARK_RULES_SET, by=by, study=benchmark.study, subject=benchmark.name, **rules)


def check_benchmarks(study: Study) -> None:
    """Raise `Refused` where an audit has nothing to audit."""
    if not Benchmark.objects.filter(study=study).exists():
        raise Refused("The study audits benchmarks, and has none so far.")


def _check_designing(study: Study, by: User) -> None:
    check_coordinator(by, study)
    studies.lock_for_update(study)
    if study.state != STUDY.initial:
        raise Refused("The design is locked, so benchmarks stay as they are.")


def _keep(benchmark: Benchmark, contents: Contents) -> int:
    """Store stories, questions and findings; returns the number of questions."""
    read = contents.reading.stories
    stories = Story.objects.bulk_create(
        [
            Story(
                benchmark=benchmark,
                number=number,
                key=story.key,
                text=story.text,
                kind=story.kind,
                source=story.source,
                cluster=story.cluster,
            )
            for number, story in enumerate(read, start=1)
        ],
        batch_size=ROWS_AT_ONCE,
    )
    asked = sorted(
        ((question, story) for found, story in zip(read, stories, strict=True) for question in found.questions),
        key=lambda pair: pair[0].line,
    )
    questions = Question.objects.bulk_create(
        [
            Question(
                story=story,
                number=number,
                text=question.text,
                options=list(question.options),
                gold=question.gold,
                gold_option=question.gold_option,
                kind=question.kind,
                line=question.line,
                raw=dict(question.raw),
            )
            for number, (question, story) in enumerate(asked, start=1)
        ],
        batch_size=ROWS_AT_ONCE,
    )
    by_line = {question.line: question for question in questions}
    MechanicalFinding.objects.bulk_create(
        [
            MechanicalFinding(question=by_line[finding.line], kind=finding.kind, text=finding.text)
            for finding in contents.findings
        ],
        batch_size=ROWS_AT_ONCE,
    )
    return len(questions)
