"""What may be analysed, and when: agreement alone while a study is closed, everything once it is unblinded; answers
under pressure at any time where nobody judges.
"""

from analysis.report.models import AnalysisRun
from annotation.platform.core.errors import Refused
from annotation.study.models.studies import Study
from annotation.study.policies.unblinding import is_unblinded


def kind_of(study: Study) -> AnalysisRun.Kind:
    """How the study may be analysed now. Raises `Refused` before collection is closed, and where nobody judges
    before the design is locked.
    """
    if is_unblinded(study):
        return AnalysisRun.Kind.FULL
    if not study.has_judging:
        if study.state == "design":
            raise Refused("Results can be seen once the design is locked.")
        return AnalysisRun.Kind.PRESSURE
    if study.state != "closed":
        raise Refused("Results can be seen once the study is closed.")
    return AnalysisRun.Kind.MASKED
