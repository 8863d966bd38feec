"""What a study's items for calibration tell, from its tables."""

from dataclasses import dataclass
from typing import Final

import pandas as pd

from analysis.data.core.study_tables import StudyTables
from analysis.outcomes.core.calibration import Attribution, QualityFloor, quality_floor, source_attribution
from analysis.sections.core.inputs import Unblinded

STAGE: Final = "panel"


@dataclass(frozen=True, slots=True)
class Calibration:
    floor: QualityFloor
    attribution: tuple[Attribution, ...]


def calibration(unblinded: Unblinded) -> Calibration:
    unblinded.progress.tell(STAGE, 0, 1)
    judged, asked = unblinded.ranked, unblinded.parameters
    return Calibration(
        floor=quality_floor(judged, _weak(unblinded.tables), level=asked.level, scale=asked.scale),
        attribution=tuple(source_attribution(judged, level=asked.level, scale=asked.scale)),
    )


def _weak(tables: StudyTables) -> "pd.Series[bool] | None":
    """Which rows are of deliberately weak answers, where the answers are known."""
    if tables.answers.empty:
        return None
    weak = tables.answers.loc[tables.answers["arm"] == "weak", "response_id"]
    return tables.judgments["true_id"].isin(set(weak))
