"""Votes of models on the quality of prompts: what they are asked, and what becomes of their replies."""

import json
from collections import Counter

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.platform.core.errors import Refused
from annotation.study.models.studies import Study
from generation.calls.models import Attempt, Call, GenerationRun
from generation.calls.services import recording
from generation.calls.services.good_replies import GoodReply
from generation.calls.services.purposes import purpose_of
from generation.calls.services.recording import Arrival
from generation.catalogue.core.prompt_templates import SHIPPED
from generation.catalogue.services import templates
from generation.prompts.models import QualityVote
from generation.prompts.services.quality_votes import QUALITY
from tests.factories import a_study, coordinator_of
from tests.generation.calls.model_runs import claimed, good, planned, worked_off
from tests.generation.panel.panels import texts_of
from tests.generation.prompts.candidates import GENERATORS, a_pool, prompt_models
from tests.generation.prompts.votes import SHALLOW, asked, call_of, generator_of, shallow, sound

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return a_study()


class TestAPlan:
    def test_a_plan_of_votes_has_every_model_vote_once_on_every_prompt(self, study: Study) -> None:
        pool = a_pool(study, scenarios=1)
        run = planned(study, purpose="quality", track="")
        places = Counter(Call.objects.filter(run=run).values_list("candidate", "target__family"))
        assert places == Counter((prompt.pk, family) for prompt in pool for family in GENERATORS)

    def test_a_plan_of_votes_among_others_leaves_out_what_a_model_wrote_itself(self, study: Study) -> None:
        a_pool(study, scenarios=1)
        run = planned(study, purpose="quality", track="", only={"scheme": "others"})
        calls = Call.objects.filter(run=run).select_related("target", "candidate__bundle__target")
        assert len(calls) == 15 * 2
        assert not any(call.target.family == generator_of(call.candidate) for call in calls)

    def test_a_plan_of_votes_about_all_asks_no_more_than_others_have_not_answered(self, study: Study) -> None:
        a_pool(study, scenarios=1)
        planned(study, purpose="quality", track="", only={"scheme": "others"})
        run = planned(study, purpose="quality", track="")
        assert sum(share.planned for share in run.shares.all()) == 15
        assert sum(share.known for share in run.shares.all()) == 30

    def test_a_plan_of_votes_about_some_sources_leaves_out_the_others(self, study: Study) -> None:
        pool = a_pool(study, sources=["BBQ", "HLE"], scenarios=1)
        wanted = {prompt.pk for prompt in pool if prompt.bundle.scenario.source.code == "HLE"}
        source = next(prompt.bundle.scenario.source for prompt in pool if prompt.pk in wanted)
        run = planned(study, purpose="quality", track="", only={"sources": [source.pk]})
        assert set(Call.objects.filter(run=run).values_list("candidate", flat=True)) == wanted

    def test_a_plan_of_votes_under_another_output_cap_asks_for_nothing_again(self, study: Study) -> None:
        a_pool(study, scenarios=1)
        asked(study, "quality")
        Study.objects.filter(pk=study.pk).update(output_token_cap=study.output_token_cap + 1)
        study.refresh_from_db()
        again = planned(study, purpose="quality", track="")
        assert again.stopped_because == "Nothing is missing: all of it was asked for before."

    def test_a_plan_of_votes_by_a_former_wording_says_whose_votes_count(self, study: Study) -> None:
        a_pool(study, scenarios=1, generators=["claude"])
        worked_off(asked(study, "quality"), sound)
        _reworded(study)
        worked_off(asked(study, "quality"), shallow)
        _reworded(study, SHIPPED["quality_vote"].text)
        again = planned(study, purpose="quality", track="")
        assert again.state == "withdrawn"
        assert "votes of another wording, asked for since, are those that count" in again.stopped_because

    def test_a_plan_of_votes_of_no_source_is_about_none(self, study: Study) -> None:
        a_pool(study, scenarios=1)
        with pytest.raises(Refused, match="no prompts to judge"):
            planned(study, purpose="quality", track="", only={"sources": []})

    def test_a_plan_of_votes_among_others_is_refused_where_all_was_written_by_the_only_judge(
        self, study: Study
    ) -> None:
        a_pool(study, scenarios=1, generators=["claude"])
        with pytest.raises(Refused, match="name another one"):
            planned(study, purpose="quality", track="", only={"scheme": "others"})

    def test_a_plan_of_votes_is_refused_without_prompts(self, study: Study) -> None:
        prompt_models(study)
        with pytest.raises(Refused, match="no prompts to judge"):
            planned(study, purpose="quality", track="")

    def test_a_plan_of_votes_foresees_the_length_of_each_request(self, study: Study) -> None:
        a_pool(study, scenarios=1, generators=["claude"])
        run = asked(study, "quality")
        foreseen = {wanted.candidate_id: wanted.characters for wanted in QUALITY.wanted(run)}
        for outgoing in claimed(run):
            assert len(outgoing.request.prompt) == foreseen[call_of(outgoing).candidate_id or 0]


