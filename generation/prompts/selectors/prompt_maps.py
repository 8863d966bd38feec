"""Maps of a study's prompts, as its coordinator sees them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet, Sum
from django.db.models.functions import Length
from django.urls import reverse

from annotation.platform.core.text import sha256_hex
from annotation.study.models.studies import Study
from generation.prompts.core.map_picture import MARKS, number_of
from generation.prompts.core.prompt_map import Drawing, PromptPoint, Spread
from generation.prompts.models import Candidate, PromptMap, TextEmbedding
from generation.sources.core.shapes import FINISHED, SHAPES, ScenarioShape, scenario_texts
from generation.sources.models import Scenario, Source


@dataclass(frozen=True, slots=True)
class GeneratorLine:
    """A generator in the legend and the table of spreads: its colour, and its shape as a path of SVG."""

    place: int
    number: int
    mark: str
    spread: Spread


@dataclass(frozen=True, slots=True)
class MappedLine:
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
    """The sources of which there is something to draw."""
    written = Scenario.objects.filter(bundles__study=study)
    return Source.objects.filter(pk__in=written.values("source"))


def mapped_texts(shape: ScenarioShape, scenarios: Iterable[Scenario]) -> list[str]:
    """What scenarios' places on a map are found by: nothing where only finished prompts are known of them."""
    if shape.name == FINISHED:
        return []
    return ["\n".join(scenario_texts(shape, scenario.payload).values()) for scenario in scenarios]


def unsent(study: Study, source: Source, *, method: str) -> int:
    """How many characters the texts of a map have that this method has given no vector for yet."""
    kept = TextEmbedding.objects.filter(method=method).values("sha256")
    prompts = Candidate.objects.filter(bundle__study=study, bundle__scenario__source=source)
    of_prompts = prompts.exclude(sha256__in=kept).aggregate(characters=Sum(Length("text")))["characters"] or 0
    shape = SHAPES[source.shape]
    scenarios = Scenario.objects.filter(source=source, bundles__study=study).distinct()
    texts = {sha256_hex(text): len(text) for text in mapped_texts(shape, scenarios)}
    known = set(kept.filter(sha256__in=texts).values_list("sha256", flat=True))
    return of_prompts + sum(length for key, length in texts.items() if key not in known)


def legend(drawing: Drawing) -> list[GeneratorLine]:
    return [
        GeneratorLine(place, number := number_of(place), MARKS[number - 1], spread)
        for place, spread in enumerate(drawing.generators)
    ]


def written_since(shown: PromptMap, drawing: Drawing) -> int:
    """How many prompts the study has from the map's source that are not on it yet."""
    written = Candidate.objects.filter(bundle__study=shown.study_id, bundle__scenario__source=shown.source_id)
    return written.count() - len(drawing.prompts)


def prompt_lines(drawing: Drawing, points: Sequence[PromptPoint]) -> list[MappedLine]:
    labels = dict(Candidate.objects.filter(pk__in=[point.id for point in points]).values_list("pk", "label"))
    return [
        MappedLine(
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
    texts = {} if shape.name == FINISHED else scenario_texts(shape, scenario.payload)
    written = Candidate.objects.filter(bundle__study=shown.study_id, bundle__scenario=scenario)
    return {
        "texts": [(shape.fields[name], text) for name, text in texts.items()],
        "prompts": {
            candidate.pk: {
                "label": candidate.label,
                "text": candidate.text,
                "address": reverse("candidate", args=[shown.study.slug, candidate.pk]),
            }
            for candidate in written
        },
    }
