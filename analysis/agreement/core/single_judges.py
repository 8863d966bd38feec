"""What single judges contribute: how severe each is, and the figures of agreement without them."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

from analysis.agreement.core.agreement_resampler import AgreementResampler
from analysis.agreement.core.evaluators import EvaluatorResampler
from analysis.agreement.core.judges import Severity, severities, without_each
from analysis.data.core.judgment_frame import mean_of_dimensions
from analysis.data.core.results import Estimate, Interval
from analysis.sections.core.inputs import Masked
from analysis.uncertainty.core.resampling import JUDGES_ALONE

LEFT_OUT: Final = ("w_common", "tau_b_pooled", "alpha_ordinal", "r")
MAX_JUDGES_LEFT_OUT: Final = 200  # judges, one at a time
NOT_BY_ITSELF: Final = "to be compared with the figure of all judges, which has one"


@dataclass(frozen=True, slots=True)
class JudgeLine:
    """A judge's severity, and the figures of agreement if that judge were left out; `r_without` is the mean
    pairwise correlation of mean scores (see `evaluators`). `chance_without` is what W of the others is in the mean
    where they rank at random: 1 over their number, in the mean over prompts; None where it is not known.
    """

    severity: Severity
    w_without: Estimate
    tau_b_without: Estimate
    alpha_without: Estimate
    r_without: Estimate
    chance_without: float | None = None


@dataclass(frozen=True, slots=True)
class Judges:
    judges: tuple[JudgeLine, ...]


def single_judges(masked: Masked) -> Judges:
    """Figures of all judges of ordinary items."""
    standard, level = masked.standard, masked.parameters.level
    judges = severities(standard, mean_of_dimensions(standard), level=level, scale=masked.parameters.scale)
    without = _without_each(standard, len(judges), level)
    return Judges(
        tuple(
            JudgeLine(severity, w, tau_b, alpha, r, chance)
            for severity, ((w, tau_b, alpha, r), chance) in zip(judges, without, strict=True)
        )
    )


def _without_each(standard: pd.DataFrame, judges: int, level: float) -> list[tuple[list[Estimate], float | None]]:
    if judges > MAX_JUDGES_LEFT_OUT:
        reason = f"not computed for more than {MAX_JUDGES_LEFT_OUT} judges"
        unknown = [Estimate(f"{name}_without", None, judges - 1, reason=reason) for name in LEFT_OUT]
        return [(unknown, None)] * judges
    ranked = AgreementResampler.of(standard)
    scored = EvaluatorResampler.of(standard, mean_of_dimensions(standard).to_numpy(dtype=float))
    found = {
        name: values
        for resampler in (ranked, scored)
        for name, values in without_each(
            resampler, prompts=len(resampler.prompts), judges=judges, load=resampler.load
        ).items()
    }
    chances = [None if np.isnan(chance) else float(chance) for chance in found["chance_of_w"]]
    return [
        ([_without(name, found[name][place], judges, level) for name in LEFT_OUT], chance)
        for place, chance in enumerate(chances)
    ]


def _without(name: str, value: float, judges: int, level: float) -> Estimate:
    name = f"{name}_without"
    if np.isnan(value):
        return Estimate(name, None, judges - 1, reason="undefined without this judge")
    interval = Interval(None, None, level, JUDGES_ALONE, reason=NOT_BY_ITSELF)
    return Estimate(name, float(value), judges - 1, interval=interval)
