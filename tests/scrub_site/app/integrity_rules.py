"""One line for each constraint of the database: a change of a row that breaks it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any
from uuid import UUID, uuid4

from django.db.models import F, Model
from django.utils import timezone

from analysis.blinding.models import SealedTable
from analysis.ceremony.models import UnblindingRequest
from analysis.frozen.models import FrozenTable
from analysis.rating_files.models import RatingFile, RatingFileResult
from analysis.release.models import Release
from analysis.report.models import AnalysisRun, RunFile
from annotation.assignment.models import AssignmentRepair, WorkGivenOut
from annotation.benchmarks.models.benchmarks import Benchmark, DrawnQuestion, MechanicalFinding, Question, Story
from annotation.benchmarks.models.marks import AnswerMark
from annotation.benchmarks.models.reviews import QuestionFlag, Review
from annotation.benchmarks.models.rulings import Correction, Ruling, Subset
from annotation.coordination.models.honoraria import Payment
from annotation.coordination.models.reminders import Reminder
from annotation.judging.models.judging import BlindedSlot, Guess, GuessOption, JudgingItem, RankedSlot, Score
from annotation.judging.models.traces import Dwell, Mark
from annotation.notifications.models import Notification, NotificationWording
from annotation.people.models import AccountMail
from annotation.platform.models.uptime import SitePause, UpPeriod, WriteCheck
from annotation.platform.models.users import User
from annotation.platform.models.work import Task
from annotation.study.models.flags import Flag
from annotation.study.models.participation import Invitation, Participation, Profile, Role
from annotation.study.models.prompts import Prompt, PromptVersion
from annotation.study.models.responses import Response
from annotation.study.models.studies import Study, StudyStep
from annotation.texts.models.model_readings import TextReading
from annotation.texts.models.provenance import HumanSet, ItemPlan, PromptPlan, Stimulus, TextClearance, TextEdit
from annotation.texts.models.seeds import StudySeed
from annotation.unblinders.models import OfficeChange, RecoveryPerson, Unblinder
from annotation.writing.models import (
    DraftRevision,
    LateText,
    OutageCredit,
    RewordingDecision,
    WaivedAnswer,
    WritingAssignment,
    WritingPause,
    WritingReceipt,
)
from generation.benchmarks.models import AskingRules, Prediction, Wording
from generation.calls.models import Attempt, Call, GenerationRun, OutcomeCount, ProviderBatch, RunShare, Subject
from generation.catalogue.models import StudyTemplate, Target
from generation.framing.models import FramedAnswer, FramedPrompt, Framing, FramingCheck, FramingSet
from generation.panel.models import GivenText, PanelScore
from generation.prompts.models import (
    Bundle,
    Candidate,
    PairVote,
    PromptMap,
    PromptSample,
    QualityVote,
    SampledPrompt,
    TextEmbedding,
)
from generation.sources.models import Document, ProposedConcept, Scenario, Source, StudySource
from generation.trials.models import CaseAnswer, ConclusionCode, TrialCase, TrialDesign, TrialScenario
from tests.factories import a_person

# What other constraints refer to; a row's own id makes it true by itself.
TRUE_BY_THE_KEY = {"participation_identity"}
# What another constraint refuses before it is looked at: here that an amount of 0 neither pays nor reverses.
TRUE_BY_ANOTHER = {"payment_is_of_something"}
BY_PERSON = {"quality_vote_of_reviewer_unique", "pair_vote_of_reviewer_unique"}


@dataclass(frozen=True)
class Rule:
    """A constraint, and a change of the first row that `where` finds (or of a copy of it) that breaks it.

    A value that is a function is given the row.
    """

    constraint: str
    model: type[Model]
    changes: dict[str, Any]
    where: dict[str, Any]
    copy: bool

    def break_it(self) -> None:
        row = self.model._default_manager.filter(**self.where)[:1].get()
        values = {name: value(row) if callable(value) else value for name, value in self.changes.items()}
        if self.copy:
            row.pk = uuid4() if self.model is BlindedSlot else None
            row._state.adding = True
            for name, value in values.items():
                setattr(row, name, value)
            row.save(force_insert=True)
        else:
            self.model._default_manager.filter(pk=row.pk).update(**values)


def change(constraint: str, model: type[Model], where: dict[str, Any] | None = None, **changes: Any) -> Rule:
    return Rule(constraint, model, changes, where or {}, copy=False)


def copy(constraint: str, model: type[Model], where: dict[str, Any] | None = None, **changes: Any) -> Rule:
    return Rule(constraint, model, changes, where or {}, copy=True)


def elsewhere(row: Any) -> int:
    """A prompt of the other study."""
    return Prompt.objects.exclude(study=row.study_id)[:1].get().pk


def other_version(row: Any) -> int:
    """A version of another prompt."""
    return PromptVersion.objects.exclude(prompt=row.prompt_id)[:1].get().pk


def another_answer(decision: RewordingDecision) -> int:
    return WritingAssignment.objects.exclude(pk=decision.assignment_id)[:1].get().pk


def another_response(slot: BlindedSlot) -> UUID:
    """An answer to the item's prompt that the item does not show."""
    shown = slot.item.slots.values("response")
    return Response.objects.filter(prompt=slot.item.prompt_id).exclude(pk__in=shown)[:1].get().pk


