"""What models' votes on one prompt and on two have in common."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from generation.core.json_replies import Unreadable
from generation.core.prompt_templates import PromptTemplate
from generation.models.candidates import Candidate
from generation.models.runs import Call, GenerationRun
from generation.services import pool
from generation.services.good_replies import GoodReply

AT_A_TIME = 2_000  # prompts in memory

Said = TypeVar("Said")


def template_of(run: GenerationRun) -> PromptTemplate:
    """The one wording by which all of the run's votes are asked for."""
    [(name, text)] = run.materials["templates"].items()
    return PromptTemplate(name, text)


def texts_of(calls: Iterable[Call]) -> dict[int, str]:
    """The prompts the calls are about, by id."""
    ids = {prompt for call in calls for prompt in (call.candidate_id, call.beside_id) if prompt}
    return dict(Candidate.objects.filter(pk__in=ids).order_by().values_list("pk", "text"))


def read_votes(
    run: GenerationRun, good: Sequence[GoodReply], read: Callable[[str], Said]
) -> tuple[list[tuple[Call, Said]], dict[int, str]]:
    """What the replies say; and the outcomes of those that are not taken in, as `Purpose.accept` returns them."""
    if pool.closed(run):
        return [], {each.call.pk: "superseded" for each in good}
    said, unreadable = [], {}
    for each in good:
        try:
            said.append((each.call, read(each.reply.text)))
        except Unreadable as fault:
            each.attempt.detail = str(fault)
            unreadable[each.call.pk] = "unreadable"
    return said, unreadable
