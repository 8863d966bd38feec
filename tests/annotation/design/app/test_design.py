"""What a study's design is made of, until when each part may change, and what every change leaves behind."""

from datetime import date
from decimal import Decimal
from itertools import product
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied, ValidationError

from annotation.design.selectors.design import design_sha256, preset_changes, presets_beside, section_lines
from annotation.design.services import protocol
from annotation.platform.core.errors import Refused
from annotation.platform.core.lifecycle import STUDY
from annotation.platform.models.audit import AuditEvent
from annotation.study.core.contradictions import contradictions
from annotation.study.core.parameters import LABELS, SECTIONS
from annotation.study.core.rubric import RubricError
from annotation.study.models.participation import Consent, Role
from annotation.study.models.studies import Study
from annotation.study.policies.design import PARAMETERS, UNTIL, can_change
from annotation.study.policies.participation import has_consented
from annotation.study.selectors.rubrics import RUBRICS
from annotation.texts.models.provenance import Kind, PromptPlan
from tests.annotation.people.app.test_consent_and_profile import INSTRUMENT
from tests.factories import a_judging_study, a_member, a_person, a_study, agree, coordinator_of, locked, members_of

pytestmark = pytest.mark.django_db

CONSTITUTIONAL = (RUBRICS / "constitutional_reasoning-2.toml").read_text(encoding="utf-8")


def change(study: Study, **changes: Any) -> tuple[str, ...]:
    return protocol.change_parameters(study=study, changes=changes, by=coordinator_of(study))


def changes_of(study: Study) -> list[AuditEvent]:
    return list(AuditEvent.objects.filter(study=study, verb="study.design_changed"))


def in_state(study: Study, state: str) -> Study:
    """The study as it would be in another state; what leads there is of no matter here."""
    Study.objects.filter(pk=study.pk).update(state=state)
    study.refresh_from_db()
    return study


class TestUntilWhen:
    def test_every_parameter_of_a_design_is_asked_for_in_one_section_and_has_a_rule(self) -> None:
        asked = [name for section in SECTIONS for name in section.labels]
        assert len(asked) == len(set(asked))
        # The version of the consent text follows from its changes.
        besides = {"title", "description", "names_kept_months"}
        assert set(asked) | {"consent_version"} == {*PARAMETERS, *besides}
        assert set(UNTIL) == {*PARAMETERS, *besides, "preset", "rubric_id"} == set(LABELS)
        assert set(UNTIL.values()) <= set(STUDY.states)

    @pytest.mark.parametrize(
        ("name", "last"),
        [
            ("consent_text", "design"),
            ("currency", "design"),
            ("sampling_seed", "design"),
            ("answers_per_prompt", "design"),
            ("model_word_limit", "design"),
            ("quality_floor_prompts", "design"),
            ("source_attribution_prompts", "design"),
            ("human_answers_per_item", "design"),
            ("model_answers_per_item", "design"),
            ("answers_per_target_in_attribution", "design"),
            ("preset", "design"),
            ("ratings_per_prompt", "assembling"),
            ("human_sets", "assembling"),
            ("rubric_id", "assembling"),
            ("panel_mode", "judging"),
            ("writing_due_on", "released"),
            ("fee_per_item", "released"),
            ("title", "released"),
        ],
    )
    def test_a_parameter_changes_up_to_its_last_state_and_not_after(self, name: str, last: str) -> None:
        study, until = a_study(), STUDY.states.index(last)
        allowed = [state for state in STUDY.states if can_change(in_state(study, state), name)]
        assert allowed == list(STUDY.states[: until + 1])

    def test_what_is_fixed_in_a_design_is_refused_by_name_and_nothing_else_of_the_change_is_kept(self) -> None:
        study = in_state(a_study(), "judging")
        with pytest.raises(Refused, match="“Ratings of each prompt” is fixed since judging opened"):
            change(study, ratings_per_prompt=7, fee_per_item=Decimal(9))
        study.refresh_from_db()
        assert (study.ratings_per_prompt, study.fee_per_item) == (1, Decimal(0))
        assert changes_of(study) == []

    def test_what_is_fixed_in_a_design_may_be_sent_as_it_is(self) -> None:
        study = in_state(a_study(), "judging")
        assert change(study, ratings_per_prompt=1, panel_retries=4) == ("panel_retries",)

    def test_a_page_of_the_design_says_since_when_it_is_fixed(self) -> None:
        study = a_study()
        locked(study)
        study.refresh_from_db()
        locked_at = AuditEvent.objects.get(study=study, verb="study.lock_design").at
        judging = section_lines(study, next(section for section in SECTIONS if section.key == "judging"))
        assert {line.name for line in judging.fixed} == {
            "human_answers_per_item",
            "model_answers_per_item",
            "answers_per_target_in_attribution",
            "quality_floor_prompts",
            "source_attribution_prompts",
        }
        assert judging.fixed[0].fixed == f"fixed since the design was locked, {locked_at:%-d %B %Y}"
        assert judging.open_until == "until judging opens"


