"""Questions in other words, answers to them, and marks by models and by people who are told no model."""

import json
import re

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.benchmarks.models.benchmarks import Benchmark
from annotation.benchmarks.models.marks import AnswerMark
from annotation.benchmarks.services.marks import mark
from annotation.platform.core.errors import Refused
from annotation.study.models.participation import Role
from generation.benchmarks.models import ModelMark, Prediction, Wording
from generation.benchmarks.services.model_marks import plan_model_marks
from generation.benchmarks.services.people_marks import give_answers_to_mark, give_rephrasings_to_check
from generation.benchmarks.services.rephrasings import plan_rephrasings
from generation.calls.models import GenerationRun
from generation.calls.services import planning
from generation.calls.services.claiming import Outgoing
from generation.catalogue.models import Target
from generation.providers.base import Reply
from tests.clients import signed_in
from tests.factories import coordinator_of, members_of
from tests.generation.benchmarks.asked import a_frozen_audit, an_asked_audit, planned, started
from tests.generation.calls.model_runs import a_target, good, worked_off

pytestmark = pytest.mark.django_db


def filled(run: GenerationRun) -> GenerationRun:
    planning.fill_plan(run.pk)
    run.refresh_from_db()
    return run


def rephrasing(outgoing: Outgoing) -> Reply:
    """As many as are asked for, each with the question's own words and a number."""
    names = list(outgoing.request.schema["properties"])  # type: ignore[index]
    fenced = dict(re.findall(r"<(context|question)-\w{16}>\n(.*?)\n</", outgoing.request.prompt, re.S))
    replicate = outgoing.request.replicate
    parts = {name: f"{text} It is so said {replicate}." for name, text in fenced.items()}
    return good(
        json.dumps(
            {name: {**parts, "question": f"{number}: {fenced['question']}"} for number, name in enumerate(names)}
        )
    )


def a_rephrased_audit(*, one_each: bool = False) -> tuple[Benchmark, GenerationRun]:
    benchmark = a_frozen_audit()
    a_target(benchmark.study, "writer", role="prompts")
    run = filled(plan_rephrasings(benchmark=benchmark, by=coordinator_of(benchmark.study), one_each=one_each))
    worked_off(started(run), rephrasing)
    return benchmark, run


def test_one_call_rephrases_a_question_five_times_at_temperature_1_or_five_calls_do() -> None:
    benchmark, run = a_rephrased_audit()
    [writer] = run.materials["temperatures"]
    assert run.materials["temperatures"][writer] == 1
    assert run.calls.count() == 4, "the cleaned questions"
    assert Wording.objects.filter(kind="rephrased").count() == 20
    by = coordinator_of(benchmark.study)
    with pytest.raises(Refused, match="in the other way"):
        plan_rephrasings(benchmark=benchmark, by=by, one_each=True)
    with pytest.raises(Refused, match="compared with the questions as published"):
        plan_rephrasings(benchmark=benchmark, by=by, subset="corrected")
    Target.objects.filter(role="prompts").update(retired_at=timezone.now(), retired_by=by)
    a_target(benchmark.study, "another", role="prompts")
    more = filled(plan_rephrasings(benchmark=benchmark, by=by, subset="original"))
    numbers = more.calls.values_list("subject__wording__question__number", flat=True)
    assert sorted(numbers) == [2, 4], "what the retired model rephrased has five rephrasings already"
    answering = planned(benchmark, rephrased=True)
    assert answering.calls.count() == 20
    worked_off(started(answering), lambda _out: good("basket"))
    assert Prediction.objects.filter(wording__kind="rephrased", mode="singly").count() == 20


def test_five_calls_give_rephrasings_with_numbers_of_their_own() -> None:
    _, run = a_rephrased_audit(one_each=True)
    assert run.calls.count() == 20
    numbers = Wording.objects.filter(kind="rephrased", question__number=1).values_list("number", flat=True)
    assert sorted(numbers) == [1, 2, 3, 4, 5]


