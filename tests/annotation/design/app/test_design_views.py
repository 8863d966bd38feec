"""The pages of a study's design: what can be typed there, what comes of it, and who sees which."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.design.selectors.design import FIELDS, design_sha256, section_opened
from annotation.design.services import protocol
from annotation.study.core.parameters import HELP, LABELS, SECTIONS
from annotation.study.core.rubric_parts import PARTS
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from annotation.study.selectors.consents import STANDARD_CONSENT, consent_of
from annotation.study.selectors.rubrics import RUBRICS
from tests.annotation.people.app.test_consent_and_profile import INSTRUMENT
from tests.clients import signed_in
from tests.factories import a_member, a_study, coordinator_of, locked

pytestmark = pytest.mark.django_db

BY_KEY = {section.key: section for section in SECTIONS}

CONSTITUTIONAL = (RUBRICS / "constitutional_reasoning-2.toml").read_text(encoding="utf-8")
PANEL = {
    "panel_mode": "holistic",
    "panel_judge_models": "3",
    "panel_rubric_parts": list(PARTS),
    "panel_retries": "2",
}
FEES = {"currency": "eur", "fee_per_answer": "12.50", "fee_per_item": "9", "writing_due_on": "2027-03-01"}


def client_of(study: Study) -> Client:
    return signed_in(coordinator_of(study))


def page(study: Study, name: str, *args: str, **query: Any) -> str:
    return client_of(study).get(reverse(name, args=[study.slug, *args]), query).content.decode()


def post(study: Study, name: str, *args: str, **fields: Any) -> Any:
    return client_of(study).post(reverse(name, args=[study.slug, *args]), fields, follow=True)


def save(study: Study, section: str, **fields: Any) -> Any:
    """Open the section's form and send it with these values."""
    loaded = re.search(r'name="loaded" value="([^"]*)"', page(study, "design_section", section))
    return post(study, "design_section", section, loaded=loaded[1] if loaded else "", **fields)


def now(study: Study) -> Study:
    return Study.objects.get(pk=study.pk)


class TestARefusedSection:
    def test_a_refused_section_of_the_design_says_at_the_top_what_is_wrong_with_a_link_to_each_field(self) -> None:
        answer = save(a_study(), "fees", **{**FEES, "currency": "euro", "fee_per_item": "many"})
        said = answer.content.decode()
        assert answer.status_code == 400
        summary = said[said.index("Nothing was saved.") : said.index("<form", said.index("Nothing was saved."))]
        assert re.findall(r'<a href="#(\w+)">', summary) == ["id_fee_per_item", "id_currency"]
        assert 'id="id_currency"' in said
        assert "autofocus" in said
        assert 'data-unsaved="yes"' in said

    def test_a_section_of_the_design_is_not_called_fitting_while_something_is_not_counted(self) -> None:
        study = a_study()
        assert "Fits together" in page(study, "design_section", "fees")
        said = save(study, "fees", **{**FEES, "fee_per_item": "many"}).content.decode()
        assert "what is typed there cannot be taken yet" in said
        assert "Fits together" not in said


class TestHelp:
    def test_help_says_more_than_the_label_above_it(self) -> None:
        said = {name: HELP.get(name, str(FIELDS[name].help_text)) for name in FIELDS if name in LABELS}
        assert [name for name, help_text in said.items() if help_text.rstrip(".") == LABELS[name]] == []
        assert set(HELP) <= set(FIELDS)