class TestChanging:
    def test_a_design_is_changed_by_coordinators_alone(self) -> None:
        study = a_study()
        for role in (Role.WRITER, Role.JUDGE, Role.RESEARCHER):
            with pytest.raises(PermissionDenied):
                protocol.change_parameters(
                    study=study, changes={"target_words": 400}, by=a_member(study, role).user
                )

    def test_changing_a_design_leaves_old_and_new_values_and_its_hash_in_the_trail(self) -> None:
        study = a_study()
        day = date(2027, 3, 1)
        change(study, writing_minutes=None, fee_per_answer=Decimal("12.5"), writing_due_on=day, target_words=400)
        [event] = changes_of(study)
        assert event.actor == coordinator_of(study)
        assert event.detail["changes"] == {
            "writing_minutes": [30, None],
            "fee_per_answer": ["0.00", "12.50"],
            "writing_due_on": [None, "2027-03-01"],
        }
        assert event.detail["design_sha256"] == design_sha256(Study.objects.get(pk=study.pk))

    def test_changing_nothing_in_a_design_leaves_no_trace(self) -> None:
        study = a_study()
        assert change(study, target_words=400, profile_questions=study.profile_questions, title=study.title) == ()
        assert changes_of(study) == []

    @pytest.mark.parametrize(
        ("changes", "complaint"),
        [
            (
                {"ratings_per_prompt": 201},
                "^“Ratings of each prompt” has to be 200 or less.",
            ),
            ({"target_words": 500}, "the band has to contain the target"),
            ({"human_answers_per_item": 8, "answers_per_prompt": 8}, "between 1 and 8 answers"),
            ({"human_answers_per_item": 2}, "an item cannot show more human answers than its prompt collects"),
            (
                {"human_answers_per_item": 2, "answers_per_prompt": 2, "model_answers_per_item": 0}
                | {"quality_floor_prompts": 1},
                "a deliberately weak answer takes the place of a model answer",
            ),
            ({"profile_questions": ["country", "ideology"]}, "its instrument is needed"),
            ({"profile_questions": ["country", "r1_institution"]}, "the highest degree has to be too"),
            ({"ideology_instrument": "low = 1"}, "labels must name at least two choices"),
            ({"judging_mode": "duel"}, "What judges give: Value 'duel' is not a valid choice"),
        ],
    )
    def test_what_contradicts_in_a_design_is_refused_in_words(
        self, changes: dict[str, Any], complaint: str
    ) -> None:
        study = a_study()
        before = design_sha256(study)
        with pytest.raises(Refused, match=complaint) as refused:
            change(study, **changes)
        assert refused.value.field in changes
        assert design_sha256(Study.objects.get(pk=study.pk)) == design_sha256(study) == before

    @pytest.mark.parametrize("human", [0, 1, 8, 9])
    def test_what_the_database_holds_of_parameters_together_is_refused_by_their_names(self, human: int) -> None:
        """The constraints' own sentences name no parameter, so nothing gets as far as them."""
        study = a_study()
        for prompt, model, target in product((0, 8, 9), (0, 1), (379, 400, 421)):
            study.human_answers_per_item, study.model_answers_per_item = human, model
            study.answers_per_prompt, study.target_words, study.quality_floor_prompts = prompt, target, 0
            found = {name for each in contradictions(study) for name in each.names}
            try:
                study.validate_constraints()
            except ValidationError:
                assert found
            else:
                assert not found

    def test_a_design_takes_an_instrument_with_its_question(self) -> None:
        study = a_study()
        change(study, profile_questions=["country", "ideology"], ideology_instrument=INSTRUMENT)
        people_section = next(section for section in SECTIONS if section.key == "people")
        values = {line.name: line.value for line in section_lines(study, people_section).lines}
        assert values["ideology_instrument"] == "2 questions"
        assert values["profile_questions"] == "Country, Political orientation"


