"""What the pages of runs and calls tell of those about prompts that are to be."""

from collections.abc import Iterable
from typing import Final

from generation.calls.models import Call, GenerationRun
from generation.calls.selectors.calls import PromptLine
from generation.prompts.core.diversity import MIXED, ORDERS, STAGES
from generation.prompts.core.quality import SCHEMES
from generation.prompts.models import Candidate
from generation.sources.models import Source

# By the names that `planning.plan_run` takes as `only`.
_CHOICES: Final = {
    "stage": ("Prompts compared", STAGES),
    "scheme": ("Votes on quality", SCHEMES),
    "mixed": ("Of two generators, compared by", MIXED),
    "order": ("Which of two stands first", ORDERS),
}


def scope_of(run: GenerationRun) -> tuple[tuple[str, str], ...]:
    """What a run was narrowed down to: labels, each with what was chosen."""
    only = run.materials.get("only", {})
    chosen = [(label, words[only[name]]) for name, (label, words) in _CHOICES.items() if name in only]
    if "scenarios" in only:
        chosen = [("Scenarios", f"a trial: {only['scenarios']:,} of each source at most"), *chosen]
    return (("Sources", _names(only["sources"]) if "sources" in only else "all of the study"), *chosen)


def prompts_of(call: Call) -> tuple[PromptLine, ...]:
    """The prompts that the call wrote, judged or compared."""
    if call.scenario_id:
        found = Candidate.objects.filter(bundle__call=call).order_by("position")
    else:
        found = Candidate.objects.filter(pk__in=[call.candidate_id, call.beside_id]).order_by("pk")
    return tuple(PromptLine(*row) for row in found.values_list("pk", "label"))


def _names(sources: Iterable[int]) -> str:
    return ", ".join(Source.objects.filter(pk__in=sources).order_by("pk").values_list("name", flat=True))
