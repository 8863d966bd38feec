"""Maps of a study's prompts, as its coordinator sees them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse

from annotation.models.studies import Study
from generation.core.map_picture import MARKS, number_of
from generation.core.prompt_map import Drawing, PromptPoint, Spread
from generation.core.prompt_requests import scenario_texts
from generation.core.shapes import SHAPES
from generation.models.candidates import Candidate, PromptMap
from generation.models.sources import Scenario, Source


@dataclass(frozen=True, slots=True)
class GeneratorLine:
    """A generator in the legend and the table of spreads: its colour, and its shape as a path of SVG."""

    place: int
    number: int
    mark: str
    spread: Spread


@dataclass(frozen=True, slots=True)
class PromptLine:
    """A prompt as a row of the table beside the map."""

    id: int
    scenario: str
    stratum: str
    family: str
    position: int
    label: str
    x: float
    y: float
    arm: float


def maps_of(study: Study) -> QuerySet[PromptMap]:
    """All of them, newest first, without what is drawn on them."""
    return PromptMap.objects.filter(study=study).select_related("source").defer("drawing")


def sources_with_prompts(study: Study) -> QuerySet[Source]:
    """Those that there is something to draw of."""
    written = Scenario.objects.filter(bundles__study=study)
    return Source.objects.filter(pk__in=written.values("source"))


def legend(drawing: Drawing) -> list[GeneratorLine]:
    return [
        GeneratorLine(place, number := number_of(place), MARKS[number - 1], spread)
        for place, spread in enumerate(drawing.generators)
    ]


def written_since(shown: PromptMap, drawing: Drawing) -> int:
    """How many prompts the study has from the map's source that are not on it yet."""
    written = Candidate.objects.filter(bundle__study=shown.study_id, bundle__scenario__source=shown.source_id)
    return written.count() - len(drawing.prompts)


def prompt_lines(drawing: Drawing, points: Sequence[PromptPoint]) -> list[PromptLine]:
    labels = dict(Candidate.objects.filter(pk__in=[point.id for point in points]).values_list("pk", "label"))
    return [
        PromptLine(
            id=point.id,
            scenario=(scenario := drawing.scenarios[point.scenario]).key,
            stratum=drawing.strata[scenario.stratum],
            family=drawing.generators[point.generator].family,
            position=point.position,
            label=labels[point.id],
            x=point.x,
            y=point.y,
            arm=drawing.arm(point),
        )
        for point in points
    ]


def star(shown: PromptMap, scenario: Scenario) -> dict[str, Any]:
    """The texts of a scenario, field by field, and of the study's prompts from it, by id; for the map's script."""
    shape = SHAPES[shown.source.shape]
    written = Candidate.objects.filter(bundle__study=shown.study_id, bundle__scenario=scenario)
    return {
        "texts": [(shape.fields[name], text) for name, text in scenario_texts(shape, scenario.payload).items()],
        "prompts": {
            candidate.pk: {
                "label": candidate.label,
                "text": candidate.text,
                "address": reverse("candidate", args=[shown.study.slug, candidate.pk]),
            }
            for candidate in written
        },
    }
