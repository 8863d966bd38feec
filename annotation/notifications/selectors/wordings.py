"""What a study mails on each occasion, and how many such mails there were."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db.models import Count
from django.urls import reverse

from annotation.notifications.core.occasions import OCCASIONS, Occasion, Wording, filled_in, occasions_of, standard
from annotation.notifications.models import Notification, NotificationWording
from annotation.platform.core.mail_templates import Template, parse_template
from annotation.platform.models.users import User
from annotation.study.models.studies import Study

WORDINGS: Final = Path(__file__).resolve().parent.parent / "wordings"
VERSION: Final = "1"


@dataclass(frozen=True)
class WordingLine:
    """An occasion with what the study mails on it. `sent` mails have gone, `waiting` ones are on their way."""

    key: str
    occasion: Occasion
    wording: Wording
    is_own: bool
    sent: int
    waiting: int


@lru_cache(maxsize=1)
def shipped() -> Mapping[str, Template]:
    """The texts to begin with, by occasion."""
    return {
        key: parse_template(key, (WORDINGS / f"{key}-{VERSION}.txt").read_text(encoding="utf-8"))
        for key in OCCASIONS
    }


def wording_of(study: Study, key: str) -> Wording:
    """What the study mails on the occasion; as shipped where it has no words of its own."""
    return _wording(NotificationWording.objects.filter(study=study, occasion=key).first(), key)


def _wording(own: NotificationWording | None, key: str) -> Wording:
    return Wording(own.is_on, own.subject, own.text) if own else standard(shipped()[key])


def lines_of(study: Study) -> list[WordingLine]:
    """Every occasion of such a study, in the order in which they come."""
    own = {row.occasion: row for row in NotificationWording.objects.filter(study=study)}
    counted = Notification.objects.filter(study=study).order_by().values_list("occasion")
    mails = {key: (asked, sent) for key, asked, sent in counted.annotate(Count("id"), Count("sent_at"))}
    return [
        WordingLine(
            key=key,
            occasion=occasion,
            wording=_wording(own.get(key), key),
            is_own=key in own,
            sent=mails.get(key, (0, 0))[1],
            waiting=mails.get(key, (0, 0))[0] - mails.get(key, (0, 0))[1],
        )
        for key, occasion in occasions_of(audits_benchmarks=study.audits_benchmarks).items()
    ]


def example(study: Study, key: str, wording: Wording, *, reader: User) -> tuple[str, str]:
    """Subject and text as somebody would get them, with the reader's name and example values.

    Raises `Refused` as `filled_in` does.
    """
    occasion = OCCASIONS[key]
    return filled_in(occasion, wording, {**always(study, reader), **occasion.examples})


def always(study: Study, person: User) -> dict[str, str]:
    link = settings.SITE_URL + reverse("study", args=[study.slug])
    return {"name": person.name, "study": study.title, "link": link}
