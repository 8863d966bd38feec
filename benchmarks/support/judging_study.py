"""The study that simulated judges judge in.

Import this only once Django knows the database: its models come with it.
"""

from collections.abc import Sequence

from django.db import connection

from annotation.judging.models.judging import BlindedSlot, JudgingItem, RankedSlot, Score
from annotation.judging.services import judging
from annotation.study.models.participation import Role
from annotation.study.selectors.rubrics import rubric_by_hash
from benchmarks.support.judge import Item
from tests.clients import signed_in
from tests.factories import a_judging_study, members_of

WORDS = 400  # in an answer, in paragraphs of a hundred


def prepare(*, judges: int, items: int, name: str = "load") -> list[list[Item]]:
    """Each judge's items, six answers of 400 words each, all begun."""
    study = a_judging_study(3, 3, judges, slug=name, prompts=items, text_of=a_text, human_sets="fixed")
    return [_begun(study.pk, member.user_id) for member in members_of(study, Role.JUDGE)]


def _begun(study_id: int, person_id: int) -> list[Item]:
    own = JudgingItem.objects.filter(study=study_id, participation__user=person_id)
    items = list(own.select_related("participation__user", "study"))
    session = signed_in(items[0].participation.user).cookies["sessionid"].value
    dimensions = tuple(each.key for each in rubric_by_hash(items[0].study.rubric_id).dimensions)
    begun = []
    for item in items:
        judging.open_item(item=item, by=item.participation.user)
        slots = BlindedSlot.objects.filter(item=item).order_by("label").values_list("pk", flat=True)
        begun.append(Item(item.pk, tuple(map(str, slots)), dimensions, item.study.rubric_id, session))
    return begun


def a_text(number: int) -> str:
    """A text of its own, of the length of an answer."""
    words = [f"word{(number * 31 + position * 7) % 997}" for position in range(WORDS)]
    return "\n\n".join(" ".join(words[first : first + 100]) + "." for first in range(0, WORDS, 100))


def begin_anew(items: Sequence[Item]) -> None:
    """Take back every submission and score, as if the items had only just been begun."""
    of_items = {"slot__item__in": [item.id for item in items]}
    RankedSlot.objects.filter(**of_items).delete()
    Score.objects.filter(**of_items).delete()
    JudgingItem.objects.filter(pk__in=of_items["slot__item__in"]).exclude(opened_at=None).update(
        state="open", submitted_at=None, sha256="", leased_until="2100-01-01T00:00:00Z"
    )


def has_fsync() -> bool:
    """Whether a commit of this database is on the disk before it is acknowledged."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('fsync') = 'on' AND current_setting('synchronous_commit') = 'on'")
        return bool(cursor.fetchone()[0])
