"""The only place where judgments meet their sources."""

from typing import NamedTuple
from uuid import UUID

import pandas as pd
from django.core.exceptions import PermissionDenied

from analysis.core.judgment_frame import HUMAN, MODEL, STANDARD
from analysis.selectors.judgments import masked_judgments
from annotation.models.allocation import Arm, ItemPlan, Kind, PromptPlan, Stimulus
from annotation.models.participation import Participation
from annotation.models.studies import Study
from annotation.policies.unblinding import is_unblinded

ITEM_TYPES = {
    Kind.STANDARD: STANDARD,
    Kind.QUALITY_FLOOR: "cal_quality_floor",
    Kind.SOURCE_ATTRIBUTION: "cal_source_attribution",
}


def check_unblinded(study: Study) -> None:
    if not is_unblinded(study):
        raise PermissionDenied(
            "This study is still blinded: sources are known only after two researchers have unblinded it."
        )


def unblinded_judgments(study: Study) -> pd.DataFrame:
    """The frame of judgments with item types and sources. Raises `PermissionDenied` before unblinding."""
    check_unblinded(study)
    return reveal(study, masked_judgments(study))


class Origin(NamedTuple):
    """Where an answer came from: `source` is a model's family, or `HUMAN`."""

    prompt: str
    arm: Arm
    source: str


def origins(study: Study) -> dict[UUID, Origin]:
    """Of every admitted answer to an ordinary prompt, without those of writers who have withdrawn their consent.

    Raises `PermissionDenied` before the study is unblinded.
    """
    check_unblinded(study)
    withdrawn = _withdrawn(study)
    calibration = PromptPlan.objects.filter(prompt__study=study).exclude(kind=Kind.STANDARD).values("prompt")
    admitted = Stimulus.objects.filter(study=study, state="admitted").exclude(prompt__in=calibration)
    return {
        response: Origin(prompt, Arm(arm), HUMAN if arm == Arm.HUMAN else source)
        for response, prompt, arm, source in admitted.values_list(
            "response_id", "prompt__code", "arm", "source_code"
        )
        if arm != Arm.HUMAN or source not in withdrawn
    }


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
