"""Prompts under pressure that are none of the study's: drawn from its pool and answered anew."""

import pytest

from analysis.unblinded.selectors.framing_tables import framing_tables
from annotation.platform.core.errors import Refused
from annotation.study.models.prompts import PromptVersion
from annotation.study.models.studies import Study
from generation.framing.models import FramedAnswer, FramingSet
from generation.framing.selectors.framings import framed_prompts
from generation.framing.services.sets import make_set
from generation.prompts.models import Candidate
from generation.prompts.services.samples import make_sample, take_sample
from tests.factories import a_study, coordinator_of, locked
from tests.generation.calls.model_runs import a_target
from tests.generation.framing.app.test_framed_answers import answered, figures, ways
from tests.generation.framing.framed import rewritten
from tests.generation.prompts.candidates import a_pool, voted
from tests.remembered import remembered

pytestmark = pytest.mark.django_db


@pytest.fixture
@remembered
def study() -> Study:
    """Three prompts of each of two sources are the study's, of sixty each that pass."""
    found = a_study(prompts=0)
    voted(a_pool(found, sources=("HLE", "BBQ"), scenarios=4))
    by = coordinator_of(found)
    take_sample(sample=make_sample(study=found, by=by, per_source=3), by=by)
    return found


def drawn(study: Study, *, number: int) -> FramingSet:
    return make_set(study=study, by=coordinator_of(study), origin="pool", needs=["mechanical"], number=number)


def test_as_many_of_each_source_are_drawn_and_none_that_are_the_studys(study: Study) -> None:
    prompts = framed_prompts(drawn(study, number=6))
    assert [each.code for each in prompts] == ["BBQ_04", "BBQ_05", "BBQ_06", "HLE_04", "HLE_05", "HLE_06"]
    texts = {each.prompt.text for each in prompts}
    assert len(texts) == 6
    assert not texts & set(PromptVersion.objects.filter(prompt__study=study).values_list("text", flat=True))
    strata = Candidate.objects.filter(text__in=texts).values_list("bundle__scenario__stratum", flat=True)
    assert {each.prompt.category for each in prompts} == set(strata)


def test_the_same_draw_is_the_set_that_is_there_and_the_studys_own_prompts_are_another(study: Study) -> None:
    one = drawn(study, number=4)
    assert drawn(study, number=4) == one
    assert make_set(study=study, by=coordinator_of(study), number=4, needs=["mechanical"]) != one


def test_a_pool_in_which_nothing_passes_has_nothing_to_draw() -> None:
    study = a_study(prompts=1)
    a_pool(study, scenarios=1)
    with pytest.raises(Refused, match="No prompt of the study’s pool"):
        drawn(study, number=1)


def test_prompts_of_the_pool_are_answered_anew_and_told_with_their_words(study: Study) -> None:
    a_target(study, "claude")
    found = drawn(study, number=1)
    rewritten(found)
    locked(study)
    run = answered(ways(found)[0])
    assert figures(run) == (0, 5)
    assert FramedAnswer.objects.count() == 5
    framings = framing_tables(study)["framings"].set_index("condition")
    prompt = found.prompts.get()
    told = framings.loc["baseline", ["prompt_id", "written_by", "text"]].tolist()
    assert told == [prompt.code, "pool", prompt.text]
