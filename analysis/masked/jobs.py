"""Work on masked analyses: computing them."""

from analysis.masked.services import masked_runs
from analysis.report.core.work_kinds import COMPUTE_MASKED
from analysis.report.jobs import ANALYSES
from annotation.platform.core.work_kinds import WorkKind

MASKED_WORK = (
    WorkKind(
        COMPUTE_MASKED,
        lambda subject: masked_runs.compute_masked(int(subject)),
        label="was not computed",
        rows=ANALYSES,
    ),
)
