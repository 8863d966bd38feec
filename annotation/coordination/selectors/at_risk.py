"""What may make a study late: people and prompts that make no progress."""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from annotation.coordination.selectors.concerns import Concern, Concerns, about, at, concerns
from annotation.coordination.selectors.progress import Member, Phase, Piece, Texts, Work
from annotation.judging.models.judging import JudgingItem
from annotation.platform.core.lifecycle import STUDY
from annotation.platform.core.phrases import counted
from annotation.study.models.studies import Study
from annotation.writing.selectors.rejected_answers import missed_answers, waived_by_prompt

IDLE_AFTER = timedelta(days=7)  # without a submission, while the person could go on


def at_risk(study: Study, works: Mapping[Phase, Work], texts: Texts, *, now: datetime) -> list[Concerns]:
    """What to look after at `now`, the database's time; the days of people are those of the zone shown."""
    slug = study.slug
    people, reminders, repair = (reverse(name, args=[slug]) for name in ("study_people", "reminders", "repair"))
    desk = reverse("writing_desk", args=[slug])
    return [
        *concerns(
            "Cannot begin yet", "warning", _cannot_begin(study, works), way="Go to the people", address=people
        ),
        *concerns("Idle", "warning", _idle(study, works, now), way="Remind them", address=reminders),
        *concerns(
            "No longer available", "warning", _gone(study, works, now), way="Give work to others", address=repair
        ),
        *concerns(
            "Answers that lapsed", "warning", _lapsed(study, works), way="Go to the writing desk", address=desk
        ),
        *concerns("Stalled items", "warning", _stalled(study, works), way="Remind them", address=reminders),
        *concerns("Prompts short of answers", "warning", _short_of_answers(study, works[Phase.WRITING], texts)),
        *concerns("Prompts short of ratings", "warning", _short_of_ratings(study, works[Phase.JUDGING])),
    ]


def _cannot_begin(study: Study, works: Mapping[Phase, Work]) -> Iterator[Concern]:
    """Before work is given out this is about everybody, afterwards about those who have some left."""
    for phase, work in works.items():
        if STUDY.states.index(study.state) > STUDY.states.index(phase):
            continue
        left = work.left_by
        for member in work.members.values():
            if member.obstacle and not member.is_lost and (member.pseudonym in left or not work.requested):
                yield about(study, member, member.obstacle)


def _could_go_on(study: Study, works: Mapping[Phase, Work]) -> Iterator[tuple[Member, list[Piece], list[datetime]]]:
    """Who has work left now that nothing keeps them from, with it and with when they submitted something."""
    if study.state not in tuple(Phase):
        return
    work = works[Phase(study.state)]
    submitted = work.submitted_by
    for person, pieces in work.left_by.items():
        if not work.members[person].obstacle:
            yield work.members[person], pieces, submitted.get(person, [])


def _idle(study: Study, works: Mapping[Phase, Work], now: datetime) -> Iterator[Concern]:
    today = timezone.localdate(now)
    for member, pieces, submitted in _could_go_on(study, works):
        until = member.participation.available_until
        rested = now - max([member.since, *submitted])
        if rested >= IDLE_AFTER and not (until and until < today):
            yield about(study, member, f"nothing submitted for {rested.days} days, {len(pieces)} left")


def _gone(study: Study, works: Mapping[Phase, Work], now: datetime) -> Iterator[Concern]:
    today = timezone.localdate(now)
    for member, pieces, _ in _could_go_on(study, works):
        until = member.participation.available_until
        if until and until < today:
            yield about(study, member, f"had time until {date_format(until, 'j F')}, {len(pieces)} left")


def _lapsed(study: Study, works: Mapping[Phase, Work]) -> Iterator[Concern]:
    if study.state != Phase.WRITING:
        return
    for piece in works[Phase.WRITING].left:
        if piece.state == "lapsed":
            address = reverse("writing_answer", args=[piece.id])
            yield Concern(f"{piece.prompt} by {piece.person}", "time ran out before a word was written", address)


def _stalled(study: Study, works: Mapping[Phase, Work]) -> Iterator[Concern]:
    if study.state != Phase.JUDGING:
        return
    work = works[Phase.JUDGING]
    stalled = {piece.id: piece for pieces in work.left_by.values() for piece in pieces if piece.state == "lapsed"}
    for item in JudgingItem.objects.filter(pk__in=stalled).order_by("touched_at", "id"):
        if item.touched_at:
            member = work.members[stalled[item.pk].person]
            yield about(study, member, f"item {item.position}, not touched since {at(item.touched_at)}")


def _short_of_answers(study: Study, work: Work, texts: Texts) -> Iterator[Concern]:
    """Prompts whose texts, with the answers still under way, are fewer than the design asks for."""
    if study.state not in ("writing", "assembling") or not work.requested:
        return
    usable = Counter(texts.usable)
    if study.state == "writing":
        usable.update(piece.prompt for pieces in work.left_by.values() for piece in pieces)
    way = reverse("repair" if study.state == "writing" else "study", args=[study.slug])
    wanted = study.answers_per_prompt
    if study.every_writer_answers_every_prompt:
        wanted = len({piece.person for piece in work.pieces() if not work.members[piece.person].is_lost})
    waived, missed = waived_by_prompt(study), Counter(answer.prompt.code for answer in missed_answers(study))
    for prompt in work.prompts:
        here, needed = usable[prompt], wanted - waived[prompt]
        if here + missed[prompt] < needed:  # rejected ones are shown as blocked
            yield Concern(prompt, f"{here} of {counted(needed, 'answer')} there or under way", way)


def _short_of_ratings(study: Study, work: Work) -> Iterator[Concern]:
    if study.state != Phase.JUDGING:
        return
    given = Counter(holders[0].prompt for holders in work.wanted)
    repair = reverse("repair", args=[study.slug])
    for prompt in work.prompts:
        if given[prompt] < study.ratings_per_prompt:
            ratings = counted(study.ratings_per_prompt, "rating")
            yield Concern(prompt, f"{given[prompt]} of {ratings} given or under way", repair)
