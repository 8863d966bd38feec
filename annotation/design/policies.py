"""How fees may change while people work for them."""

from collections.abc import Mapping
from typing import Any, Final

from annotation.judging.models.judging import JudgingItem
from annotation.platform.core.errors import Refused
from annotation.study.core.parameters import LABELS
from annotation.study.models.studies import Study
from annotation.writing.models import WritingAssignment

PAID: Final[Mapping[str, type[WritingAssignment | JudgingItem]]] = {
    "fee_per_answer": WritingAssignment,
    "fee_per_item": JudgingItem,
}


def check_fees(study: Study, changes: Mapping[str, Any]) -> None:
    """Raise `Refused` where one of the `changes` lowers a fee for which somebody has handed in work already.

    A fee counts for every piece, those done before among them, so a lower one would take back what was earned.
    """
    for name, work in PAID.items():
        is_lowered = name in changes and changes[name] < getattr(study, name)
        if is_lowered and work.objects.filter(study=study, state="submitted").exists():
            raise Refused(
                f"“{LABELS[name]}” can only rise by now: what is done was done for {getattr(study, name):.2f}.",
                field=name,
            )
