"""A writer points out what is the matter with a question."""

import pytest
from django.urls import reverse

from annotation.study.models.flags import Flag
from tests.answers import begin
from tests.clients import signed_in
from tests.factories import a_writing_study, assignments_of, coordinator_of

pytestmark = pytest.mark.django_db


def test_a_writer_flags_the_question_and_the_coordinator_reads_it() -> None:
    answer = assignments_of(a_writing_study())[0]
    writer = signed_in(answer.participation.user)
    address = reverse("writing_flag", args=[answer.pk])
    assert writer.get(address).status_code == 404, "before the clock runs there is no question"
    begin(answer)
    assert address in writer.get(reverse("writing_room", args=[answer.pk])).content.decode()
    assert writer.post(address, {"kind": "tells", "words": "Of an answer."}).status_code == 400
    assert writer.post(address, {"kind": "unclear", "words": "Which village is meant?"}).status_code == 200
    page = signed_in(coordinator_of(answer.study)).get(reverse("flags", args=[answer.study.slug]))
    assert "Which village is meant?" in page.content.decode()
    assert Flag.objects.get().label == ""
