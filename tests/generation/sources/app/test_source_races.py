"""Two who import the same at once, and a concept that is to change while calls about it are planned."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import transaction

from annotation.platform.core.errors import Refused
from generation.calls.services import planning
from generation.sources.core.concepts import Quote
from generation.sources.models import Scenario, Source
from generation.sources.services.concepts import add_concept, remove_concept
from generation.sources.services.sources import Imported, import_source
from tests.annotation.judging.app.test_races import elsewhere, still_waits
from tests.factories import a_study, coordinator_of
from tests.generation.prompts.candidates import prompt_models
from tests.generation.sources.app.test_sources import reduction
from tests.generation.sources.concept_sources import a_concept_source

pytestmark = pytest.mark.django_db(transaction=True)


def imported() -> Imported:
    return import_source(
        slug="own",
        kind="table",
        shape="question",
        code="OWN",
        name="Own",
        licence="",
        reduction=reduction("Is it fair?"),
        by=None,
    )


def test_whoever_imports_the_same_at_once_finds_it_imported() -> None:
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            first = imported()
            second = elsewhere(pool, imported)
            assert still_waits(second)
        assert second.result(timeout=10) == Imported(first.source, changed=False)
    assert Source.objects.count() == Scenario.objects.count() == 1


def test_a_concept_does_not_change_while_calls_about_it_are_listed() -> None:
    study = a_study()
    source, by = a_concept_source(study), coordinator_of(study)
    concept = add_concept(
        source=source,
        theme="",
        name="A say",
        interpretation="Nobody is unheard.",
        quotes=[Quote("Everybody may speak", "Charter")],
        by=by,
    )
    prompt_models(study, ("claude",))
    run = planning.plan_run(study=study, by=by, purpose="prompts")
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            planning.fill_plan(run.pk)
            removal = elsewhere(pool, lambda: remove_concept(concept=concept, by=by))
            assert still_waits(removal)
        with pytest.raises(Refused, match="A run has prompts written from “Ours”"):
            removal.result(timeout=10)
    assert Scenario.objects.filter(pk=concept.pk).exists()
