"""The demonstration’s evaluators of trials differ by how they are asked."""

from itertools import product

import numpy as np

from generation.demo.core.synthetic_trials import evaluate_case

DIMENSIONS = ("epistemic_integrity", "value_transparency")
POINTS = {"type": "integer", "minimum": 0, "maximum": 100}


def running_together(*, at_once: bool) -> float:
    """The correlation of one evaluator’s points on two dimensions, about answers of one worth."""
    groups = [DIMENSIONS] if at_once else [(name,) for name in DIMENSIONS]
    found: dict[str, list[float]] = {name: [] for name in DIMENSIONS}
    for number, group in product(range(200), groups):
        schema = {"properties": {**dict.fromkeys(group, POINTS), "abstained": {"type": "boolean"}}}
        for name, value in evaluate_case("", f"Answer {number}.", schema, judge="one").items():
            if name in found:
                found[name].append(value)
    return float(np.asarray(np.corrcoef(list(found.values())))[0, 1])


def test_dimensions_that_are_asked_about_at_once_run_together_and_those_asked_about_one_by_one_do_not() -> None:
    assert running_together(at_once=True) > 0.6
    assert abs(running_together(at_once=False)) < 0.2
