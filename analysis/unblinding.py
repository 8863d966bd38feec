"""The only place where judgments meet their sources."""

import pandas as pd
from django.core.exceptions import PermissionDenied

from analysis.core.judgment_frame import HUMAN, MODEL, STANDARD
from analysis.selectors.judgments import masked_judgments
from annotation.models.allocation import Arm, ItemPlan, Kind, Stimulus
from annotation.models.participation import Participation
from annotation.models.studies import Study

ITEM_TYPES = {
    Kind.STANDARD: STANDARD,
    Kind.QUALITY_FLOOR: "cal_quality_floor",
    Kind.SOURCE_ATTRIBUTION: "cal_source_attribution",
}


def check_unblinded(study: Study) -> None:
    if study.state not in ("unblinded", "released"):
        raise PermissionDenied(
            "This study is still blinded: sources are known only after two researchers have unblinded it."
        )


def unblinded_judgments(study: Study) -> pd.DataFrame:
    """The frame of judgments with item types and sources. Raises `PermissionDenied` before unblinding."""
    check_unblinded(study)
    return reveal(study, masked_judgments(study))


def reveal(study: Study, masked: pd.DataFrame) -> pd.DataFrame:
    """The masked frame with item types and sources, without what those gave who have withdrawn their consent.

    Neither answers they wrote nor judgments they made are in it; ranks stay as they were given beside those. Raises
    `PermissionDenied` before the study is unblinded.
    """
    check_unblinded(study)
    stimuli = {
        str(response): (arm, source)
        for response, arm, source in Stimulus.objects.filter(study=study).values_list(
            "response_id", "arm", "source_code"
        )
    }
    withdrawn = _withdrawn(study)
    theirs = [answer for answer, (arm, source) in stimuli.items() if arm == Arm.HUMAN and source in withdrawn]
    masked = masked[~masked["judge_id"].isin(withdrawn) & ~masked["true_id"].isin(theirs)]
    if masked.empty:
        return masked
    plans = ItemPlan.objects.filter(item__study=study).values_list(
        "kind", "item__prompt__code", "item__participation__pseudonym"
    )
    kinds = {(prompt, judge): ITEM_TYPES[Kind(kind)] for kind, prompt, judge in plans}
    arms = masked["true_id"].map(lambda response: stimuli[response][0])
    sources = masked["true_id"].map(lambda response: stimuli[response][1])
    return masked.assign(
        item_type=[kinds[key] for key in zip(masked["prompt_id"], masked["judge_id"], strict=True)],
        true_source=arms.map({Arm.HUMAN: HUMAN, Arm.MODEL: MODEL, Arm.WEAK: MODEL}),
        model=sources.where(arms != Arm.HUMAN, ""),
    )


def _withdrawn(study: Study) -> set[str]:
    gone = Participation.objects.filter(study=study, consent__withdrawn_at__isnull=False)
    return set(gone.values_list("pseudonym", flat=True))
