"""What an address asks a list for may hold anything, also what no text in the database can."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from tests.clients import signed_in
from tests.factories import a_member, a_writing_study, coordinator_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    study = a_writing_study()
    a_member(study, Role.JUDGE)
    return study


@pytest.fixture
def client(study: Study) -> Client:
    return signed_in(coordinator_of(study))


def page(client: Client, study: Study, view: str, **query: Any) -> str:
    answer = client.get(reverse(view, args=[study.slug]), query)
    assert answer.status_code == 200, view
    return answer.content.decode()


def test_people_and_prompts_are_found_by_what_is_left_of_the_words(client: Client, study: Study) -> None:
    people = page(client, study, "study_people", words=" writer\0 1 ", role="\0writer")
    assert "W-0001" in people
    assert "J-0001" not in people
    prompts = page(client, study, "study_prompts", words="bbq\0_01", domain="\0BBQ")
    assert "BBQ_01" in prompts
    assert "HLE_02" not in prompts


@pytest.mark.parametrize(
    ("view", "names"),
    [
        ("study_people", ("words", "role", "page")),
        ("study_prompts", ("words", "domain", "page")),
        ("writing_desk", ("state", "page")),
        ("progress", ("state",)),
        ("reminders", ("idle", "page")),
        ("honoraria", ("page",)),
        ("certificate", ("task",)),
        ("study_design", ("prompts", "writers", "judges")),
        ("design_preview", ("prompts", "writers", "currency")),
        ("rubric_preview", ("standard",)),
    ],
)
def test_no_list_breaks_on_the_words_in_its_address(
    client: Client, study: Study, view: str, names: tuple[str, ...]
) -> None:
    page(client, study, view, **dict.fromkeys(names, "\0"))


def test_a_repair_is_planned_for_nobody_who_is_not_there(client: Client, study: Study) -> None:
    assert "has nothing to give" in page(client, study, "repair", task="writing", leaves="W\0", reason="\0")
