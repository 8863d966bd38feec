"""The whole analysis of a study that is unblinded."""

from analysis.blinding.services.verification import check_untouched
from analysis.data.core.parameters import Parameters
from analysis.data.core.study_tables import tables_sha256
from analysis.report.services import runs
from analysis.sections.core.report import Progress, Report
from analysis.unblinded.core.full_report import analyse
from analysis.unblinded.selectors.study_tables import study_tables
from annotation.study.models.studies import Study
from annotation.study.policies.unblinding import check_unblinded


def compute_full(run_id: int) -> None:
    """Compute a full run, unless it is finished."""
    runs.compute(run_id, _everything)


def _everything(study: Study, parameters: Parameters, progress: Progress) -> tuple[str, Report]:
    check_unblinded(study)
    progress.tell("checking labels and judgments", 0, 1)
    check_untouched(study)
    tables = study_tables(study)
    return tables_sha256(tables), analyse(tables, parameters=parameters, progress=progress)
