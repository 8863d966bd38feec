"""Adjudicating a benchmark: opened once all is annotated, ruled on question by question, frozen as subsets."""

import hashlib
from collections.abc import Mapping

from django.core.exceptions import PermissionDenied
from django.db import transaction

from annotation.benchmarks.core.adjudication import RulingGiven, ruling_from, to_adjudicate
from annotation.benchmarks.core.subsets import SUBSETS, digest, members, written
from annotation.benchmarks.models.benchmarks import Benchmark, Question
from annotation.benchmarks.models.reviews import Review
from annotation.benchmarks.models.rulings import Correction, Ruling, Subset
from annotation.benchmarks.selectors.own_reviews import given_of
from annotation.benchmarks.selectors.progress import GONE
from annotation.benchmarks.selectors.rulings import adjudicator_of, items_of, published_of
from annotation.benchmarks.services.giving_out import by_when
from annotation.notifications.core.occasions import ADJUDICATION_BEGUN
from annotation.notifications.services import notifications
from annotation.platform.core.blinding import seeded_order
from annotation.platform.core.errors import Refused
from annotation.platform.core.phrases import counted
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.platform.services.clock import database_now
from annotation.study.core.phases import AUDIT_PHASE, check_open
from annotation.study.models.participation import Participation, Role
from annotation.study.policies.participation import check_ready
from annotation.study.policies.roles import check_coordinator
from annotation.study.services import studies
from annotation.texts.models.seeds import StudySeed


@transaction.atomic
def open_adjudication(*, benchmark: Benchmark, by: User) -> int:
    """End annotating, say which questions are ruled on, and mail those who do; returns how many there are.

    All on which the annotators disagree about the primary category, and of the others the benchmark's share, drawn
    from the study's seed. Raises `Refused` while a question is not annotated by both.
    """
    check_coordinator(by, benchmark.study)
    studies.lock_for_update(benchmark.study)
    check_open(AUDIT_PHASE, benchmark.study.state)
    benchmark.refresh_from_db(from_queryset=Benchmark.objects.select_for_update())
    if benchmark.adjudication_opened_at:
        raise Refused("Adjudication has begun already.")
    reviews = Review.objects.filter(question__story__benchmark=benchmark)
    if missing := reviews.filter(done_at=None).count():
        raise Refused(f"{counted(missing, 'review')} {'is' if missing == 1 else 'are'} not done yet.")
    if not reviews.exists():
        raise Refused("No question was given to annotators.")
    said: dict[str, list[str]] = {}
    for review in reviews.select_related("question").prefetch_related("flags"):
        said.setdefault(str(review.question.number), []).append(given_of(review).category)
    seed = bytes(StudySeed.objects.get(study=benchmark.study).seed)
    disputed, sample = to_adjudicate(
        said, seed=seed, context=benchmark.name, agreements=benchmark.agreements_adjudicated
    )
    order = seeded_order(seed, "order of adjudication", benchmark.name, items=sorted(disputed | sample))
    questions = {str(question.number): question for question in _questions(benchmark)}
    Ruling.objects.bulk_create(
        (
            Ruling(question=questions[number], position=position, is_disputed=number in disputed)
            for position, number in enumerate(order, start=1)
        ),
        batch_size=2_000,
    )
    adjudicators = Participation.objects.filter(study=benchmark.study, role=Role.ADJUDICATOR).exclude(GONE)
    asked = f"{counted(len(order), 'question')} of {benchmark.name} to rule on{by_when(benchmark.study)}"
    people = {user: {"work": asked} for user in adjudicators.values_list("user", flat=True) if order}
    notifications.tell(study=benchmark.study, occasion=ADJUDICATION_BEGUN, people=people, by=by)
    benchmark.adjudication_opened_at = database_now()
    benchmark.save(update_fields=["adjudication_opened_at"])
    audit.record(
        verb=AuditVerb.AUDIT_ADJUDICATION_OPENED,
        by=by,
        study=benchmark.study,
        subject=benchmark.name,
        disputed=len(disputed),
        sampled=len(sample),
    )
    return len(order)