def test_a_reply_that_loses_a_name_is_asked_for_again_and_then_failed() -> None:
    benchmark = a_frozen_audit()
    a_target(benchmark.study, "writer", role="prompts")
    run = filled(plan_rephrasings(benchmark=benchmark, by=coordinator_of(benchmark.study)))
    reply = {f"rephrasing_{n}": {"context": "Somebody left.", "question": f"{n}?"} for n in range(1, 6)}
    worked_off(started(run), lambda _out: good(json.dumps(reply)))
    assert set(run.calls.values_list("state", flat=True)) == {"failed"}
    assert not Wording.objects.filter(kind="rephrased").exists()


def test_nothing_is_rephrased_without_a_model_for_it() -> None:
    benchmark = an_asked_audit()
    with pytest.raises(Refused, match="No model writes prompts"):
        plan_rephrasings(benchmark=benchmark, by=coordinator_of(benchmark.study), subset="original")


def test_a_judge_model_marks_each_answer_with_one_digit_and_is_told_no_model() -> None:
    benchmark = a_frozen_audit()
    a_target(benchmark.study, "judge", role="panel")
    by = coordinator_of(benchmark.study)
    with pytest.raises(Refused, match="No model has answered"):
        plan_model_marks(benchmark=benchmark, by=by)
    worked_off(started(planned(benchmark)), lambda _out: good("basket"))
    run = filled(plan_model_marks(benchmark=benchmark, by=by))
    asked = []

    def marking(outgoing: Outgoing) -> Reply:
        asked.append(outgoing.request)
        is_right = ">\nbasket\n</reference" in outgoing.request.prompt
        return good("1" if is_right else "0") if len(asked) > 1 else good("It is right: 1")

    worked_off(started(run), marking)
    assert {request.temperature for request in asked} == {0}
    assert not any("claude" in request.prompt for request in asked)
    assert ModelMark.objects.count() == 6
    assert ModelMark.objects.filter(is_right=True).count() == 3, "as the labels have it, one of them wrong"


def test_people_mark_answers_once_the_subsets_are_frozen_and_see_no_model() -> None:
    early = an_asked_audit(slug="early", models=("claude",))
    worked_off(started(planned(early)), lambda _out: good("basket"))
    with pytest.raises(Refused, match="once the subsets are frozen"):
        give_answers_to_mark(benchmark=early, by=coordinator_of(early.study))
    benchmark = a_frozen_audit()
    worked_off(started(planned(benchmark)), lambda _out: good("in the basket"))
    by = coordinator_of(benchmark.study)
    assert give_answers_to_mark(benchmark=benchmark, by=by) == 6
    assert give_answers_to_mark(benchmark=benchmark, by=by) == 0, "what was given out stays"
    [annotator, _] = members_of(benchmark.study, Role.ANNOTATOR)
    client = signed_in(annotator.user)
    first = AnswerMark.objects.filter(marker=annotator)[0]
    page = client.get(reverse("mark", args=[first.pk])).content.decode()
    assert "in the basket" in page
    assert "claude" not in page
    assert b"Begin marking" in client.get(reverse("study", args=[benchmark.study.slug])).content
    answer = client.post(reverse("mark_save", args=[first.pk]), {"verdict": "granularity"})
    first.refresh_from_db()
    assert (first.verdict, answer.status_code) == ("granularity", 302)
    client.post(reverse("mark_save", args=[first.pk]), {"verdict": ""})
    first.refresh_from_db()
    assert (first.verdict, first.revision) == ("", 2)
    [adjudicator] = members_of(benchmark.study, Role.ADJUDICATOR)
    assert signed_in(adjudicator.user).get(reverse("mark", args=[first.pk])).status_code == 404
    with pytest.raises(Refused, match="one of the verdicts"):
        mark(pk=first.pk, verdict="same", by=annotator.user)


def test_the_same_15_per_cent_of_rephrasings_are_checked_of_each_kind_of_question() -> None:
    benchmark, _ = a_rephrased_audit()
    assert give_rephrasings_to_check(benchmark=benchmark, by=coordinator_of(benchmark.study)) == 4, (
        "of five each of four kinds"
    )
    assert set(AnswerMark.objects.values_list("kind", flat=True)) == {"rephrasing"}
