"""Reading, changing and switching a study's mails at changes of phase."""

import pytest
from django.urls import reverse

from annotation.notifications.models import NotificationWording
from annotation.notifications.selectors.wordings import wording_of
from annotation.study.models.studies import Study
from tests.clients import signed_in
from tests.factories import a_study, coordinator_of

pytestmark = pytest.mark.django_db
WORDS = {"is_on": "on", "subject": "Begin", "text": "Dear {name}, {work} <b>"}


def page(study: Study, **posted: str) -> tuple[int, str]:
    client, address = signed_in(coordinator_of(study)), reverse("notification", args=[study.slug, "writing_begun"])
    answer = client.post(address, posted, follow=True) if posted else client.get(address)
    return answer.status_code, answer.content.decode()


def test_a_mail_is_shown_as_the_reader_would_get_it() -> None:
    study = a_study()
    status, text = page(study)
    assert status == 200
    assert f"Dear {coordinator_of(study).name}," in text
    assert "3 answers to write, by 1 March 2031" in text


def test_a_preview_keeps_nothing_and_shows_what_was_typed() -> None:
    study = a_study()
    _, text = page(study, **WORDS)
    assert f"Dear {coordinator_of(study).name}, 3 answers to write, by 1 March 2031 &lt;b&gt;" in text
    assert not NotificationWording.objects.exists()


def test_saved_words_are_the_study_s() -> None:
    study = a_study()
    _, text = page(study, **WORDS, save="yes")
    assert "“Writing has begun” is saved." in text
    assert wording_of(study, "writing_begun").text == WORDS["text"]


def test_a_brace_that_stands_for_nothing_is_said_above_the_form_and_the_words_stay() -> None:
    status, text = page(a_study(), **{**WORDS, "text": "Dear {nmae}"}, save="yes")
    assert status == 400
    assert "“{nmae}” is not a placeholder." in text
    assert "Dear {nmae}" in text
