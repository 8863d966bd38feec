"""Every column that a figure of a closed study rests on, changed past every service, is told."""

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db.models import F, Model, Value
from django.db.models.functions import Concat

from annotation.judging.models.judging import BlindedSlot, Guess, JudgingItem, RankedSlot, Score
from annotation.platform.services import audit
from annotation.study.models.participation import Profile
from annotation.study.models.prompts import Prompt, PromptVersion
from annotation.study.models.responses import Response
from annotation.study.models.studies import Study
from annotation.texts.models.provenance import ItemPlan, PromptPlan, Stimulus
from tests.analysis.blinding.tampering import verified
from tests.analysis.tamper_table import PAGE, lines
from tests.factories import a_judged_study, closed
from tests.judging import all_guessed
from tests.scrub_site.app.audit_trail import somebody_with_the_databases_password

pytestmark = pytest.mark.django_db

MORE = Concat(F("text"), Value(" Or not."))
COLUMNS: list[tuple[type[Model], str, Any]] = [
    (Prompt, "domain", "elsewhere"),
    (PromptVersion, "text", MORE),
    (PromptVersion, "number", F("number") + 7),
    (PromptPlan, "kind", "quality_floor"),
    (ItemPlan, "kind", "quality_floor"),
    (ItemPlan, "human_set", None),
    (JudgingItem, "position", F("position") + 70),
    (JudgingItem, "justification", "Another reason."),
    (JudgingItem, "opened_at", F("opened_at") - timedelta(minutes=5)),
    (BlindedSlot, "label", "H"),
    (RankedSlot, "rank", F("rank") + 1),
    (RankedSlot, "mid_rank", F("mid_rank") + 1),
    (RankedSlot, "composite", F("composite") + 1),
    (Score, "value", F("value") % 10 + 1),
    (Guess, "confidence", F("confidence") % 5 + 1),
    (Stimulus, "arm", "maximum"),
    (Stimulus, "source_code", Concat(F("source_code"), Value("x"))),
    (Response, "text", MORE),
    (Response, "word_count", F("word_count") + 1),
    (Profile, "highest_degree", "master"),
    (Profile, "r1_institution", None),
    (Profile, "discipline", "Elsewhere"),
    (Profile, "years_experience", F("years_experience") + 1),
    (Profile, "country", "Elsewhere"),
]


CODE = 1  # with which the command ends where something differs

# Where not every row enters a figure.
NARROWED: dict[type[Model], dict[str, Any]] = {
    Guess: {"confidence__isnull": False},
    Profile: {"participation__role": "judge"},
}


@pytest.fixture(scope="module", autouse=True)
def world(passing_database: None) -> None:
    """A closed study with guesses, and one admitted answer that no judge was given."""
    study = a_judged_study(2, 2, 2, prompts=2, guess_items=1, answers_per_prompt=3)
    all_guessed(study)
    closed(study)
    audit.seal()


def test_the_study_is_as_it_was_closed_before_anything_is_changed() -> None:
    assert verified(Study.objects.get()) == []


@pytest.mark.parametrize(
    ("model", "column", "value"), COLUMNS, ids=[f"{model.__name__}.{column}" for model, column, _ in COLUMNS]
)
def test_a_column_changed_in_one_row_is_told(model: type[Model], column: str, value: Any) -> None:
    rows = model._base_manager.filter(**NARROWED.get(model, {}))
    with somebody_with_the_databases_password():
        rows.filter(pk=rows.order_by("pk")[0].pk).update(**{column: value})
    with pytest.raises(CommandError) as told:
        call_command("verify_blinding", Study.objects.get().slug, stdout=StringIO())
    assert told.value.returncode == CODE


def test_the_page_on_tampering_has_every_column_that_is_tried() -> None:
    page = PAGE.read_text("utf-8").splitlines()
    assert not set(lines([(model.__name__, column) for model, column, _ in COLUMNS], CODE)) - set(page)
