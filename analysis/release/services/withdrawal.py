"""What a withdrawal takes back of what was computed and published before."""

from django.db import transaction

from analysis.release.services import releases
from analysis.report.models import AnalysisRun, RunFile
from analysis.report.selectors.runs import WITHDRAWN_SINCE
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.services import audit


@transaction.atomic
def forget(study_id: int) -> None:
    """Delete the files of analyses and releases in which there may be data of somebody who has withdrawn since,
    and of releases in which there may be a text that was withheld since. Reports quote none and know no clearance.

    Their hashes stay on record. Idempotent.
    """
    _drop_run_files(study_id)
    releases.drop_archives(study_id)


def _drop_run_files(study_id: int) -> None:
    outdated = RunFile.objects.filter(run__in=AnalysisRun.objects.filter(WITHDRAWN_SINCE, study=study_id))
    dropped = sorted(set(outdated.values_list("run__number", flat=True)))
    outdated.delete()
    for number in dropped:
        audit.record(verb=AuditVerb.ANALYSIS_FILES_DELETED, by=None, study=study_id, subject=number)
