"""What a coordinator watches: people, prompts, progress. No figure here tells a score, let alone by source."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from operator import attrgetter

from django.db.models import Count, Q
from django.utils import timezone

from annotation.core.lifecycle import STUDY
from annotation.models.allocation import Stimulus
from annotation.models.judging import JudgingItem
from annotation.models.participation import Invitation, Participation, Role
from annotation.models.prompts import PromptVersion
from annotation.models.studies import Study
from annotation.models.writing import WritingAssignment
from annotation.policies.participation import has_consented, is_ready, is_studied
from annotation.policies.texts import takes_texts
from annotation.selectors.outages import proposals
from annotation.selectors.stimuli import Shortfall, shortfalls
from annotation.selectors.writing_desk import undecided_late_texts


@dataclass(frozen=True)
class PersonLine:
    """One member: `done` of `total` pieces of work are finished; both 0 for people without such work.

    Consent and profile are asked of writers and judges only. Somebody who gave both and still is not ready falls
    short of the study's rule of eligibility.
    """

    name: str
    email: str
    role: str
    pseudonym: str
    is_studied: bool
    has_consented: bool
    has_profile: bool
    is_ready: bool
    done: int
    total: int


@dataclass(frozen=True)
class InvitationLine:
    email: str
    name: str
    role: str
    invited_at: datetime
    expires_at: datetime
    is_expired: bool


@dataclass(frozen=True)
class Progress:
    """How much of one kind of work is done, by state."""

    done: int
    running: int
    total: int

    @property
    def missing(self) -> int:
        return self.total - self.done

    @property
    def note(self) -> str:
        if not self.missing:
            return ""
        begun = f", {self.running} of them begun" if self.running else ""
        return f"{self.missing} missing{begun}"


@dataclass(frozen=True)
class LapsedItem:
    """An item that its judge has begun and not touched since, for longer than its lease."""

    judge: str
    position: int
    touched_at: datetime


@dataclass(frozen=True)
class Step:
    """A state of the study's life cycle, in order."""

    state: str
    done: bool
    current: bool


@dataclass(frozen=True)
class PromptLine:
    code: str
    title: str
    text: str


@dataclass(frozen=True)
class Domain:
    """A domain's prompts in their latest wording."""

    name: str
    prompts: tuple[PromptLine, ...]


@dataclass(frozen=True)
class Overview:
    """`late_texts` and `credits` wait for a decision: texts that came late, and answers that lost time.

    `guessing` counts judges: those who have said, after their last item, who they think wrote the answers.
    """

    steps: tuple[Step, ...]
    domains: tuple[Domain, ...]
    people: tuple[PersonLine, ...]
    invitations: tuple[InvitationLine, ...]
    writing: Progress
    judging: Progress
    lapsed: tuple[LapsedItem, ...]
    guessing: Progress
    quarantined: int
    late_texts: int
    credits: int
    shortfalls: tuple[Shortfall, ...]

    def members(self, role: str) -> list[PersonLine]:
        return [person for person in self.people if person.role == role]

    @property
    def roles(self) -> list[tuple[str, list[PersonLine]]]:
        """Members under the plural of their role, roles without members left out."""
        groups = [(f"{role.label}s", self.members(role)) for role in Role]
        return [(label, members) for label, members in groups if members]

    @property
    def unready(self) -> int:
        """Writers and judges who cannot begin: consent or profile is missing, or they are not eligible."""
        return sum(not person.is_ready for person in self.people)


def steps(study: Study) -> tuple[Step, ...]:
    current = STUDY.states.index(study.state)
    return tuple(
        Step(state, done=index < current, current=index == current) for index, state in enumerate(STUDY.states)
    )


def overview(study: Study) -> Overview:
    """Everything on the coordinator's page."""
    return Overview(
        steps=steps(study),
        domains=_domains(study),
        people=_people(study),
        invitations=_invitations(study),
        writing=_progress(WritingAssignment, study, running="writing"),
        judging=judging_progress(study),
        lapsed=_lapsed(study),
        guessing=_guessing(study),
        quarantined=Stimulus.objects.filter(study=study, state="quarantined").count(),
        late_texts=undecided_late_texts(study).count(),
        credits=len({loss.assignment for outage in proposals(study) for loss in outage.losses}),
        shortfalls=tuple(sorted(shortfalls(study), key=attrgetter("code"))) if takes_texts(study) else (),
    )


def _domains(study: Study) -> tuple[Domain, ...]:
    versions = PromptVersion.objects.filter(prompt__study=study).select_related("prompt")
    latest = {version.prompt_id: version for version in versions.order_by("number")}
    domains: dict[str, list[PromptLine]] = {}
    for version in sorted(latest.values(), key=lambda version: version.prompt.position):
        line = PromptLine(version.prompt.code, version.prompt.title, version.text)
        domains.setdefault(version.prompt.domain, []).append(line)
    return tuple(Domain(name, tuple(prompts)) for name, prompts in sorted(domains.items()))


def _progress(model: type[WritingAssignment] | type[JudgingItem], study: Study, *, running: str) -> Progress:
    counts = model.objects.filter(study=study).aggregate(
        done=Count("id", filter=Q(state="submitted")),
        running=Count("id", filter=Q(state=running)),
        total=Count("id", filter=~Q(state="cancelled")),
    )
    return Progress(**counts)


def judging_progress(study: Study) -> Progress:
    return _progress(JudgingItem, study, running="open")


def _lapsed(study: Study) -> tuple[LapsedItem, ...]:
    lease = timedelta(hours=study.lease_hours)
    items = JudgingItem.objects.filter(study=study, state="lapsed")
    return tuple(
        LapsedItem(item.participation.pseudonym, item.position, item.leased_until - lease)
        for item in items.select_related("participation").order_by("leased_until", "pk")
        if item.leased_until
    )


def _guessing(study: Study) -> Progress:
    asked = JudgingItem.objects.filter(study=study, asks_guess=True).exclude(state="cancelled").order_by()
    left = asked.values("participation").annotate(left=Count("pk", filter=Q(guessed_at__isnull=True)))
    done = [not judge["left"] for judge in left]
    return Progress(done=sum(done), running=0, total=len(done))


def _people(study: Study) -> tuple[PersonLine, ...]:
    members = (
        Participation.objects.filter(study=study, left_at__isnull=True)
        .select_related("study", "user", "profile", "consent")
        .annotate(
            texts=Count("writing_assignments", filter=~Q(writing_assignments__state="cancelled"), distinct=True),
            texts_done=Count(
                "writing_assignments", filter=Q(writing_assignments__state="submitted"), distinct=True
            ),
            items=Count("judging_items", distinct=True),
            items_done=Count("judging_items", filter=Q(judging_items__state="submitted"), distinct=True),
        )
        .order_by("role", "pseudonym")
    )
    return tuple(
        PersonLine(
            name=p.user.name,
            email=p.user.email,
            role=p.role,
            pseudonym=p.pseudonym,
            is_studied=is_studied(p),
            has_consented=has_consented(p),
            has_profile=hasattr(p, "profile"),
            is_ready=not is_studied(p) or is_ready(p),
            done=p.texts_done if p.role == Role.WRITER else p.items_done,
            total=p.texts if p.role == Role.WRITER else p.items,
        )
        for p in members
    )


def _invitations(study: Study) -> tuple[InvitationLine, ...]:
    now = timezone.now()
    pending = Invitation.objects.filter(study=study, accepted_at__isnull=True, withdrawn_at__isnull=True)
    return tuple(
        InvitationLine(i.email, i.name, i.get_role_display(), i.invited_at, i.expires_at, i.expires_at <= now)
        for i in pending
    )
