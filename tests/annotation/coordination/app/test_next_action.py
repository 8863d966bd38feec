"""What a coordinator is told to do next, in every state of a study."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.assignment.services import designing
from annotation.coordination.selectors.coordination import overview
from annotation.people.services import people
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from annotation.writing.services import writing
from generation.catalogue.models import StudyTemplate
from generation.catalogue.services import templates
from tests.annotation.coordination.app.test_coordination_views import next_of, page_of
from tests.clients import signed_in
from tests.factories import (
    a_judged_study,
    a_judging_study,
    a_member,
    a_quarantined_text,
    a_study,
    a_writing_study,
    an_assembling_study,
    assignments_of,
    coordinator_of,
    locked,
    ready_to_lock,
    written,
)

pytestmark = pytest.mark.django_db


class TestNextAction:
    @pytest.mark.parametrize("prompts", [1, 2])
    def test_the_next_action_in_design_asks_for_more_prompts_than_calibration_takes(self, prompts: int) -> None:
        action = next_of(ready_to_lock(a_study(prompts=prompts, quality_floor_prompts=1)))
        assert action
        assert action.verb == "lock_design"
        assert action.final
        assert bool(action.obstacles) == (prompts == 1)

    def test_the_next_action_in_design_says_how_many_prompts_are_enough(self) -> None:
        study = ready_to_lock(a_study(prompts=0, quality_floor_prompts=1, source_attribution_prompts=1))
        action = next_of(study)
        assert action
        assert action.obstacles == [
            "Calibration takes 2 prompts, so the study needs at least 3. It has none so far."
        ]

    def test_the_next_action_in_design_says_what_is_missing_of_unblinders(self) -> None:
        study = a_study()
        action = next_of(study)
        assert action
        assert [said.partition(" must accept")[0] for said in action.obstacles] == ["At least 2 researchers"]
        assert any("No third person is named" in str(said) for said in action.waits)
        action = next_of(ready_to_lock(study))
        assert action
        assert (list(action.obstacles), list(action.waits)) == ([], [])

    def test_the_next_action_after_design_needs_enough_writers(self) -> None:
        study = a_study(answers_per_prompt=2)
        a_member(study, Role.WRITER)
        locked(study)
        study.refresh_from_db()
        action = next_of(study)
        assert action
        assert action.verb == "assign_writing"
        assert action.obstacles == ["Each prompt takes 2 answers. Joined so far: 1 writer."]
        a_member(study, Role.WRITER)
        action = next_of(study)
        assert action
        assert not action.obstacles

    def test_the_next_action_after_design_needs_a_writer_where_every_writer_answers_every_prompt(self) -> None:
        study = a_study(every_writer_answers_every_prompt=True)
        locked(study)
        study.refresh_from_db()
        action = next_of(study)
        assert action
        assert action.obstacles == ["Every writer answers every prompt, and no writer has joined so far."]

    def test_a_final_step_says_before_what_does_not_fit_and_asks_to_go_on_all_the_same(self) -> None:
        study = ready_to_lock(a_study(ratings_per_prompt=2, human_sets=Study.HumanSets.FIXED))
        assert 'id="go-on"' not in page_of(study)
        a_member(study, Role.JUDGE)
        action = next_of(study)
        assert action
        assert not action.obstacles
        said = "2 ratings of each prompt need at least 2 judges; there is 1 judge."
        assert [str(wait) for wait in action.waits] == [said]
        page = page_of(study)
        assert page.index(said) < page.index("Go on although")
        assert '<input type="checkbox" id="go-on" required>' in page
        locked(study)
        a_member(study, Role.WRITER)
        study.refresh_from_db()
        action = next_of(study)
        assert action
        assert (action.verb, [*map(str, action.waits)]) == ("assign_writing", [said])

    def test_before_the_lock_lengths_that_models_and_writers_are_told_apart_are_named_and_led_to(self) -> None:
        study = ready_to_lock(a_study(target_words=100, target_words_low=90, target_words_high=110))
        own, by = "{prompt} Aim at 400 words.", coordinator_of(study)
        templates.save_template(study=study, name="answer", text=own, origin="A paper", by=by)
        page = page_of(study)
        assert "Writers aim at 100 words; models are told to stay under 440." in page
        assert f'href="{reverse("design_section", args=[study.slug, "models"])}#id_model_word_limit"' in page
        assert "The wording “Answer to a prompt” tells models 400 words; writers aim at 100." in page
        wording = reverse("template_edit", args=[study.slug, "answer"])
        assert f'href="{wording}"' in page
        assert "tells models 400 words" in signed_in(coordinator_of(study)).get(wording).content.decode()
        locked(study)
        with CaptureQueriesContext(connection) as queries:
            assert "tells models 400 words" not in page_of(study)
        of_wordings = StudyTemplate._meta.db_table
        assert not any(of_wordings in query["sql"] for query in queries), "no wording is read once all is fixed"

    def test_the_next_action_counts_only_writers_who_are_here_when_it_assigns_writing(self) -> None:
        study = ready_to_lock(a_study(every_writer_answers_every_prompt=True, answers_per_prompt=2))
        a_member(study, Role.WRITER)
        people.invite(study=study, email="w@example.org", name="W", role=Role.WRITER, by=coordinator_of(study))
        action = next_of(study)
        assert action
        assert [wait for wait in action.waits if "merely invited" not in str(wait)] == [], (
            "one is here and one is invited"
        )
        assert "1 of 5 people are merely invited and have not joined: W." in action.waits
        page = signed_in(coordinator_of(study)).get(reverse("study", args=[study.slug])).content.decode()
        assert re.search(r'tag-warning">To check</span>\s+1 of 5 people are merely invited', page)
        designing.lock_design(study=study, by=coordinator_of(study))
        study.refresh_from_db()
        action = next_of(study)
        assert action
        assert [str(wait) for wait in action.waits] == [
            "Waiting for 1 invited person to join",
            "1 writer gives 1 answer to each prompt; the design says 2.",
        ]

    def test_the_next_action_says_what_a_final_step_amounts_to(self) -> None:
        terms: dict[str, Any] = {
            "writing_minutes": 40,
            "minutes_per_item": 20,
            "fee_per_answer": 10,
            "fee_per_item": "2.50",
        }
        study = ready_to_lock(a_study(prompts=3, **terms))
        words = re.sub(r"\s+", " ", page_of(study))
        assert "3, with 3 answers and 3 ratings" in words
        assert "3 answers, up to 2 h" in words  # 3 · 40 minutes
        assert "3 items, up to 1 h" in words  # 3 · 20 minutes
        assert "37.50 EUR" in words  # 3 · 10 + 3 · 2.50

    def test_closing_writing_waits_for_answers_without_their_standing_in_the_way(self) -> None:
        action = next_of(a_writing_study(prompts=3))
        assert action
        assert (action.verb, action.final) == ("close_writing", False)
        assert action.waits == ["Waiting for 3 of 3 answers"]
        assert not action.obstacles

    def test_the_next_action_is_not_announced_before_what_waits_until_every_answer_is_in(self) -> None:
        study = a_writing_study()
        a_quarantined_text(study)
        a_member(study, Role.JUDGE, ready=False)
        page = page_of(study)
        assert "Writing is under way" in page
        assert "Your next step: close writing" not in page
        for waits in ("1 text in quarantine", "1 person cannot begin", "Waiting for"):
            assert page.index(waits) < page.index(">Close writing<"), waits
        assert f'<a href="{reverse("study_people", args=[study.slug])}">See why</a>' in page
        for assignment in assignments_of(study):
            written(assignment)
        assert "Your next step: close writing" in page_of(study)

    def test_the_overview_counts_answers_that_are_missing_and_those_being_written(self) -> None:
        study = a_writing_study(prompts=3)
        first = assignments_of(study)[0]
        assert overview(study).writing.note == "3 missing"
        writing.start(assignment=first, attested=True, by=first.participation.user)
        assert overview(study).writing.note == "3 missing, 1 of them begun"

    def test_closing_writing_is_hindered_while_somebody_writes(self) -> None:
        study = a_writing_study()
        first = assignments_of(study)[0]
        writing.start(assignment=first, attested=True, by=first.participation.user)
        action = next_of(study)
        assert action
        assert action.obstacles == ["1 answer being written at this moment."]

    def test_opening_judging_needs_every_text_and_enough_judges(self) -> None:
        study = an_assembling_study(ratings_per_prompt=2)
        a_member(study, Role.JUDGE)
        a_quarantined_text(study)
        action = next_of(study)
        assert action
        assert (action.verb, action.final) == ("open_judging", True)
        assert any(re.match(r"\d prompts? (is|are) not ready: the table below", each) for each in action.obstacles)
        assert len(action.obstacles) == 2

    def test_next_actions_end_with_judging(self) -> None:
        assert next_of(a_judging_study(1, 1, 1)) is None

    def test_the_coordinator_is_told_whether_items_are_still_missing_before_a_researcher_closes(self) -> None:
        assert "Judging is under way" in page_of(a_judging_study(1, 1, 1))

    def test_the_coordinator_is_told_that_every_item_is_submitted(self) -> None:
        page = page_of(a_judged_study(1, 1, 1))
        assert "Every item is submitted" in page
        assert "Judging is under way" not in page

    @pytest.mark.parametrize("final", [True, False])
    def test_the_next_action_is_confirmed_where_it_cannot_be_undone(self, final: bool) -> None:
        study = ready_to_lock(a_study()) if final else a_writing_study()
        assert ("This cannot be undone." in page_of(study)) == final

    def test_the_next_action_shows_no_button_while_something_stands_in_the_way(self) -> None:
        study = a_study(prompts=1, quality_floor_prompts=1)
        page = page_of(study)
        assert "Before the design can be locked" in page
        assert "Your next step" not in page
        assert reverse("lock_design", args=[study.slug]) not in page

    def test_the_next_action_is_the_only_primary_button_of_the_page(self) -> None:
        page = page_of(ready_to_lock(a_study())).partition("<main")[2]
        primary = re.findall(r'class="([^"]*button-primary[^"]*)"', page)
        assert [classes for classes in primary if "button-danger" not in classes] == ["button button-primary"]
