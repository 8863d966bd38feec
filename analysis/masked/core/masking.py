"""What a report of masked judgments leaves out, since the shape of the data would tell what is masked."""

from dataclasses import replace

from analysis.agreement.core.agreement import PromptAgreement
from analysis.agreement.sections import AGREEMENT
from analysis.data.core.parameters import WHOLE
from analysis.report.sections import registered
from analysis.sections.core.report import Report


def without_shapes(report: Report) -> Report:
    """The report without its prompts and domains where prompts can be told apart by what judges were given.

    Judges of an item for calibration are given other answers than judges of an ordinary one: fewer or more in all,
    or in common with one another. Where prompts differ in that, nothing is said of any of them alone; over all
    of them everything stays.
    """
    if len({_shape(prompt) for prompt in report[AGREEMENT][WHOLE].prompts}) < 2:
        return report
    told = {
        section.name: section.without_prompts(report[section])
        for section in registered("file")
        if section in report
    }
    return replace(report, found=told)


def _shape(prompt: PromptAgreement) -> tuple[int, ...]:
    """What follows from the answers that judges were given, and not from what they said of them.

    A judgment that is missing is no secret, so judges are not counted. Pairs of judges that cannot be compared are,
    unless all have two answers in common: then the only reason is that somebody tied everything.
    """
    uncompared = prompt.tau_b.left_out if prompt.n_common < 2 else 0
    return prompt.n_objects, prompt.n_common, prompt.n_parts, prompt.w.left_out, uncompared
