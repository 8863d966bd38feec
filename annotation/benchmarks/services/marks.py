"""Giving answers and rephrasings to people to be marked, and keeping what they say."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Max

from annotation.benchmarks.core.marks import VERDICTS
from annotation.benchmarks.models.benchmarks import Benchmark
from annotation.benchmarks.models.marks import AnswerMark
from annotation.benchmarks.models.rulings import Subset
from annotation.benchmarks.selectors.progress import GONE
from annotation.platform.core.blinding import keyed_hash
from annotation.platform.core.errors import Refused
from annotation.platform.core.phrases import counted
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.platform.services.clock import database_now
from annotation.study.core.phases import AUDIT_PHASE, check_open
from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study
from annotation.study.policies.participation import check_ready
from annotation.study.policies.roles import check_coordinator
from annotation.study.services import studies
from annotation.texts.models.seeds import StudySeed


@dataclass(frozen=True)
class ToMark:
    """`about` is the id of what is marked, `question` that of its question; `shown` as `AnswerMark` has it."""

    about: int
    question: int
    shown: Mapping[str, Any]


@transaction.atomic
def give_to_mark(*, benchmark: Benchmark, kind: str, items: Sequence[ToMark], people: int, by: User) -> int:
    """Give each item to so many of those who annotate or adjudicate, in an order of the study's seed; returns how
    many marks that asks for. Items that were given out before stay with whom they are.

    Raises `Refused` before the subsets are frozen, since who annotates or rules would see what models answer, and
    for fewer people.
    """
    study = benchmark.study
    check_coordinator(by, study)
    studies.lock_for_update(study)
    if study.state != "judging" or not Subset.objects.filter(benchmark=benchmark).exists():
        raise Refused(
            "People mark once the subsets are frozen: who rules on questions sees no model’s answer before."
        )
    markers = list(
        Participation.objects.filter(study=study, role__in=(Role.ANNOTATOR, Role.ADJUDICATOR))
        .exclude(GONE)
        .order_by("pseudonym")
    )
    if not 1 <= people <= len(markers):
        raise Refused(f"{counted(len(markers), 'person')} can mark, and each is to be marked by {people}.")
    seed = bytes(StudySeed.objects.get(study=study).seed)
    given = set(AnswerMark.objects.filter(about__in=[item.about for item in items]).values_list("about", flat=True))
    wanted = sorted(
        (item for item in items if item.about not in given),
        key=lambda item: keyed_hash(seed, "order of marks", kind, str(item.about)),
    )
    last = dict(
        AnswerMark.objects.filter(marker__in=markers).order_by().values_list("marker").annotate(Max("position"))
    )
    marks = []
    for number, item in enumerate(wanted):
        for place in range(people):
            marker = markers[(number + place) % len(markers)]
            last[marker.pk] = last.get(marker.pk, 0) + 1
            marks.append(
                AnswerMark(
                    marker=marker,
                    question_id=item.question,
                    kind=kind,
                    about=item.about,
                    shown=dict(item.shown),
                    position=last[marker.pk],
                )
            )
    AnswerMark.objects.bulk_create(marks, batch_size=2_000)
    audit.record(
        verb=AuditVerb.AUDIT_MARKS_GIVEN_OUT,
        by=by,
        study=study,
        subject=benchmark.name,
        kind=kind,
        items=len(wanted),
        people=people,
    )
    return len(marks)


@transaction.atomic
def mark(*, pk: int, verdict: str, by: User) -> AnswerMark:
    """Keep what somebody says of what they were given; "" takes it back.

    Raises `Refused` once the study is closed and for an unknown verdict, `PermissionDenied` for what is not theirs.
    """
    # The study first, as closing it and passing marks on do: neither happens while a mark is kept.
    study = Study.objects.filter(participations__answer_marks=pk).first()
    if study is not None:
        studies.lock_shared(study)
    found = (
        AnswerMark.objects.select_for_update(of=("self",))
        .filter(pk=pk, marker__user=by, marker__left_at__isnull=True)
        .select_related("marker__study", "marker__consent", "marker__profile")
        .first()
    )
    if found is None:
        raise PermissionDenied("There is nothing such for you to mark.")
    check_may_mark(found)
    if verdict and verdict not in VERDICTS[found.kind]:
        raise Refused("Choose one of the verdicts.")
    if verdict != found.verdict:
        found.verdict = verdict
        found.marked_at = database_now() if verdict else None
        found.revision += 1
        found.save(update_fields=["verdict", "marked_at", "revision"])
    return found


def check_may_mark(found: AnswerMark) -> None:
    """Raise `Refused` where nothing more can be said."""
    check_open(AUDIT_PHASE, found.marker.study.state, ": what was said stays as it is.")
    check_ready(found.marker)
