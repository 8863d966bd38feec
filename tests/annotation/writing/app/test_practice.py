"""The practice room's page: for whom it is, and what is not on it. What happens there happens in the browser."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.study.models.participation import Role
from annotation.study.models.prompts import PromptVersion
from annotation.study.models.studies import Study
from tests.clients import signed_in
from tests.factories import a_member, a_writing_study, assignments_of, written

pytestmark = pytest.mark.django_db

INVITATION = "Practise for a minute first"


@pytest.fixture
def study() -> Study:
    return a_writing_study()


@pytest.fixture
def writer(study: Study) -> Client:
    return signed_in(assignments_of(study)[0].participation.user)


def test_consent_comes_before_practice(study: Study) -> None:
    newcomer = a_member(study, Role.WRITER, ready=False).user

    answer = signed_in(newcomer).get(reverse("writing_practice", args=[study.slug]))

    assert answer["Location"] == reverse("consent", args=[study.slug])


def test_the_page_knows_the_studys_aim_and_none_of_its_prompts(study: Study, writer: Client) -> None:
    Study.objects.filter(pk=study.pk).update(target_words=250, target_words_low=240, target_words_high=260)

    page = writer.get(reverse("writing_practice", args=[study.slug])).content.decode()

    assert "aim for about 250 (240–260)" in page
    assert not [version for version in PromptVersion.objects.all() if version.text in page]


def test_the_page_names_no_address_to_send_a_text_to(study: Study, writer: Client) -> None:
    page = writer.get(reverse("writing_practice", args=[study.slug])).content.decode()
    desk = page[page.index('<form class="desk') : page.index("</form>")]

    assert 'method="dialog"' in desk
    assert "action=" not in desk
    assert "-url=" not in desk


def test_practice_is_offered_before_the_first_answer_only(study: Study, writer: Client) -> None:
    home = reverse("study", args=[study.slug])
    assert INVITATION in writer.get(home).content.decode()

    written(assignments_of(study)[0])

    assert INVITATION not in writer.get(home).content.decode()
