"""Work on files of ratings: analysing them."""

from analysis.rating_files import services
from analysis.rating_files.core.work_kinds import ANALYSE_FILE
from annotation.platform.core.work_kinds import WorkKind

RATING_FILES_WORK = (
    WorkKind(
        ANALYSE_FILE,
        lambda subject: services.compute(int(subject)),
        label="was not analysed",
        rows=None,
    ),
)
