"""What a coordinator watches: people, prompts, progress. No figure here tells a score, let alone by source."""

from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter

from django.db.models import Count, Q, QuerySet

from annotation.benchmarks.selectors.progress import AuditAmounts, audit_amounts
from annotation.coordination.selectors.progress import Phase, work_of
from annotation.judging.models.judging import JudgingItem
from annotation.judging.selectors.requested_ratings import shared_ratings
from annotation.people.selectors.recruiting import Member, here, member_lines, pending
from annotation.platform.core.lifecycle import STUDY
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from annotation.study.selectors.prompts import DomainSize, domain_sizes
from annotation.texts.models.provenance import Stimulus
from annotation.texts.policies import takes_texts
from annotation.texts.selectors.stimuli import Shortfall, shortfalls, unread_texts
from annotation.writing.models import WritingAssignment
from annotation.writing.selectors.outages import proposals
from annotation.writing.selectors.rejected_answers import missed_answers
from annotation.writing.selectors.rewordings import NextRound, next_round_of
from annotation.writing.selectors.writing_desk import undecided_late_texts


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
class Overview:
    """`late_texts` and `credits` wait for a decision: texts that came late, and answers that lost time.

    `invited` are the names, or addresses, of those who have not accepted yet. `guessing` counts judges: those who
    have said, after their last item, who they think wrote the answers. `unread` counts texts that were received and
    are still being read.
    """

    steps: tuple[Step, ...]
    domains: tuple[DomainSize, ...]
    people: tuple[Member, ...]
    invited: tuple[str, ...]
    writing: Progress
    judging: Progress
    lapsed: tuple[LapsedItem, ...]
    guessing: Progress
    unread: int
    quarantined: int
    late_texts: int
    credits: int
    rejected: int  # answers by people whose text was rejected, and which are missed
    shortfalls: tuple[Shortfall, ...]
    next_round: NextRound | None = None  # of a study in which writers are asked about prompts
    audit: AuditAmounts | None = None  # of a study that audits benchmarks

    @property
    def invitations(self) -> int:
        return len(self.invited)

    @property
    def texts_are_missing(self) -> bool:
        """Whether there are texts still to come, and not only some to be read or decided about."""
        return any(not shortfall.is_waiting for shortfall in self.shortfalls)

    def members(self, role: str) -> list[Member]:
        return [person for person in self.people if person.role == role]

    @property
    def role_sizes(self) -> list[tuple[str, int]]:
        """The plural of each role with how many have it, roles without members left out."""
        return [(f"{role.label}s", size) for role in Role if (size := len(self.members(role)))]

    @property
    def prompts(self) -> int:
        return sum(domain.prompts for domain in self.domains)

    @property
    def unready(self) -> int:
        """Writers and judges who cannot begin: consent or profile is missing, or they are not eligible."""
        return sum(not person.is_ready for person in self.people)


def steps(study: Study) -> tuple[Step, ...]:
    passed_by = {"assembling"} - {study.state} if study.audits_benchmarks else set()
    states = [state for state in STUDY.states if state not in passed_by]
    current = states.index(study.state)
    return tuple(Step(state, done=index < current, current=index == current) for index, state in enumerate(states))


def overview(study: Study) -> Overview:
    """Everything on the coordinator's page."""
    return Overview(
        steps=steps(study),
        domains=domain_sizes(study),
        people=tuple(member_lines(list(here(study)))),
        invited=tuple(name or email for name, email in pending(study).values_list("name", "email")),
        writing=_writing_progress(study),
        judging=judging_progress(study),
        lapsed=_lapsed(study) if study.state == "judging" else (),
        guessing=guessing_progress(study),
        unread=unread_texts(study),
        quarantined=Stimulus.objects.filter(study=study, state="quarantined").count(),
        late_texts=undecided_late_texts(study).count(),
        credits=len({loss.assignment for outage in proposals(study) for loss in outage.losses}),
        rejected=missed_answers(study).count() if takes_texts(study) else 0,
        shortfalls=tuple(sorted(shortfalls(study), key=attrgetter("code"))) if takes_texts(study) else (),
        next_round=next_round_of(study),
        audit=audit_amounts(study) if study.audits_benchmarks else None,
    )


def _progress(work: QuerySet[JudgingItem], *, running: str) -> Progress:
    counts = work.aggregate(
        done=Count("id", filter=Q(state="submitted")),
        running=Count("id", filter=Q(state=running)),
        total=Count("id", filter=~Q(state="cancelled")),
    )
    return Progress(**counts)


def _writing_progress(study: Study) -> Progress:
    """Progress over the places that prompts have, as the page “Progress” counts them."""
    work = work_of(study)[Phase.WRITING]
    running = WritingAssignment.objects.filter(study=study, state="writing").count()
    return Progress(done=len(work.done), running=running, total=len(work.wanted))


def judging_progress(study: Study) -> Progress:
    """Progress over the ratings that prompts ask for: an item and those that replace it are one."""
    alone = JudgingItem.objects.filter(study=study, replaces__isnull=True, replacement__isnull=True)
    progress, shared = _progress(alone, running="open"), shared_ratings(study)
    return Progress(
        done=progress.done + sum(rating.counted is not None for rating in shared),
        running=progress.running + sum(rating.is_running for rating in shared),
        total=progress.total + len(shared),
    )


def _lapsed(study: Study) -> tuple[LapsedItem, ...]:
    items = JudgingItem.objects.filter(study=study, state="lapsed", replacement__isnull=True)
    return tuple(
        LapsedItem(item.participation.pseudonym, item.position, item.touched_at)
        for item in items.select_related("participation").order_by("touched_at", "pk")
        if item.touched_at
    )


def guessing_progress(study: Study) -> Progress:
    """Progress over the judges who are asked who wrote what: those who have answered all of it."""
    asked = JudgingItem.objects.filter(study=study, asks_guess=True).exclude(state="cancelled").order_by()
    left = asked.values("participation").annotate(left=Count("pk", filter=Q(guessed_at__isnull=True)))
    done = [not judge["left"] for judge in left]
    return Progress(done=sum(done), running=0, total=len(done))
