"""After the last item a judge guesses who wrote some of the answers, once, and is told nothing about it."""

from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse

from analysis.ceremony.services import ceremony
from annotation.coordination.selectors.coordination import overview
from annotation.judging.models.judging import BlindedSlot, Guess, JudgingItem
from annotation.judging.selectors.own_items import items_of
from annotation.judging.services import guessing
from annotation.judging.services.guessing import Guessed
from annotation.people.selectors.own_studies import studies_of
from annotation.platform.core.errors import Refused
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from annotation.texts.models.provenance import ItemPlan, Kind, Stimulus
from tests.clients import signed_in
from tests.factories import (
    a_judging_study,
    a_member,
    coordinator_of,
    judging_items_of,
    members_of,
    opened,
    slots_of,
)
from tests.judging import client_of, events_of, submitted, url
from tests.remembered import remembered

pytestmark = pytest.mark.django_db


@pytest.fixture
@remembered
def study() -> Study:
    """Two judges, three items of two answers each, guesses about two of them. The first judge has submitted all."""
    study = a_judging_study(1, 1, judges=2, prompts=3, guess_items=2)
    for item in judging_items_of(study):
        submitted(item)
    return study


@pytest.fixture
def items(study: Study) -> list[JudgingItem]:
    """The items that the first judge is asked about."""
    return asked(study)


def asked(study: Study, *, judge: int = 0) -> list[JudgingItem]:
    return [item for item in judging_items_of(study, judge=judge) if item.asks_guess]


def guess(item: JudgingItem, *guesses: Guessed) -> None:
    """Guess about the answers in the order of their labels."""
    by_slot = dict(zip(slots_of(item).values(), guesses, strict=False))
    guessing.guess(item_id=item.pk, guesses=by_slot, by=item.participation.user)


def guessed(item: JudgingItem) -> JudgingItem:
    guess(item, Guessed("human", 4), Guessed("unknown"))
    return item


def kept(item: JudgingItem) -> dict[str, tuple[str, int | None]]:
    """Source and confidence by label."""
    rows = Guess.objects.filter(slot__item=item).values_list("slot__label", "source", "confidence")
    return {label: (source, confidence) for label, source, confidence in rows}


def form_of(item: JudgingItem, *guesses: tuple[str, str]) -> dict[str, str]:
    """The page's fields with source and confidence in the order of labels."""
    form: dict[str, str] = {}
    for slot, (source, confidence) in zip(slots_of(item).values(), guesses, strict=False):
        form |= {f"source:{slot}": source, f"confidence:{slot}": confidence}
    return form


# -- which items ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("setting", "number"), [(0, 0), (2, 2), (50, 3)])
def test_as_many_items_are_asked_about_as_the_study_says(setting: int, number: int) -> None:
    study = a_judging_study(1, 1, judges=2, prompts=3, guess_items=setting)
    assert [len(asked(study, judge=judge)) for judge in (0, 1)] == [number, number]


def test_items_of_every_kind_are_asked_about() -> None:
    study = a_judging_study(
        1, 1, judges=1, prompts=3, guess_items=3, quality_floor_prompts=1, source_attribution_prompts=1
    )
    assert {ItemPlan.objects.get(item=item).kind for item in asked(study)} == set(Kind)


# -- what is kept --------------------------------------------------------------------------------------------------


def test_guesses_are_kept_with_their_time_and_a_line_in_the_trail(items: list[JudgingItem]) -> None:
    item = items[0]
    guess(item, Guessed("model", 5), Guessed("human", 1))
    assert kept(item) == {"A": ("model", 5), "B": ("human", 1)}
    item.refresh_from_db()
    assert item.guessed_at is not None
    assert set(Guess.objects.filter(slot__item=item).values_list("guessed_at", flat=True)) == {item.guessed_at}
    line = events_of(item)[-1]
    assert (line.verb, line.actor, line.study, line.detail) == (
        "item.guessed",
        item.participation.user,
        item.study,
        {},
    )


def test_who_does_not_know_is_not_kept_as_sure(items: list[JudgingItem]) -> None:
    guess(items[0], Guessed("unknown", 5), Guessed("unknown"))
    assert kept(items[0]) == {"A": ("unknown", None), "B": ("unknown", None)}


def test_guesses_are_final(items: list[JudgingItem]) -> None:
    item = guessed(items[0])
    guess(item, Guessed("model", 1), Guessed("model", 1))
    assert kept(item) == {"A": ("human", 4), "B": ("unknown", None)}
    assert [event.verb for event in events_of(item)].count("item.guessed") == 1


