"""Whether the blinding held, as a section of a report."""

from typing import Final

from analysis.blinding.core.blinding import Blinding, blinding
from analysis.blinding.exhibits import blinding_exhibits
from analysis.blinding.prose import headlines, passage
from analysis.sections.core.inputs import Unblinded, nobody_judged
from analysis.sections.core.section import Order, Section, register

FRAMEWORKS: Final = "judges guessed frameworks of values, which the section on trials tells"


def why_none(inputs: Unblinded) -> str:
    """In trials every answer is a model's, and nobody guesses whether a person wrote it."""
    return nobody_judged(inputs) or FRAMEWORKS * (not inputs.tables.trial_conditions.empty)


BLINDING: Final[Section[Blinding]] = register(
    Section(
        name="blinding",
        beside="sources",
        title="Blinding",
        kind=Blinding,
        from_unblinded=blinding,
        tables=("answers", "guesses", "trial_conditions"),
        not_applicable=why_none,
        order=Order(file=70, page=70, text=50, differences=60, headlines=30),
        exhibits=lambda found, _report, _scope: blinding_exhibits(found),
        passages=lambda found, _report: [passage(found)],
        headlines=lambda found, _report: headlines(found),
        words={"auc": "AUC"},
    )
)
