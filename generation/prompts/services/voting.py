"""What models' votes on one prompt and on two have in common."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from django.db.models import Exists, OuterRef, QuerySet

from generation.calls.core.json_replies import Unreadable
from generation.calls.models import Call, GenerationRun
from generation.calls.services.good_replies import GoodReply
from generation.catalogue.core.prompt_templates import PromptTemplate
from generation.prompts.models import Candidate
from generation.prompts.services import pool

AT_A_TIME = 2_000  # prompts in memory
OF_ANOTHER_WORDING = (
    "But votes of another wording, asked for since, are those that count. To have them given anew, change the"
    " present wording by a word."
)

Said = TypeVar("Said")


def template_of(run: GenerationRun) -> PromptTemplate:
    """The one wording by which all of the run's votes are asked for."""
    [(name, text)] = run.materials["templates"].items()
    return PromptTemplate(name, text)


def texts_of(calls: Iterable[Call]) -> dict[int, str]:
    """The prompts the calls are about, by id."""
    ids = {prompt for call in calls for prompt in (call.candidate_id, call.beside_id) if prompt}
    return dict(Candidate.objects.filter(pk__in=ids).order_by().values_list("pk", "text"))


def still_wanted(calls: Iterable[Call], votes: QuerySet[Any]) -> list[Call]:
    """The calls without those whose vote was asked for again later, and came: `votes` are on the same prompts."""
    rows = votes.filter(target__isnull=False).order_by()
    brought = rows.values_list("call__candidate", "call__beside", "call__target", "call")
    newest = {(candidate, beside, target): call for candidate, beside, target, call in brought}
    return [call for call in calls if newest.get((call.candidate_id, call.beside_id, call.target_id), 0) <= call.pk]


def read_votes(
    run: GenerationRun, good: Sequence[GoodReply], read: Callable[[str], Said], *, votes: QuerySet[Any]
) -> tuple[list[tuple[Call, Said]], dict[int, str]]:
    """What the replies say; and the outcomes of those that are not taken in, as `Purpose.accept` returns them.

    `votes` are those on the same prompts. Who takes in votes on a prompt waits for whoever does the same, so that
    an older one never takes the place of a newer one.
    """
    if pool.closed_in(pool.study_of(run)):
        return [], {each.call.pk: "superseded" for each in good}
    prompts = Candidate.objects.filter(pk__in={each.call.candidate_id for each in good})
    list(prompts.order_by("pk").select_for_update(no_key=True).values_list("pk"))
    wanted = set(still_wanted([each.call for each in good], votes))
    said, instead = [], {each.call.pk: "superseded" for each in good if each.call not in wanted}
    for each in good:
        if each.call not in wanted:
            continue
        try:
            said.append((each.call, read(each.reply.text)))
        except Unreadable as fault:
            each.attempt.detail = str(fault)
            instead[each.call.pk] = "unreadable"
    return said, instead


def let_newest_stand(votes: QuerySet[Any], *, same: Sequence[str]) -> None:
    """Of these votes have those stand no more on which a model has voted that took the place of theirs: a later one
    of the same name in the study. Votes are on the same where all fields of `same` are.
    """
    successors = votes.model._default_manager.filter(
        **{name: OuterRef(name) for name in same},
        target__study=OuterRef("target__study"),
        target__family=OuterRef("target__family"),
        target__gt=OuterRef("target"),
    )
    votes.filter(Exists(successors), stands=True).update(stands=False)


def about_another_wording(run: GenerationRun, votes: QuerySet[Any]) -> str:
    """What to tell where some of the study's `votes` were asked for later than the run's, in other words."""
    asked = run.shares.values("target")
    found = votes.filter(target__in=asked).exclude(call__run__template_version=run.template_version)
    return OF_ANOTHER_WORDING if found.exists() else ""
