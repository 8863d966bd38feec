"""The whole analysis of a study that is unblinded."""

from analysis.core.full_report import analyse
from analysis.core.judgment_frame import frame_sha256
from analysis.core.report import Parameters, Progress, Report
from analysis.core.study_tables import tables_sha256
from analysis.selectors.judgments import masked_judgments
from analysis.selectors.study_tables import study_tables
from analysis.services import runs
from annotation.models.studies import Study


def compute_full(run_id: int) -> None:
    """Compute a full run, unless it is finished."""
    runs.compute(run_id, _everything)


def _everything(study: Study, parameters: Parameters, progress: Progress) -> tuple[str, Report]:
    runs.check_frozen(study, frame_sha256(masked_judgments(study)))
    tables = study_tables(study)
    return tables_sha256(tables), analyse(tables, parameters=parameters, progress=progress)
