"""An item that its judge leaves lying lapses, loses nothing, and is taken up again by going on."""

from datetime import datetime

import pytest
from django.urls import reverse

from analysis.ceremony.services import ceremony
from annotation.coordination.selectors.coordination import overview
from annotation.judging.core.work_kinds import LAPSE_ITEM
from annotation.judging.models.judging import JudgingItem
from annotation.judging.selectors.own_items import items_of
from annotation.judging.services import judging
from annotation.judging.services.scoring import JustificationGiven
from annotation.platform.core.errors import Refused
from annotation.platform.models.work import Task
from annotation.platform.services.clock import database_now
from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study
from scrub_site.management.commands.run_loop import tick
from tests.clients import signed_in
from tests.factories import (
    a_judging_study,
    a_member,
    coordinator_of,
    judging_items_of,
    opened,
    scored,
    slots_of,
)
from tests.judging import (
    CLARITY,
    HOUR,
    MINUTE,
    an_item,
    client_of,
    form_of,
    page_of,
    pass_time,
    ranking_of,
    save,
    score,
    state_of,
    submit,
    submitted,
    url,
    values_of,
    verbs_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def item() -> JudgingItem:
    """An item of two answers, begun with a lease of three hours and scored in part."""
    return scored(an_item(1, 1, lease_hours=3), A=6)


def lapsed(item: JudgingItem) -> JudgingItem:
    """The item after it was left lying, and the loop came by."""
    pass_time(item, 4 * HOUR)
    tick()
    assert state_of(item) == "lapsed"
    return item


def assert_lease_is_new(item: JudgingItem) -> None:
    """Its three hours begin now."""
    pass_time(item, 2 * HOUR)
    tick()
    assert state_of(item) == "open"
    pass_time(item, 2 * HOUR)
    tick()
    assert state_of(item) == "lapsed"


def touched_at(item: JudgingItem) -> datetime:
    item.refresh_from_db()
    assert item.touched_at is not None
    return item.touched_at


# -- lapsing -------------------------------------------------------------------------------------------------------


def test_the_loop_lets_an_item_lapse_when_its_lease_has_run_out(item: JudgingItem) -> None:
    pass_time(item, 3 * HOUR - MINUTE)
    tick()
    assert state_of(item) == "open"
    pass_time(item, 2 * MINUTE)
    tick()
    assert state_of(item) == "lapsed"
    assert verbs_of(item) == ["item.opened", "item.lapsed"]
    assert not Task.objects.filter(kind=LAPSE_ITEM, subject=str(item.pk), done_at=None).exists()


@pytest.mark.parametrize("what", ["a score", "a justification", "the form without a script"])
def test_whatever_is_saved_extends_the_lease(item: JudgingItem, what: str) -> None:
    pass_time(item, 2 * HOUR)
    if what == "a score":
        score(item, {slots_of(item)["B"]: {CLARITY: 7}})
    elif what == "a justification":
        save(item, justification=JustificationGiven("B leads."))
    else:
        client_of(item).post(url("judging_save", item), form_of(item, B=7))
    assert_lease_is_new(item)


@pytest.mark.parametrize("what", ["a score", "a justification", "a submission"])
def test_an_item_was_last_touched_when_something_of_it_was_last_saved(item: JudgingItem, what: str) -> None:
    scored(item, B=7)
    pass_time(item, 2 * HOUR)
    before, now = touched_at(item), database_now()
    if what == "a score":
        score(item, {slots_of(item)["B"]: {CLARITY: 7}})
    elif what == "a justification":
        save(item, justification=JustificationGiven("B leads."))
    else:
        submit(item)
    assert before <= now - 2 * HOUR
    assert now < touched_at(item) < database_now()


def test_when_an_item_was_last_touched_does_not_depend_on_how_long_leases_are(item: JudgingItem) -> None:
    lapsed(item)
    before = touched_at(item)
    Study.objects.filter(pk=item.study.pk).update(lease_hours=300)
    assert items_of(Participation.objects.get(pk=item.participation.pk)).lines[0].touched_at == before
    assert [line.touched_at for line in overview(Study.objects.get()).lapsed] == [before]


def test_reading_the_page_changes_nothing(item: JudgingItem) -> None:
    before = JudgingItem.objects.values().get(pk=item.pk)
    client_of(item).get(url("judging_item", item))
    client_of(item).get(url("judging_state", item))
    assert JudgingItem.objects.values().get(pk=item.pk) == before


def test_letting_an_item_lapse_twice_is_once(item: JudgingItem) -> None:
    lapsed(item)
    judging.lapse(item_id=item.pk)
    assert verbs_of(item) == ["item.opened", "item.lapsed"]


def test_an_item_that_is_not_open_does_not_lapse() -> None:
    assigned, done = judging_items_of(a_judging_study(1, 1, judges=1, prompts=2, lease_hours=3))
    submitted(done)
    for item in (assigned, done):
        pass_time(item, 4 * HOUR)
        tick()
        judging.lapse(item_id=item.pk)
    assert [state_of(assigned), state_of(done)] == ["assigned", "submitted"]


# -- going on ------------------------------------------------------------------------------------------------------


def test_a_lapsed_item_shows_its_room_with_everything_that_was_given(item: JudgingItem) -> None:
    before = values_of(item)
    lapsed(item)
    room = client_of(item).get(url("judging_item", item))
    assert room.status_code == 200
    assert room.content.decode().count('value="6" checked') == 5
    assert client_of(item).get(url("judging_state", item)).json()["state"] == "lapsed"
    assert values_of(item) == before


def test_saving_takes_a_lapsed_item_up_again_with_a_new_lease(item: JudgingItem) -> None:
    lapsed(item)
    score(item, {slots_of(item)["B"]: {CLARITY: 7}})
    assert state_of(item) == "open"
    assert values_of(item)["B", CLARITY] == 7
    assert page_of(item).given == 6  # five of A, and the new one
    assert verbs_of(item)[1:] == ["item.lapsed", "item.taken_up"]
    assert_lease_is_new(item)


def test_a_late_judgment_counts_like_any_other(item: JudgingItem) -> None:
    scored(item, B=9)
    lapsed(item)
    submit(item)
    assert ranking_of(item) == {"B": (1, 1.0, 45.0), "A": (2, 2.0, 30.0)}
    assert verbs_of(item)[1:] == ["item.lapsed", "item.taken_up", "item.submitted"]


def test_a_refused_submission_leaves_a_lapsed_item_lapsed(item: JudgingItem) -> None:
    lapsed(item)
    with pytest.raises(Refused, match="Scores are missing: B 5"):
        submit(item)
    assert state_of(item) == "lapsed"
    assert "item.taken_up" not in verbs_of(item)


def test_a_lapsed_item_takes_nothing_after_judging_has_closed(item: JudgingItem) -> None:
    lapsed(item)
    item.study.state = "closed"
    item.study.save()
    with pytest.raises(Refused, match="Judging is closed"):
        score(item, {slots_of(item)["B"]: {CLARITY: 7}})
    assert state_of(item) == "lapsed"


# -- what is said of it --------------------------------------------------------------------------------------------


def test_the_judge_of_a_lapsed_item_is_asked_kindly_to_go_on(item: JudgingItem) -> None:
    lapsed(item)
    [line, _] = items_of(item.participation).lines
    assert line.touched_at == touched_at(item)
    page = client_of(item).get(reverse("study", args=[item.study.slug])).content.decode()
    assert "Item 1 is waiting for you" in page
    assert f"{line.touched_at:%-d %B, %H:%M}" in page
    assert "(UTC)" in page
    assert "5 of 10 scores are given and saved" in page
    assert url("judging_item", item) in page


def test_the_coordinator_sees_whose_item_lies_since_when_and_nothing_of_what_was_given(item: JudgingItem) -> None:
    opened(judging_items_of(item.study, judge=1)[0])
    lapsed(item)
    seen = overview(item.study)
    assert [(line.judge, line.position) for line in seen.lapsed] == [(item.participation.pseudonym, 1)]
    assert seen.lapsed[0].touched_at == touched_at(item)
    assert (seen.judging.done, seen.judging.running, seen.judging.total) == (0, 1, 4)
    home = reverse("study", args=[item.study.slug])
    page = signed_in(coordinator_of(item.study)).get(home).content.decode()
    assert "Stalled" in page
    assert f"{item.participation.pseudonym}, item 1, since" in " ".join(page.split())
    assert "scores" not in page[page.index("Stalled") : page.index("</ul>", page.index("Stalled"))]
    Study.objects.update(state="closed")
    assert overview(Study.objects.get()).lapsed == ()  # nobody can go on with it


def test_closing_counts_a_lapsed_item_among_the_missing() -> None:
    study = a_judging_study(1, 1, judges=2, prompts=1, lease_hours=3)
    researcher = a_member(study, Role.RESEARCHER).user
    submitted(judging_items_of(study)[0])
    lapsed(scored(judging_items_of(study, judge=1)[0], A=6))
    with pytest.raises(Refused, match="1 item not submitted"):
        ceremony.close_study(study=study, by=researcher)
