"""What the progress page points out: concerns of one kind, and where they are resolved."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from annotation.coordination.selectors.progress import Member
from annotation.study.models.studies import Study

SHOWN = 8  # of one sort; the page that deals with them has all


class Concern(NamedTuple):
    """One thing to look at: what it is about, what is the matter, and the address where it is dealt with.

    `number` is how many it stands for, where a line tells of several.
    """

    about: str
    says: str
    address: str
    number: int = 1


@dataclass(frozen=True)
class Concerns:
    """Concerns of one sort, at most `SHOWN` of the `number` there are. `kind` is that of a tag.

    `address`, under the name `way`, deals with them together; both are empty where each has its own only.
    """

    title: str
    kind: str
    lines: tuple[Concern, ...]
    number: int
    way: str = ""
    address: str = ""

    @property
    def more(self) -> int:
        return self.number - sum(line.number for line in self.lines)


def concerns(
    title: str, kind: str, found: Iterable[Concern], *, way: str = "", address: str = ""
) -> list[Concerns]:
    """The sort as a list of one, or none where nothing was found."""
    lines = tuple(found)
    number = sum(line.number for line in lines)
    return [Concerns(title, kind, lines[:SHOWN], number, way, address)] if lines else []


def about(study: Study, member: Member, says: str) -> Concern:
    """A concern about a person, dealt with on their page."""
    address = reverse("person", args=[study.slug, member.pseudonym])
    return Concern(f"{member.pseudonym} {member.name}", says, address)


def at(moment: datetime) -> str:
    return date_format(timezone.localtime(moment), "j F, H:i")