@pytest.mark.parametrize(
    ("guesses", "reason"),
    [
        ((Guessed("human", 3),), "Still without a guess: B"),
        ((), "Still without a guess: A, B"),
        ((Guessed("human", 3), Guessed("model")), "Answer B: how sure are you"),
        ((Guessed("human", 0), Guessed("unknown")), "Answer A: how sure are you"),
        ((Guessed("human", 6), Guessed("unknown")), "Answer A: how sure are you"),
        ((Guessed("robot", 3), Guessed("unknown")), "Answer A: a person, a model"),
    ],
)
def test_of_guesses_with_one_that_is_none_nothing_is_kept(
    items: list[JudgingItem], guesses: tuple[Guessed, ...], reason: str
) -> None:
    with pytest.raises(Refused, match=reason):
        guess(items[0], *guesses)
    assert kept(items[0]) == {}
    assert JudgingItem.objects.get(pk=items[0].pk).guessed_at is None


def test_answers_of_another_item_are_not_guessed_about(items: list[JudgingItem]) -> None:
    item, other = items
    for foreign in (slots_of(other)["A"], uuid4()):
        guesses = {slot: Guessed("unknown") for slot in (*slots_of(item).values(), foreign)}
        with pytest.raises(Refused, match="not part of the item"):
            guessing.guess(item_id=item.pk, guesses=guesses, by=item.participation.user)
    assert not Guess.objects.exists()


# -- when ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", ["assigned", "open", "lapsed"])
def test_no_guess_is_taken_before_the_last_item_is_submitted(study: Study, state: str) -> None:
    first, second, third = judging_items_of(study, judge=1)
    submitted(first)
    submitted(second)
    if state != "assigned":
        opened(third)
        JudgingItem.objects.filter(pk=third.pk).update(state=state)
    item = next(item for item in asked(study, judge=1) if item != third)
    with pytest.raises(Refused, match="You have 1 item left to judge"):
        guessed(item)
    response = client_of(item).get(url("judging_guesses", item), follow=True)
    assert response.redirect_chain == [(reverse("study", args=[study.slug]), 302)]
    assert "Guesses come after your last item" in response.content.decode()


def test_an_item_that_was_cancelled_is_not_waited_for(study: Study) -> None:
    *done, cancelled = judging_items_of(study, judge=1)
    for item in done:
        submitted(item)
    JudgingItem.objects.filter(pk=cancelled.pk).update(state="cancelled")
    item = next(item for item in asked(study, judge=1) if item != cancelled)
    assert kept(guessed(item))


def test_no_guess_is_taken_after_judging_has_closed(study: Study, items: list[JudgingItem]) -> None:
    Study.objects.filter(pk=study.pk).update(state="closed")
    with pytest.raises(Refused, match="Judging is closed"):
        guessed(items[0])
    response = client_of(items[0]).post(url("judging_guesses", items[0]), {}, follow=True)
    assert "Judging is closed" in response.content.decode()


def test_closing_does_not_wait_for_guesses(study: Study) -> None:
    for item in judging_items_of(study, judge=1):
        submitted(item)
    researcher = a_member(study, Role.RESEARCHER).user
    ceremony.close_study(study=study, by=researcher, despite_missing=True)
    study.refresh_from_db()
    assert study.state == "closed"


# -- whose ---------------------------------------------------------------------------------------------------------


def test_nobody_else_guesses_in_a_judge_s_place(study: Study, items: list[JudgingItem]) -> None:
    unknown = {slot: Guessed("unknown") for slot in slots_of(items[0]).values()}
    for other in (members_of(study, Role.JUDGE)[1].user, coordinator_of(study)):
        with pytest.raises(PermissionDenied):
            guessing.guess(item_id=items[0].pk, guesses=unknown, by=other)
        client = signed_in(other)
        assert client.get(url("judging_guesses", items[0])).status_code == 404
        assert client.post(url("judging_guesses", items[0]), {}).status_code == 404


def test_an_item_that_is_not_asked_about_has_no_page(study: Study) -> None:
    [item] = [item for item in judging_items_of(study) if not item.asks_guess]
    assert client_of(item).get(url("judging_guesses", item)).status_code == 404
    with pytest.raises(PermissionDenied):
        guessed(item)


# -- the pages -----------------------------------------------------------------------------------------------------


def test_the_study_s_page_leads_from_one_item_to_the_next_and_thanks_at_the_end(
    study: Study, items: list[JudgingItem]
) -> None:
    client, home = client_of(items[0]), reverse("study", args=[study.slug])
    assert url("judging_guesses", items[0]) in client.get(home).content.decode()
    form = form_of(items[0], ("human", "4"), ("unknown", ""))
    assert client.post(url("judging_guesses", items[0]), form)["Location"] == url("judging_guesses", items[1])
    half = client.get(home).content.decode()
    assert "1 of 2" in half
    assert "Go on guessing" in half
    form = form_of(items[1], ("model", "2"), ("unknown", ""))
    last = client.post(url("judging_guesses", items[1]), form, follow=True)
    assert last.redirect_chain == [(home, 302)]
    assert "your guesses are kept" in last.content.decode()
    assert "judging_guesses" not in client.get(home).content.decode()
    assert [kept(item)["A"] for item in items] == [("human", 4), ("model", 2)]


