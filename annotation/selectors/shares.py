"""What everybody has left to do, for the question who leaves, is late or joins."""

from dataclasses import dataclass

from django.db.models import Count, Q

from annotation.models.participation import Participation
from annotation.models.studies import Study
from annotation.selectors.assigning import ROLES

WORK = {"writing": "writing_assignments", "judging": "judging_items"}
BEGUN = ("writing", "open", "lapsed")


@dataclass(frozen=True)
class Share:
    """A person's pieces of work by how they stand, and the most they take (`None`: no limit)."""

    pseudonym: str
    name: str
    done: int
    begun: int
    waiting: int
    limit: int | None
    has_left: bool

    @property
    def number(self) -> int:
        return self.done + self.begun + self.waiting

    @property
    def can_give(self) -> bool:
        return self.begun + self.waiting > 0

    @property
    def can_join(self) -> bool:
        """Who has no work yet. Others are given more without being named."""
        return not self.has_left and not self.number


def shares(study: Study, task: str) -> list[Share]:
    """Everybody whose role has the `task` ("writing" or "judging"), by pseudonym."""
    state = f"{WORK[task]}__state"
    members = Participation.objects.filter(study=study, role=ROLES[task]).annotate(
        done=Count(WORK[task], filter=Q(**{state: "submitted"})),
        begun=Count(WORK[task], filter=Q(**{f"{state}__in": BEGUN})),
        waiting=Count(WORK[task], filter=Q(**{state: "assigned"})),
    )
    return [
        Share(
            pseudonym=member.pseudonym,
            name=member.user.name,
            done=member.done,
            begun=member.begun,
            waiting=member.waiting,
            limit=member.capacity,
            has_left=member.left_at is not None,
        )
        for member in members.select_related("user").order_by("pseudonym")
    ]
