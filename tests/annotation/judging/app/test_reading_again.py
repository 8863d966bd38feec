"""A judge reads the answers and their own notes again after submitting, while judging is open to them."""

import uuid

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.judging.models.judging import BlindedSlot
from annotation.judging.models.traces import Mark
from annotation.study.models.studies import Study
from tests.clients import signed_in
from tests.factories import opened
from tests.judging import an_item, submitted

pytestmark = pytest.mark.django_db


def test_answers_and_own_notes_are_read_again_until_judging_is_over() -> None:
    item = opened(an_item())
    slot = BlindedSlot.objects.select_related("response").get(item=item, label="B")
    now = timezone.now()
    Mark.objects.create(id=uuid.uuid4(), slot=slot, start=0, end=9, dimension="", note="Says who?", made_at=now)
    address, judge = reverse("judging_answers", args=[item.pk]), signed_in(item.participation.user)
    assert judge.get(address).url == reverse("judging_item", args=[item.pk])  # type: ignore[attr-defined]
    submitted(item)
    page = judge.get(address)
    for words in ("Says who?", slot.response.text.split("\n\n")[0][:40], slot.response.text[:9].strip()):
        assert words in page.content.decode()
    assert "<textarea" not in page.content.decode()
    assert page["Cache-Control"] == "private, no-store"
    assert address in judge.get(reverse("judging_receipt", args=[item.pk])).content.decode()
    Study.objects.update(state="closed")
    assert judge.get(address).url == reverse("judging_receipt", args=[item.pk])  # type: ignore[attr-defined]
    assert address not in judge.get(reverse("judging_receipt", args=[item.pk])).content.decode()
