"""Tables of studies unlike most: small ones, of a panel that scores texts, with items that changed hands."""

import pytest
from django.core.exceptions import PermissionDenied

from analysis.ceremony.services import ceremony
from analysis.unblinded.selectors.study_tables import study_tables
from annotation.judging.models.judging import BlindedSlot, JudgingItem
from annotation.people.services import members
from annotation.study.models.participation import Profile, Role
from annotation.study.models.studies import Study
from tests.analysis.unblinded.app.test_study_tables import dimensions_of, rows
from tests.annotation.assignment.repairs import a_shared_study, repaired
from tests.factories import (
    a_closed_study,
    a_judged_study,
    a_member,
    an_unblinded_study,
    closed,
    judging_items_of,
    members_of,
    opened,
    researchers_of,
    unblinded,
)
from tests.generation.calls.model_runs import a_target, worked_off
from tests.generation.panel.panels import asked, seven, with_judges
from tests.judging import submitted
from tests.remembered import remembered

pytestmark = pytest.mark.django_db

INSTRUMENT = """
low = "progressive"
high = "conservative"
labels = ["1", "2", "3", "4", "5"]
items = [{key = "taxes", text = "More?", reversed = true}, {key = "customs", text = "Keep?", reversed = false}]
"""


def test_study_tables_are_refused_before_unblinding() -> None:
    with pytest.raises(PermissionDenied, match="still blinded"):
        study_tables(a_closed_study(1, 1, 1))


def test_study_tables_hold_a_position_where_people_were_asked_for_one() -> None:
    study = a_judged_study(1, 1, 1, prompts=1)
    Study.objects.filter(pk=study.pk).update(profile_questions=["ideology"], ideology_instrument=INSTRUMENT)
    study.refresh_from_db()
    judge = members_of(study, Role.JUDGE)[0]
    Profile.objects.filter(participation=judge).update(ideology={"taxes": 2, "customs": 3})
    found = study_tables(unblinded(closed(study)))
    assert found.ideology == ("progressive", "conservative", 5)
    # (6 − 2 + 3) / 2: the first item is reversed. Nobody else has answered.
    answered = found.participants.dropna(subset="ideology")
    assert rows(answered, "participant_id", "ideology") == {(judge.pseudonym, 3.5)}


def test_study_tables_hold_nobody_who_has_not_agreed() -> None:
    study = a_judged_study(1, 1, 1, prompts=1)
    a_member(study, Role.JUDGE, ready=False, pseudonym="J-new")
    assert "J-new" not in set(study_tables(unblinded(closed(study))).participants["participant_id"])


def test_a_panel_that_scores_texts_has_a_row_for_each_perspective_and_an_overall_score() -> None:
    study = with_judges(an_unblinded_study(1, 1, 1, prompts=1, panel_judge_models=1), "one")
    a_target(study, "two", role="panel", model_id="demo-one", weak_temperature=None)
    Study.objects.filter(pk=study.pk).update(panel_judge_models=2)
    study.refresh_from_db()
    worked_off(asked(study), seven)
    panel = study_tables(study).panel
    assert len(panel) == len(study_tables(study).answers) * 2 * 10
    # Two judges of one model are told apart by the names that the study gave them.
    assert rows(panel, "judge_model", "judge_id", "score") == {
        ("demo-one (one)", "", 7.0),
        ("demo-one (two)", "", 7.0),
    }
    assert panel[dimensions_of(study)].isna().all(axis=None)


@remembered
def a_study_whose_items_changed_hands() -> Study:
    """Three judges share 3 prompts × 2 ratings; the first was late with one item, and has left since."""
    study = a_shared_study(3, prompts=3)
    first = members_of(study, Role.JUDGE)[0]
    opened(judging_items_of(study)[0])
    repaired(study, late=[first])
    repaired(study, leaves=[first])
    submitted(JudgingItem.objects.filter(study=study, state="assigned").order_by("pk")[0])
    ceremony.close_study(study=study, by=researchers_of(study)[0], despite_missing=True)
    study.refresh_from_db()
    return unblinded(study)


class TestItemsThatChangedHands:
    @pytest.fixture
    def study(self) -> Study:
        return a_study_whose_items_changed_hands()

    def test_items_that_changed_hands_name_the_judge_whose_place_they_take(self, study: Study) -> None:
        replacing = JudgingItem.objects.filter(study=study, replaces__isnull=False).exclude(state="cancelled")
        expected = set(
            replacing.values_list("prompt__code", "participation__pseudonym", "replaces__participation__pseudonym")
        )
        items = study_tables(study).items
        found = rows(items[items["replaces_judge"] != ""], "prompt_id", "judge_id", "replaces_judge")
        assert expected
        assert found == expected

    def test_items_that_were_taken_back_when_they_changed_hands_are_left_out(self, study: Study) -> None:
        cancelled = JudgingItem.objects.filter(study=study, state="cancelled")
        assert cancelled.exists()
        given = BlindedSlot.objects.filter(item__study=study).exclude(item__in=cancelled)
        assert len(study_tables(study).items) == given.count()

    def test_items_that_changed_hands_do_not_name_somebody_who_has_withdrawn(self, study: Study) -> None:
        first = members_of(study, Role.JUDGE)[0]
        members.withdraw_consent(participation=first, by=first.user)
        assert rows(study_tables(study).items, "replaces_judge") == {("",)}
