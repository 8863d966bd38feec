"""What the panel's replies come to, and how complete that is."""

import json
from typing import Any

import pytest

from analysis.data.core.parameters import WHOLE, Parameters
from analysis.panel.core.panel_analysis import panel_reports
from analysis.panel.core.panel_report import PanelReport
from analysis.unblinded.selectors.study_tables import study_tables
from annotation.people.services import members
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from annotation.study.selectors.rubrics import rubric_by_hash
from annotation.texts.models.provenance import Stimulus
from generation.calls.models import Call
from generation.calls.services import targets_in_use
from generation.calls.services.claiming import Outgoing
from generation.catalogue.models import Target
from generation.catalogue.services import templates
from generation.panel.selectors.panel import panel_settings
from generation.providers.base import Reply
from tests.factories import (
    a_judged_study,
    a_judging_study,
    an_unblinded_study,
    closed,
    coordinator_of,
    members_of,
    unblinded,
)
from tests.generation.calls.model_runs import a_target, good, planned, worked_off
from tests.generation.panel.panels import (
    HOLISTIC,
    INFERRED,
    ONE_JUDGE,
    asked,
    item_of,
    justified,
    labels_of,
    seven,
    with_judges,
)

pytestmark = pytest.mark.django_db


def a_small_study(**parameters: Any) -> Study:
    """An unblinded study of one prompt, with answers by two models among others."""
    return an_unblinded_study(1, 2, 1, **{"prompts": 1, **parameters})


def judge_of(study: Study, family: str) -> Target:
    return Target.objects.get(study=study, role="panel", family=family)


def panel_results(study: Study) -> PanelReport:
    """What the panel's replies come to, where it was asked in one way."""
    tables = study_tables(study)
    (report,) = panel_reports(tables, tables.judgments, Parameters(draws=10))
    return report


def of_source(report: PanelReport, name: str) -> tuple[float | None, int, int]:
    """The mean of its composites, and how many of the wanted replies it rests on."""
    source = next(source for source in report.outcomes[WHOLE].sources if source.source == name)
    return source.score.mean.value, source.given, source.expected


def own_answers(study: Study, family: str) -> set[Any]:
    return set(Stimulus.objects.filter(study=study, source_code=family).values_list("response_id", flat=True))


def kinder_to(study: Study, family: str, *, judge: str) -> Study:
    """The study after this judge gave 8 to answers of this family, and every other reply was a 6."""
    own = own_answers(study, family)

    def answering(outgoing: Outgoing) -> Reply:
        call = Call.objects.select_related("target").get(pk=outgoing.call_id)
        return good(f'{{"score": {8 if call.target.family == judge and call.response_id in own else 6}}}')

    worked_off(asked(study), answering)
    return study


def favour(study: Study) -> dict[str, float | None]:
    """By how much each judge model favours its own family."""
    judges = panel_results(study).judges
    return {judge.judge: judge.self_family.mean.value for judge in judges if judge.self_family}


