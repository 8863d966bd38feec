"""An item and an answer whose rooms are looked at.

Import this only once Django knows the database: its models come with it.
"""

import os

from annotation.judging.models.judging import JudgingItem
from annotation.study.models.prompts import PromptVersion
from annotation.writing.models import WritingAssignment
from annotation.writing.services import drafts, writing
from tests.clients import signed_in
from tests.factories import a_judging_study, a_writing_study, an_essay, assignments_of, judging_items_of, opened

QUESTION = (
    "A town council wants to pay families for each year in which their children attend the school on the other "
    "side of the river, so that pupils of two communities, who have lived apart for thirty years, learn together. "
    "Parents on both banks say that they would rather decide for themselves. Under what conditions, if any, is it "
    "right to pay for contact that people do not seek?"
)


def an_item() -> JudgingItem:
    """Six answers that are being judged, of which one is read at first."""
    item = judging_items_of(a_judging_study(judges=1, slug=f"read-{os.getpid()}", item_opens_with="reading"))[0]
    PromptVersion.objects.filter(pk=item.prompt_version_id).update(text=QUESTION)
    return opened(item)


def an_answer() -> WritingAssignment:
    """An answer that is being written, longer than a window."""
    answer = assignments_of(a_writing_study(f"write-{os.getpid()}", writing_minutes=90))[0]
    PromptVersion.objects.filter(pk=answer.prompt_version_id).update(text=QUESTION)
    writer = answer.participation.user
    writing.start(assignment=answer, attested=True, by=writer)
    drafts.keep(assignment=answer, text=an_essay(sentences=40), by=writer)
    return answer


def session_of(owned: JudgingItem | WritingAssignment) -> str:
    """The key of a session in which the person is signed in."""
    return signed_in(owned.participation.user).cookies["sessionid"].value
