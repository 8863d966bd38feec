"""Plans of the same calls that are made at the same moment."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from generation.calls.models import Call, GenerationRun
from generation.calls.services import planning
from generation.catalogue.models import Target
from generation.catalogue.services import targets
from generation.panel.models import GivenText
from tests.generation.calls.engine import CALLS_PER_TEXT, PRICE

pytestmark = pytest.mark.django_db(transaction=True)

TEXTS = 300  # so many that neither plan is done before the other begins


def a_given_text(number: int) -> GivenText:
    return GivenText.objects.create(
        sha256=f"{number:064}", prompt_text="Who may decide?", response_text=str(number)
    )


def a_plan(texts: list[int], model: Target) -> GenerationRun:
    return planning.plan_run(
        study=None,
        by=None,
        purpose="panel",
        mode="holistic",
        presentation="alone",
        targets=[model],
        only={"given": texts},
    )


def test_two_plans_list_every_call_once_and_never_wait_for_each_other_in_a_circle() -> None:
    texts = [a_given_text(number).pk for number in range(TEXTS)]
    model = targets.add_target(
        study=None, role="panel", family="judge", provider="demo", model_id="demo", by=None, price=PRICE
    )
    plans = [a_plan(texts, model) for _ in range(2)]
    start = Barrier(len(plans))

    def make(plan: GenerationRun) -> None:
        start.wait()
        try:
            planning.fill_plan(plan.pk)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(plans)) as pool:
        list(pool.map(make, plans))

    counts = [(share.planned, share.known) for plan in plans for share in plan.shares.all()]
    assert sorted(counts) == [(0, TEXTS * CALLS_PER_TEXT), (TEXTS * CALLS_PER_TEXT, 0)]
    keys = list(Call.objects.order_by("pk").values_list("key", flat=True))
    assert keys == sorted(keys)
