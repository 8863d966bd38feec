"""Where a study's prompts come from, as tables: what was left of sources, how different prompts are, and maps."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from analysis.data.core.study_pool import AND, COLUMNS, PROMPT, SCENARIO
from analysis.data.core.study_tables import table
from annotation.platform.core.model_names import told_apart
from annotation.study.models.studies import Study
from generation.prompts.core.prompt_map import Drawing
from generation.prompts.models import Bundle, PromptMap
from generation.prompts.selectors import origins
from generation.prompts.selectors.pairs import cells
from generation.prompts.selectors.pool import pool_of
from generation.sources.models import Scenario

Rows = Iterator[Sequence[Any]]


def pool_tables(study: Study) -> dict[str, Any]:
    """Tables of the pool by the names that `StudyTables` has for them; without rows where the study has no
    sources.
    """
    sources = told_apart({each.pk: (each.name, each.code) for each in origins.sources(study)})
    wrote = (
        Bundle.objects.filter(study=study).order_by().values_list("target", "target__family", "target__model_id")
    )
    models = told_apart({pk: (family, model) for pk, family, model in wrote.distinct()})
    rows = {
        "pool_funnel": _funnel(study, sources),
        "pool_diversity": _diversity(study, sources, models),
        "pool_map": _map(study, sources, models),
    }
    return {name: table(rows[name], COLUMNS[name]) for name in COLUMNS}


def _funnel(study: Study, sources: Mapping[int, str]) -> Rows:
    """The steps from a source's items to its scenarios, then from prompts that were asked for to those drawn."""
    amounts = {standing.code: standing.amounts for standing in pool_of(study).sources}
    for source in origins.sources(study):
        number = amounts[source.code]
        steps = [
            *((step["name"], step["kept"], step["removed"]) for step in source.funnel),
            ("prompts written", number.written, number.declined + number.given_up),
            ("prompts that pass the quality filter", number.passed, number.written - number.passed),
            ("prompts drawn for the study", number.sampled, number.passed - number.sampled),
        ]
        for place, step in enumerate(steps, start=1):
            yield sources[source.pk], place, *step


def _diversity(study: Study, sources: Mapping[int, str], models: Mapping[int, str]) -> Rows:
    """Diversity of prompts that pass: a row for each scenario and one generator or two, in the order of their
    names.
    """
    found = [cell for cell in cells(study) if cell.source in sources]
    keys = dict(Scenario.objects.filter(pk__in={cell.scenario for cell in found}).values_list("pk", "key"))
    for cell in found:
        yield (
            *(
                sources[cell.source],
                keys[cell.scenario],
                AND.join(sorted(models[each] for each in cell.generators)),
            ),
            *(cell.pairs, cell.evaluators, cell.votes, cell.equivalent["both"], cell.equivalent["either"]),
        )


def _map(study: Study, sources: Mapping[int, str], models: Mapping[int, str]) -> Rows:
    """The newest map of each source."""
    drawn = PromptMap.objects.filter(study=study, source__in=sources, drawn_at__isnull=False)
    for each in drawn.order_by("source_id", "-pk").distinct("source_id"):
        if not each.drawing:
            continue
        drawing = Drawing.of(each.drawing)
        for scenario in drawing.scenarios:
            stratum = drawing.strata[scenario.stratum]
            yield sources[each.source_id], SCENARIO, scenario.key, "", None, stratum, scenario.x, scenario.y
        for prompt in drawing.prompts:
            spread, scenario = drawing.generators[prompt.generator], drawing.scenarios[prompt.scenario]
            yield (
                *(sources[each.source_id], PROMPT, scenario.key, models.get(spread.target, spread.family)),
                *(prompt.position, drawing.strata[scenario.stratum], prompt.x, prompt.y),
            )
