"""Agreement between judges while nobody knows who wrote what: this code cannot look it up."""

import pandas as pd

from analysis.data.core.judgment_frame import domain_of_prompt, frame_sha256
from analysis.data.core.parameters import Parameters
from analysis.frozen.models import Freeze
from analysis.frozen.selectors.frozen_tables import frozen_tables
from analysis.frozen.selectors.judgments import masked_judgments
from analysis.masked.core.masked_report import analyse_masked
from analysis.masked.core.masking import without_shapes
from analysis.report.services import runs
from analysis.sections.core.report import Progress, Report
from annotation.platform.core.errors import Refused
from annotation.study.models.participation import Participation
from annotation.study.models.prompts import Prompt
from annotation.study.models.studies import Study
from annotation.study.selectors.rubrics import rubric_by_hash


def compute_masked(run_id: int) -> None:
    """Compute a masked run, unless it is finished."""
    runs.compute(run_id, _agreement)


def _agreement(study: Study, parameters: Parameters, progress: Progress) -> tuple[str, Report]:
    frozen = masked_judgments(study)
    _check_frozen(study, frozen)
    withdrawn = Participation.objects.filter(study=study, consent__withdrawn_at__isnull=False)
    frame = frozen[~frozen["judge_id"].isin(withdrawn.values_list("pseudonym", flat=True))]
    if frame.empty:
        raise Refused("Everybody who judged has withdrawn their consent, so there is nothing to compute.")
    domains = dict(Prompt.objects.filter(study=study).values_list("code", "domain"))
    report = analyse_masked(
        frame,
        parameters=parameters,
        scale=rubric_by_hash(study.rubric_id).scale,
        domain_of=lambda prompt: domains[prompt] or domain_of_prompt(prompt),
        progress=progress,
    )
    return frame_sha256(frame), without_shapes(report)


def _check_frozen(study: Study, judgments: pd.DataFrame) -> None:
    """Raise `Refused` unless judgments, guesses and texts have the hashes under which they were frozen.

    A study that was closed when judgments alone were frozen has no other hashes.
    """
    freeze = Freeze.objects.get(study=study)
    kept = {"judgments": freeze.sha256, **freeze.tables}
    found = {"judgments": frame_sha256(judgments, kept=freeze.sha256), **frozen_tables(study)}
    altered = [name for name, sha256 in found.items() if kept.get(name, sha256) != sha256]
    if altered:
        raise Refused(
            f"These are not the {' and '.join(altered)} that were frozen when collection was closed: their hash "
            "differs. Nothing was computed. Find out what was changed before anything is published."
        )