def test_the_page_shows_prompt_letters_and_texts_and_asks_about_each_answer(items: list[JudgingItem]) -> None:
    page = client_of(items[0]).get(url("judging_guesses", items[0])).content.decode()
    assert items[0].prompt_version.text in page
    for slot in BlindedSlot.objects.filter(item=items[0]).select_related("response"):
        assert f"Who wrote answer {slot.label}?" in page
        assert all(paragraph in page for paragraph in slot.response.text.split("\n\n"))
    assert page.count('type="radio"') == 2 * (3 + 5)
    assert "Guesses are final" in page


@pytest.mark.parametrize(
    ("guesses", "wanted"),
    [
        (
            (),
            ["Answer A: a person, a model, or you don’t know?", "Answer B: a person, a model, or you don’t know?"],
        ),
        ((("human", "4"), ("model", "")), ["Answer B: how sure are you?"]),
        ((("human", "4"), ("robot", "2")), ["robot"]),
        ((("human", "4"), ("model", "9")), ["9"]),
    ],
)
def test_missing_guesses_are_named_and_those_chosen_are_kept(
    items: list[JudgingItem], guesses: tuple[tuple[str, str], ...], wanted: list[str]
) -> None:
    item = items[0]
    response = client_of(item).post(url("judging_guesses", item), form_of(item, *guesses))
    page = response.content.decode()
    assert response.status_code == 400
    assert "Nothing is sent yet" in page
    assert all(text in page for text in wanted)
    assert page.count(" checked") == sum(
        (source != "robot") + (confidence not in ("", "9")) for source, confidence in guesses
    )
    assert kept(item) == {}


def test_a_page_sent_twice_is_sent_once(items: list[JudgingItem]) -> None:
    item = items[0]
    client, form = client_of(item), form_of(item, ("human", "4"), ("unknown", ""))
    for again in (form, form_of(item, ("model", "1"), ("model", "1"))):
        assert client.post(url("judging_guesses", item), again)["Location"] == url("judging_guesses", items[1])
    assert kept(item) == {"A": ("human", 4), "B": ("unknown", None)}


def test_nothing_tells_whether_a_guess_is_right(study: Study, items: list[JudgingItem]) -> None:
    """Two judges' worth of pages: whoever guesses all right gets the same as whoever guesses all wrong."""
    arms = dict(Stimulus.objects.filter(study=study).values_list("response_id", "arm"))
    found = []
    for item, right in zip(items, (True, False), strict=True):
        client = client_of(item)
        form: dict[str, str] = {}
        for slot in BlindedSlot.objects.filter(item=item):
            is_model = arms[slot.response_id] == "model"
            form |= {f"source:{slot.pk}": "model" if is_model == right else "human", f"confidence:{slot.pk}": "5"}
        sent = client.post(url("judging_guesses", item), form)
        found.append((sent.status_code, sent.content, sorted(sent.headers)))
        receipt = client.get(url("judging_receipt", item)).content.decode().lower()
        assert not [word for word in ("correct", "right", "wrong", "by a model") if f" {word}" in receipt]
    assert found[0] == found[1]


# -- who may know --------------------------------------------------------------------------------------------------


def test_the_coordinator_counts_judges_and_learns_no_guess(study: Study, items: list[JudgingItem]) -> None:
    for number, item in enumerate(items):
        assert (overview(study).guessing.done, overview(study).guessing.total) == (0, 2), number
        guessed(item)
    assert (overview(study).guessing.done, overview(study).guessing.total) == (1, 2)
    home = reverse("study", args=[study.slug])
    page = " ".join(signed_in(coordinator_of(study)).get(home).content.decode().split())
    assert "1 of 2 judges guessed" in page
    assert "Closing does not wait for it" in page


def test_the_list_of_studies_names_the_last_step(study: Study, items: list[JudgingItem]) -> None:
    judge = items[0].participation
    assert [line.pending_work for line in studies_of(judge.user)] == ["Last step: guess who wrote the answers"]
    for item in items:
        guessed(item)
    assert [line.pending_work for line in studies_of(judge.user)] == ["Nothing to do: 3 items handed in"]


def test_a_judge_of_whom_nothing_is_asked_is_done_with_the_last_item() -> None:
    [item] = judging_items_of(a_judging_study(1, 1, judges=1, prompts=1, guess_items=0))
    submitted(item)
    assert items_of(item.participation).next_guess is None
    page = client_of(item).get(reverse("study", args=[item.study.slug])).content.decode()
    assert "That was all." in page
