"""Tables of releases brought as files of anybody's: the columns that they have beside what is read of any."""

from collections.abc import Collection
from typing import Final

import pandas as pd

from analysis.data.core import framed, study_trials
from analysis.data.core.judgment_frame import EXTRA_COLUMNS, LEADING_COLUMNS
from analysis.data.core.study_tables import PANEL_LEADING, PANEL_TRAILING

JUSTIFICATION: Final = "justification"
OF_A_REASON: Final = "_reason"  # behind a dimension's name, as `score_responses` writes it
OF_TRIALS: Final = ("answer_id", "approach", "judge_model", "dimension", "value")
# By the columns that tell a layout, all that it can have.
LAYOUTS: Final = tuple(
    (frozenset(telling), frozenset((*telling, *others)))
    for telling, others in (
        (LEADING_COLUMNS, EXTRA_COLUMNS),
        (PANEL_LEADING, (*PANEL_TRAILING, "overall_score", framed.REASONS, JUSTIFICATION)),
        (framed.SCORES_LEADING, (*framed.SCORES_TRAILING, framed.REASONS, JUSTIFICATION)),
        (OF_TRIALS, (*study_trials.TRIAL_SCORES, study_trials.REASON)),
    )
)


def known_by_layout(names: Collection[str]) -> frozenset[str]:
    """Those of a file's columns that are known by the published layouts it is in, whether or not they are read."""
    given = frozenset(names)
    found = frozenset[str]().union(*(known for telling, known in LAYOUTS if telling <= given))
    reasons = {name for name in given if name.removesuffix(OF_A_REASON) in given - {name}}
    return given & found | (frozenset(reasons) if found else frozenset())


def without_extra(table: pd.DataFrame) -> pd.DataFrame:
    """A table of published judgments without the columns behind the dimensions, and with people named as the source
    of answers that no model wrote; any other table as it is.
    """
    if not frozenset(LEADING_COLUMNS) <= frozenset(table.columns):
        return table
    named = table["model"].where(table["model"].str.strip() != "", table["true_source"])
    return table.drop(columns=[name for name in EXTRA_COLUMNS if name in table.columns]).assign(model=named)
