"""A set's runs, with what each takes."""

from generation.calls.models import GenerationRun
from generation.calls.selectors.planned_runs import PlannedRun, planned_runs
from generation.framing.models import FramingSet


def runs_of_set(framing_set: FramingSet) -> list[PlannedRun]:
    """The newest first."""
    runs = GenerationRun.objects.filter(
        study=framing_set.study,
        purpose__in=["framing", "framing_check", "framed_answer", "framed_score"],
        materials__only__set=framing_set.pk,
    )
    return planned_runs(runs, _title)


def _title(run: GenerationRun) -> str:
    only, what = run.materials["only"], str(run.get_purpose_display())
    if "instructed" not in only:
        return what
    way = "with the instruction about the length" if only["instructed"] else "framings alone"
    below = {"framing": ", below framings", "prompt": ", below the prompts behind them"}
    twice = ", the prompts themselves twice" if only.get("again") else ""
    return f"{what}, {way}{twice}{below.get(only.get('shows', ''), '')}"
