"""What the researcher's page shows: how far collection is, and which steps have been taken by whom."""

from dataclasses import dataclass

from analysis.models.ceremony import Freeze, Release, UnblindingRequest
from annotation.models.seeds import StudySeed
from annotation.models.studies import Study
from annotation.selectors.coordination import Progress, Step, judging_progress, steps
from annotation.selectors.places import surplus


@dataclass(frozen=True)
class CeremonyPage:
    """`surplus` counts judgments that are kept and do not count: another one had come first in their place.

    `request` is the newest one. The seed itself is shown once it is revealed.
    """

    steps: tuple[Step, ...]
    judging: Progress
    surplus: int
    commitment: str | None
    seed: str | None
    frozen: Freeze | None
    request: UnblindingRequest | None
    releases: tuple[Release, ...]


def ceremony_page(study: Study) -> CeremonyPage:
    kept = StudySeed.objects.filter(study=study).first()
    return CeremonyPage(
        steps=steps(study),
        judging=judging_progress(study),
        surplus=len(surplus(study)),
        commitment=kept.commitment if kept else None,
        seed=bytes(kept.seed).hex() if kept and kept.revealed_at else None,
        frozen=Freeze.objects.filter(study=study).select_related("frozen_by").first(),
        request=UnblindingRequest.objects.filter(study=study)
        .select_related("study", "requested_by", "decided_by")
        .first(),
        releases=tuple(Release.objects.filter(study=study).select_related("released_by")),
    )
