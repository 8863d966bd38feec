"""Answers by models: asked for as the protocol says, brought into the study once, and held to the word limit."""

from collections import Counter
from typing import Any

import pytest

from annotation.study.models.responses import Response
from annotation.study.models.studies import Study
from annotation.texts.models.provenance import Arm, Kind, PromptPlan, Stimulus
from annotation.texts.services import intake
from generation.answers.models import ModelAnswer
from generation.answers.services.answers import ANSWERS
from generation.calls.models import Attempt, Call, GenerationRun
from generation.calls.services import recording
from generation.calls.services.claiming import Outgoing
from generation.calls.services.recording import Arrival
from generation.providers import provider
from generation.providers.base import Reply
from tests.factories import coordinator_of
from tests.generation.calls.model_runs import (
    Answering,
    a_locked_study,
    by_its_provider,
    claimed,
    collected,
    good,
    started,
    worked_off,
)

pytestmark = pytest.mark.django_db


def texts_by_source(study: Study, *, arm: Arm = Arm.MODEL) -> Counter[tuple[str, str]]:
    stimuli = Stimulus.objects.filter(study=study, arm=arm).exclude(state="rejected")
    return Counter(stimuli.values_list("prompt__code", "source_code"))


def a_run_with_a_weak_answer(**of_targets: Any) -> GenerationRun:
    study = a_locked_study(prompts=2, families=("gpt",), quality_floor_prompts=1, of_targets=of_targets)
    return started(study)


def sent(run: GenerationRun, arm: Arm) -> Outgoing:
    """A request of the run that is about to leave."""
    return next(each for each in claimed(run) if Call.objects.get(pk=each.call_id).arm == arm)