def any_response(_row: Any) -> UUID:
    return Response.objects.all()[:1].get().pk


def another_prompt(case: TrialCase) -> int:
    return Prompt.objects.exclude(pk=case.pk)[:1].get().pk


def member_as(role: Role, *, abroad: bool = False) -> Callable[[Any], int]:
    """Somebody else with this role, in the row's study or `abroad` in the other one."""

    def find(row: Any) -> int:
        others = Participation.objects.filter(role=role).exclude(pk=row.participation_id)
        others = others.exclude(study=row.study_id) if abroad else others.filter(study=row.study_id)
        return others[:1].get().pk

    return find


def another_question(review: Review) -> int:
    return Question.objects.exclude(pk=review.question_id)[:1].get().pk


def free_call(_row: Any) -> int:
    """A call that brought neither a vote nor prompts."""
    return Call.objects.filter(arm="model")[:1].get().pk


def new_subject(_row: Any) -> int:
    return Subject.objects.create(kind="framed prompt").pk


def another_version(framed: FramedPrompt) -> int:
    return PromptVersion.objects.exclude(pk=framed.prompt_version_id or 0)[:1].get().pk


def other_candidate(row: Any) -> int:
    return Candidate.objects.exclude(pk=row.candidate_id)[:1].get().pk


def an_office(_row: Any) -> int:
    return Unblinder.objects.order_by("pk")[0].pk


def now(_row: Any) -> Any:
    return timezone.now()


def before_it_was_opened(item: JudgingItem) -> Any:
    return item.opened_at and item.opened_at - timedelta(seconds=1)


ASSIGNED = {"state": "assigned"}
OPENED = {"opened_at__isnull": False}
WRITTEN = {"state": "submitted"}
SUBMITTED: dict[str, Any] = {"state": "submitted", "opened_at": now, "touched_at": now, "submitted_at": now}
WRITER, JUDGE = {"role": "writer"}, {"role": "judge"}
OPEN = {"decision": "open"}
ANSWERS = {"purpose": "answers"}
GOOD = {"depth": True, "open_endedness": True, "generalisation": True, "passes": True}

