"""Models' answers to a benchmark's questions: singly, in conversations, once more, and what stands of them."""

import io
from collections import Counter

import pytest
from django.urls import reverse

from analysis.benchmarks.core.audit_files import read_predictions
from annotation.platform.core.errors import Refused
from generation.benchmarks.core.asking import HISTORY, SINGLY
from generation.benchmarks.models import Prediction, Wording
from generation.benchmarks.selectors.predictions import predicted
from generation.benchmarks.services.rules import set_asking_rules
from generation.calls.models import Call
from generation.calls.services import asking_once_more
from generation.calls.services.claiming import Outgoing
from generation.providers.base import Outcome, Reply
from tests.annotation.benchmarks.audits import audit_in_design
from tests.annotation.benchmarks.tomi_stories import FALSE_BELIEF, a_benchmark
from tests.clients import signed_in
from tests.factories import coordinator_of
from tests.generation.benchmarks.asked import a_frozen_audit, an_asked_audit, planned, started
from tests.generation.calls.model_runs import a_target, good, worked_off

pytestmark = pytest.mark.django_db

QUESTIONS = 6
FREE = {"input": "0", "output": "0"}


def test_singly_each_question_is_asked_with_its_story_at_temperature_0_and_without_what_was_said_before() -> None:
    benchmark = an_asked_audit()
    run = started(planned(benchmark))
    asked = []

    def answering(outgoing: Outgoing) -> Reply:
        asked.append(outgoing.request)
        return good("basket")

    assert worked_off(run, answering).state == "finished"
    assert len(asked) == 2 * QUESTIONS
    for request in asked:
        assert request.prompt.startswith(FALSE_BELIEF)
        assert (request.temperature, request.earlier) == (0, ())
        assert "a single word" in request.system, "ToMi's answers are single words"
    assert Prediction.objects.filter(mode=SINGLY, after=None, words="basket").count() == 2 * QUESTIONS


def test_with_history_each_turn_repeats_story_and_question_after_the_models_own_replies_wrong_ones_too() -> None:
    run = started(planned(an_asked_audit(models=("claude",)), mode=HISTORY))
    asked = []

    def answering(outgoing: Outgoing) -> Reply:
        asked.append(outgoing.request)
        return good("on the moon" if len(asked) == 1 else "basket")

    worked_off(run, answering)
    texts = list(Wording.objects.order_by("question__number").values_list("text", flat=True))
    assert [request.prompt.split("Question: ")[1].split("\n")[0] for request in asked] == texts
    last = asked[-1]
    assert [exchange.reply for exchange in last.earlier] == ["on the moon", *["basket"] * 4]
    assert all(exchange.prompt.startswith(FALSE_BELIEF) for exchange in last.earlier)
    chain = list(Prediction.objects.order_by("wording__question__number"))
    assert [each.after_id for each in chain] == [None, *(each.pk for each in chain[:-1])]


def test_a_failed_reply_ends_its_story_and_what_comes_after_is_not_asked() -> None:
    benchmark = an_asked_audit(models=("claude",))
    run = started(planned(benchmark, mode=HISTORY))
    worked_off(run, lambda out: good("basket") if not out.request.earlier else Reply(Outcome.REFUSED, raw="{}"))
    assert [each.state for each in predicted(benchmark)] == ["answered", "failed", *["not asked"] * 4]


def test_asking_again_supersedes_what_follows_and_the_last_conversation_stands() -> None:
    benchmark = an_asked_audit(models=("claude",))
    run = started(planned(benchmark, mode=HISTORY))
    worked_off(run, lambda _out: good("trunk"))
    second = Call.objects.get(run=run, subject__wording__question__number=2)
    asking_once_more.ask_once_more(call=second, by=coordinator_of(benchmark.study))
    run.refresh_from_db()
    worked_off(run, lambda _out: good("basket"))
    words = [each.prediction.words for each in predicted(benchmark) if each.prediction]
    assert words == ["trunk", *["basket"] * 5]
    assert Prediction.objects.count() == 6 + 5, "what was answered before is kept"
    assert planned(benchmark, mode=HISTORY).state == "withdrawn", "nothing is left to ask"


def test_nothing_is_asked_before_the_design_is_locked_or_of_a_subset_that_is_not_frozen() -> None:
    study = audit_in_design()
    benchmark = a_benchmark(study)
    a_target(study, "claude")
    with pytest.raises(Refused, match="once the design is locked"):
        planned(benchmark)
    with pytest.raises(Refused, match="not frozen yet"):
        planned(an_asked_audit(slug="other"), subset="cleaned")


def test_the_rules_hold_for_every_request_and_stay_once_a_model_has_answered() -> None:
    benchmark = an_asked_audit(models=("claude",))
    by = coordinator_of(benchmark.study)
    set_asking_rules(benchmark=benchmark, says_one_word=False, output_tokens=10, temperature=0.5, by=by)
    run = started(planned(benchmark))
    asked = []

    def answering(outgoing: Outgoing) -> Reply:
        asked.append(outgoing.request)
        return good("basket")

    worked_off(run, answering)
    assert {(each.system, each.max_output_tokens, each.temperature) for each in asked} == {("", 10, 0.5)}
    with pytest.raises(Refused, match="answered already"):
        set_asking_rules(benchmark=benchmark, says_one_word=True, output_tokens=10, temperature=0, by=by)


def test_a_model_that_takes_no_temperature_is_sent_none() -> None:
    benchmark = an_asked_audit(models=())
    reasons = a_target(benchmark.study, "o1", provider="openai", model_id="gpt-5", price=FREE)
    run = planned(benchmark)
    assert run.materials["temperatures"] == {str(reasons.pk): None}


def test_corrected_words_are_asked_anew_and_what_is_asked_in_the_same_words_serves_every_subset() -> None:
    benchmark = a_frozen_audit()
    run = started(planned(benchmark))
    worked_off(run, lambda _out: good("basket"))
    assert run.calls.count() == QUESTIONS
    assert planned(benchmark, subset="cleaned").state == "withdrawn", "all was asked"
    corrected = planned(benchmark, subset="corrected")
    [call] = corrected.calls.all()
    assert Wording.objects.get(pk=call.subject_id).text == "Where does Nora look?"


def test_conversations_about_the_cleaned_questions_go_on_without_the_flawed_ones() -> None:
    benchmark = a_frozen_audit()
    worked_off(started(planned(benchmark, mode=HISTORY)), lambda _out: good("trunk"))
    run = started(planned(benchmark, mode=HISTORY, subset="cleaned"))
    assert run.calls.count() == 3, "the first question was asked so before; 2 and 4 are flawed"
    worked_off(run, lambda _out: good("basket"))
    said = {
        mode: [each.prediction.words for each in predicted(benchmark) if each.mode == mode and each.prediction]
        for mode in ("history", "history, cleaned")
    }
    assert said == {"history": ["trunk"] * 6, "history, cleaned": ["trunk", "basket", "basket", "basket"]}


def test_what_models_answered_is_read_by_the_analysis() -> None:
    benchmark = a_frozen_audit()
    worked_off(started(planned(benchmark)), lambda _out: good("basket"))
    worked_off(started(planned(benchmark, mode=HISTORY)), lambda _out: good("the trunk"))
    address = reverse("benchmark_prediction_file", args=[benchmark.study.slug, benchmark.pk])
    data = signed_in(coordinator_of(benchmark.study)).get(address).content
    read = read_predictions(("predictions.csv", io.BytesIO(data)), range(1, 7))
    assert Counter((each.mode, each.words) for each in read) == {
        ("singly", "basket"): 6,
        ("history", "the trunk"): 6,
    }
