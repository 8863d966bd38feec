"""Analysing a file in a browser: a panel's scores turn out to be of answers under pressure, and are read so."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from analysis.rating_files import services
from analysis.rating_files.models import RatingFile
from annotation.study.models.participation import Role
from tests.analysis.rating_files.files import pressure_csv
from tests.browsing import SignIn, check_every_look
from tests.factories import a_member, a_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_file_of_answers_under_pressure_is_brought_taken_for_what_it_is_explained_and_read(
    page: Page, sign_in: SignIn
) -> None:
    sign_in(page, a_member(a_study(), Role.RESEARCHER).user)
    page.goto(reverse("rating_files"))
    page.get_by_label("A panel’s scores").check()
    page.get_by_label("File", exact=True).set_input_files(
        {"name": "replies.csv", "mimeType": "text/csv", "buffer": pressure_csv().encode()}
    )
    page.get_by_role("button", name="Look at it").click()
    page.get_by_role("button", name="Read it as answers under pressure").click()
    expect(page.get_by_text("is now read as answers under pressure")).to_be_visible()
    expect(page.get_by_label("condition", exact=True)).to_have_value("condition")
    page.get_by_role("button", name="See what it is read as").click()
    expect(page.locator("#read-as")).to_contain_text("the prompt itself, with 40 replies; agree, with 40 replies")
    check_every_look(page)
    page.locator("#read-as").get_by_role("button", name="Analyse it so").click()
    expect(page.get_by_text("The analysis waits for a worker.")).to_be_visible()
    services.compute(RatingFile.objects.get().pk)
    expect(page.get_by_text("160 replies of a panel about 40 answers to 5 prompts")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="results.json").first.click()
    assert download.value.suggested_filename.endswith("results.json")
