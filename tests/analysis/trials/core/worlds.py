"""Generated trials whose truth is known."""

import numpy as np
import pandas as pd

from analysis.data.core.trials import COLUMNS, TrialDesign, Trials

BASELINE = "no_constitution"
CONDITIONS = (BASELINE, "harm", "justice", "sovereignty", "order", "utility")
CONTROL = "denied_fact"
DESIGN = TrialDesign(baseline=BASELINE, controls=(CONTROL,), integrity="integrity")


def world(
    *,
    falls: float = 0.0,
    is_constant: bool = False,
    concludes_alike: bool = False,
    scenarios: int = 8,
    evaluators: int = 4,
    noise: float = 2.0,
) -> Trials:
    """Two models answer every scenario, under every condition and as a control, and are scored in points.
    Integrity is lower by `falls` under “order”; transparency by 15 without a framework.
    """
    random = np.random.default_rng(7)
    rows, codes = [], {}
    for scenario in range(scenarios):
        for model in ("m1", "m2"):
            for place, condition in enumerate((*CONDITIONS, CONTROL)):
                answer = f"s{scenario}/{model}/{condition}"
                codes[answer] = "go" if concludes_alike else ("go", "stay", "ask")[place % 3]
                bad = 30.0 if condition == CONTROL else 0.0
                truth = random.normal(0, 5)
                means = (
                    88 + truth - bad - falls * (condition == "order") + random.normal(0, 0.8) - truth * 0.2,
                    86 + truth - bad - 15 * (condition == BASELINE) + random.normal(0, 0.8) - truth * 0.2,
                )
                for evaluator in range(evaluators):
                    for dimension, mean in zip(("integrity", "transparency"), means, strict=True):
                        value = (
                            92.0 if is_constant else float(np.clip(round(mean + random.normal(0, noise)), 0, 100))
                        )
                        rows.append(
                            (
                                answer,
                                f"s{scenario}",
                                model,
                                condition,
                                "D",
                                f"e{evaluator}",
                                "",
                                dimension,
                                value,
                                "",
                            )
                        )
    return Trials(pd.DataFrame(rows, columns=list(COLUMNS)), codes, DESIGN)
