"""What a report of masked judgments leaves out, since the shape of the data would tell what is masked."""

from dataclasses import fields, replace
from typing import Any

from analysis.core.agreement import PromptAgreement
from analysis.core.report import WHOLE, Report
from analysis.core.results import Estimate


def without_shapes(report: Report) -> Report:
    """The report without its prompts and domains where prompts can be told apart by what judges were given.

    Judges of an item for calibration are given other answers than judges of an ordinary one: fewer or more in all,
    or in common with one another. Where prompts differ in that, nothing is said of any of them alone; over all
    of them everything stays.
    """
    whole = report.agreement[WHOLE]
    if len({_shape(prompt) for prompt in whole.prompts}) < 2:
        return report
    return replace(report, agreement={WHOLE: replace(whole, prompts=())})


def _shape(prompt: PromptAgreement) -> tuple[Any, ...]:
    """All that is counted, and no value: a judgment that is missing is no secret, so judges are not counted."""
    counted = {each.name: getattr(prompt, each.name) for each in fields(prompt)}
    return tuple(
        part.left_out if isinstance(part, Estimate) else part
        for name, part in counted.items()
        if name not in ("prompt_id", "n_judges")
    )
