"""Runs of models are counted within their study, and called by that number wherever people read of them."""

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from generation.calls.models import GenerationRun
from tests.clients import signed_in
from tests.factories import coordinator_of
from tests.generation.calls.model_runs import a_locked_study, planned

pytestmark = pytest.mark.django_db


def test_each_study_counts_its_runs_from_one_and_its_pages_call_them_so() -> None:
    other, study = a_locked_study("other"), a_locked_study("study")
    planned(other)
    runs = [planned(study), planned(study)]
    assert [run.number for run in runs] == [1, 2]
    assert runs[1].pk != 2
    client = signed_in(coordinator_of(study))
    page = client.get(reverse("run", args=[runs[1].pk])).content.decode()
    assert "Run 2 ·" in page
    assert "<h1>Run 2</h1>" in page.replace("\n", "").replace("  ", "")
    listed = client.get(reverse("study_runs", args=[study.slug])).content.decode()
    assert ">Run 1</a>" in listed
    assert ">Run 2</a>" in listed


@pytest.mark.parametrize("number", [None, 1])
def test_the_database_takes_no_run_of_a_study_without_a_number_of_its_own(number: int | None) -> None:
    run = planned(a_locked_study())
    with pytest.raises(IntegrityError), transaction.atomic():
        GenerationRun.objects.create(
            study=run.study, number=number, purpose="reading", template_version="one", planned_by=run.planned_by
        )


def test_a_run_of_a_file_has_no_study_and_is_known_by_its_key() -> None:
    run = GenerationRun.objects.create(purpose="reading", template_version="one")
    assert (run.number, run.known_as, str(run)) == (None, run.pk, f"run {run.pk} (reading)")
