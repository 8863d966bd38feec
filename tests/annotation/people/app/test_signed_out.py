"""What somebody meets whose session has ended in the meantime."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.study.models.studies import Study
from tests.factories import a_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return a_study()


def next_page(client: Client, **headers: str) -> str:
    """Where signing in leads after a form was posted without a session."""
    answer = client.post(reverse("lock_design", args=["trial"]), headers=headers)
    assert answer.status_code == 302
    page, _, query = answer["Location"].partition("?next=")
    assert page == reverse("account_login")
    return query


def test_a_form_leads_back_to_the_page_it_stood_on(client: Client, study: Study) -> None:
    assert next_page(client, referer="http://testserver/studies/trial/?x=1") == "/studies/trial/"


@pytest.mark.parametrize("sender", ["", "http://elsewhere.example/studies/trial/", "//elsewhere.example/"])
def test_a_form_from_elsewhere_leads_home(client: Client, study: Study, sender: str) -> None:
    assert next_page(client, referer=sender) == "/"


def test_nothing_is_done_and_nothing_is_shown_to_a_mere_visit(client: Client, study: Study) -> None:
    next_page(client)
    study.refresh_from_db()
    assert study.state == "design"
    visit = client.get(reverse("lock_design", args=["trial"]))
    assert (visit.status_code, visit["Allow"]) == (405, "POST")
    assert "It only takes what a form sends." in visit.content.decode()