@transaction.atomic
def rule(
    *, pk: int, category: str, fate: str, reason: str, changes: Mapping[str, str], over: int, by: User
) -> RulingGiven:
    """Rule on a question, or rule anew; a correction gets the next number, and earlier ones are kept.

    Raises `Refused` for what contradicts itself, for a ruling that another window has replaced meanwhile, and once
    the subsets are frozen; `PermissionDenied` for anybody but an adjudicator of the study.
    """
    ruling = (
        Ruling.objects.select_for_update(of=("self",))
        .select_related("question__story__benchmark__study")
        .filter(pk=pk)
        .first()
    )
    study = ruling.question.story.benchmark.study if ruling else None
    adjudicator = adjudicator_of(study, by) if study else None
    if ruling is None or study is None or adjudicator is None:
        raise PermissionDenied("There is no such question among yours.")
    studies.lock_shared(adjudicator.study)
    check_may_rule(ruling, adjudicator)
    if over != ruling.revision:
        raise Refused(
            "Another window has ruled on this question meanwhile. Its ruling is shown below; yours replaces it "
            "only if you keep it now."
        )
    question = ruling.question
    given = ruling_from(
        category=category,
        fate=fate,
        reason=reason,
        changes=changes,
        options=question.options,
        published=published_of(question),
    )
    ruling.adjudicator, ruling.category, ruling.fate, ruling.reason = (
        adjudicator,
        given.category,
        given.fate,
        given.reason,
    )
    ruling.revision += 1
    ruling.ruled_at = database_now()
    ruling.save()
    if given.changes:
        number = ruling.corrections.count() + 1
        Correction.objects.create(
            ruling=ruling,
            number=number,
            changes=dict(given.changes),
            reason=given.reason,
            made_at=ruling.ruled_at,
        )
    audit.record(
        verb=AuditVerb.AUDIT_RULED,
        by=by,
        study=study,
        subject=f"{question.story.benchmark.name} {question.number}",
        category=given.category,
        fate=given.fate,
        revision=ruling.revision,
    )
    return given


@transaction.atomic
def freeze_subsets(*, benchmark: Benchmark, by: User) -> list[Subset]:
    """Keep the original, cleaned and corrected questions with the hashes of their files. This cannot be undone.

    Raises `Refused` while a question waits for its ruling.
    """
    check_coordinator(by, benchmark.study)
    studies.lock_for_update(benchmark.study)
    check_open(AUDIT_PHASE, benchmark.study.state)
    benchmark.refresh_from_db(from_queryset=Benchmark.objects.select_for_update())
    if not benchmark.adjudication_opened_at:
        raise Refused("Adjudication has not begun yet.")
    if Subset.objects.filter(benchmark=benchmark).exists():
        raise Refused("The subsets are frozen already.")
    waiting = Ruling.objects.filter(question__story__benchmark=benchmark, ruled_at=None).count()
    if waiting:
        raise Refused(f"{counted(waiting, 'question')} still {'waits' if waiting == 1 else 'wait'} for a ruling.")
    items, now = items_of(benchmark), database_now()
    subsets = []
    for kind in SUBSETS:
        own = members(kind, items)
        files = written(benchmark.layout, own)
        subsets.append(
            Subset(
                benchmark=benchmark,
                kind=kind,
                members=[item.number for item in own],
                corrections={str(item.number): dict(item.changes) for item in own if item.changes},
                files=[
                    {"name": name, "sha256": hashlib.sha256(data).hexdigest()}
                    for name, data in sorted(files.items())
                ],
                sha256=digest(files),
                frozen_at=now,
            )
        )
    Subset.objects.bulk_create(subsets)
    audit.record(
        verb=AuditVerb.AUDIT_SUBSETS_FROZEN,
        by=by,
        study=benchmark.study,
        subject=benchmark.name,
        subsets={subset.kind: subset.sha256 for subset in subsets},
    )
    return subsets


def check_may_rule(ruling: Ruling, adjudicator: Participation) -> None:
    """Raise `Refused` where nothing can be ruled on the question any more."""
    check_open(AUDIT_PHASE, adjudicator.study.state, ": rulings stay as they are.")
    check_ready(adjudicator)
    if Subset.objects.filter(benchmark=ruling.question.story.benchmark_id).exists():
        raise Refused("The subsets are frozen: rulings stay as they are.")


def _questions(benchmark: Benchmark) -> list[Question]:
    return list(Question.objects.filter(story__benchmark=benchmark))
