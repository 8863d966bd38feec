"""The answers of a study with their sources, and what the panel of judge models said of them, as tables."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from analysis.data.core.study_tables import ANSWERS, PANEL_EXPECTED, PANEL_LEADING, PANEL_TRAILING, table
from analysis.unblinded.selectors.unblinding import Withdrawn
from annotation.platform.core.text import sha256_hex
from annotation.study.models.studies import Study
from annotation.study.selectors.rubrics import rubric_by_hash
from annotation.texts.models.provenance import Arm, Stimulus
from generation.answers.models import ModelAnswer
from generation.catalogue.models import Target
from generation.panel.core.panel import OVERALL
from generation.panel.selectors.panel import Setting, expected_opinions, opinions, panel_settings, standing_judges
from generation.providers.catalogue import known_model


def answers(study: Study, withdrawn: Withdrawn) -> pd.DataFrame:
    """Every admitted answer, without those of writers who have withdrawn."""
    return table(_answers(study, withdrawn), ANSWERS)


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


def _answers(study: Study, withdrawn: Withdrawn) -> Iterator[Sequence[Any]]:
    targets = Target.objects.filter(study=study, role=Target.Role.ANSWERS).order_by("pk").in_bulk()
    by_name = {target.family: target for target in targets.values()}
    written = ModelAnswer.objects.filter(response__study=study).values_list("response_id", "call__target_id")
    written_by = {response: targets[target] for response, target in written}
    admitted = Stimulus.objects.filter(study=study, state="admitted").exclude(pk__in=withdrawn.answers)
    for response, prompt, arm, source, words, text in admitted.values_list(
        "response_id", "prompt__code", "arm", "source_code", "response__word_count", "response__text"
    ):
        # A text that no call brought is known by the name of its model alone.
        target = None if arm == Arm.HUMAN else written_by.get(response) or by_name.get(source)
        family = _family(target) if target else "" if arm == Arm.HUMAN else source
        model = target.model_id if target else ""
        yield response, prompt, arm, source, model, family, words, sha256_hex(text), text


def _said(
    study: Study, setting: Setting, sources: Mapping[str, str], dimensions: Sequence[str]
) -> Iterator[Sequence[Any]]:
    judges = standing_judges(study).in_bulk()
    alike = Counter(judge.model_id for judge in judges.values())
    names = {
        pk: judge.model_id if alike[judge.model_id] == 1 else f"{judge.model_id} ({judge.family})"
        for pk, judge in judges.items()
    }
    families = {pk: _family(judge) for pk, judge in judges.items()}
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


def _family(target: Target) -> str:
    """Whose model it is: as the catalogue says, or else by the name the study gave it."""
    known = known_model(target.provider, target.model_id)
    return known.family if known else target.family