class TestConsent:
    def test_a_new_consent_text_has_a_version_of_its_own(self) -> None:
        study = a_study()
        first = study.consent_version
        change(study, consent_text="You write.\r\nYou stop when you want.")
        assert (study.consent_version, study.consent_text) == (f"{first}.1", "You write.\nYou stop when you want.")
        change(study, consent_text="You write, or you judge.")
        assert study.consent_version == f"{first}.2"
        change(study, consent_text="You write, or you judge.")
        assert study.consent_version == f"{first}.2"

    def test_whoever_agreed_to_the_consent_text_before_is_asked_again(self) -> None:
        study = a_study()
        writer, gone = a_member(study, Role.WRITER), a_member(study, Role.JUDGE)
        Consent.objects.filter(participation=gone).update(withdrawn_at="2027-01-01T00:00Z")
        agreed = Consent.objects.get(participation=writer)
        change(study, consent_text="What you do is recorded.")
        writer, gone = (members_of(study, role)[0] for role in (Role.WRITER, Role.JUDGE))
        assert not has_consented(writer)
        assert Consent.objects.get(participation=gone).withdrawn_at
        asked = AuditEvent.objects.get(study=study, verb="consent.asked_again", subject=writer.pseudonym)
        assert (asked.detail["version"], asked.detail["text_sha256"]) == (agreed.version, agreed.text_sha256)
        agree(writer)
        assert Consent.objects.get(participation=writer).version == study.consent_version

    def test_other_changes_of_the_design_leave_agreements_alone(self) -> None:
        study = a_study()
        writer = a_member(study, Role.WRITER)
        change(study, target_words=410)
        assert Consent.objects.filter(participation=writer).exists()


def test_a_design_under_which_judging_could_never_open_is_not_locked() -> None:
    """Of two answers where all are models', four of each model: that does not divide."""
    study = a_study(source_attribution_prompts=1, answers_per_target_in_attribution=4)
    with pytest.raises(Refused, match="that does not divide"):
        locked(study)
    change(study, answers_per_target_in_attribution=2)
    locked(study)


def test_the_lock_goes_by_the_design_as_it_is_and_not_as_somebody_read_it_before() -> None:
    study = a_study(prompts=3)
    stale = Study.objects.get(pk=study.pk)
    change(study, quality_floor_prompts=2, target_words_high=450)
    locked(stale)
    assert PromptPlan.objects.filter(prompt__study=study, kind=Kind.QUALITY_FLOOR).count() == 2
    published = AuditEvent.objects.get(study=study, verb="study.lock_design").detail["design_sha256"]
    assert published == design_sha256(Study.objects.get(pk=study.pk))


class TestPresets:
    def test_presets_fill_in_everything_but_what_a_study_decides_for_itself(self) -> None:
        study = a_study(slug="own", prompts=0)
        change(study, consent_text="Own words.", fee_per_item=Decimal(9), profile_questions=["country"])
        announced = {line.label: (line.now, line.then) for line in preset_changes(study, "pilot")}
        assert announced["Minutes for an answer"] == ("30", "20")
        assert announced["What judges give"] == ("Scores on every dimension", "A direct ranking")
        assert "Models" in announced
        changed = protocol.fill_in(study=study, preset="pilot", by=coordinator_of(study))
        assert len(changed) == len(announced) + 1  # and the preset's name
        assert (study.preset, study.writing_minutes, study.ratings_per_prompt) == ("pilot", 20, 5)
        assert (study.consent_text, study.fee_per_item, study.profile_questions) == (
            "Own words.",
            Decimal(9),
            ["country"],
        )
        assert preset_changes(study, "pilot") == ()
        assert protocol.fill_in(study=study, preset="pilot", by=coordinator_of(study)) == ()

    def test_presets_are_named_beside_a_value_where_theirs_differs(self) -> None:
        study = a_study(writing_minutes=25, answers_per_prompt=5)
        others = "audit of benchmarks and constitutional trial"
        assert presets_beside(study, "writing_minutes") == f"full study, {others}: 30 · pilot: 20"
        assert presets_beside(study, "answers_per_prompt") == f"full study: 10 · {others}: 0"
        assert presets_beside(study, "target_words") == ""
        study.target_words = 390
        assert presets_beside(study, "target_words") == f"full study, pilot, {others}: 400"
        assert presets_beside(study, "consent_text") == ""

    def test_presets_are_refused_once_the_design_is_locked(self) -> None:
        study = in_state(a_study(), "writing")
        with pytest.raises(Refused, match="fixed since the design was locked"):
            protocol.fill_in(study=study, preset="pilot", by=coordinator_of(study))


