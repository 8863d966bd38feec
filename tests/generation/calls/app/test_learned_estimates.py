"""Estimates learn: what a plan expects of replies is what came before, alike, and says how sure it is."""

from decimal import Decimal
from math import log, sqrt

import pytest
from django.urls import reverse

from generation.calls.models import Attempt, GenerationRun
from generation.calls.selectors.runs import run_page
from generation.calls.services import runs
from tests.clients import signed_in
from tests.factories import coordinator_of
from tests.generation.calls.model_runs import CAP, a_locked_study, collected, good, planned, study_of, worked_off

pytestmark = pytest.mark.django_db

PRICE = {"input": "2", "output": "10"}


def before(**parameters: object) -> GenerationRun:
    """A finished run of 60 answers at medium effort, with 500 and 700 output tokens by turns."""
    study = a_locked_study("before", prompts=60, families=("claude",), of_targets={"price": PRICE}, **parameters)
    run = collected(study, lambda _outgoing: good())
    for place, attempt in enumerate(Attempt.objects.filter(call__run=run).order_by("pk")):
        Attempt.objects.filter(pk=attempt.pk).update(output_tokens=500 + 200 * (place % 2))
    return run


def next_run(slug: str = "next", /, **parameters: object) -> GenerationRun:
    return planned(
        a_locked_study(slug, prompts=12, families=("claude",), of_targets={"price": PRICE}, **parameters)
    )


def expected(run: GenerationRun) -> dict[str, float]:
    [found] = run.materials["replies"].values()
    return dict(found)


def test_a_plan_expects_replies_as_long_as_those_that_came_before_and_tells_a_bound() -> None:
    assert expected(before())["replies"] == 0
    run = next_run()
    found = expected(run)
    assert (found["tokens"], found["replies"]) == (600, 60)
    assert found["deviation"] == pytest.approx(100 * sqrt(60 / 59))
    assert found["log_deviation"] == pytest.approx(log(7 / 5) / 2 * sqrt(60 / 59))
    share = run.shares.get()
    assert share.output_tokens == 12 * 600
    page = run_page(run)
    assert page.estimated
    assert page.likely_most
    assert page.worst
    assert page.estimated < page.likely_most < page.worst
    assert page.likely_most - page.estimated == Decimal("0.01")  # of 7 cents, rounded up
    shown = signed_in(coordinator_of(run.study)).get(reverse("run", args=[run.pk])).content.decode()  # type: ignore[arg-type]
    assert "in 95 of 100 cases less than" in shown


def test_a_plan_expects_to_be_read_in_as_many_tokens_as_what_came_before() -> None:
    def read(run: GenerationRun) -> float:
        share = run.shares.get()
        return share.input_tokens / share.planned

    assert read(before()) > 60, "a token for four characters, as long as nothing was seen"
    second = next_run()
    assert read(second) == pytest.approx(30, abs=1)
    runs.start_run(run=second, spend_cap=CAP, by=coordinator_of(study_of(second)))
    worked_off(second, lambda _outgoing: good())
    assert read(next_run("third")) == pytest.approx(30, abs=1), "also by what was estimated so itself"


@pytest.mark.parametrize("parameters", [{"matched_effort": "high"}, {"target_words": 300, "target_words_low": 280}])
def test_replies_to_what_was_asked_otherwise_tell_nothing(parameters: dict[str, object]) -> None:
    before()
    run = next_run(**parameters)
    assert expected(run)["replies"] == 0
    page = run_page(run)
    assert page.likely_most is None
    shown = signed_in(coordinator_of(run.study)).get(reverse("run", args=[run.pk])).content.decode()  # type: ignore[arg-type]
    assert "95 of 100" not in shown
