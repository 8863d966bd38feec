"""One member of a study, as its coordinator sees them: how they take part, their work, what was mailed to them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter

from annotation.assignment.selectors.assigning import ROLES, as_person
from annotation.coordination.models.reminders import Reminder
from annotation.coordination.selectors.reminder_history import outcome
from annotation.judging.models.judging import JudgingItem
from annotation.judging.selectors.requested_ratings import shared_ratings
from annotation.notifications.models import Notification
from annotation.people.selectors.pending_work import pieces_left
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.audit_verbs import label_of
from annotation.study.models.participation import Consent, Invitation, Participation, Profile, Role
from annotation.study.models.studies import Study
from annotation.study.policies.participation import is_studied, why_not_ready
from annotation.study.selectors.prompts import topics_by_prompt
from annotation.writing.models import WritingAssignment, WritingReceipt
from annotation.writing.selectors.rejected_answers import STANDING


@dataclass(frozen=True)
class PersonAnswerLine:
    """An answer of a writer. `seconds` from start to submission; empty for one that is not submitted."""

    id: int
    position: int
    prompt_code: str
    state: str
    standing: str
    by_clock: bool
    started_at: datetime | None
    submitted_at: datetime | None
    seconds: float | None


@dataclass(frozen=True)
class PersonItemLine:
    """An item of a judge: when, never what.

    `took_from` and `given_to` are the judges who had its place before, and have it now instead. `seconds` go from
    opening to submission; they are empty for an item that is not submitted.
    """

    id: int
    position: int
    prompt_code: str
    state: str
    opened_at: datetime | None
    submitted_at: datetime | None
    seconds: float | None
    took_from: str
    given_to: str


@dataclass(frozen=True)
class Mail:
    """`state` says what became of it: sent, skipped, withdrawn, or waiting for `at`."""

    at: datetime
    what: str
    state: str
    because: str = ""


@dataclass(frozen=True)
class ChangedAnswer:
    """A changed answer to a question that decides whether they may take part."""

    question: str
    before: str
    after: str
    at: datetime


@dataclass(frozen=True)
class Happening:
    at: datetime
    what: str
    who: str
    reason: str


@dataclass(frozen=True)
class PersonPage:
    """`role` and `degree` are labels. `obstacle` says why they may not begin, in words for them.

    Of their pieces of work `done` are submitted and `left` still to be done by them; of those not begun `beyond` do
    not fit their limits.

    Of what they answered about themselves there is only what assignment can use, discipline and degree, and what
    they changed of the answers that decide whether they may take part.
    """

    pseudonym: str
    name: str
    email: str
    role: str
    is_studied: bool
    joined_at: datetime
    left_at: datetime | None
    reminders_off_at: datetime | None
    extra_minutes: int
    consent_version: str
    consented_at: datetime | None
    withdrew_at: datetime | None
    profile_at: datetime | None
    discipline: str
    degree: str
    obstacle: str
    changed_answers: tuple[ChangedAnswer, ...]
    answers: tuple[PersonAnswerLine, ...]
    items: tuple[PersonItemLine, ...]
    mails: tuple[Mail, ...]
    happenings: tuple[Happening, ...]
    done: int
    left: int
    beyond: int


def member_of(study: Study, pseudonym: str) -> Participation | None:
    """Somebody who takes part in the study or did; with what decides whether they may begin."""
    found = Participation.objects.filter(study=study, pseudonym=pseudonym)
    return found.select_related("study", "user", "consent", "profile").first()


def person_page(member: Participation) -> PersonPage:
    consent: Consent | None = getattr(member, "consent", None)
    profile: Profile | None = getattr(member, "profile", None)
    asked = is_studied(member)
    answers = tuple(_answers(member)) if member.role == Role.WRITER else ()
    items = tuple(_items(member)) if member.role == Role.JUDGE else ()
    lines: list[PersonAnswerLine | PersonItemLine] = [*answers, *items]
    own = Counter(line.state for line in answers) + Counter(line.state for line in items if not line.given_to)
    return PersonPage(
        pseudonym=member.pseudonym,
        name=member.user.name,
        email=member.user.email,
        role=member.get_role_display(),
        is_studied=asked,
        joined_at=member.joined_at,
        left_at=member.left_at,
        reminders_off_at=member.reminders_off_at,
        extra_minutes=member.extra_minutes,
        consent_version=consent.version if consent else "",
        consented_at=consent.given_at if consent else None,
        withdrew_at=consent.withdrawn_at if consent else None,
        profile_at=profile.completed_at if profile else None,
        discipline=profile.discipline if profile else "",
        degree=profile.get_highest_degree_display() if profile else "",
        obstacle=why_not_ready(member) if asked else "",
        changed_answers=tuple(
            ChangedAnswer(change.get_question_display(), change.before, change.after, change.changed_at)
            for change in member.eligibility_changes.all()
        ),
        answers=answers,
        items=items,
        mails=tuple(sorted(_mails(member), key=attrgetter("at"), reverse=True)),
        happenings=tuple(_happenings(member)),
        done=sum(line.state == "submitted" for line in lines),
        left=pieces_left(member, own),
        beyond=_beyond_limits(member, lines),
    )


def _beyond_limits(member: Participation, lines: Sequence[PersonAnswerLine | PersonItemLine]) -> int:
    """How many pieces of work that are not begun a repair would give to others, while their work goes on."""
    if member.left_at or ROLES.get(member.study.state) != member.role:
        return 0
    person = as_person(member, topics_by_prompt(member.study))
    held = [line for line in lines if line.state != "cancelled"]
    free = [line for line in held if line.state == "assigned"]
    barred = sum(line.prompt_code in person.excluded for line in free)
    too_many = 0 if person.capacity is None else max(0, len(held) - barred - person.capacity)
    return min(len(free), barred + too_many)


def _answers(writer: Participation) -> Iterator[PersonAnswerLine]:
    for answer in (
        WritingAssignment.objects.filter(participation=writer).annotate(standing=STANDING).select_related("prompt")
    ):
        yield PersonAnswerLine(
            id=answer.pk,
            position=answer.position,
            prompt_code=answer.prompt.code,
            state=answer.state,
            standing=answer.standing,
            by_clock=answer.submitted_by_clock,
            started_at=answer.started_at,
            submitted_at=answer.submitted_at,
            seconds=_seconds(answer.started_at, answer.submitted_at),
        )


def _items(judge: Participation) -> Iterator[PersonItemLine]:
    later = {item.id: rating.holder.judge for rating in shared_ratings(judge.study) for item in rating.items[:-1]}
    items = JudgingItem.objects.filter(participation=judge)
    for item in items.select_related("prompt", "replaces__participation"):
        yield PersonItemLine(
            id=item.pk,
            position=item.position,
            prompt_code=item.prompt.code,
            state=item.state,
            opened_at=item.opened_at,
            submitted_at=item.submitted_at,
            seconds=_seconds(item.opened_at, item.submitted_at),
            took_from=item.replaces.participation.pseudonym if item.replaces else "",
            given_to=later.get(item.pk, ""),
        )


def _seconds(begun: datetime | None, ended: datetime | None) -> float | None:
    return (ended - begun).total_seconds() if begun and ended else None


def _mails(member: Participation) -> Iterator[Mail]:
    """The invitation they accepted, mails at changes of phase, receipts, and reminders whatever became of them."""
    for invited in Invitation.objects.filter(study=member.study, accepted_by=member.user):
        if invited.sent_at:
            yield Mail(invited.sent_at, "Invitation", "sent")
    receipts = WritingReceipt.objects.filter(assignment__participation=member).order_by("id")
    for mailed_at, code in receipts.values_list("mailed_at", "assignment__prompt__code"):
        yield Mail(mailed_at, f"Receipt for {code}", "sent")
    for told in Notification.objects.filter(study=member.study, user=member.user):
        yield Mail(told.sent_at or told.asked_at, told.subject, "sent" if told.sent_at else "waiting")
    for reminder in Reminder.objects.filter(participation=member).select_related("withdrawn_by"):
        became = outcome(reminder)
        yield Mail(became.at, f"Reminder “{reminder.subject}”", became.state, became.because)


def _happenings(member: Participation) -> Iterator[Happening]:
    """What the audit trail says about the person, first things first; their work and mails stand elsewhere."""
    events = AuditEvent.objects.filter(
        study=member.study, subject=member.pseudonym, verb__regex=r"^(person|consent|profile)\."
    )
    for event in events.select_related("actor").order_by("id"):
        yield Happening(
            at=event.at,
            what=label_of(event.verb),
            who=event.actor.name if event.actor else "",
            reason=event.detail.get("reason", ""),
        )
