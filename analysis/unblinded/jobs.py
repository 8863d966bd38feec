"""Work on full analyses: computing them."""

from analysis.report.core.work_kinds import COMPUTE_FULL, COMPUTE_PRESSURE
from analysis.report.jobs import ANALYSES
from analysis.unblinded.services import full_runs, pressure_runs
from annotation.platform.core.work_kinds import WorkKind

UNBLINDED_WORK = (
    WorkKind(
        COMPUTE_FULL,
        lambda subject: full_runs.compute_full(int(subject)),
        label="was not computed",
        rows=ANALYSES,
    ),
    WorkKind(
        COMPUTE_PRESSURE,
        lambda subject: pressure_runs.compute_pressure(int(subject)),
        label="was not computed",
        rows=ANALYSES,
    ),
)
