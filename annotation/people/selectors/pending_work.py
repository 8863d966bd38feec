"""What a person still has to do in a study, in a few words addressed to them."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from django.db.models import Count

from annotation.benchmarks.selectors.own_reviews import pieces_of
from annotation.judging.models.judging import JudgingItem
from annotation.platform.core.phrases import counted
from annotation.study.models.participation import Participation, Role
from annotation.study.policies.participation import is_studied, why_not_ready
from annotation.unblinders.selectors.page import waiting_for
from annotation.writing.models import WritingAssignment

# What a piece of a role's work is called, and what is done with it.
PIECES: Final = {
    Role.WRITER: ("answer", "write"),
    Role.JUDGE: ("item", "judge"),
    Role.ANNOTATOR: ("question", "annotate"),
    Role.ADJUDICATOR: ("question", "rule on"),
}
FOR_COORDINATORS_OF_AUDITS = {
    "judging": "Follow the annotators and the adjudicator",
    "writing": "Have models asked, then open the audit",
    "assembling": "Have models asked, then open the audit",
}
FOR_RESEARCHERS_OF_AUDITS = {
    "judging": "Close collection once all is annotated, ruled on and frozen",
}
FOR_COORDINATORS = {
    "design": "Finish the design, invite people, then lock it",
    "writing": "Follow the writers and collect the models’ answers",
    "assembling": "Look through texts in quarantine, then open judging",
    "judging": "Follow the judges",
    "closed": "Nothing to do: researchers decide about unblinding",
    "unblinded": "Nothing to do: researchers look at the results",
    "released": "Nothing to do: the data are published",
}
FOR_RESEARCHERS = {
    "design": "Nothing to do before judging is complete",
    "writing": "Nothing to do before judging is complete",
    "assembling": "Nothing to do before judging is complete",
    "judging": "Close collection once judging is complete",
    "closed": "Unblind the study, together with a second researcher",
    "unblinded": "Read the results and publish the data",
    "released": "Read the published results",
}


def pending_work(participations: Sequence[Participation]) -> dict[int, str]:
    """What waits, by participation id: in a few queries, and some more for each researcher of a blinded study.

    They come with their study and, for writers and judges, with consent and profile.
    """
    work, guesses = work_of(participations), open_guesses(participations)
    return {part.pk: _pending(part, work.get(part.pk, Counter()), part.pk in guesses) for part in participations}


def work_of(participations: Sequence[Participation]) -> dict[int, Counter[str]]:
    """How many pieces of work each person has in each state, whatever the work."""
    work: dict[int, Counter[str]] = {}
    for role, model in ((Role.WRITER, WritingAssignment), (Role.JUDGE, JudgingItem)):
        own = [part for part in participations if part.role == role]
        rows = model.objects.filter(participation__in=own).exclude(state="cancelled").order_by()
        for person, state, number in rows.values_list("participation_id", "state").annotate(Count("id")):
            work.setdefault(person, Counter())[state] = number
    return work | pieces_of(participations)


def open_guesses(participations: Sequence[Participation]) -> set[int]:
    """Who is still asked who wrote the answers of some items."""
    asked = JudgingItem.objects.filter(
        participation__in=participations, study__state="judging", asks_guess=True, guessed_at__isnull=True
    )
    return set(asked.exclude(state="cancelled").values_list("participation_id", flat=True))


def pieces_left(part: Participation, work: Counter[str]) -> int:
    """How many pieces of a writer's or judge's `work` are still to be done."""
    left = work["assigned"] + work["writing"] + work["open"]
    return left + work["lapsed"] if part.role == Role.JUDGE else left  # a writer's lapsed answer is over


def _pending(part: Participation, work: Counter[str], asks_guesses: bool) -> str:
    if part.role == Role.COORDINATOR:
        of_audits = FOR_COORDINATORS_OF_AUDITS if part.study.audits_benchmarks else {}
        return {**FOR_COORDINATORS, **of_audits}[part.study.state]
    if part.role == Role.RESEARCHER:
        waiting = waiting_for(part.user, part.study)
        of_audits = FOR_RESEARCHERS_OF_AUDITS if part.study.audits_benchmarks else {}
        return waiting or {**FOR_RESEARCHERS, **of_audits}[part.study.state]
    if is_studied(part) and (obstacle := why_not_ready(part)):
        return obstacle
    noun, verb = PIECES[Role(part.role)]
    left = pieces_left(part, work)
    if not work:
        return f"Nothing to {verb} yet"
    if not left:
        done = f"Nothing to do: {counted(work['submitted'], noun)} handed in"
        return "Last step: guess who wrote the answers" if asks_guesses else done
    return f"{left} of {counted(work.total(), noun)} left to {verb}"
