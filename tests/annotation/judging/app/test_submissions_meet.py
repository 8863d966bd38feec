"""A submission and what was given before it, beside it and after it: nothing is replaced or dropped unawares."""

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from annotation.judging.models.judging import BlindedSlot, JudgingItem
from annotation.judging.models.traces import Dwell
from annotation.judging.policies import MAX_CHARACTERS
from annotation.judging.services import judging, scoring
from annotation.judging.services.scoring import JustificationGiven, Read
from annotation.platform.core.errors import Refused
from annotation.study.models.participation import Consent
from tests.factories import opened, scored, slots_of
from tests.judging import (
    CLARITY,
    HOUR,
    an_item,
    client_of,
    opened_an_hour_ago,
    ranking_of,
    save,
    state_of,
    submit,
    url,
    verbs_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def item() -> JudgingItem:
    return opened_an_hour_ago(scored(an_item(1, 1, rationale="optional"), A=4, B=8))


# -- a justification of another window -----------------------------------------------------------------------------


def test_a_page_that_knew_all_saved_does_not_replace_a_justification_of_another_window(item: JudgingItem) -> None:
    save(item, justification=JustificationGiven("B weighs both sides."))
    with pytest.raises(Refused, match="The justification was changed in another window"):
        submit(item, justification="", is_saved=True)
    assert JudgingItem.objects.get(pk=item.pk).justification == "B weighs both sides."
    assert state_of(item) == "open"


def test_spaces_around_a_justification_are_no_change(item: JudgingItem) -> None:
    save(item, justification=JustificationGiven("B weighs both sides. "))
    assert submit(item, justification=" B weighs both sides.", is_saved=True).state == "submitted"


def test_a_justification_that_is_too_long_is_refused_with_the_submission_too(item: JudgingItem) -> None:
    with pytest.raises(Refused, match="at most 10,000 characters; this one has 10,001"):
        submit(item, justification="x" * (MAX_CHARACTERS + 1))
    assert state_of(item) == "open"


# -- the same item submitted twice ---------------------------------------------------------------------------------


def test_submitting_again_says_whether_what_was_sent_is_what_counts(item: JudgingItem) -> None:
    judge, slots = item.participation.user, slots_of(item)
    same = judging.Confirmed({slots["A"]: {CLARITY: 4}}, {}, "B leads.")
    other = judging.Confirmed({slots["A"]: {CLARITY: 9}}, {}, "B leads.")
    assert judging.submit_item(item_id=item.pk, by=judge, confirmed=same)
    assert judging.submit_item(item_id=item.pk, by=judge, confirmed=same)
    assert not judging.submit_item(item_id=item.pk, by=judge, confirmed=other)
    # Four dimensions of 4, and clarity of 4.
    assert ranking_of(item)["A"][2] == 20.0


def test_the_receipt_says_that_a_later_form_was_not_taken_in(item: JudgingItem) -> None:
    submit(item)
    form = {f"score:{slots_of(item)['A']}:{CLARITY}": "9"}
    page = client_of(item).post(url("judging_submit", item), form, follow=True).content.decode()
    assert "had been submitted already" in page
    assert "had been submitted already" not in client_of(item).get(url("judging_receipt", item)).content.decode()


# -- places --------------------------------------------------------------------------------------------------------


def test_places_that_came_with_the_form_are_there_when_the_item_is_taken_back() -> None:
    item = opened(an_item(2, 2, judging_mode="ranking"))
    places = dict(zip(slots_of(item).values(), (2, 1, 2, 4), strict=True))
    submit(item, places=places)
    judging.reopen(item_id=item.pk, by=item.participation.user)
    assert dict(BlindedSlot.objects.filter(item=item).values_list("pk", "place")) == places
    assert submit(item).state == "submitted"
    assert {label: rank for label, (rank, _, _) in ranking_of(item).items()} == {"A": 2, "B": 1, "C": 2, "D": 4}


# -- whose item it is, and whether it is one -----------------------------------------------------------------------


def test_nothing_more_is_kept_of_who_has_withdrawn_their_consent(item: JudgingItem) -> None:
    Consent.objects.update(withdrawn_at=timezone.now())
    for attempt in (
        lambda: save(item, scores=(scoring.ScoreGiven(slots_of(item)["A"], CLARITY, 10),)),
        lambda: save(item, justification=JustificationGiven("B leads.")),
        lambda: submit(item),
    ):
        with pytest.raises(Refused, match="withdrawn your consent"):
            attempt()
    assert state_of(item) == "open"


def test_a_cancelled_item_does_not_exist(item: JudgingItem) -> None:
    JudgingItem.objects.filter(pk=item.pk).update(state="cancelled", leased_until=None)
    with pytest.raises(JudgingItem.DoesNotExist):
        submit(item)
    assert client_of(item).post(url("judging_submit", item)).status_code == 404


def test_somebody_who_left_cannot_submit(item: JudgingItem) -> None:
    type(item.participation).objects.filter(pk=item.participation_id).update(left_at=timezone.now())
    with pytest.raises(PermissionDenied):
        submit(item)


# -- reading is not judging ----------------------------------------------------------------------------------------


def reading(item: JudgingItem, milliseconds: int = 5000) -> Read:
    return Read(slots_of(item)["A"], milliseconds, 60)


def test_looking_at_a_lapsed_item_does_not_take_it_up(item: JudgingItem) -> None:
    JudgingItem.objects.filter(pk=item.pk).update(state="lapsed")
    save(item, window="w", readings=(reading(item),))
    assert state_of(item) == "lapsed"
    assert "item.taken_up" not in verbs_of(item)
    assert Dwell.objects.get().milliseconds == 5000


def test_looking_at_an_open_item_does_not_extend_its_lease(item: JudgingItem) -> None:
    before = JudgingItem.objects.get(pk=item.pk).leased_until
    save(item, window="w", readings=(reading(item),))
    assert JudgingItem.objects.get(pk=item.pk).leased_until == before


def test_nobody_has_read_for_longer_than_the_item_has_been_open(item: JudgingItem) -> None:
    save(item, window="w", readings=(reading(item, 2**53 - 1),))
    kept = timedelta(milliseconds=Dwell.objects.get().milliseconds)
    assert HOUR <= kept < HOUR + timedelta(minutes=1)


def test_no_reading_is_kept_of_who_agreed_to_a_text_that_does_not_mention_it(item: JudgingItem) -> None:
    Consent.objects.update(version="2")
    save(item, window="w", readings=(reading(item),))
    assert not Dwell.objects.exists()


def test_only_so_many_windows_of_an_item_are_counted(item: JudgingItem) -> None:
    slot = slots_of(item)["A"]
    windows = [Dwell(slot_id=slot, window=f"w{number}") for number in range(scoring.MAX_WINDOWS)]
    Dwell.objects.bulk_create(windows)
    save(item, window="one more", readings=(reading(item),))
    save(item, window="w7", readings=(reading(item),))
    assert Dwell.objects.count() == scoring.MAX_WINDOWS
    assert Dwell.objects.get(window="w7").milliseconds == 5000


# -- the clock -----------------------------------------------------------------------------------------------------


def test_an_item_of_a_study_that_is_over_does_not_lapse_any_more(item: JudgingItem) -> None:
    JudgingItem.objects.filter(pk=item.pk).update(leased_until=timezone.now() - HOUR)
    item.study.state = "closed"
    item.study.save()
    judging.lapse(item_id=item.pk)
    assert state_of(item) == "open"