class TestRubric:
    def test_the_rubric_is_frozen_by_its_hash_and_recorded(self) -> None:
        study = a_study()
        before, hash_before = study.rubric_id, design_sha256(study)
        protocol.choose_rubric(study=study, toml=CONSTITUTIONAL, by=coordinator_of(study))
        assert study.rubric.slug == "constitutional_reasoning"
        [event] = changes_of(study)
        assert event.detail["changes"] == {"rubric_id": [before, study.rubric_id]}
        assert event.detail["design_sha256"] == design_sha256(study) != hash_before

    def test_the_rubric_cannot_be_exchanged_once_judges_see_it(self) -> None:
        study = a_judging_study(1, 1, 1)
        with pytest.raises(Refused, match="“Rubric” is fixed since judging opened"):
            protocol.choose_rubric(study=study, toml=CONSTITUTIONAL, by=coordinator_of(study))

    def test_a_rubrics_file_that_is_none_is_refused_by_its_key(self) -> None:
        study = a_study()
        wrong = CONSTITUTIONAL.replace('combine = "mean"', 'combine = "best"')
        with pytest.raises(RubricError, match="combine must be one of sum, mean"):
            protocol.choose_rubric(study=study, toml=wrong, by=coordinator_of(study))
        assert changes_of(study) == []


class TestCloning:
    def test_cloning_copies_what_was_decided_and_nobody(self) -> None:
        study = a_study(prompts=2, human_answers_per_item=1)
        change(study, writing_due_on=date(2027, 3, 1), fee_per_answer=Decimal("12.50"), description="Why.")
        protocol.choose_rubric(study=study, toml=CONSTITUTIONAL, by=coordinator_of(study))
        a_member(study, Role.WRITER)
        prompt = study.prompts.get(code="HLE_02")
        prompt.disciplines, prompt.title = ["Law"], "Towns"
        prompt.save()
        by = coordinator_of(in_state(study, "released"))
        copy = protocol.clone_study(study=study, slug="again", title=" Once  more ", with_prompts=True, by=by)
        copy.refresh_from_db()
        assert (copy.slug, copy.title, copy.state, copy.cloned_from) == ("again", "Once more", "design", study)
        assert (copy.fee_per_answer, copy.writing_due_on, copy.description) == (Decimal("12.50"), None, "Why.")
        assert copy.rubric_id == study.rubric_id
        assert [(p.code, p.domain, p.title, p.disciplines) for p in copy.prompts.all()] == [
            ("BBQ_01", "BBQ", "", []),
            ("HLE_02", "HLE", "Towns", ["Law"]),
        ]
        assert [(member.user, member.role) for member in copy.participations.all()] == [(by, Role.COORDINATOR)]

    def test_a_clone_is_for_its_coordinator_under_a_name_that_is_free(self) -> None:
        study = a_study()
        stranger = a_person("Some Stranger")
        with pytest.raises(PermissionDenied):
            protocol.clone_study(study=study, slug="mine", title="Mine", with_prompts=False, by=stranger)
        with pytest.raises(Refused, match="“trial” is taken"):
            protocol.clone_study(
                study=study, slug="trial", title="Mine", with_prompts=False, by=coordinator_of(study)
            )


class TestArchiving:
    @pytest.mark.parametrize("state", STUDY.states)
    def test_archiving_puts_a_study_away_and_brings_it_back_in_any_state(self, state: str) -> None:
        study = in_state(a_study(), state)
        by = coordinator_of(study)
        for _ in range(2):
            protocol.archive(study=study, by=by)
        study.refresh_from_db()
        assert (study.archived_by, study.state) == (by, state)
        for _ in range(2):
            protocol.bring_back(study=study, by=by)
        study.refresh_from_db()
        assert (study.archived_at, study.archived_by) == (None, None)
        verbs = AuditEvent.objects.filter(study=study, verb__in=("study.archived", "study.brought_back"))
        assert [event.verb for event in verbs] == ["study.archived", "study.brought_back"]

    def test_archiving_is_for_coordinators_and_administrators(self) -> None:
        study = a_study()
        protocol.archive(study=study, by=a_person("Ada Administrator", is_staff=True))
        with pytest.raises(PermissionDenied):
            protocol.bring_back(study=study, by=a_member(study, Role.RESEARCHER).user)
