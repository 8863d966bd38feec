"""What the panel of judge models said of a study's answers, as tables."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from analysis.blinding.selectors.sealed_tables import family_of
from analysis.data.core.framed import REASONS
from analysis.data.core.study_tables import PANEL_EXPECTED, PANEL_LEADING, PANEL_TRAILING, table
from annotation.platform.core.model_names import told_apart
from annotation.study.models.studies import Study
from annotation.study.selectors.rubrics import rubric_by_hash
from generation.panel.core.panel import OVERALL
from generation.panel.selectors.panel import (
    Opinion,
    Setting,
    all_judges,
    expected_opinions,
    opinions,
    panel_settings,
)


def panel_scores(study: Study, sources: Mapping[str, str]) -> pd.DataFrame:
    """What the panel's judges said of the answers in `sources`: the source of each by its id. REASONS only where
    there are any.
    """
    dimensions = [dimension.key for dimension in rubric_by_hash(study.rubric_id).dimensions]
    said = [(setting, each) for setting in panel_settings(study) for each in opinions(study, setting)]
    rows = _rows(study, said, sources, dimensions)
    return with_reasons_if_any(table(rows, (*PANEL_LEADING, *dimensions, *PANEL_TRAILING, REASONS)))


def with_reasons_if_any(scores: pd.DataFrame, column: str = REASONS) -> pd.DataFrame:
    """Scores of judge models with the column of reasons only where one has any in it."""
    return scores if scores[column].any() else scores.drop(columns=column)


def panel_expected(study: Study, sources: Mapping[str, str]) -> pd.DataFrame:
    """How many replies the design wants of each of the same answers, by the way of asking."""
    rows = [
        (setting.mode, setting.presentation, response, expected)
        for setting in panel_settings(study)
        for response, expected in expected_opinions(study, setting).items()
        if str(response) in sources
    ]
    return table(rows, PANEL_EXPECTED)


def _rows(
    study: Study,
    said: Sequence[tuple[Setting, Opinion]],
    sources: Mapping[str, str],
    dimensions: Sequence[str],
) -> Iterator[Sequence[Any]]:
    judges = all_judges(study).in_bulk({each.judge for _, each in said})
    names = told_apart({pk: (judge.model_id, judge.family) for pk, judge in judges.items()})
    families = {pk: family_of(judge) for pk, judge in judges.items()}
    for setting, (response, judge, person, perspective, scores) in said:
        source = sources.get(str(response))
        if source is None:
            continue
        yield (
            *(response, source, names[judge], perspective),
            *(scores.values.get(dimension) for dimension in dimensions),
            *(scores.abstained, scores.values.get(OVERALL), setting.mode, setting.presentation),
            *(families[judge], person, ",".join(scores.mentioned), reasons_in(scores.reasons)),
        )


def reasons_in(reasons: Mapping[str, str]) -> str:
    """Reasons as a release has them; "" for none."""
    return json.dumps(reasons, ensure_ascii=False, sort_keys=True) if reasons else ""
