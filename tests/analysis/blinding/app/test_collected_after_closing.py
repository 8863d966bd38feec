"""What goes on being collected once a study is closed, and what people may still do, is told from tampering."""

import re
from typing import Any

import pytest
from django.db.models import F, Model, Value
from django.db.models.functions import Concat

from analysis.blinding.services.verification import check_blinding, check_untouched
from analysis.unblinded.selectors.study_tables import study_tables
from annotation.people.services import members, people
from annotation.platform.core.errors import Refused
from annotation.platform.services import audit
from annotation.study.models.participation import Role
from annotation.study.models.responses import Response
from annotation.study.models.studies import Study
from annotation.texts.models.provenance import Arm, Stimulus
from generation.calls.models import GenerationRun
from generation.panel.models import PanelScore
from tests.analysis.blinding.tampering import verified
from tests.factories import PROFILE, a_judged_study, a_member, agree, closed, members_of, unblinded
from tests.generation.calls.model_runs import a_target, collected, worked_off
from tests.generation.panel.panels import asked, seven, with_judges
from tests.scrub_site.app.audit_trail import somebody_with_the_databases_password

pytestmark = pytest.mark.django_db

TOLD = "no longer what they had said|not the one that was admitted"
CHANGES: list[tuple[type[Model], dict[str, Any]]] = [
    (PanelScore, {"scores": {"holistic": 9}}),
    (PanelScore, {"abstained": True}),
    (PanelScore, {"mentioned": ["clarity"]}),
    (Response, {"text": Concat(F("text"), Value(" Or not."))}),
    (Stimulus, {"source_code": Concat(F("source_code"), Value("x"))}),
]


@pytest.fixture(scope="module", autouse=True)
def world(passing_database: None) -> None:
    """A closed study whose panel has scored its answers, and whose models have answered once more since."""
    judged = a_judged_study(1, 2, 1, prompts=1, panel_judge_models=1)
    for family in ("family-1", "family-2"):
        a_target(judged, family)
    study = with_judges(closed(judged), "one")
    worked_off(asked(study), seven)
    collected(study, track="maximum")
    audit.seal()


@pytest.fixture
def study() -> Study:
    return Study.objects.get()


def test_what_models_said_after_closing_is_no_difference(study: Study) -> None:
    assert PanelScore.objects.exists()
    assert Stimulus.objects.filter(arm=Arm.MAXIMUM).exists()
    assert check_blinding(study).omissions == ()
    assert verified(study) == []
    assert "maximum" in set(study_tables(unblinded(study)).answers["arm"])


@pytest.mark.parametrize(
    ("model", "change"), CHANGES, ids=[f"{model.__name__}.{''.join(change)}" for model, change in CHANGES]
)
def test_a_column_of_what_models_said_after_closing_is_told_when_changed(
    study: Study, model: type[Model], change: dict[str, Any]
) -> None:
    after = Stimulus.objects.filter(arm=Arm.MAXIMUM).order_by("pk").values_list("pk", flat=True)[:1]
    rows = model._base_manager.order_by("pk") if model is PanelScore else model._base_manager.filter(pk__in=after)
    with somebody_with_the_databases_password():
        model._base_manager.filter(pk=rows[0].pk).update(**change)
    assert any(re.search(TOLD, line) for line in verified(study))
    with pytest.raises(Refused, match=TOLD):
        check_untouched(study)


def test_a_score_that_is_gone_is_told(study: Study) -> None:
    with somebody_with_the_databases_password():
        PanelScore.objects.filter(pk=PanelScore.objects.order_by("pk")[0].pk).delete()
    assert any("is no longer what they had said" in line for line in verified(study))


def test_of_a_run_that_did_not_finish_it_is_said_that_it_is_not_compared(study: Study) -> None:
    run = GenerationRun.objects.get(purpose="panel")
    with somebody_with_the_databases_password():
        GenerationRun.objects.filter(pk=run.pk).update(state="stopped", finished_at=None)
    assert any(f"so not compared: run {run.known_as}." in omission for omission in check_blinding(study).omissions)


def test_people_and_models_that_come_or_go_after_closing_are_no_difference(
    study: Study,
) -> None:
    a_target(study, "family-3", model_id="demo-large")
    agree(a_member(study, Role.JUDGE, ready=False, pseudonym="J-new"))
    for role in (Role.JUDGE, Role.WRITER):
        member = members_of(study, role)[0]
        members.withdraw_consent(participation=member, by=member.user)
    assert verified(study) == []
    assert "J-new" not in set(study_tables(unblinded(study)).participants["participant_id"])


def test_a_profile_stays_as_it_was_once_collection_is_closed(study: Study) -> None:
    judge = members_of(study, Role.JUDGE)[0]
    with pytest.raises(Refused, match="Collection is closed"):
        people.complete_profile(participation=judge, answers=PROFILE, by=judge.user)