class TestASection:
    def test_a_section_of_the_design_is_saved_and_says_what_changed(self) -> None:
        study = a_study()
        said = save(study, "fees", **FEES).content.decode()
        assert "Saved: Answers due on, Fee for an answer, Fee for an item." in said
        assert "Applies to answers already handed in as well; once there is one, the fee can only rise." in said
        study = now(study)
        assert (study.currency, str(study.fee_per_answer), str(study.fee_per_item)) == ("EUR", "12.50", "9.00")
        assert "Nothing is different from before." in save(study, "fees", **FEES).content.decode()

    def test_a_section_of_the_design_leads_on_to_the_next_one(self) -> None:
        study = a_study()
        answer = save(study, "panel", **PANEL, go_on="1")
        assert answer.redirect_chain[-1][0] == reverse("design_section", args=[study.slug, "fees"])

    def test_a_section_of_the_design_has_help_and_the_presets_beside_what_differs_tied_to_each_field(self) -> None:
        html = page(a_study(writing_minutes=25), "design_section", "writing")
        assert 'aria-describedby="id_writing_minutes_helptext"' in html
        help_text = html.split('id="id_writing_minutes_helptext">')[1].split("</div>")[0]
        assert "Empty for writing without a time limit." in help_text
        others = "audit of benchmarks and constitutional trial"
        assert f'<span class="preset">full study, {others}: 30 · pilot: 20</span>' in help_text

    @pytest.mark.parametrize(
        ("section", "fields", "complaint"),
        [
            ("panel", PANEL | {"panel_retries": "77"}, "Choose a whole number from 0 to 5."),
            ("panel", PANEL | {"panel_retries": "two"}, "Choose a whole number from 0 to 5."),
            ("fees", FEES | {"currency": "€€€"}, "Write three letters, such as EUR."),
            ("fees", FEES | {"fee_per_answer": "-3"}, "has to be 0 or more"),
            ("about", {"title": "", "description": "Kept."}, "“Title” cannot be left empty."),
        ],
    )
    def test_a_section_of_the_design_keeps_what_was_typed_where_it_cannot_be_taken(
        self, section: str, fields: dict[str, Any], complaint: str
    ) -> None:
        study = a_study()
        before = design_sha256(study)
        answer = save(study, section, **fields)
        html = answer.content.decode()
        assert answer.status_code == 400
        assert complaint in html
        assert all(value in html for value in fields.values() if isinstance(value, str))
        assert design_sha256(now(study)) == before

    def test_a_section_of_the_design_says_contradictions_at_their_field_and_keeps_what_was_typed(self) -> None:
        study = a_study()
        typed = {
            "answers_per_prompt": "10",
            "writing_minutes": "",
            "target_words": "500",
            "target_words_low": "380",
            "target_words_high": "420",
            "prompts_per_session": "5",
            "break_minutes": "15",
            "transport_grace_seconds": "10",
            "feedback": "end",
            "paste_policy": "flag",
        }
        answer = save(study, "writing", **typed)
        assert answer.status_code == 400
        assert "The band has to contain the target of 500 words." in answer.content.decode()
        assert 'value="500"' in answer.content.decode()

    def test_a_section_of_the_design_shows_what_is_fixed_as_text_and_since_when(self) -> None:
        study = a_study()
        locked(study)
        html = page(study, "design_section", "writing")
        assert "fixed since the design was locked" in html
        assert 'name="target_words"' not in html
        html = page(study, "design_section", "judging")
        assert 'name="ratings_per_prompt"' in html
        assert 'name="quality_floor_prompts"' not in html
        answer = save(study, "writing", target_words="450")
        assert answer.status_code == 400
        assert "This section was changed after you opened it" in answer.content.decode()
        assert now(study).target_words == 400

    def test_a_section_of_the_design_does_not_undo_what_a_colleague_has_saved_since_it_was_opened(self) -> None:
        study = a_study()
        opened = section_opened(study, BY_KEY["panel"])
        theirs = {"panel_retries": 4, "panel_judge_models": 5, "panel_rubric_parts": []}
        protocol.change_parameters(study=study, changes=theirs, by=coordinator_of(study))
        typed = PANEL | {"panel_judge_models": "7", "loaded": opened}
        answer = post(study, "design_section", "panel", **typed)
        html = answer.content.decode()
        assert answer.status_code == 400
        assert "Now “Models for each perspective” is 5, yours 7. Save again" in html, "only what both have changed"
        assert (now(study).panel_judge_models, now(study).panel_retries) == (5, 4)
        # What was typed is kept, and what was not touched is theirs; whoever saves it again has been told.
        assert 'name="panel_judge_models" value="7"' in html
        assert 'name="panel_retries" value="4"' in html
        form = re.search(r'name="loaded" value="([^"]*)"', html)
        assert form
        again = PANEL | {
            "panel_judge_models": "7",
            "panel_retries": "4",
            "panel_rubric_parts": [],
            "loaded": form[1],
        }
        assert (
            "Saved: Models for each perspective."
            in post(study, "design_section", "panel", **again).content.decode()
        )
        assert (now(study).panel_judge_models, now(study).panel_retries) == (7, 4)

    def test_what_the_second_coordinator_did_not_touch_is_merged_and_said(self) -> None:
        study = a_study()
        opened = section_opened(study, BY_KEY["panel"])
        theirs = {"panel_retries": 4, "panel_rubric_parts": []}
        protocol.change_parameters(study=study, changes=theirs, by=coordinator_of(study))
        typed = PANEL | {"panel_judge_models": "7", "loaded": opened}
        html = post(study, "design_section", "panel", **typed).content.decode()
        assert "Saved: Models for each perspective. Somebody else has changed" in html
        held = now(study)
        assert (held.panel_judge_models, held.panel_retries, held.panel_rubric_parts) == (7, 4, [])

    def test_a_preset_is_filled_in_only_as_it_was_shown_and_counts_agree(self) -> None:
        study = a_study()
        html = page(study, "design_fill_in", "pilot")
        shown, count = re.search(r'name="shown" value="(\w+)"', html), re.search(r"Change (\d+) parameter", html)
        assert shown
        assert count
        protocol.change_parameters(study=study, changes={"panel_retries": 4}, by=coordinator_of(study))
        refused = post(study, "design_fill_in", "pilot", shown=shown[1]).content.decode()
        assert "was changed after this page was made" in refused
        assert now(study).preset != "pilot"
        protocol.change_parameters(study=study, changes={"panel_retries": 2}, by=coordinator_of(study))
        done = post(study, "design_fill_in", "pilot", shown=shown[1]).content.decode()
        assert f"{count[1]} parameters changed" in done

    def test_a_preset_that_comes_with_a_rubric_shows_and_counts_it_too(self) -> None:
        study = a_study()
        html = " ".join(page(study, "design_fill_in", "trial").split())
        count = re.search(r"Change (\d+) parameters", html)
        assert count
        assert '<th scope="row">Rubric</th>' in html
        assert "<td>Constitutional reasoning, version 2</td>" in html
        assert f"{count[1]} parameters changed" in post(study, "design_fill_in", "trial").content.decode()

    def test_a_consent_text_that_nobody_touched_becomes_the_presets_and_words_of_ones_own_stay(self) -> None:
        study = a_study(consent_text=STANDARD_CONSENT)
        for preset in ("audit", "trial"):
            html = page(study, "design_fill_in", preset)
            count = re.search(r"Change (\d+) parameters", html)
            assert count
            assert '<th scope="row">Consent text</th>' in html
            assert "The consent text stays" not in html
            assert f"{count[1]} parameters changed" in post(study, "design_fill_in", preset).content.decode()
            held = now(study)
            kept = {"consent_version": held.consent_version, "consent_text": held.consent_text}
            assert kept == consent_of(preset)
        protocol.change_parameters(study=study, changes={"consent_text": "Own words."}, by=coordinator_of(study))
        assert "The consent text stays" in page(study, "design_fill_in", "audit")
        assert "The consent text stays" not in page(study, "design_fill_in", "pilot")
        post(study, "design_fill_in", "audit")
        assert now(study).consent_text == "Own words."

    def test_a_section_of_the_design_with_a_mistake_in_it_still_knows_what_it_was_opened_on(self) -> None:
        study = a_study()
        opened = section_opened(study, BY_KEY["panel"])
        protocol.change_parameters(study=study, changes={"panel_retries": 4}, by=coordinator_of(study))
        wrong = PANEL | {"panel_judge_models": "77", "loaded": opened}
        assert f'name="loaded" value="{opened}"' in post(study, "design_section", "panel", **wrong).content.decode()

    def test_a_section_on_people_takes_consent_questions_and_instrument(self) -> None:
        study = a_study()
        typed = {
            "profile_questions": ["country", "ideology"],
            "minimum_degree": "doctorate",
            "minimum_years_experience": "5",
            "ideology_instrument": INSTRUMENT.replace("\n", "\r\n"),
            "consent_text": "What you do\r\nYou write.\r\n",
        }
        wrong = save(study, "people", **typed | {"ideology_instrument": "low = 1"})
        assert "labels must name at least two choices." in wrong.content.decode()
        assert "What you do" in wrong.content.decode()
        assert "Saved:" in save(study, "people", **typed).content.decode()
        study = now(study)
        assert study.consent_text == "What you do\nYou write.\n"
        assert "\r" not in study.ideology_instrument
        seen = page(study, "participants_preview")
        assert "<h3>What you do</h3>" in seen
        assert "Old customs deserve the benefit of the doubt." in seen
        assert "Highest degree" not in seen

    def test_a_section_of_the_design_saved_as_it_is_shown_changes_nothing(self) -> None:
        study = a_study(prompts=0)
        form = {
            "profile_questions": study.profile_questions,
            "minimum_degree": study.minimum_degree,
            "minimum_years_experience": "3",
            "ideology_instrument": "",
            "consent_text": study.consent_text.replace("\n", "\r\n"),  # as browsers send it
        }
        assert "Nothing is different" in save(study, "people", **form).content.decode()
        assert now(study).consent_version == study.consent_version


