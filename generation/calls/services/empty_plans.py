"""Why a plan lists nothing to ask."""

from generation.calls.models import GenerationRun
from generation.calls.selectors.earlier_runs import earlier_runs
from generation.calls.services.purposes import purpose_of


def why_empty(run: GenerationRun) -> str:
    """Why a plan is empty, for a person: whether all was asked before, or nothing is there to ask about."""
    purpose = purpose_of(run)
    if run.shares.filter(known__gt=0).exists():
        says = ["Nothing is missing: all of it was asked for before.", purpose.about_known(run)]
    else:
        says = [purpose.nothing, *(earlier_runs(run.study, run.purpose) if run.study else ())]
    return " ".join(filter(None, says))
