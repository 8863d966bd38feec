"""Agreement between judges while nobody knows who wrote what: this code cannot look it up."""

from analysis.core.judgment_frame import domain_of_prompt, frame_sha256
from analysis.core.masked_report import analyse_masked
from analysis.core.report import Parameters, Progress, Report
from analysis.selectors.judgments import masked_judgments
from analysis.services import runs
from annotation.models.prompts import Prompt
from annotation.models.studies import Study
from annotation.selectors.rubrics import rubric_by_hash


def compute_masked(run_id: int) -> None:
    """Compute a masked run, unless it is finished."""
    runs.compute(run_id, _agreement)


def _agreement(study: Study, parameters: Parameters, progress: Progress) -> tuple[str, Report]:
    frame = masked_judgments(study)
    sha256 = frame_sha256(frame)
    runs.check_frozen(study, sha256)
    domains = dict(Prompt.objects.filter(study=study).values_list("code", "domain"))
    report = analyse_masked(
        frame,
        parameters=parameters,
        scale=rubric_by_hash(study.rubric_id).scale,
        domain_of=lambda prompt: domains[prompt] or domain_of_prompt(prompt),
        progress=progress,
    )
    return sha256, report
