"""Where prompts come from reaches a study's tables: the funnel of its sources, equivalent pairs, and maps."""

from itertools import combinations

import pytest
from django.utils import timezone

from analysis.data.core.study_tables import StudyTables
from analysis.pool.core.pool_report import pool_report
from analysis.unblinded.selectors.pool_tables import pool_tables
from generation.catalogue.models import Target
from generation.prompts.core import diversity
from generation.prompts.selectors import origins
from generation.prompts.selectors.pairs import cells
from generation.prompts.services.prompt_maps import ask_for_map, draw_map
from generation.sources.models import Source
from tests.analysis.data.core.judgments import judgments
from tests.factories import a_study, coordinator_of
from tests.generation.prompts.candidates import a_pool, compared, voted

pytestmark = pytest.mark.django_db


def test_what_was_left_of_sources_what_is_alike_and_the_newest_map_are_tables() -> None:
    study = a_study()
    prompts = a_pool(study, scenarios=2, generators=("claude", "gpt", "gemini"))
    voted(prompts)
    first, second = prompts[0], prompts[1]
    writers = {first.bundle.target.family}
    for family in {"claude", "gpt", "gemini"} - writers:
        compared(first, second, by=family, is_equivalent=True)
    draw_map(ask_for_map(study=study, source=Source.objects.get(), by=coordinator_of(study)).pk)

    found = pool_tables(study)
    funnel = found["pool_funnel"]
    assert funnel["kept"].tolist()[-3:] == [30, 30, 0]
    assert funnel["step"].tolist()[-3:] == [
        *("prompts written", "prompts that pass the quality filter", "prompts drawn for the study"),
    ]
    pairs = found["pool_diversity"].set_index(["scenario", "generators"])
    own = pairs.loc[(first.bundle.scenario.key, first.bundle.target.family)]
    assert (own["pairs"], own["evaluators"], own["votes"]) == (10, 2, 2)
    assert (own["equivalent_both"], own["equivalent_either"]) == (1, 1)
    assert len(pairs) == 2 * (3 + 3)
    drawn = found["pool_map"]
    assert drawn.groupby("kind").size().to_dict() == {"prompt": 30, "scenario": 2}
    assert set(drawn["generator"]) == {"", "claude", "gpt", "gemini"}
    report = pool_report(StudyTables(judgments({("P1", "J1"): {"claude-1": 1, "human-1": 2}}), **found), level=0.95)
    assert all(line.both.reason == "no scenario has all its pairs compared" for line in report.diversity)


def test_the_report_has_the_diversity_that_the_study_s_own_page_has() -> None:
    study = a_study()
    prompts = a_pool(study, scenarios=2, generators=("claude", "gpt", "gemini"))
    voted(prompts)
    bundles = [prompts[start : start + 5] for start in range(0, len(prompts), 5)]
    for number, bundle in enumerate(bundles):
        for place, (first, second) in enumerate(combinations(bundle, 2)):
            for family in sorted({"claude", "gpt", "gemini"} - {first.bundle.target.family}):
                compared(first, second, by=family, is_equivalent=place < number or (place, family) == (9, "gpt"))
    tables = StudyTables(judgments({("P1", "J1"): {"claude-1": 1, "human-1": 2}}), **pool_tables(study))
    shown = {line.generators: line for line in pool_report(tables, level=0.95).diversity if not line.is_across}
    names = origins.generators(study)
    for reading in ("both", "either"):
        for (source, generator), own in diversity.within(cells(study), reading).items():
            line = getattr(shown[names[generator]], reading)
            assert source is None or (line.value, line.n) == (pytest.approx(own.mean), own.n)


def test_two_models_of_one_family_are_told_apart() -> None:
    study = a_study()
    a_pool(study, scenarios=1, generators=("claude", "gpt"))
    draw_map(ask_for_map(study=study, source=Source.objects.get(), by=coordinator_of(study)).pk)
    Target.objects.filter(study=study, role="prompts", family="gpt").update(
        family="claude", model_id="another", retired_at=timezone.now(), retired_by=coordinator_of(study)
    )
    assert len(set(pool_tables(study)["pool_map"]["generator"]) - {""}) == 2


def test_a_study_without_sources_has_no_rows() -> None:
    assert all(table.empty for table in pool_tables(a_study()).values())
