"""Recomputing what was promised: the seed behind its commitment, all that follows from it, and every judgment."""

from dataclasses import dataclass

from analysis.blinding.core.blinding_check import differences, omissions
from analysis.blinding.selectors.blinding_record import blinding_record
from annotation.platform.core.errors import Refused
from annotation.study.models.studies import Study


@dataclass(frozen=True)
class BlindingCheck:
    """How many items and submitted judgments were recomputed, and in words each thing that differs.

    `omissions` say, in words too, what could not be compared, because it had not been recorded.
    """

    items: int
    judgments: int
    differences: tuple[str, ...]
    omissions: tuple[str, ...]

    @property
    def passed(self) -> bool:
        return not self.differences


def check_blinding(study: Study) -> BlindingCheck:
    """Recompute items and judgments from seed, design and audit trail; once closed, the frozen hash too."""
    record = blinding_record(study)
    return BlindingCheck(
        items=len(record.items),
        judgments=len(record.submitted),
        differences=tuple(differences(record)),
        omissions=tuple(omissions(record)),
    )


def check_untouched(study: Study) -> None:
    """Raise `Refused`, naming the first difference, unless `check_blinding` finds none."""
    check = check_blinding(study)
    if not check.passed:
        raise Refused(f"The study is not as it was closed. Nothing was done. {check.differences[0]}")
