"""What needs a decision of the coordinator, or cannot go on by itself."""

from collections.abc import Collection, Iterator, Mapping

from django.db.models import Exists, OuterRef
from django.urls import reverse

from annotation.coordination.selectors.concerns import Concern, Concerns, about, at, concerns
from annotation.coordination.selectors.progress import Phase, Texts, Work
from annotation.platform.core.phrases import counted
from annotation.platform.core.work_kinds import WorkKind, WorkRows
from annotation.platform.models.work import Task
from annotation.study.models.studies import Study
from annotation.study.selectors.flags import waiting_flags
from annotation.texts.policies import takes_texts
from annotation.writing.selectors.outages import proposals
from annotation.writing.selectors.rejected_answers import missed_answers
from annotation.writing.selectors.writing_desk import late_texts

NOUNS = {Phase.WRITING: "answer", Phase.JUDGING: "item"}


def blocked(study: Study, works: Mapping[Phase, Work], texts: Texts) -> list[Concerns]:
    """Everything in the study itself; background work that gave up is `given_up`."""
    desk = reverse("writing_desk", args=[study.slug])
    repair = reverse("repair", args=[study.slug])
    return [
        *concerns(
            "Texts that came late", "warning", _late_texts(study), way="Go to the writing desk", address=desk
        ),
        *concerns(
            "Rejected answers",
            "danger",
            _rejected(study),
            way="Decide on the writing desk",
            address=f"{desk}#rejected",
        ),
        *concerns(
            "Flagged by writers and judges",
            "warning",
            _flags(study),
            way="Read what they say",
            address=reverse("flags", args=[study.slug]),
        ),
        *concerns("Texts in quarantine", "warning", _quarantined(study, texts.quarantined)),
        *concerns("Time lost while the server was away", "warning", _credits(study, desk)),
        *concerns("Consent withdrawn", "danger", _withdrawn(study, works)),
        *concerns("Left with work undone", "danger", _left(study, works), way="Give it to others", address=repair),
    ]


def _late_texts(study: Study) -> Iterator[Concern]:
    for late in late_texts(study) if takes_texts(study) else ():
        answer = reverse("writing_answer", args=[late.assignment])
        yield Concern(
            f"{late.prompt_code} by {late.pseudonym}",
            f"arrived {at(late.received_at)}, undecided",
            f"{answer}#late",
        )


def _flags(study: Study) -> Iterator[Concern]:
    for flag in waiting_flags(study):
        address = f"{reverse('flags', args=[study.slug])}#flag-{flag.id}"
        yield Concern(f"{flag.about} of {flag.prompt_code}", f"{flag.kind.lower()}, says {flag.pseudonym}", address)


def _rejected(study: Study) -> Iterator[Concern]:
    for answer in missed_answers(study) if takes_texts(study) else ():
        address = reverse("writing_answer", args=[answer.pk])
        yield Concern(
            f"{answer.prompt.code} by {answer.participation.pseudonym}",
            "its text was rejected and is missing",
            address,
        )


def _quarantined(study: Study, number: int) -> Iterator[Concern]:
    """How many in all, not whose: nobody decides about a text knowing that."""
    if number and takes_texts(study):
        says = "may tell who, or what, wrote " + ("it" if number == 1 else "them")
        yield Concern(counted(number, "text"), says, reverse("texts", args=[study.slug]), number)


def _credits(study: Study, desk: str) -> Iterator[Concern]:
    for outage in proposals(study):
        lost = counted(len(outage.losses), "answer")
        yield Concern(f"Outage of {at(outage.began_at)}", f"{lost} lost time, undecided", desk)


def _withdrawn(study: Study, works: Mapping[Phase, Work]) -> Iterator[Concern]:
    """People who take part no more by their own will, until the coordinator notes that they have left."""
    for phase, work in works.items():
        left = work.blocked_by
        for member in work.members.values():
            if member.has_withdrawn and not member.has_left:
                undone = counted(len(left.get(member.pseudonym, ())), NOUNS[phase])
                yield about(study, member, f"{undone} undone; note that they have left")


def _left(study: Study, works: Mapping[Phase, Work]) -> Iterator[Concern]:
    phase = Phase(study.state) if study.state in tuple(Phase) else None
    if phase is None:
        return
    for person, pieces in works[phase].blocked_by.items():
        if (member := works[phase].members[person]).has_left:
            yield about(study, member, f"has left, {counted(len(pieces), NOUNS[phase])} undone")


def given_up(study: Study, kinds: Mapping[str, WorkKind]) -> list[Concerns]:
    """Background work for the study that failed to the last attempt and that nobody asked for again.

    `kinds` are all that there are, by name.
    """
    later = Task.objects.filter(kind=OuterRef("kind"), subject=OuterRef("subject"), id__gt=OuterRef("id"))
    of_studies = {name: (kind, kind.rows) for name, kind in kinds.items() if kind.rows}
    failed = Task.objects.filter(~Exists(later), gave_up_at__isnull=False, kind__in=of_studies)
    subjects: dict[str, list[str]] = {}
    for kind, subject in failed.order_by("gave_up_at", "id").values_list("kind", "subject"):
        subjects.setdefault(kind, []).append(subject)
    lines = [line for kind, those in subjects.items() for line in _failed(study, *of_studies[kind], those)]
    return concerns("The site gave up: ask its administrator", "danger", lines)


def _failed(study: Study, kind: WorkKind, rows: WorkRows, subjects: Collection[str]) -> Iterator[Concern]:
    of_study = rows.model._default_manager.filter(**{rows.study: study.pk})
    found = of_study.filter(pk__in={rows.row(subject) for subject in subjects})
    for row in found.select_related(*rows.related):
        called, address = rows.found(row)
        yield Concern(called, kind.label, address)
