"""A judge's own items in their order: how far each is, what comes next, and the guesses at the end."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q

from annotation.judging.models.judging import JudgingItem
from annotation.platform.models.users import User
from annotation.study.models.participation import Participation
from annotation.study.models.studies import Study
from annotation.study.selectors.rubrics import rubric_by_hash

BEGUN = ("open", "lapsed")


@dataclass(frozen=True)
class ItemLine:
    """An item in a judge's list. `given` of `wanted` values are there: scores, or places in a direct ranking.

    `touched_at` is when something of an item that was begun was last saved.
    """

    id: int
    position: int
    state: str
    given: int
    wanted: int
    submitted_at: datetime | None
    touched_at: datetime | None
    asks_guess: bool
    guessed_at: datetime | None

    @property
    def is_begun(self) -> bool:
        return self.state in BEGUN

    @property
    def is_complete(self) -> bool:
        return self.given == self.wanted


@dataclass(frozen=True)
class OwnItems:
    """All items of one judge, in their order."""

    lines: tuple[ItemLine, ...]

    @property
    def last(self) -> int:
        """The position of the last one; where some were given to others, there are fewer."""
        return max((line.position for line in self.lines), default=0)

    @property
    def done(self) -> int:
        return sum(line.state == "submitted" for line in self.lines)

    @property
    def left(self) -> int:
        return len(self.lines) - self.done

    @property
    def next(self) -> ItemLine | None:
        """What to go on with: an item that is begun before one that is not."""
        waiting = [line for line in self.lines if line.state == "assigned"]
        begun = [line for line in self.lines if line.is_begun]
        return next(iter([*begun, *waiting]), None)

    @property
    def last_submitted(self) -> ItemLine | None:
        submitted = [(line.submitted_at, line.position, line) for line in self.lines if line.submitted_at]
        return max(submitted)[-1] if submitted else None

    @property
    def guessing(self) -> tuple[ItemLine, ...]:
        """Items that are asked about once everything is judged."""
        return tuple(line for line in self.lines if line.asks_guess)

    @property
    def guessed(self) -> int:
        return sum(line.guessed_at is not None for line in self.guessing)

    @property
    def next_guess(self) -> ItemLine | None:
        """The item to guess about now; none before the last item is submitted."""
        open_guesses = (line for line in self.guessing if line.guessed_at is None)
        return None if self.left else next(open_guesses, None)


def items_of(participation: Participation) -> OwnItems:
    study = participation.study
    given = Count("slots", filter=Q(slots__place__isnull=False)) if _ranks(study) else Count("slots__scores")
    items = (
        JudgingItem.objects.filter(participation=participation)
        .exclude(state="cancelled")
        .annotate(given=given)
        .order_by("position")
    )
    wanted = _wanted(study)
    return OwnItems(tuple(_line(item, item.given, wanted) for item in items))


def items_beside(user: User, item_id: int) -> OwnItems:
    """The list that one of `user`'s items is part of."""
    return items_of(Participation.objects.select_related("study").get(user=user, judging_items=item_id))


def _line(item: JudgingItem, given: int, wanted: int) -> ItemLine:
    return ItemLine(
        id=item.pk,
        position=item.position,
        state=item.state,
        given=given,
        wanted=wanted,
        submitted_at=item.submitted_at,
        touched_at=item.touched_at,
        asks_guess=item.asks_guess,
        guessed_at=item.guessed_at,
    )


def _ranks(study: Study) -> bool:
    return study.judging_mode == Study.Mode.RANKING


def _wanted(study: Study) -> int:
    """How many values an item of the study takes."""
    return study.answers_per_item * (1 if _ranks(study) else len(rubric_by_hash(study.rubric_id).dimensions))
