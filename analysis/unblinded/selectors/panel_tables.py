"""What the panel of judge models said of a study's answers, as tables."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from analysis.blinding.selectors.sealed_tables import family_of
from analysis.data.core.study_tables import PANEL_EXPECTED, PANEL_LEADING, PANEL_TRAILING, table
from annotation.platform.core.model_names import told_apart
from annotation.study.models.studies import Study
from annotation.study.selectors.rubrics import rubric_by_hash
from generation.panel.core.panel import OVERALL
from generation.panel.selectors.panel import Setting, expected_opinions, opinions, panel_settings, standing_judges


def panel_scores(study: Study, sources: Mapping[str, str]) -> pd.DataFrame:
    """What the panel's standing judges said of the answers in `sources`: the source of each by its id."""
    dimensions = [dimension.key for dimension in rubric_by_hash(study.rubric_id).dimensions]
    rows = [row for setting in panel_settings(study) for row in _said(study, setting, sources, dimensions)]
    return table(rows, (*PANEL_LEADING, *dimensions, *PANEL_TRAILING))


def panel_expected(study: Study, sources: Mapping[str, str]) -> pd.DataFrame:
    """How many replies the design wants of each of the same answers, by the way of asking."""
    rows = [
        (setting.mode, setting.presentation, response, expected)
        for setting in panel_settings(study)
        for response, expected in expected_opinions(study, setting).items()
        if str(response) in sources
    ]
    return table(rows, PANEL_EXPECTED)


def _said(
    study: Study, setting: Setting, sources: Mapping[str, str], dimensions: Sequence[str]
) -> Iterator[Sequence[Any]]:
    judges = standing_judges(study).in_bulk()
    names = told_apart({pk: (judge.model_id, judge.family) for pk, judge in judges.items()})
    families = {pk: family_of(judge) for pk, judge in judges.items()}
    for response, judge, person, perspective, scores in opinions(study, setting):
        source = sources.get(str(response))
        if source is None:
            continue
        yield (
            *(response, source, names[judge], perspective),
            *(scores.values.get(dimension) for dimension in dimensions),
            *(scores.abstained, scores.values.get(OVERALL), setting.mode, setting.presentation),
            *(families[judge], person, ",".join(scores.mentioned)),
        )
