"""How fees may change while people work for them."""

from collections.abc import Mapping
from typing import Any

from annotation.benchmarks.selectors.progress import is_any_audited
from annotation.judging.models.judging import JudgingItem
from annotation.platform.core.errors import Refused
from annotation.study.core.parameters import labels_of
from annotation.study.models.studies import Study
from annotation.writing.models import WritingAssignment


def check_fees(study: Study, changes: Mapping[str, Any]) -> None:
    """Raise `Refused` where one of the `changes` lowers a fee for which somebody has handed in work already.

    A fee counts for every piece, those done before among them, so a lower one would take back what was earned.
    """
    for name in ("fee_per_answer", "fee_per_item"):
        is_lowered = name in changes and changes[name] < getattr(study, name)
        if is_lowered and _is_any_done(study, name):
            label, held = labels_of(study.preset)[name], getattr(study, name)
            raise Refused(f"“{label}” can only rise by now: what is done was done for {held:.2f}.", field=name)


def _is_any_done(study: Study, fee: str) -> bool:
    """Whether somebody has handed in what this fee is paid for."""
    if fee == "fee_per_answer":
        return WritingAssignment.objects.filter(study=study, state="submitted").exists()
    return JudgingItem.objects.filter(study=study, state="submitted").exists() or is_any_audited(study)