class TestRequests:
    def test_requests_hold_one_turn_that_names_the_words_to_aim_at_and_to_stay_under(self) -> None:
        study = a_locked_study(prompts=1, families=("gpt",), target_words=400, model_word_limit=440)
        request = claimed(started(study))[0].request
        assert request.prompt.startswith("When, if ever, is it fair that 2 towns share one rule?")
        assert "400 words" in request.prompt
        assert "440 words" in request.prompt
        assert (request.effort, request.max_output_tokens, request.temperature) == ("medium", 16_000, None)

    def test_requests_for_weak_answers_are_the_ordinary_ones_but_hot(self) -> None:
        request = sent(a_run_with_a_weak_answer(), Arm.WEAK).request
        assert request.temperature == 1.5
        assert "Write your answer as continuous prose" in request.prompt

    def test_requests_for_weak_answers_say_so_where_the_model_takes_no_temperature(self) -> None:
        request = sent(a_run_with_a_weak_answer(weak_temperature=None), Arm.WEAK).request
        assert request.temperature is None
        assert "off the top of your head" in request.prompt

    def test_requests_for_weak_answers_say_so_where_a_temperature_would_be_lost(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(provider("demo"), "takes_temperature", lambda effort, options: False)  # noqa: ARG005
        request = sent(a_run_with_a_weak_answer(), Arm.WEAK).request
        assert request.temperature is None
        assert "off the top of your head" in request.prompt

    def test_requests_are_made_at_the_model_s_own_effort_where_it_has_one(self) -> None:
        run = started(a_locked_study(prompts=1, families=("gpt",), of_targets={"effort": "minimal"}))
        assert claimed(run)[0].request.effort == "minimal"

    def test_requests_of_the_maximum_track_are_made_at_the_study_s_highest_effort(self) -> None:
        study = a_locked_study(prompts=1, families=("gpt",), of_targets={"effort": "minimal"})
        assert claimed(started(study, track="maximum"))[0].request.effort == "high"

    def test_requests_of_the_maximum_track_state_no_length_and_no_answer_to_them_is_too_long(self) -> None:
        study = a_locked_study(
            prompts=1, families=("gpt",), target_words=412, model_word_limit=450, over_limit="retry"
        )
        run = started(study, track="maximum")
        [outgoing] = claimed(run)
        assert not any(words in outgoing.request.prompt for words in ("412", "450", "about"))
        recording.record(run.pk, [Arrival(outgoing.attempt_id, good("So it goes with towns. " * 200), 20)])
        assert Call.objects.get(run=run).state == "accepted"

    def test_requests_for_weak_answers_ask_for_the_length_of_the_others(self) -> None:
        assert "400 words" in sent(a_run_with_a_weak_answer(weak_temperature=None), Arm.WEAK).request.prompt

    def test_requests_take_as_many_queries_for_many_calls_as_for_one(self, django_assert_num_queries: Any) -> None:
        started_run = started(a_locked_study(prompts=4))
        run = GenerationRun.objects.select_related("study").get(pk=started_run.pk)
        calls = list(Call.objects.filter(run=run))
        for some in (calls[:1], calls):
            with django_assert_num_queries(2):
                assert len(ANSWERS.requests(run, some)) == len(some)


class TestCollecting:
    def test_collecting_answers_brings_every_wanted_text_into_the_study_once(self) -> None:
        study = a_locked_study(prompts=3)
        run = collected(study)
        assert run.state == "finished"
        assert set(texts_by_source(study).values()) == {1}
        assert len(texts_by_source(study)) == 6
        assert ModelAnswer.objects.filter(call__run=run).count() == 6

    def test_collecting_answers_shows_judges_the_normalised_text_and_keeps_the_model_s_own(self) -> None:
        run = collected(a_locked_study(of_targets={"options": {"markdown": True}}))
        for answer in ModelAnswer.objects.filter(call__run=run).select_related("response"):
            assert answer.raw_text != answer.response.text
            assert answer.response.word_count > 100
            assert "**" not in answer.response.text
            assert not answer.response.text.startswith("#")

    @pytest.mark.parametrize(
        "text", ["As an AI language model, I cannot take sides.", "Demo-gpt wonders whether towns can be fair."]
    )
    def test_collecting_answers_quarantines_a_text_that_gives_its_source_away(self, text: str) -> None:
        study = a_locked_study(prompts=1, families=("gpt",))
        collected(study, lambda _: good(text))
        assert Stimulus.objects.get(study=study).state == "quarantined"

    def test_collecting_keeps_answers_of_maximum_effort_in_an_arm_of_their_own(self) -> None:
        study = a_locked_study(prompts=2)
        collected(study, track="maximum")
        assert texts_by_source(study) == {}
        assert sum(texts_by_source(study, arm=Arm.MAXIMUM).values()) == 4

    def test_collecting_answers_gives_each_repetition_a_text_of_its_own(self) -> None:
        collected(a_locked_study(prompts=2, source_attribution_prompts=1))
        attribution = PromptPlan.objects.get(kind=Kind.SOURCE_ATTRIBUTION).prompt
        texts = list(Response.objects.filter(prompt=attribution).values_list("text", flat=True))
        assert len(texts) == len(set(texts)) == 4

    def test_collecting_answers_replaces_a_rejected_text_by_another(self) -> None:
        study = a_locked_study(prompts=1, families=("gpt",))
        collected(study)
        stimulus = Stimulus.objects.get(study=study)
        intake.decide(stimulus=stimulus, verb="reject", reason="Quotes itself.", by=coordinator_of(study))
        collected(study)
        one, other = Response.objects.filter(study=study).values_list("text", flat=True)
        assert one != other
        assert set(texts_by_source(study).values()) == {1}

    def test_collecting_answers_tries_again_what_failed_for_the_moment(self) -> None:
        run = collected(a_locked_study(prompts=3, of_targets={"options": {"fail_every": 3}}))
        outcomes = Counter(Attempt.objects.filter(call__run=run).values_list("outcome", flat=True))
        assert run.state == "finished"
        assert outcomes["ok"] == 6
        assert outcomes["retryable"] >= 2

    def test_collecting_answers_counts_a_text_of_marks_alone_as_empty_and_costs_the_others_nothing(self) -> None:
        def heading_only(outgoing: Outgoing) -> Reply:
            return good("***") if "2 towns" in outgoing.request.prompt else by_its_provider(outgoing)

        run = worked_off(started(a_locked_study()), heading_only)
        assert run.state == "finished"
        calls = Call.objects.filter(run=run, prompt_version__prompt__code="BBQ_01")
        assert set(calls.values_list("state", flat=True)) == {"failed"}
        assert set(Attempt.objects.filter(call__in=calls).values_list("outcome", flat=True)) == {"empty"}
        assert Call.objects.filter(run=run, state="accepted").count() == 2

    def test_collecting_answers_takes_nothing_in_once_judging_is_open_and_leaves_the_call_as_it_is(self) -> None:
        study = a_locked_study(prompts=1, families=("gpt",))
        run = started(study)
        [outgoing] = claimed(run)
        Study.objects.filter(pk=study.pk).update(state="judging")
        recording.record(run.pk, [Arrival(outgoing.attempt_id, good(), 20)])
        assert not Stimulus.objects.filter(study=study).exists()
        call = Call.objects.get(run=run)
        assert (call.state, call.attempts.get().outcome) == ("pending", "superseded")


class TestTheWordLimit:
    """The study asks for at most 440."""

    @staticmethod
    def replies(*words: int) -> Answering:
        """One after the other, texts of so many words."""
        texts = (" ".join(["word"] * number) + "." for number in words)
        return lambda _: good(next(texts))

    def test_the_word_limit_is_reported_only_unless_the_study_says_otherwise(self) -> None:
        study = a_locked_study(prompts=1, families=("gpt",), model_word_limit=440)
        collected(study, self.replies(500))
        assert Response.objects.get(study=study).word_count == 500

    def test_the_word_limit_makes_a_study_that_retries_take_the_first_text_within_it(self) -> None:
        study = a_locked_study(prompts=1, families=("gpt",), over_limit="retry", over_limit_attempts=3)
        run = collected(study, self.replies(500, 430))
        assert Response.objects.get(study=study).word_count == 430
        outcomes = Attempt.objects.filter(call__run=run).order_by("number").values_list("outcome", flat=True)
        assert list(outcomes) == ["over_limit", "ok"]

    def test_the_word_limit_makes_a_study_take_the_shortest_text_where_none_is_within_it(self) -> None:
        study = a_locked_study(prompts=1, families=("gpt",), over_limit="retry", over_limit_attempts=3)
        run = collected(study, self.replies(500, 450, 460))
        assert run.state == "finished"
        answer = ModelAnswer.objects.select_related("response", "attempt").get()
        assert (answer.response.word_count, answer.attempt.number) == (450, 2)
        assert Attempt.objects.filter(call__run=run).count() == 3
