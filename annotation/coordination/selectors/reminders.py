"""Who could be reminded of what, and what a reminder would say."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Final

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db.models import Max
from django.db.models.functions import Greatest
from django.urls import reverse

from annotation.coordination.core.reminders import PLACEHOLDERS, Standing, with_unsubscribe_link
from annotation.coordination.policies import why_not
from annotation.coordination.selectors.reminder_history import asked_of
from annotation.judging.models.judging import JudgingItem
from annotation.people.selectors.pending_work import PIECES, open_guesses, pieces_left, work_of
from annotation.platform.core.errors import Refused
from annotation.platform.core.mail_templates import Template, fill, parse_template
from annotation.platform.core.phrases import counted, in_words
from annotation.platform.models.users import User
from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study
from annotation.study.policies.participation import STUDIED, has_consented, is_complete, is_ready
from annotation.writing.models import WritingAssignment

TEMPLATES = Path(__file__).resolve().parent.parent / "reminders"
# The states of a study in which a role has something before it: consent and profile, and then the work itself.
_UNTIL_JUDGING: Final = ("design", "writing", "assembling", "judging")
BEFORE: Final = {
    Role.WRITER: ("design", "writing"),
    Role.JUDGE: _UNTIL_JUDGING,
    Role.ANNOTATOR: _UNTIL_JUDGING,
    Role.ADJUDICATOR: _UNTIL_JUDGING,
}
ENTRY, WRITING, JUDGING, AUDITING = "entry", "writing", "judging", "auditing"
GROUPS: Final = {
    ENTRY: "Consent or profile missing",
    WRITING: "Answers left to write",
    JUDGING: "Items left to judge",
    AUDITING: "Questions left to annotate or rule on",
}
MAX_SUBJECT_LENGTH = 200  # characters
OWN_LINK = "[the person’s own link]"


@lru_cache(maxsize=1)
def templates() -> dict[str, Template]:
    """Every template by name, in the order of their titles."""
    read = [parse_template(path.stem, path.read_text(encoding="utf-8")) for path in TEMPLATES.glob("*.txt")]
    return {template.name: template for template in sorted(read, key=lambda template: template.title)}


# -- people --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Candidate:
    """A writer or judge as the coordinator thinks of reminding them.

    `group` is one of `GROUPS`, by what is left, and empty where nothing is. `idle_since` is when they last did
    something, or when there was something to do for them. `due` is the day by which their work should be done.
    """

    participation: int
    pseudonym: str
    name: str
    email: str
    group: str
    due: date | None
    idle_since: datetime
    standing: Standing


@dataclass(frozen=True)
class Group:
    key: str
    label: str
    people: tuple[Candidate, ...]


@dataclass(frozen=True)
class Offer:
    """Who can be reminded `at` a time, by what is left for them, and who cannot, with the reason.

    `busy` counts those who are left out only because they have done something lately.
    """

    at: datetime
    groups: tuple[Group, ...]
    others: tuple[tuple[Candidate, str], ...]
    busy: int


def candidates(study: Study, *, only: Collection[str] | None = None) -> list[Candidate]:
    """The study's writers and judges by pseudonym, those who have left included; or some of them."""
    members = Participation.objects.filter(study=study, role__in=STUDIED)
    if only is not None:
        members = members.filter(pseudonym__in=only)
    people = list(members.select_related("study", "user", "consent", "profile").order_by("pseudonym"))
    work, guesses, last, asked = work_of(people), open_guesses(people), _last_done(people), asked_of(people)
    return [
        _candidate(
            person,
            left=_left(person, work.get(person.pk, Counter()), asks_guesses=person.pk in guesses),
            last_done=last.get(person.pk, person.joined_at),
            asked=asked.get(person.pk, (None, None)),
        )
        for person in people
    ]


def _candidate(
    person: Participation,
    *,
    left: tuple[str, str],
    last_done: datetime,
    asked: tuple[datetime | None, datetime | None],
) -> Candidate:
    study, (group, words), (sent_at, waiting_for) = person.study, left, asked
    return Candidate(
        participation=person.pk,
        pseudonym=person.pseudonym,
        name=person.user.name,
        email=person.user.email,
        group=group,
        due=study.writing_due_on if person.role == Role.WRITER else study.judging_due_on,
        idle_since=max(last_done, *_entered(person), study.state_changed_at),
        standing=Standing(
            left=words if group else "",
            nothing="" if group else words,
            zone=person.user.time_zone,
            has_left=person.left_at is not None,
            wants_none=person.reminders_off_at is not None,
            available_from=person.available_from,
            available_until=person.available_until,
            sent_at=sent_at,
            waiting_for=waiting_for,
        ),
    )


def _left(person: Participation, work: Counter[str], *, asks_guesses: bool) -> tuple[str, str]:
    """The person's group and what is left for them; or no group, and as a predicate why nothing is."""
    if nothing := _why_nothing(person):
        return "", nothing
    if missing := _missing(person):
        return ENTRY, missing
    if not is_ready(person):
        return "", _why_not_ready(person)
    if person.study.state != BEFORE[Role(person.role)][-1]:
        return "", "has nothing to do yet"
    return _work_left(person, work, asks_guesses=asks_guesses)


