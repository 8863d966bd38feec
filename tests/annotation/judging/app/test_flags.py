"""A judge points something out to the coordinator, who learns no source by it."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.coordination.selectors.person_data import person_data
from annotation.judging.models.judging import BlindedSlot, JudgingItem
from annotation.judging.selectors.judging import item_page
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.users import User
from annotation.platform.models.work import Task
from annotation.study.models.flags import Flag
from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study
from tests.clients import signed_in
from tests.factories import a_judging_study, coordinator_of, judging_items_of, opened
from tests.work import perform

pytestmark = pytest.mark.django_db


def an_item(judges: int = 2) -> JudgingItem:
    return opened(judging_items_of(a_judging_study(1, 1, judges=judges, prompts=2))[0])


def raised(item: JudgingItem, words: str, *, about: str = "B") -> Client:
    judge = signed_in(item.participation.user)
    sent = {"about": about, "kind": "tells", "words": words}
    response = judge.post(reverse("judging_flag", args=[item.pk]), sent)
    assert response.status_code == 200, response.content.decode()
    return judge


def flags_page(study: Study) -> str:
    return signed_in(coordinator_of(study)).get(reverse("flags", args=[study.slug])).content.decode()


def scan() -> None:
    perform(Task.objects.get(kind="scan_flag", done_at=None))


def test_a_judge_s_words_are_read_only_once_they_were_scanned_and_without_whose_the_answer_is() -> None:
    item = an_item()
    text = BlindedSlot.objects.get(item=item, label="B").response.text
    quote = " ".join(text.split()[:12])
    writer = Participation.objects.filter(study=item.study, role=Role.WRITER).first()
    if writer is not None:
        User.objects.filter(pk=writer.user_id).update(name="Lena Quast")
    raised(item, f"It begins “{quote}”, and ends with: I am Claude, an AI model. Lena Quast writes so. Look at it.")
    assert "still being checked" in flags_page(item.study)
    assert "Look at it" not in flags_page(item.study)
    scan()
    page = flags_page(item.study)
    assert "Look at it." in page
    assert "Answer B" in page
    assert f"{item.participation.pseudonym}</a>, in their item {item.position}" in page, "as the judge knows it"
    assert item.prompt_version.text in page
    for told in (quote, "Claude", *(["Lena Quast"] if writer is not None else [])):
        assert told not in page
    assert quote not in Flag.objects.get().words
    assert not any("Look at it" in str(vars(event)) for event in AuditEvent.objects.all())


def test_a_flag_is_about_the_answer_that_was_read_or_asks_which() -> None:
    item = an_item()
    judge, address = signed_in(item.participation.user), reverse("judging_flag", args=[item.pk])
    assert '<option value="B" selected>' in judge.get(address, {"about": "B"}).content.decode()
    assert '<option value="" selected>' in judge.get(address).content.decode()
    assert judge.post(address, {"about": "", "kind": "tells", "words": "This one."}).status_code == 400


def test_a_flag_changes_no_item_and_reaches_no_other_judge() -> None:
    item = an_item()
    other = JudgingItem.objects.exclude(participation=item.participation).filter(prompt=item.prompt)[0]
    opened(other)
    before = [item_page(each.participation.user, each.pk) for each in (item, other)]
    judge = raised(item, "This one stops in the middle.")
    scan()
    assert [item_page(each.participation.user, each.pk) for each in (item, other)] == before
    stranger = signed_in(other.participation.user)
    for name in ("judging_item", "judging_flag"):
        assert "stops in the middle" not in stranger.get(reverse(name, args=[other.pk])).content.decode()
    assert stranger.get(reverse("judging_flag", args=[item.pk])).status_code == 404
    assert stranger.get(reverse("flags", args=[item.study.slug])).status_code == 403
    assert "stops in the middle" in judge.get(reverse("judging_flag", args=[item.pk])).content.decode()
    assert [one["words"] for one in person_data(item.participation.user)["studies"][item.study.slug]["flags"]] == [
        "This one stops in the middle."
    ]


def test_a_flag_is_dealt_with_once_and_the_same_words_twice_are_one() -> None:
    item = an_item(judges=1)
    raised(item, "The question has two negations.", about="question")
    raised(item, "The question has two negations.", about="question")
    flag = Flag.objects.get()
    assert flag.label == ""
    coordinator = signed_in(coordinator_of(item.study))
    coordinator.post(reverse("flag_settle", args=[flag.pk]), {"note": "Too early."})
    assert Flag.objects.get().settled_at is None, "nobody deals with what nobody has read"
    scan()
    progress = coordinator.get(reverse("progress", args=[item.study.slug])).content.decode()
    assert "Flagged by writers and judges" in progress
    said = [
        coordinator.post(reverse("flag_settle", args=[flag.pk]), {"note": note}, follow=True).content.decode()
        for note in ("It stays.", "Another note.")
    ]
    assert Flag.objects.get().note == "It stays."
    assert ["The flag is dealt with" in page for page in said] == [True, False]
    assert "had been dealt with already" in said[1], "nobody is told that a note was kept that was not"
    progress = coordinator.get(reverse("progress", args=[item.study.slug])).content.decode()
    assert "Flagged by writers and judges" not in progress


def test_nothing_is_flagged_once_judging_is_over_or_without_words() -> None:
    item = an_item(judges=1)
    address = reverse("judging_flag", args=[item.pk])
    judge = signed_in(item.participation.user)
    assert judge.post(address, {"about": "A", "kind": "other", "words": "  "}).status_code == 400
    assert judge.post(address, {"about": "H", "kind": "other", "words": "No such answer."}).status_code == 400
    Study.objects.update(state="closed")
    assert judge.post(address, {"about": "A", "kind": "other", "words": "Late."}).status_code == 400
    assert "Judging is closed" in judge.get(address).content.decode()
    assert not Flag.objects.exists()
