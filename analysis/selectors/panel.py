"""The panel's scores beside their sources: known only once the study is unblinded."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import nan
from statistics import fmean
from uuid import UUID

import numpy as np
import pandas as pd

from analysis.core.judgment_frame import HUMAN
from analysis.core.panel_effects import LengthEffect, length_effects, self_family_effects
from analysis.core.results import Summary, summarise
from analysis.unblinding import Origin, origins
from annotation.models.allocation import Arm
from annotation.models.responses import Response
from annotation.models.studies import Study
from generation.core.panel import Composite, composite
from generation.models.targets import Target
from generation.providers.catalogue import known_model
from generation.selectors.panel import (
    Opinion,
    Setting,
    expected_opinions,
    opinions,
    panel_settings,
    standing_judges,
)

# The answers that judges see, and those for automated evaluation alone.
JUDGED = (Arm.HUMAN, Arm.MODEL)
SCORED = (*JUDGED, Arm.MAXIMUM)


@dataclass(frozen=True)
class PanelSource:
    """How the panel scored a source's answers; `score` leaves out and counts those that nobody scored.

    `given` of `expected` replies count; `abstentions` found that the answer does not take up the question.
    """

    label: str
    is_human: bool
    score: Summary
    given: int
    expected: int
    abstentions: int


@dataclass(frozen=True)
class PanelJudge:
    """What the scores of a judge model may follow besides quality; of the whole panel only the answers' length."""

    name: str
    self_family: Summary | None
    length: LengthEffect


@dataclass(frozen=True)
class PanelResults:
    """What was said in one setting, by source and by judge model; the whole panel is the last judge."""

    setting: Setting
    sources: tuple[PanelSource, ...]
    judges: tuple[PanelJudge, ...]


def panel_results(study: Study) -> tuple[PanelResults, ...]:
    """One for each setting, the study's own first. Raises `PermissionDenied` before the study is unblinded."""
    answers = {response: origin for response, origin in origins(study).items() if origin.arm in SCORED}
    return tuple(_results(study, setting, answers) for setting in panel_settings(study))


def _results(study: Study, setting: Setting, answers: Mapping[UUID, Origin]) -> PanelResults:
    said = [opinion for opinion in opinions(study, setting) if opinion.response in answers]
    frame = _frame(study, said, answers)
    return PanelResults(
        setting=setting,
        sources=tuple(_sources(_composites(study, setting, said, answers), answers)),
        judges=tuple(_judges(frame)) if len(frame) else (),
    )


def _composites(
    study: Study, setting: Setting, said: Iterable[Opinion], answers: Mapping[UUID, Origin]
) -> dict[UUID, Composite]:
    """Of every answer the panel is to score."""
    by_answer = defaultdict(list)
    for opinion in said:
        by_answer[opinion.response].append(opinion.scores)
    return {
        response: composite(by_answer[response], expected=expected, counts_abstentions=study.panel_sees_abstentions)
        for response, expected in expected_opinions(study, setting).items()
        if response in answers
    }


def _sources(composites: Mapping[UUID, Composite], answers: Mapping[UUID, Origin]) -> Iterator[PanelSource]:
    """Models by name, then people."""
    by_source: dict[tuple[bool, str], list[Composite]] = defaultdict(list)
    for response, found in composites.items():
        origin = answers[response]
        label = "humans" if origin.source == HUMAN else origin.source
        if origin.arm == Arm.MAXIMUM:
            label += ", maximum capability"
        by_source[origin.source == HUMAN, label].append(found)
    for (is_human, label), group in sorted(by_source.items()):
        values = np.array([nan if each.value is None else each.value for each in group])
        yield PanelSource(
            label=label,
            is_human=is_human,
            score=summarise("panel", values),
            given=sum(each.scores for each in group),
            expected=sum(each.expected for each in group),
            abstentions=sum(each.abstentions for each in group),
        )


def _judges(frame: pd.DataFrame) -> Iterator[PanelJudge]:
    whole, *each = length_effects(frame)
    for own, length in zip(self_family_effects(frame), each, strict=True):
        yield PanelJudge(own.judge, own.lead, length)
    yield PanelJudge("the whole panel", None, whole)


def _frame(study: Study, said: Iterable[Opinion], answers: Mapping[UUID, Origin]) -> pd.DataFrame:
    """As `panel_effects` takes it, of the answers that judges see."""
    words = dict(Response.objects.filter(study=study).values_list("pk", "word_count"))
    judges = standing_judges(study).in_bulk()
    writers = Target.objects.filter(study=study, role=Target.Role.ANSWERS).order_by("pk")
    families = {writer.family: _family(writer) for writer in writers}
    means: dict[tuple[UUID, int], list[float]] = defaultdict(list)
    for opinion in said:
        if answers[opinion.response].arm in JUDGED and opinion.scores.counts(
            counts_abstentions=study.panel_sees_abstentions
        ):
            means[opinion.response, opinion.judge].append(opinion.scores.mean)
    return pd.DataFrame(
        [
            {
                "prompt_id": answers[response].prompt,
                "response_id": str(response),
                "source": families.get(answers[response].source, answers[response].source),
                "words": words[response],
                "judge": judges[judge].family,
                "judge_family": _family(judges[judge]),
                "score": fmean(values),
            }
            for (response, judge), values in means.items()
        ]
    )


def _family(target: Target) -> str:
    """Whose model it is: as the catalogue says, or else by the name the study gave it."""
    known = known_model(target.provider, target.model_id)
    return known.family if known else target.family