class TestAComposite:
    def test_a_composite_is_told_by_source_with_its_coverage(self) -> None:
        study = with_judges(an_unblinded_study(1, 2, 1, prompts=2))
        found = panel_results(kinder_to(study, "family-1", judge="family-1"))
        # family-1: ten replies of 8 and twenty of 6 on each of two answers, (80 + 120) / 30.
        mean, *replies = of_source(found, "family-1")
        assert mean == pytest.approx(20 / 3)
        assert replies == [60, 60]
        assert of_source(found, "family-2") == (6, 60, 60)
        assert of_source(found, "human") == (6, 180, 180)  # three people answer each prompt

    def test_a_composite_leaves_a_failed_reply_out_of_what_is_given_and_not_of_what_is_wanted(self) -> None:
        study = with_judges(a_small_study())

        def answering(outgoing: Outgoing) -> Reply:
            call = Call.objects.get(pk=outgoing.call_id)
            fails = call.perspective == "historian" and call.target_id == judge_of(study, "gpt").pk
            return good("Seven." if fails else '{"score": 7}')

        worked_off(asked(study), answering)
        assert of_source(panel_results(study), "family-1") == (7, 29, 30)

    def test_a_composite_wants_every_judge_of_the_design_whether_it_was_asked_or_not(self) -> None:
        study = with_judges(a_small_study())
        worked_off(asked(study, targets=[judge_of(study, "gpt")]), seven)
        assert of_source(panel_results(study), "family-1") == (7, 10, 30)

    def test_a_composite_keeps_the_scores_of_a_judge_that_was_retired_until_its_successor_has_spoken(self) -> None:
        study = with_judges(a_small_study())
        worked_off(asked(study), seven)
        targets_in_use.retire_target(target=judge_of(study, "gpt"), by=coordinator_of(study))
        assert of_source(panel_results(study), "family-1") == (7, 30, 30)
        a_target(study, "gpt", role="panel", model_id="gpt-new", weak_temperature=None)
        worked_off(asked(study), lambda _: good('{"score": 1}'))
        assert of_source(panel_results(study), "family-1") == (5, 30, 30)  # (20 · 7 + 10 · 1) / 30

    def test_a_composite_stays_beside_a_plan_that_was_never_started(self) -> None:
        study = with_judges(a_small_study())
        worked_off(asked(study), seven)
        before = panel_results(study)
        templates.save_template(
            study=study,
            name="panel_holistic",
            text="As the {perspective}: {description} {materials} {reply_format}",
            origin="A paper",
            by=coordinator_of(study),
        )
        run = planned(study, **HOLISTIC)
        assert run.calls.exists()
        assert panel_results(study) == before

    def test_a_composite_forgets_the_words_of_a_judge_who_has_withdrawn(self) -> None:
        study = with_judges(justified(an_unblinded_study(1, 1, 2, **ONE_JUDGE)), "gpt")
        dimensions = [dimension.key for dimension in rubric_by_hash(study.rubric_id).dimensions]
        stays, goes = members_of(study, Role.JUDGE)

        def answering(outgoing: Outgoing) -> Reply:
            item = item_of(outgoing)
            score = 8 if item.participation_id == stays.pk else 4
            each = {**dict.fromkeys(dimensions, score), "mentioned": []}
            return good(json.dumps(dict.fromkeys(labels_of(item), each)))

        worked_off(asked(study, **INFERRED), answering)
        assert of_source(panel_results(study), "family-1") == (6, 2, 2)
        members.withdraw_consent(participation=goes, by=goes.user)
        assert of_source(panel_results(study), "family-1") == (8, 1, 1)


class TestWhomAJudgeFavours:
    def test_whom_a_judge_favours_is_told_with_by_how_much(self) -> None:
        study = with_judges(an_unblinded_study(1, 2, 1, prompts=2))
        found = favour(kinder_to(study, "family-1", judge="family-1"))
        # On its own family's answers 8 − 6, on the other model's 6 − 6: 2 on each of two prompts.
        assert found["demo-family-1"] == 2
        assert found["demo-gpt"] is None

    def test_whom_a_judge_favours_goes_by_the_catalogues_family_whatever_the_study_calls_its_models(self) -> None:
        judged = a_judged_study(1, 2, 1, prompts=1)
        a_target(judged, "family-1", model_id="demo-large")
        study = with_judges(unblinded(closed(judged)), "gpt", "gemini")
        a_target(study, "our judge", role="panel", model_id="demo-large", weak_temperature=None)
        assert favour(kinder_to(study, "family-1", judge="our judge"))["demo-large"] == 2


def test_the_studys_own_mode_comes_first_and_one_without_scores_not_at_all() -> None:
    study = with_judges(a_judging_study(1, 1, 1, panel_mode="no_rubric", **ONE_JUDGE), "gpt")
    for mode in ("holistic", "no_rubric"):
        worked_off(asked(study, mode=mode), seven)
    planned(study, **{**HOLISTIC, "mode": "per_dimension"})
    assert [setting.mode for setting in panel_settings(study)] == ["no_rubric", "holistic"]
