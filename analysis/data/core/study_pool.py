"""Where a study's prompts come from: the tables that its release publishes of sources, candidates and maps."""

from collections.abc import Mapping, Sequence
from typing import Final

SCENARIO, PROMPT = "scenario", "prompt"

POOL_FUNNEL: Final = ("source", "number", "step", "kept", "removed")
POOL_DIVERSITY: Final = (
    *("source", "scenario", "generators", "pairs", "evaluators", "votes"),
    *("equivalent_both", "equivalent_either"),
)
POOL_MAP: Final = ("source", "kind", "scenario", "generator", "position", "stratum", "x", "y")
AND: Final = " & "  # between two generators
TEXT_COLUMNS: Final = frozenset(("source", "step", "scenario", "generators", "kind", "generator", "stratum"))
COLUMNS: Final[Mapping[str, Sequence[str]]] = {
    "pool_funnel": POOL_FUNNEL,
    "pool_diversity": POOL_DIVERSITY,
    "pool_map": POOL_MAP,
}
ORDER: Final[Mapping[str, Sequence[str]]] = {
    "pool_funnel": ("source", "number"),
    "pool_diversity": ("source", "scenario", "generators"),
    "pool_map": ("source", "kind", "scenario", "generator", "position"),
}
