"""What a run about prompts that are to be was narrowed down to, in words."""

from collections.abc import Iterable
from typing import Final

from generation.calls.models import GenerationRun
from generation.prompts.core.diversity import MIXED, STAGES
from generation.prompts.core.quality import SCHEMES
from generation.sources.models import Source

# By the names that `planning.plan_run` takes as `only`.
_CHOICES: Final = {
    "stage": ("Prompts compared", STAGES),
    "scheme": ("Votes on quality", SCHEMES),
    "mixed": ("Of two generators, compared by", MIXED),
}


def scope_of(run: GenerationRun) -> tuple[tuple[str, str], ...]:
    """Labels, each with what was chosen; nothing for runs about answers."""
    if run.purpose in GenerationRun.ABOUT_ANSWERS:
        return ()
    only = run.materials.get("only", {})
    chosen = [(label, words[only[name]]) for name, (label, words) in _CHOICES.items() if name in only]
    if "scenarios" in only:
        chosen = [("Scenarios", f"a trial: {only['scenarios']:,} of each source at most"), *chosen]
    return (("Sources", _names(only["sources"]) if "sources" in only else "all of the study"), *chosen)


def _names(sources: Iterable[int]) -> str:
    return ", ".join(Source.objects.filter(pk__in=sources).order_by("pk").values_list("name", flat=True))
