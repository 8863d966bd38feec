"""The analysis of answers under pressure where nobody judges: nothing waits for unblinding."""

from analysis.data.core.judgment_frame import LEADING_COLUMNS
from analysis.data.core.parameters import Parameters
from analysis.data.core.study_tables import StudyTables, in_order, table, tables_sha256
from analysis.report.services import runs
from analysis.sections.core.report import Progress, Report
from analysis.unblinded.core.pressure_report import pressure_report
from analysis.unblinded.selectors.framing_tables import framing_tables
from annotation.platform.core.errors import Refused
from annotation.study.models.studies import Study
from annotation.study.policies.unblinding import check_unblinded
from annotation.study.selectors.rubrics import rubric_by_hash
from generation.calls.models import GenerationRun

NOTHING = "Nobody judges in this study, and no answers under pressure have been scored yet."
NOT_BEFORE_UNBLINDING = "What an audit of benchmarks found can be read once the study is unblinded."


def compute_pressure(run_id: int) -> None:
    """Compute such a run, unless it is finished."""
    runs.compute(run_id, _under_pressure)


def _under_pressure(study: Study, parameters: Parameters, progress: Progress) -> tuple[str, Report]:
    if study.has_judging:
        check_unblinded(study)
    scoring = GenerationRun.objects.filter(study=study, purpose=GenerationRun.Purpose.FRAMED_SCORE)
    if unfinished := scoring.filter(state__in=("running", "stopped")).order_by("pk").first():
        raise Refused(
            f"Answers under pressure are still being scored, in run {unfinished.known_as}: wait until it ends."
        )
    scale = rubric_by_hash(study.rubric_id).scale
    tables = in_order(StudyTables(table((), LEADING_COLUMNS), scale=scale, **framing_tables(study)))
    if tables.framed_scores.empty:
        raise Refused(NOT_BEFORE_UNBLINDING if study.audits_benchmarks else NOTHING)
    return tables_sha256(tables), pressure_report(tables, parameters=parameters, progress=progress)