class TestThePreview:
    def ask(self, study: Study, **query: Any) -> str:
        answer = client_of(study).get(
            reverse("design_preview", args=[study.slug]), query, headers={"HX-Request": "true"}
        )
        return " ".join(answer.content.decode().replace("\u00a0", " ").split())

    def test_the_preview_of_the_design_counts_with_what_was_typed_and_saves_none_of_it(self) -> None:
        study = a_study(slug="paper", prompts=0, answers_per_prompt=10, human_answers_per_item=3)
        typed = {"section": "judging", "human_answers_per_item": "3", "model_answers_per_item": "3"}
        said = self.ask(
            study,
            **typed,
            ratings_per_prompt="130",
            minutes_per_item="20",
            prompts="30",
            writers="20",
            judges="400",
        )
        assert "10 answers of each prompt give 120 sets of 3; 130 ratings asked" in said
        assert "3,900 items" in said  # 30 × 130
        assert "1,300 h of judging" in said  # 3,900 × 20 minutes
        assert "<html" not in said
        assert now(study).ratings_per_prompt == 1

    def test_the_preview_of_the_design_names_what_cannot_be_read_and_counts_with_what_is_saved(self) -> None:
        said = self.ask(a_study(), section="judging", ratings_per_prompt="many", prompts="4", judges="-1")
        assert "Ratings of each prompt: what is typed there cannot be taken yet." in said
        assert "4 items" in said

    def test_the_preview_of_the_design_counts_on_people_who_are_here_or_invited_and_else_on_the_fewest(
        self,
    ) -> None:
        study = a_study(ratings_per_prompt=5, human_sets="fixed")
        assert "Fits together" in self.ask(study)
        for _ in range(3):
            a_member(study, Role.JUDGE)
        assert "5 ratings of each prompt need at least 5 judges; there are 3 judges." in self.ask(study)

    def test_the_preview_of_the_design_counts_on_the_fewest_for_what_is_typed_where_there_is_nobody(self) -> None:
        study = a_study()
        typed = {"section": "judging", "ratings_per_prompt": "7", "human_sets": "fixed"}
        [field] = re.findall(r'<input[^>]*name="judges"[^>]*>', page(study, "study_design"))
        assert "value=" not in field  # which would be counted with
        assert "placeholder=" not in field  # for words there is no room
        assert "Fits together" in self.ask(study, **typed, prompts="", writers="", judges="")
        assert "7 ratings of each prompt need at least 7 judges" in self.ask(study, **typed, judges="6")

    def test_the_preview_of_the_design_is_a_page_of_its_own_without_a_script(self) -> None:
        assert "<html" in page(a_study(), "design_preview", prompts="4")

    def test_the_preview_of_the_design_is_shown_beside_a_form_that_asks_for_it_and_saves_nothing(self) -> None:
        study = a_study()
        answer = post(
            study, "design_section", "fees", **FEES | {"fee_per_item": "7"}, preview="1", prompts="4", judges="2"
        )
        html = answer.content.decode()
        assert answer.status_code == 200
        assert "78.00 EUR" in html  # 4 answers × 12.50 and 4 items × 7
        assert 'value="7"' in html
        assert now(study).fee_per_item == 0