def _why_nothing(person: Participation) -> str:
    if person.study.archived_at:
        return "takes part in a study that is archived"
    if not person.user.is_active:
        return "has an account that is closed"
    if person.study.state not in BEFORE[Role(person.role)]:
        return "has nothing left to do"
    return ""


def _work_left(person: Participation, work: Counter[str], *, asks_guesses: bool) -> tuple[str, str]:
    noun, verb = PIECES[Role(person.role)]
    group = {Role.WRITER: WRITING, Role.JUDGE: JUDGING}.get(Role(person.role), AUDITING)
    if left := pieces_left(person, work):
        return group, f"{counted(left, noun)} to {verb}"
    if asks_guesses:
        return group, "the last step, to guess who wrote the answers"
    return "", f"has nothing left to {verb}" if work else f"has nothing to {verb} yet"


def _missing(person: Participation) -> str:
    """What the person has yet to fill in; empty where they have, or cannot."""
    study = person.study
    if hasattr(person, "consent"):
        is_done = is_complete(study, getattr(person, "profile", None))
        return "your profile" if has_consented(person) and not is_done else ""
    if not study.consent_text:
        return ""
    return "the consent form and your profile" if study.profile_questions else "the consent form"


def _why_not_ready(person: Participation) -> str:
    if not hasattr(person, "consent"):
        return "cannot agree yet: the study has no consent text"
    if not has_consented(person):
        return "has withdrawn consent"
    return "does not meet the study’s rule of eligibility"


def _last_done(people: Sequence[Participation]) -> dict[int, datetime]:
    """When each person last did something about their work, by participation; those who never did are left out."""
    writing = WritingAssignment.objects.annotate(
        last=Greatest("started_at", "draft__saved_at", "submitted_at"),
    )
    judging = JudgingItem.objects.annotate(last=Greatest("touched_at", "submitted_at", "guessed_at"))
    done: dict[int, datetime] = {}
    for work in (writing, judging):
        own = work.filter(participation__in=people, last__isnull=False).order_by()
        for person, last in own.values_list("participation").annotate(Max("last")):
            done[person] = max(last, done.get(person, last))
    return done


def _entered(person: Participation) -> Iterable[datetime]:
    """When the person took each step into the study."""
    yield person.joined_at
    if hasattr(person, "consent"):
        yield person.consent.given_at
    if hasattr(person, "profile"):
        yield person.profile.completed_at


def offer(people: Sequence[Candidate], *, now: datetime, idle_days: int = 0) -> Offer:
    """Who of `people` can be reminded now, and has not done anything for `idle_days` or longer."""
    reasons = {person.pseudonym: why_not(person.standing, at=now) for person in people}
    free = [person for person in people if not reasons[person.pseudonym]]
    idle = [person for person in free if now - person.idle_since >= timedelta(days=idle_days)]
    groups = [
        Group(key, label, tuple(person for person in idle if person.group == key)) for key, label in GROUPS.items()
    ]
    return Offer(
        at=now,
        groups=tuple(group for group in groups if group.people),
        others=tuple((person, reasons[person.pseudonym]) for person in people if reasons[person.pseudonym]),
        busy=len(free) - len(idle),
    )


# -- texts ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Preview:
    """A reminder as the person would get it, but for their own link out of reminders."""

    person: Candidate
    subject: str
    text: str


def written(study: Study, person: Candidate, *, subject: str, text: str) -> tuple[str, str]:
    """Subject and text with this person's values in place of placeholders.

    Raises `Refused` as `fill` does, and for a subject that becomes too long.
    """
    values = {
        "name": person.name,
        "study": study.title,
        "left": person.standing.left,
        "due": in_words(person.due) if person.due else "",
        "link": settings.SITE_URL + reverse("study", args=[study.slug]),
    }
    title = " ".join(fill(subject, values, placeholders=PLACEHOLDERS).split())
    if len(title) > MAX_SUBJECT_LENGTH:
        raise Refused(
            f"With everything filled in, the subject for {person.pseudonym} has {len(title)} characters; at most "
            f"{MAX_SUBJECT_LENGTH} are possible."
        )
    return title, fill(text, values, placeholders=PLACEHOLDERS)


def previews(study: Study, people: Iterable[Candidate], *, subject: str, text: str) -> list[Preview]:
    """What each of `people` would get; raises `Refused` as `fill` does."""
    mails = [(person, *written(study, person, subject=subject, text=text)) for person in people]
    return [
        Preview(person, subject, with_unsubscribe_link(text, study=study.title, link=OWN_LINK))
        for person, subject, text in mails
    ]


# -- the way out ---------------------------------------------------------------------------------------------


def _signer() -> Signer:
    return Signer(salt="annotation.reminders.stop", sep=".")


def stop_token(participation: int) -> str:
    """What the link out of a person's reminders carries: who it is for, signed. It does not expire."""
    return _signer().sign(str(participation))


def participation_by_stop_token(token: str) -> Participation | None:
    try:
        pk = int(_signer().unsign(token))
    except BadSignature:
        return None
    return Participation.objects.select_related("study").filter(pk=pk).first()


def own_choices(user: User) -> list[Participation]:
    """The studies in which somebody may choose whether they are reminded, by title."""
    own = Participation.objects.filter(user=user, role__in=STUDIED, left_at__isnull=True)
    return list(own.select_related("study").order_by("study__title", "pk"))
