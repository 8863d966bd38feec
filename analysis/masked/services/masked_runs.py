"""Agreement between judges while nobody knows who wrote what: this code cannot look it up."""

from analysis.data.core.judgment_frame import domain_of_prompt, frame_sha256
from analysis.data.core.parameters import Parameters
from analysis.frozen.models import Freeze
from analysis.frozen.selectors.frozen_tables import (
    JUDGMENTS,
    check_hashes,
    collected_tables,
    frozen_tables,
    hashes_of,
)
from analysis.masked.core.masked_report import analyse_masked
from analysis.masked.core.masking import without_shapes
from analysis.report.services import runs
from analysis.sections.core.report import Progress, Report
from annotation.platform.core.errors import Refused
from annotation.study.models.participation import Participation
from annotation.study.models.studies import Study
from annotation.study.selectors.rubrics import rubric_by_hash


def compute_masked(run_id: int) -> None:
    """Compute a masked run, unless it is finished."""
    runs.compute(run_id, _agreement)


def _agreement(study: Study, parameters: Parameters, progress: Progress) -> tuple[str, Report]:
    if not study.has_judging:
        raise Refused("Nobody judges in this study: there is nothing to compare before it is unblinded.")
    tables = frozen_tables(study)
    _check_rows(study)
    frozen = tables[JUDGMENTS]
    withdrawn = Participation.objects.filter(study=study, consent__withdrawn_at__isnull=False)
    frame = frozen[~frozen["judge_id"].isin(withdrawn.values_list("pseudonym", flat=True))]
    if frame.empty:
        raise Refused("Everybody who judged has withdrawn their consent, so there is nothing to compute.")
    domains = dict(tables["domains"].itertuples(index=False, name=None))
    report = analyse_masked(
        frame,
        parameters=parameters,
        scale=rubric_by_hash(study.rubric_id).scale,
        domain_of=lambda prompt: domains[prompt] or domain_of_prompt(prompt),
        progress=progress,
    )
    return frame_sha256(frame), without_shapes(report)


def _check_rows(study: Study) -> None:
    """Raise `Refused` where the rows that were frozen have been changed since: the report does not rest on them."""
    freeze = Freeze.objects.get(study=study)
    check_hashes(hashes_of(collected_tables(study), kept=freeze.sha256), freeze)
