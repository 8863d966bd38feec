"""The tables of where prompts come from: what was left of each source, how different prompts are, and maps."""

from typing import Final

from analysis.data.core.study_pool import AND, ORDER
from analysis.release.core.columns import Column, Layout, number, text, whole

POOLED: Final = "PromptPool"

_SOURCE: Final = text("source", "the source of scenarios")
_SCENARIO: Final = text("scenario", "the scenario’s key in its source")


def _layout(table: str, split: str, row: str, columns: tuple[Column, ...]) -> Layout:
    return Layout(POOLED, split, POOL_TABLES[table], row, tuple(ORDER[table]), columns)


# Files without their endings, by the tables of a study.
POOL_TABLES: Final = {
    "pool_funnel": f"{POOLED}/pool_funnel",
    "pool_diversity": f"{POOLED}/pool_diversity",
    "pool_map": f"{POOLED}/pool_map",
}
POOL_LAYOUTS: Final = (
    _layout(
        "pool_funnel",
        "funnel",
        "a step from a source’s items to the prompts drawn for the study",
        (
            _SOURCE,
            whole("number", "its place among the steps", "from 1"),
            text("step", "what was done"),
            whole("kept", "items or prompts that it left"),
            whole("removed", "items or prompts that it removed"),
        ),
    ),
    _layout(
        "pool_diversity",
        "diversity",
        "the pairs of prompts that pass, of one generator or two, for a scenario",
        (
            _SOURCE,
            _SCENARIO,
            text("generators", f"the study’s name of the model that wrote them, or of both, with “{AND.strip()}”"),
            whole("pairs", "pairs of prompts"),
            whole("evaluators", "models that are to compare each pair"),
            whole("votes", "comparisons that there are"),
            whole("equivalent_both", "pairs that every evaluator calls equivalent"),
            whole("equivalent_either", "pairs that some evaluator calls equivalent"),
        ),
    ),
    _layout(
        "pool_map",
        "map",
        "a scenario or a prompt on the newest map of its source",
        (
            _SOURCE,
            text("kind", "what lies there", "scenario, prompt"),
            _SCENARIO,
            text("generator", "the study’s name of the model that wrote the prompt; empty for a scenario"),
            whole("position", "its place among those written in one call; blank for a scenario", "from 1"),
            text("stratum", "the scenario’s stratum"),
            number("x", "across", "−1 to 1"),
            number("y", "up", "−1 to 1"),
        ),
    ),
)
