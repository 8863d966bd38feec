"""How well what is not an answer's content tells who wrote it: its length, and its format."""

from dataclasses import dataclass

from analysis.data.core.results import Estimate


@dataclass(frozen=True, slots=True)
class SourceLeak:
    """How well `features` alone (such as “length”) tell models' answers from people's; `n` counts answers.

    `auc` is the area under the ROC curve of predictions for prompts that were not learnt from, ½ for chance and 1
    for always, over pairs of answers that were told after learning from the same prompts; `accuracy` the mean of
    the shares that are recognised rightly among people's answers and models'.
    """

    features: str
    auc: Estimate
    accuracy: Estimate
