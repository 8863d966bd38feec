"""Submitted judgments as a tidy frame, without sources: what agreement and the frozen hash are computed from."""

import pandas as pd
from django.db.models import F

from analysis.data.core.judgment_frame import EXTRA_COLUMNS, columns, masked
from annotation.judging.models.judging import RankedSlot, Score
from annotation.judging.selectors.requested_ratings import surplus
from annotation.study.models.studies import Study
from annotation.study.selectors.rubrics import rubric_by_hash


def masked_judgments(study: Study) -> pd.DataFrame:
    """One row per judge × prompt × answer in a fixed order, every source column masked. Surplus is left out.

    Every item counts as an ordinary one here: which are for calibration is part of what is masked.
    """
    dimensions = [dimension.key for dimension in rubric_by_hash(study.rubric_id).dimensions]
    rows = _ranked(study)
    if rows.empty:
        return pd.DataFrame(columns=columns(dimensions, EXTRA_COLUMNS))
    scores = pd.DataFrame(
        list(
            Score.objects.filter(slot__item__study=study, slot__item__state="submitted").values_list(
                "slot_id", "dimension", "value"
            )
        ),
        columns=["slot_id", "dimension", "value"],
    )
    by_slot = scores.pivot_table(index="slot_id", columns="dimension", values="value", aggfunc="first")
    frame = rows.join(by_slot.reindex(columns=dimensions).astype(float), on="slot_id")
    ordered = frame.sort_values(["prompt_id", "judge_id", "blinded_label"], ignore_index=True)
    return ordered[columns(dimensions, EXTRA_COLUMNS)]


def _ranked(study: Study) -> pd.DataFrame:
    values = (
        RankedSlot.objects.filter(slot__item__study=study, slot__item__state="submitted")
        .exclude(slot__item__in=surplus(study))
        .order_by()
        .values(
            "slot_id",
            "rank",
            "mid_rank",
            score=F("composite"),
            prompt_id=F("slot__item__prompt__code"),
            true_id=F("slot__response_id"),
            label=F("slot__label"),
            judge_id=F("slot__item__participation__pseudonym"),
            justification=F("slot__item__justification"),
            order_seen=F("slot__item__position"),
            opened=F("slot__item__opened_at"),
            submitted=F("slot__item__submitted_at"),
        )
    )
    frame = pd.DataFrame(list(values))
    if frame.empty:
        return frame
    seconds = (frame["submitted"] - frame["opened"]).dt.total_seconds().round(1)
    return masked(frame).assign(
        true_id=frame["true_id"].astype(str),
        blinded_label="Response " + frame["label"],
        rank=frame["rank"].astype(float),
        score=frame["score"].astype(float),
        order_seen=frame["order_seen"].astype(float),
        seconds=seconds,
        rubric_sha256=study.rubric_id,
    )