class TestPresets:
    def test_presets_show_first_what_they_would_change(self) -> None:
        study = a_study(slug="full", answers_per_prompt=10, human_answers_per_item=3)
        html = page(study, "design_fill_in", "pilot")
        assert "Minutes for an answer" in html
        assert now(study).writing_minutes == 30
        assert "Filled in as in the pilot" in post(study, "design_fill_in", "pilot").content.decode()
        assert now(study).writing_minutes == 20
        assert "as in the pilot already" in page(study, "design_fill_in", "pilot")

    def test_there_is_no_preset_by_another_name(self) -> None:
        study = a_study()
        assert client_of(study).get(reverse("design_fill_in", args=[study.slug, "grand"])).status_code == 404

    def test_presets_come_too_late_once_the_design_is_locked(self) -> None:
        study = a_study()
        locked(study)
        assert "can no longer be filled in" in page(study, "design_fill_in", "pilot")
        assert "fixed since the design was locked" in post(study, "design_fill_in", "pilot").content.decode()


def test_the_overview_names_what_differs_from_the_protocol_that_is_followed() -> None:
    study = a_study()
    protocol.fill_in(study=study, preset="full", by=coordinator_of(study))
    assert "Minutes of a break:" not in page(study, "study_design")
    protocol.change_parameters(study=study, changes={"break_minutes": 20}, by=coordinator_of(study))
    html = " ".join(page(study, "study_design").split())
    assert "Minutes of a break: <strong>20</strong>" in html
    assert "(full study, pilot, audit of benchmarks and constitutional trial: 15)" in html
