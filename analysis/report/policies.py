"""What may be analysed, and when: agreement alone while a study is closed, everything once it is unblinded.

Where nobody judges there is nobody to be blinded: what models answered under pressure can be read as it comes in.
"""

from analysis.report.models import AnalysisRun
from annotation.platform.core.errors import Refused
from annotation.study.models.studies import Study
from annotation.study.policies.unblinding import is_unblinded


def kind_of(study: Study) -> AnalysisRun.Kind:
    """How the study may be analysed now. Raises `Refused` before there can be anything to analyse: before its
    collection is closed, or where nobody judges before its design is locked.
    """
    if is_unblinded(study):
        return AnalysisRun.Kind.FULL
    if not study.has_judging:
        if study.state == "design":
            raise Refused("Results can be seen once the design is locked and models have answered.")
        return AnalysisRun.Kind.FULL
    if study.state != "closed":
        raise Refused("Results can be seen once the study is closed.")
    return AnalysisRun.Kind.MASKED