class TestAReply:
    def test_a_reply_about_a_prompt_becomes_the_vote_of_its_model_with_all_it_says(self, study: Study) -> None:
        a_pool(study, scenarios=1, generators=["claude"])
        run = worked_off(asked(study, "quality"), shallow)
        assert run.state == "finished"
        votes = QualityVote.objects.filter(candidate__bundle__study=study)
        assert votes.count() == 5
        for vote in votes.select_related("call"):
            assert vote.call
            assert (vote.depth, vote.open_endedness, vote.generalisation, vote.passes) == (False, True, True, False)
            assert (vote.reason, vote.rejections) == (SHALLOW["reason"], [])
            assert (vote.candidate_id, vote.target_id) == (vote.call.candidate_id, vote.call.target_id)

    def test_a_reply_about_a_prompt_is_asked_for_about_its_words(self, study: Study) -> None:
        a_pool(study, scenarios=1, generators=["claude"])
        for outgoing in claimed(asked(study, "quality")):
            candidate = call_of(outgoing).candidate
            assert candidate
            assert texts_of(outgoing) == {"prompt": candidate.text}

    def test_a_reply_about_a_prompt_that_cannot_be_read_is_asked_for_again_and_given_up_in_the_end(
        self, study: Study
    ) -> None:
        study.panel_retries = 1
        study.save()
        a_pool(study, scenarios=1, generators=["claude"])
        run = worked_off(asked(study, "quality"), lambda _outgoing: good('{"passes": true}'))
        assert run.state == "finished"
        assert Counter(Attempt.objects.filter(call__run=run).values_list("outcome", "detail")) == {
            ("unreadable", "The reply lacks reason, depth, open_endedness, generalisation, rejections."): 10
        }
        assert set(Call.objects.filter(run=run).values_list("state", flat=True)) == {"failed"}
        assert not QualityVote.objects.exists()

    def test_a_vote_by_another_wording_takes_the_place_of_the_earlier_one(self, study: Study) -> None:
        a_pool(study, scenarios=1, generators=["claude"])
        worked_off(asked(study, "quality"), sound)
        _reworded(study)
        again = worked_off(asked(study, "quality"), shallow)
        votes = QualityVote.objects.filter(candidate__bundle__study=study)
        assert set(votes.values_list("call__run", "passes")) == {(again.pk, False)}
        assert votes.count() == 5

    def test_a_vote_by_an_older_wording_is_not_asked_for_any_more_once_a_newer_one_is_there(
        self, study: Study
    ) -> None:
        a_pool(study, scenarios=1, generators=["claude"])
        old = asked(study, "quality")
        _reworded(study)
        new = worked_off(asked(study, "quality"), sound)
        assert claimed(old) == []
        assert set(Call.objects.filter(run=old).values_list("state", flat=True)) == {"failed"}
        assert set(QualityVote.objects.values_list("call__run", flat=True)) == {new.pk}

    def test_a_vote_by_an_older_wording_that_comes_late_leaves_the_newer_vote_as_it_is(self, study: Study) -> None:
        a_pool(study, scenarios=1, generators=["claude"])
        old = asked(study, "quality")
        on_their_way = claimed(old)
        _reworded(study)
        new = worked_off(asked(study, "quality"), sound)
        recording.record(old.pk, [Arrival(each.attempt_id, shallow(each), 20) for each in on_their_way])
        assert set(QualityVote.objects.values_list("call__run", "passes")) == {(new.pk, True)}
        assert set(Attempt.objects.filter(call__run=old).values_list("outcome", flat=True)) == {"superseded"}

    def test_keeping_many_votes_takes_as_few_statements_as_keeping_one(self, study: Study) -> None:
        a_pool(study, scenarios=2)
        run = asked(study, "quality")
        good_ones = [GoodReply(call_of(outgoing), Attempt(), sound(outgoing)) for outgoing in claimed(run)]
        assert run.study
        assert len(good_ones) == 60  # twenty of each model, until it is known that it takes any
        for number in (1, 60):
            with CaptureQueriesContext(connection) as statements:
                purpose_of(run).requests(run, [each.call for each in good_ones[:number]])
            assert len(statements) == 3
            with CaptureQueriesContext(connection) as statements:
                assert purpose_of(run).accept(good_ones[:number], run=run) == {}
            assert len(statements) == 4
        assert QualityVote.objects.count() == 60

    def test_a_vote_on_a_released_study_is_not_taken_in(self, study: Study) -> None:
        assert QUALITY.closed(GenerationRun(study=study)) == ""
        study.state = "released"
        assert QUALITY.closed(GenerationRun(study=study)) == "The study is released: its prompts stay as they are."


def _reworded(study: Study, text: str = SHIPPED["quality_vote"].text + "\nBe brief.") -> None:
    templates.save_template(
        study=study, name="quality_vote", text=text, origin="Our own.", by=coordinator_of(study)
    )


def test_worked_examples_of_quality_are_shown_and_have_votes_asked_for_anew(study: Study) -> None:
    a_pool(study, scenarios=1, generators=["claude"])
    worked_off(asked(study, "quality"), sound)
    reply = "\n".join(f"{name} = {json.dumps(value)}" for name, value in SHALLOW.items())
    templates.save_template(
        study=study,
        name="quality_examples",
        text=f'[[examples]]\nprompt = "What is a queue?"\n[examples.reply]\n{reply}',
        origin="Our pilot.",
        by=coordinator_of(study),
    )
    run = asked(study, "quality")
    assert "examples:" in run.template_version
    [first, *others] = claimed(run)
    assert len(others) == 4
    assert "What is a queue?" in first.request.prompt
    assert texts_of(first)["prompt"] == call_of(first).candidate.text  # type: ignore[union-attr]


def test_worked_examples_of_quality_whose_verdict_contradicts_them_are_refused(study: Study) -> None:
    a_pool(study, scenarios=1, generators=["claude"])
    reply = "\n".join(f"{name} = {json.dumps(value)}" for name, value in {**SHALLOW, "passes": True}.items())
    templates.save_template(
        study=study,
        name="quality_examples",
        text=f'[[examples]]\nprompt = "What is a queue?"\n[examples.reply]\n{reply}',
        origin="Our pilot.",
        by=coordinator_of(study),
    )
    with pytest.raises(Refused, match="contradicts itself"):
        asked(study, "quality")
