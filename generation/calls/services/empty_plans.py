"""Why a plan lists nothing to ask."""

from typing import Final

from generation.calls.models import GenerationRun
from generation.calls.selectors.earlier_runs import earlier_runs
from generation.prompts.models import PairVote, QualityVote
from generation.prompts.services import pool

Purpose = GenerationRun.Purpose
_NOTHING: Final = {
    Purpose.PROMPTS: "The sources hold no scenario yet that prompts could be written from.",
    Purpose.QUALITY: "There is no prompt yet that these models are to judge.",
    Purpose.PAIRS: "No scenario has two prompts yet that these models are to compare.",
}


def why_empty(run: GenerationRun) -> str:
    """For a person, once the plan was made: whether all was asked before, or nothing is there to ask about."""
    if run.shares.filter(known__gt=0).exists():
        return f"Nothing is missing: all of it was asked for before.{_of_another_wording(run)}"
    why = _NOTHING.get(Purpose(run.purpose), "There is nothing yet to ask these models.")
    return " ".join([why, *(earlier_runs(pool.study_of(run), run.purpose) if run.study else ())])


def _of_another_wording(run: GenerationRun) -> str:
    """What follows where the votes that count were asked for later than this plan's, in other words."""
    asked = run.shares.values("target")
    votes = {
        Purpose.QUALITY: QualityVote.objects.filter(candidate__bundle__study=run.study, target__in=asked),
        Purpose.PAIRS: PairVote.objects.filter(first__bundle__study=run.study, target__in=asked),
    }.get(Purpose(run.purpose))
    if votes is None or not votes.exclude(call__run__template_version=run.template_version).exists():
        return ""
    return (
        " But votes of another wording, asked for since, are those that count. To have them given anew, change the"
        " present wording by a word."
    )
