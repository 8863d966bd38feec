"""Whether the blinding held, as a section of a report."""

from typing import Final

from analysis.blinding.core.blinding import Blinding, blinding
from analysis.blinding.exhibits import blinding_exhibits
from analysis.blinding.prose import headlines, passage
from analysis.sections.core.inputs import nobody_judged
from analysis.sections.core.section import Order, Section, register

BLINDING: Final[Section[Blinding]] = register(
    Section(
        name="blinding",
        beside="sources",
        title="Blinding",
        kind=Blinding,
        from_unblinded=blinding,
        tables=("answers", "guesses"),
        not_applicable=nobody_judged,
        order=Order(file=70, page=70, text=50, differences=60, headlines=30),
        exhibits=lambda found, _report, _scope: blinding_exhibits(found),
        passages=lambda found, _report: [passage(found)],
        headlines=lambda found, _report: headlines(found),
        words={"auc": "AUC"},
    )
)