RULES = [
    # people
    copy("user_email_unique", User),
    copy("user_email_unique_ignoring_case", User, email=lambda row: row.email.upper()),
    copy("participation_one_role_per_person", Participation, WRITER, role="judge", pseudonym="J-NEW"),
    copy("participation_pseudonym_unique", Participation, user_id=lambda _: a_person("Nobody Yet").pk),
    change("participation_role_known", Participation, role="observer"),
    change("invitation_accepted_at_by", Invitation, accepted_at=now),
    change(
        "invitation_available_in_order",
        Invitation,
        available_from=date(2026, 3, 2),
        available_until=date(2026, 3, 1),
    ),
    change("invitation_role_known", Invitation, role="observer"),
    copy("invitation_one_open_per_address", Invitation, token_sha256="b" * 64),
    change("profile_years_plausible", Profile, years_experience=81),
    change(
        "participation_available_in_order",
        Participation,
        available_from=date(2026, 3, 2),
        available_until=date(2026, 3, 1),
    ),
    # unblinders
    copy("unblinder_once_per_person", Unblinder),
    change("unblinder_accepted_with_affiliation_and_account", Unblinder, affiliation=""),
    change("unblinder_ended_somehow", Unblinder, ended_at=now),
    change("unblinder_ending_known", Unblinder, ended_at=now, ending="tired"),
    change("office_change_known", OfficeChange, kind="rest"),
    copy("office_change_one_of_a_kind", OfficeChange),
    change("office_change_needs_a_second_person", OfficeChange, consented_at=now, consented_by=F("proposed_by")),
    change("office_change_consented_by_one", OfficeChange, consented_at=now),
    change("office_change_restores_an_account", OfficeChange, kind="restore"),
    change("recovery_asked_by_link", RecoveryPerson, asked_at=None),
    change(
        "unblinding_needs_a_second_office",
        UnblindingRequest,
        OPEN,
        requested_as=an_office,
        decided_as=an_office,
    ),
    # studies
    change("study_state_known", Study, state="paused"),
    change("study_word_band_around_target", Study, target_words_low=401),
    change("study_one_to_eight_answers_per_item", Study, human_answers_per_item=0, model_answers_per_item=0),
    change("study_enough_answers_for_a_set", Study, answers_per_prompt=1, human_answers_per_item=2),
    change("study_every_writer_prompt_is_timed_or_untimed", Study, writing_minutes=0),
    change("study_archived_at_by", Study, archived_at=now),
    copy("study_step_known", StudyStep, verb="reopen"),
    copy("work_given_out_once", WorkGivenOut),
    copy("work_given_out_task_known", WorkGivenOut, task="reading"),
    copy("assignment_repair_made_once", AssignmentRepair),
    copy("assignment_repair_task_known", AssignmentRepair, task="reading", digest="b" * 64),
    copy("prompt_code_unique", Prompt, position=99),
    copy("benchmark_name_unique", Benchmark),
    change("benchmark_layout_known", Benchmark, layout="unheard of"),
    change("benchmark_agreements_are_a_share", Benchmark, agreements_adjudicated=101),
    change("benchmark_reviewed_known", Benchmark, reviewed="some"),
    change("benchmark_shows_answers_to_what_was_missed", Benchmark, shows_answers=True),
    change("benchmark_sample_is_a_share", Benchmark, never_missed_sampled=0),
    change("drawn_question_weighs_one_at_least", DrawnQuestion, weight=0.5),
    copy("review_once_by_each", Review, position=99),
    copy("review_position_unique", Review, question_id=another_question),
    change("review_verdict_known", Review, verdict="maybe"),
    change("review_done_has_verdict", Review, done_at=now, verdict=""),
    copy("question_flag_once_in_a_review", QuestionFlag),
    change("question_flag_axis_known", QuestionFlag, axis="other", category="granularity_mismatch", flaw=""),
    change(
        "question_flag_scope_known",
        QuestionFlag,
        axis="evaluation",
        category="granularity_mismatch",
        flaw="",
        scope="page",
    ),
    change("question_flag_fits_its_axis", QuestionFlag, flaw=""),
    change("ruling_category_known", Ruling, category="dull"),
    change("ruling_fate_known", Ruling, fate="forgotten"),
    change("ruling_is_whole", Ruling, category=""),
    change("ruling_sound_stays", Ruling, category="none"),
    copy("correction_number_unique", Correction),
    copy("subset_once_of_each_kind", Subset),
    change("subset_kind_known", Subset, kind="best"),
    copy("story_number_unique", Story, key="2"),
    copy("story_key_unique", Story, number=2),
    copy("question_number_unique", Question),
    change("mechanical_finding_kind_known", MechanicalFinding, kind="unheard of"),
    copy("prompt_position_unique", Prompt, code="NEW_01"),
    copy("prompt_version_unique", PromptVersion),
    change("seed_revealed_after_commitment", StudySeed, revealed_at=F("committed_at") - timedelta(seconds=1)),
    # writing
    copy("writing_one_answer_per_prompt", WritingAssignment, ASSIGNED, position=99),
    copy("writing_position_unique", WritingAssignment, ASSIGNED, prompt_id=elsewhere),
    change("writing_is_for_writers", WritingAssignment, role="judge"),
    change("writing_state_known", WritingAssignment, ASSIGNED, state="lost"),
    change("writing_submission_has_response", WritingAssignment, ASSIGNED, submitted_at=now),
    change("writing_submitted_is_complete", WritingAssignment, ASSIGNED, state="submitted"),
    change("writing_deadline_after_start", WritingAssignment, WRITTEN, deadline_at=F("started_at")),
    change("writing_is_by_a_writer_of_the_study", WritingAssignment, participation_id=member_as(Role.JUDGE)),
    change("writing_prompt_of_the_study", WritingAssignment, ASSIGNED, prompt_id=elsewhere),
    change("writing_version_of_the_prompt", WritingAssignment, prompt_version_id=other_version),
    change("writing_paused_while_written", WritingAssignment, WRITTEN, paused_at=now),
    copy("revision_order_unique", DraftRevision),
    change("late_text_decision_has_person", LateText, decision="leave", decided_at=now),
    change("late_text_decided_or_open", LateText, decided_at=now, decided_by=lambda _: a_person("Cora").pk),
    change("late_text_decided_or_open", LateText, decision="use"),
    change("up_period_forwards", UpPeriod, seen_at=F("began_at") - timedelta(seconds=1)),
    copy("outage_decided_once", OutageCredit),
    change("outage_forwards", OutageCredit, ended_at=F("began_at")),
    copy("rewording_one_for_the_next_round", RewordingDecision, assignment_id=another_answer),
    change("rewording_decision_known", RewordingDecision, decision="open"),
    change("rewording_has_a_reason", RewordingDecision, reason=""),
    change("rewording_has_a_wording_unless_declined", RewordingDecision, wording=""),
    change("waived_answer_has_a_reason", WaivedAnswer, reason=""),
    copy("writing_one_open_pause", WritingPause),
    change("writing_pause_forwards", WritingPause, ended_at=F("began_at") - timedelta(seconds=1)),
    copy("writing_receipt_mailed_once", WritingReceipt),
    change("participation_feedback_has_time", Participation, feedback="It went well."),
    # texts
    copy("response_prompt_of_the_study", Response, prompt_id=elsewhere),
    change("stimulus_is_its_response", Stimulus, prompt_id=elsewhere),
    change("stimulus_arm_known", Stimulus, arm="robot"),
    change("stimulus_state_known", Stimulus, state="lost"),
    change("stimulus_admitted_once_read", Stimulus, {"state": "admitted"}, is_read=False),
    change("stimulus_received_unread", Stimulus, {"state": "admitted"}, state="received"),
    change("stimulus_held_unread_for_a_fault", Stimulus, {"state": "admitted"}, state="quarantined", is_read=False),
    copy("text_edit_number_unique", TextEdit),
    change("text_edit_has_a_reason", TextEdit, reason=""),
    copy("text_clearance_stands_once", TextClearance),
    change("text_clearance_has_a_reason", TextClearance, reason=""),
    change("text_clearance_withdrawn_by_for_a_reason", TextClearance, withdrawn_because="It names her."),
    change("text_withheld_once_withdrawn", TextClearance, is_withheld=True),
    change("stimulus_leak_severity_known", Stimulus, leak_severity=4),
    copy("text_reading_unique", TextReading),
    change("text_reading_verdict_known", TextReading, verdict=4),
    change("text_reading_quotes_what_leaks", TextReading, quote=""),
    # judging
    copy("judging_one_item_per_prompt", JudgingItem, position=99),
    copy("judging_position_unique", JudgingItem, prompt_id=elsewhere),
    change("judging_is_for_judges", JudgingItem, role="writer"),
    change("judging_state_known", JudgingItem, state="lost"),
    change("judging_submitted_is_complete", JudgingItem, ASSIGNED, state="submitted"),
    change("judging_submitted_is_complete", JudgingItem, ASSIGNED, submitted_at=now),
    change("judging_open_is_leased", JudgingItem, {"state": "open"}, leased_until=None),
    change("judging_touched_since_opened", JudgingItem, ASSIGNED, touched_at=now),
    change("judging_touched_since_opened", JudgingItem, OPENED, touched_at=None),
    change("judging_touched_since_opened", JudgingItem, OPENED, touched_at=before_it_was_opened),
    change("judging_hash_is_of_a_submission", JudgingItem, ASSIGNED, sha256="0" * 64),
    change("judging_guess_is_asked_and_last", JudgingItem, ASSIGNED, guessed_at=now),
    change("judging_guess_is_asked_and_last", JudgingItem, **SUBMITTED, asks_guess=False, guessed_at=now),
    change("judging_is_by_a_judge_of_the_study", JudgingItem, participation_id=member_as(Role.WRITER)),
    change("judging_prompt_of_the_study", JudgingItem, prompt_id=elsewhere),
    change("judging_version_of_the_prompt", JudgingItem, prompt_version_id=other_version),
    copy("slot_label_unique", BlindedSlot, response_id=another_response),
    copy("slot_response_unique", BlindedSlot, label="H"),
    change("slot_label_known", BlindedSlot, label="I"),
    change("slot_place_between_1_and_8", BlindedSlot, place=0),
    change("slot_place_between_1_and_8", BlindedSlot, place=9),
    copy("score_one_per_dimension", Score),
    change("score_at_most_100", Score, value=101),
    change("rank_between_1_and_8", RankedSlot, rank=0),
    change("rank_between_1_and_8", RankedSlot, rank=9),
    change("mid_rank_between_1_and_8", RankedSlot, mid_rank=8.5),
    change("guess_source_known", Guess, source="A robot"),
    copy("guess_option_unique", GuessOption),
    change("guess_confidence_1_to_5", Guess, confidence=0),
    change("guess_confidence_1_to_5", Guess, confidence=6),
    change("guess_confidence_1_to_5", Guess, confidence=None),
    change("guess_confidence_1_to_5", Guess, source="unknown"),
    change("mark_passage_has_both_ends", Mark, end=None),
    change("mark_passage_is_not_empty", Mark, end=F("start")),
    change("mark_says_something", Mark, start=None, end=None, note=""),
    change("flag_kind_known", Flag, kind="praise"),
    change("flag_label_known", Flag, label="Z"),
    change("flag_says_something", Flag, words=""),
    change("flag_settled_by_somebody", Flag, settled_at=F("raised_at")),
    copy("dwell_one_per_window", Dwell),
    change("dwell_depth_is_a_percentage", Dwell, depth=101),
    # allocation
    change("prompt_plan_kind_known", PromptPlan, kind="surprise"),
    copy("human_set_unique", HumanSet),
    change("item_plan_kind_known", ItemPlan, kind="surprise"),
    change("item_plan_attribution_has_no_human_set", ItemPlan, kind="source_attribution"),
    change("unblinding_reason_is_for_declining", UnblindingRequest, decline_reason="Too early."),
    # mails and honoraria
    copy("reminder_one_waiting_per_person", Reminder),
    change("reminder_withdrawn_at_by", Reminder, withdrawn_at=now),
    change("reminder_ends_in_one_way", Reminder, sent_at=now, skipped_at=now, skipped_because="All is done."),
    change("reminder_ends_in_one_way", Reminder, sent_at=now, withdrawn_at=now, withdrawn_by=F("asked_by")),
    change("reminder_skipped_for_a_reason", Reminder, skipped_at=now),
    change("reminder_skipped_for_a_reason", Reminder, skipped_because="All is done."),
    copy("notification_wording_one_each", NotificationWording),
    change("notification_wording_occasion_known", NotificationWording, occasion="lunch"),
    change("notification_occasion_known", Notification, occasion="lunch"),
    change("payment_back_reverses_one", Payment, amount=-20),
    change("payment_back_reverses_one", Payment, amount=0),
    change("payment_back_reverses_one", Payment, reverses=F("pk")),
    # work
    change("account_mail_secret_known", AccountMail, secret="all"),
    change("write_check_one_row", WriteCheck, id=2),
    change("site_pause_one_row", SitePause, id=2),
    copy("task_one_open_per_subject", Task, {"done_at": None}),
    change("task_lease_has_a_token", Task, leased_until=now, lease_token=None),
    change("task_lease_has_a_token", Task, leased_until=None, lease_token=UUID(int=1)),
    # generation
    copy("target_family_unique", Target),
    change("target_role_known", Target, role="poet"),
    change("target_retired_at_by", Target, retired_at=now),
    copy("study_template_number_unique", StudyTemplate),
    change("run_state_known", GenerationRun, state="lost"),
    change("run_is_of_one_purpose", GenerationRun, ANSWERS, mode="holistic"),
    change("run_is_of_one_purpose", GenerationRun, ANSWERS, purpose="panel"),
    change("run_with_a_study_is_somebodys", GenerationRun, planned_by=None),
    copy("run_number_unique", GenerationRun, ANSWERS),
    change("run_of_a_study_has_a_number", GenerationRun, ANSWERS, number=None),
    change("run_approved_at_by", GenerationRun, ANSWERS, approved_by=None),
    change("run_approved_has_a_cap", GenerationRun, ANSWERS, spend_cap=None),
    change("run_reserved_not_negative", GenerationRun, reserved=-1),
    copy("run_share_unique", RunShare),
    change("run_share_settles_what_is_planned", RunShare, failed=F("planned") + 1),
    copy("outcome_count_unique", OutcomeCount),
    change("batch_state_known", ProviderBatch, state="lent"),
    change("batch_sent_has_an_id", ProviderBatch, remote_id=""),
    change("call_state_known", Call, state="gone"),
    change("call_is_about_one_thing", Call, {"arm": "model"}, prompt_version=None, arm=""),
    change("call_is_about_one_thing", Call, {"arm": "model"}, given=lambda _: GivenText.objects.get().pk),
    change("call_for_an_answer_has_an_arm", Call, {"arm": "model"}, arm="human"),
    change("call_waits_for_another", Call, {"arm": "model", "leased_until": None}, state="waiting"),
    change("call_settled_is_nobodys", Call, {"leased_until__isnull": False}, state="accepted"),
    copy("attempt_number_unique", Attempt),
    change("attempt_ended_has_outcome", Attempt, ended_at=now),
    copy("panel_score_unique", PanelScore, {"response__isnull": False}),
    copy("panel_score_of_a_given_text_unique", PanelScore, {"response": None}),
    # from sources to prompts
    change("call_beside_is_another", Call, {"beside__isnull": False}, beside=F("candidate")),
    change("source_kind_known", Source, kind="rumour"),
    change("source_shape_known", Source, shape="rumour"),
    copy("scenario_key_unique", Scenario),
    copy("document_title_unique", Document),
    copy("proposed_concept_position_unique", ProposedConcept),
    change("proposed_concept_decided_at_by", ProposedConcept, decided_at=now),
    change("proposed_concept_verdict_is_whole", ProposedConcept, verdict="taken"),
    copy("study_source_unique", StudySource),
    copy("bundle_of_generator_and_scenario_unique", Bundle, call_id=free_call),
    copy("candidate_position_unique", Candidate),
    change("quality_vote_is_somebodys", QualityVote, call=None),
    copy("quality_vote_of_target_unique", QualityVote, call_id=free_call),
    change("quality_vote_passes_what_meets_every_criterion", QualityVote, passes=True, depth=False),
    change("pair_vote_in_order", PairVote, second=F("first")),
    change("pair_vote_is_somebodys", PairVote, target=None),
    copy("pair_vote_of_target_unique", PairVote, call_id=free_call),
    change("prompt_sample_scheme_known", PromptSample, scheme="few"),
    change("prompt_sample_taken_at_by", PromptSample, taken_at=now),
    copy("sampled_prompt_position_unique", SampledPrompt, code="BBQ_02", candidate_id=other_candidate),
    copy("sampled_prompt_code_unique", SampledPrompt, position=2, candidate_id=other_candidate),
    copy("sampled_prompt_candidate_unique", SampledPrompt, position=2, code="BBQ_02"),
    copy("text_embedding_unique", TextEmbedding),
    change("prompt_map_projection_known", PromptMap, projection="guess"),
    change("framing_set_needs_known_checks", FramingSet, needs=["luck"]),
    copy("framed_prompt_unique", FramedPrompt, subject_id=new_subject, code="BBQ_09"),
    copy("framed_prompt_code_unique", FramedPrompt, subject_id=new_subject, prompt_version_id=another_version),
    change("framed_prompt_is_of_study_or_pool", FramedPrompt, prompt_version=None),
    copy("framed_candidate_unique", FramedPrompt, {"prompt_version": None}, subject_id=new_subject, code="BBQ_09"),
    change("framed_prompt_is_checked_by_another", FramedPrompt, checker=F("rewriter")),
    copy("framing_version_unique", Framing, subject_id=new_subject),
    change("framing_is_somebodys", Framing, edited_by=None),
    change("framing_check_is_somebodys", FramingCheck, reviewer=None),
    copy("framing_check_of_reviewer_unique", FramingCheck),
    change("trial_design_turn_known", TrialDesign, turn="aside"),
    change("trial_design_margins_positive", TrialDesign, margin=0),
    copy("trial_scenario_key_unique", TrialScenario),
    change("trial_scenario_has_facts", TrialScenario, facts=[]),
    copy("conclusion_coded_once", ConclusionCode, {"is_settled": False}),
    copy("conclusion_settled_once", ConclusionCode, {"is_settled": True}),
    change("conclusion_has_a_category", ConclusionCode, category=""),
    copy("trial_case_unique", TrialCase, prompt_id=another_prompt),
    copy("case_answer_unique", CaseAnswer, subject_id=new_subject),
    change("case_answer_is_a_calls", CaseAnswer, text="So."),
    change("case_answer_controls_are_no_responses", CaseAnswer, is_control=True, response_id=any_response),
    copy("answer_mark_once_by_each", AnswerMark, position=99),
    copy("answer_mark_position_unique", AnswerMark, about=99),
    change("answer_mark_kind_known", AnswerMark, kind="song", verdict="", marked_at=None),
    change("answer_mark_fits_its_kind", AnswerMark, verdict="same"),
    change("answer_mark_marked_has_a_verdict", AnswerMark, marked_at=None),
    change("asking_rules_in_range", AskingRules, temperature=3),
    copy("wording_unique", Wording, subject_id=new_subject),
    change("wording_kind_known", Wording, kind="sung"),
    change("wording_rephrased_by_a_call", Wording, kind="rephrased", number=1),
    change("prediction_mode_known", Prediction, mode="alone"),
    change("prediction_singly_has_nothing_before", Prediction, after=F("pk")),
    change("prediction_says_something", Prediction, words=""),
    copy("framed_answer_unique", FramedAnswer, subject_id=new_subject),
    change("framed_answer_is_repeated_of_prompts_alone", FramedAnswer, replicate=3),
    # analysis
    copy("frozentable_unique", FrozenTable),
    copy("sealedtable_unique", SealedTable),
    copy("analysis_run_number_unique", AnalysisRun),
    change("analysis_run_kind_known", AnalysisRun, kind="half"),
    change("analysis_run_finished_is_hashed", AnalysisRun, finished_at=now),
    copy("run_file_name_unique", RunFile),
    change("rating_file_kind_known", RatingFile, kind="sums"),
    change("rating_file_finished_was_asked", RatingFile, finished_at=now),
    copy("rating_file_result_unique", RatingFileResult),
    change("unblinding_decided_at_by", UnblindingRequest, OPEN, decided_at=now),
    change(
        "unblinding_decision_known",
        UnblindingRequest,
        decision="maybe",
        decided_at=now,
        decided_by=lambda _: a_person("Second Researcher"),
    ),
    change(
        "unblinding_needs_a_second_person",
        UnblindingRequest,
        decision="approved",
        decided_at=now,
        decided_by=F("requested_by"),
    ),
    change("unblinding_decision_has_a_person", UnblindingRequest, decision="approved"),
    copy("unblinding_one_live_request", UnblindingRequest),
    copy("release_number_unique", Release),
    change("release_published_at_by", Release, number=None),
    change("release_published_is_prepared", Release, prepared_at=None),
    change("release_k_at_least_1", Release, k=0),
]
