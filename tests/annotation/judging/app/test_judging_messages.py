"""What the room's script sends: what it means, that a message counts as a whole, and that nonsense is told."""

import json
from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.judging.core.judgments import JUSTIFICATION, mark_field, place_field, score_field
from annotation.judging.forms.judging import Malformed, given_from_json
from annotation.judging.models.judging import BlindedSlot, JudgingItem, Score
from annotation.judging.models.traces import Dwell, Mark
from annotation.judging.services import scoring
from annotation.judging.services.scoring import Conflicts
from annotation.platform.core.errors import Refused
from annotation.study.models.participation import Participation
from annotation.study.models.studies import Study
from tests.factories import a_judging_study, a_person, judging_items_of, opened, slots_of
from tests.judging import CLARITY, an_item, opened_an_hour_ago, page_of, state_of, verbs_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def item() -> JudgingItem:
    return opened(an_item(1, 1))


@pytest.fixture
def ranked() -> JudgingItem:
    """An item whose answers are ranked directly."""
    return opened(an_item(judging_mode="ranking", rationale="required"))


def send(item: JudgingItem, fields: dict[str, Any], *, rubric: str | None = None) -> Conflicts:
    """What the script gets for `fields`: by name, a value, or a value and what it may replace."""
    sent = {
        name: {"value": value[0], "over": value[1]} if isinstance(value, tuple) else {"value": value}
        for name, value in fields.items()
    }
    message = {"rubric": item.study.rubric_id if rubric is None else rubric, "window": "w1", "fields": sent}
    given = given_from_json(json.dumps(message).encode())
    return scoring.save(item_id=item.pk, given=given, by=item.participation.user)


def clarity(item: JudgingItem, label: str = "A") -> str:
    return score_field(slots_of(item)[label], CLARITY)


def a_mark(slot: UUID, start: int | None = 2, end: int | None = 9, note: str = "", dimension: str = "") -> Any:
    return {"slot": str(slot), "start": start, "end": end, "dimension": dimension, "note": note}


# -- scores, places, the justification -----------------------------------------------------------------------------


def test_a_score_is_saved_in_one_statement(item: JudgingItem) -> None:
    send(item, {clarity(item): 1})  # the rubric is known from here on
    field, user = clarity(item), item.participation.user
    given = given_from_json(
        json.dumps({"rubric": item.study.rubric_id, "fields": {field: {"value": 7, "over": [1]}}}).encode()
    )
    with CaptureQueriesContext(connection) as queries:
        scoring.save(item_id=item.pk, given=given, by=user)
    assert len(queries) == 1
    assert page_of(item).fields == {field: 7}


@pytest.mark.parametrize(
    ("over", "conflicts"),
    [
        (None, False),  # whatever is there
        ([5], False),
        ([None, 3, 5], False),  # one of what may be there
        ([], True),
        ([None], True),  # nothing was there yet
        ([4, 6], True),
    ],
)
@pytest.mark.parametrize("along", [{}, {JUSTIFICATION: ("So.", [None])}], ids=["alone", "with a text"])
def test_a_score_replaces_only_what_its_window_knew_of(
    item: JudgingItem, over: list[int | None] | None, conflicts: bool, along: dict[str, Any]
) -> None:
    field, other = clarity(item), clarity(item, "B")
    send(item, {field: 5})
    assert send(item, {field: (8, over), other: (2, [None]), **along}) == ({field: 5} if conflicts else {})
    kept = page_of(item).fields
    assert (kept[field], kept[other]) == (5 if conflicts else 8, 2)


def test_a_message_that_arrives_twice_changes_nothing(item: JudgingItem) -> None:
    slot = slots_of(opened_an_hour_ago(item))["A"]
    fields = {
        clarity(item): (6, [None]),
        JUSTIFICATION: ("So.", [None]),
        mark_field(uuid4()): a_mark(slot),
        f"reading:{slot}": {"milliseconds": 900, "depth": 40},
    }
    assert send(item, fields) == {}
    kept = page_of(item).fields
    assert send(item, fields) == {}
    assert page_of(item).fields == kept
    assert Dwell.objects.get().milliseconds == 900


@pytest.mark.parametrize("along", [{}, {JUSTIFICATION: "So."}], ids=["alone", "with a text"])
def test_a_value_beside_the_scale_keeps_its_whole_message_out(item: JudgingItem, along: dict[str, Any]) -> None:
    with pytest.raises(Refused, match="from 1 to 10"):
        send(item, {clarity(item, "B"): 5, clarity(item): 11, **along})
    assert page_of(item).fields == {}


def test_scores_by_another_study_s_rubric_are_refused(item: JudgingItem) -> None:
    other = opened(an_item(1, 1, slug="other", rubric_toml=item.study.rubric.toml + "# In another file.\n"))
    with pytest.raises(Refused, match="another rubric"):
        send(item, {clarity(item): 5}, rubric=other.study.rubric_id)
    assert not Score.objects.exists()


def test_a_place_is_taken_back_only_where_its_window_knew_of_it(ranked: JudgingItem) -> None:
    place = place_field(slots_of(ranked)["A"])
    send(ranked, {place: (2, [None])})
    assert send(ranked, {place: (None, [1])}) == {place: 2}
    assert send(ranked, {place: (None, [1, 2])}) == {}
    assert send(ranked, {place: (3, [None])}) == {}
    assert page_of(ranked).fields == {place: 3}


def test_a_justification_that_was_not_there_is_nothing_or_an_empty_text(item: JudgingItem) -> None:
    for text, over in (("First.", None), ("", "First."), ("Second.", None), ("", "Second."), ("Third.", "")):
        assert send(item, {JUSTIFICATION: (text, [over])}) == {}
    assert send(item, {JUSTIFICATION: ("Fourth.", [None, "First."])}) == {JUSTIFICATION: "Third."}


def test_a_text_is_recognised_however_its_characters_came(item: JudgingItem) -> None:
    """What is stored is in normal form C with LF line ends; the window goes by what was typed."""
    typed = "Une\u0301\r\nautre\u200b."
    assert send(item, {JUSTIFICATION: (typed, [None])}) == {}
    assert page_of(item).fields == {JUSTIFICATION: "Un\u00e9\nautre."}
    assert send(item, {JUSTIFICATION: ("More.", [typed])}) == {}


def test_a_lapsed_item_is_taken_up_by_a_score_and_keeps_what_it_held(item: JudgingItem) -> None:
    send(item, {clarity(item): 5})
    JudgingItem.objects.filter(pk=item.pk).update(state="lapsed")
    assert send(item, {clarity(item, "B"): (6, [None])}) == {}
    assert page_of(item).fields == {clarity(item): 5, clarity(item, "B"): 6}
    assert state_of(item) == "open"
    assert verbs_of(item)[-1] == "item.taken_up"


def test_an_item_takes_nothing_where_judging_is_not_open(item: JudgingItem) -> None:
    Study.objects.filter(pk=item.study_id).update(state="closed")
    for fields in ({clarity(item): 5}, {JUSTIFICATION: "So."}):
        with pytest.raises(Refused, match="closed"):
            send(item, fields)
    assert page_of(item).fields == {}


def test_who_has_no_such_item_keeps_nothing(item: JudgingItem) -> None:
    given = scoring.Given.of_scores(item.study.rubric_id, {slots_of(item)["A"]: {CLARITY: 5}})
    with pytest.raises(PermissionDenied):
        scoring.save(item_id=item.pk, given=given, by=a_person())
    with pytest.raises(JudgingItem.DoesNotExist):
        scoring.save(item_id=item.pk + 999, given=given, by=item.participation.user)
    Participation.objects.filter(pk=item.participation_id).update(left_at=item.participation.joined_at)
    with pytest.raises(PermissionDenied):
        scoring.save(item_id=item.pk, given=given, by=item.participation.user)
    assert not Score.objects.exists()


# -- marks ---------------------------------------------------------------------------------------------------------


def test_a_mark_reaches_to_the_end_of_the_text_and_no_further(item: JudgingItem) -> None:
    slot = BlindedSlot.objects.select_related("response").get(item=item, label="A")
    length = len(slot.response.text)
    send(item, {mark_field(uuid4()): a_mark(slot.pk, 0, length)})
    for end in (length + 1, 10**12):
        with pytest.raises(Refused, match="not part of the answer"):
            send(item, {mark_field(uuid4()): a_mark(slot.pk, 0, end)})
    assert Mark.objects.count() == 1


def test_a_mark_is_on_a_dimension_of_the_rubric_or_on_none(item: JudgingItem) -> None:
    slot = slots_of(item)["A"]
    send(item, {mark_field(uuid4()): a_mark(slot, dimension=CLARITY), mark_field(uuid4()): a_mark(slot)})
    with pytest.raises(Refused, match="no dimension “charm”"):
        send(item, {mark_field(uuid4()): a_mark(slot, dimension="charm")})


def test_the_marks_of_one_s_other_items_are_out_of_reach() -> None:
    first, second = (opened(item) for item in judging_items_of(a_judging_study(1, 1, judges=1, prompts=2)))
    mark = mark_field(uuid4())
    send(first, {mark: a_mark(slots_of(first)["A"])})
    with pytest.raises(Refused, match="not part of the item"):
        send(second, {mark: a_mark(slots_of(second)["A"])})
    send(second, {mark: None})
    assert list(page_of(first).fields) == [mark]


def test_an_item_holds_a_limited_number_of_marks(item: JudgingItem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scoring, "MAX_MARKS", 2)
    slot, marks = slots_of(item)["A"], [mark_field(uuid4()) for _ in range(3)]
    send(item, dict.fromkeys(marks[:2], a_mark(slot)))
    with pytest.raises(Refused, match="at most 2 marks"):
        send(item, {marks[2]: a_mark(slot)})
    send(item, {marks[0]: None, marks[2]: a_mark(slot)})
    assert {*page_of(item).fields} == {*marks[1:]}


# -- what cannot be read -------------------------------------------------------------------------------------------

SLOT, MARK = "9b2f7c9e-58a5-4d3e-9a70-0d5ad8b0a6f1", "0d5ad8b0-a6f1-4d3e-9a70-9b2f7c9e58a5"


def a_passage(**parts: Any) -> dict[str, Any]:
    return {"value": {"slot": SLOT, "start": 1, "end": 5, "dimension": "", "note": "", **parts}}


def unreadable() -> Iterator[Any]:
    """Messages, each with a single thing that is wrong in it."""
    score = f"score:{SLOT}:{CLARITY}"
    good = {score: {"value": 5}}
    yield from (None, 5, "text", [], {}, {"fields": None}, {"fields": []}, {"fields": "score"})
    yield from ({"fields": good, "window": "w" * 37}, {"fields": good, "window": "a\x00"})
    yield from ({"fields": good, "rubric": 5}, {"fields": good, "rubric": "\ud800"})
    fields: list[dict[str, Any]] = [
        *({name: {"value": 5}} for name in ("", "charm", "score", f"score:{SLOT}", f"{score}:more")),
        {f"score:slot:{CLARITY}": {"value": 5}},
        *({score: {"value": value}} for value in ("5", 5.0, True, [5], {"value": 5})),
        *({score: {"value": 5, "over": over}} for over in (5, "5", ["5"], [True], {"5": 5})),
        {score: 5},
        {score: {"over": [5]}},
        {f"place:{SLOT}:{CLARITY}": {"value": 1}},
        {f"place:{SLOT}": {"value": 1}, f"place:{SLOT.upper()}": {"value": 2}},
        {f"place:{SLOT}": {"value": 1}, f"place:{SLOT.replace('-', '')}": {"value": 2}},
        {f"{JUSTIFICATION}:{SLOT}": {"value": "So."}},
        *({JUSTIFICATION: {"value": value}} for value in (None, 5, ["So."])),
        *({JUSTIFICATION: {"value": "So.", "over": over}} for over in ([5], "Before.")),
        {f"mark:{MARK}": a_passage(), f"mark:{{{MARK}}}": a_passage()},
        *({f"mark:{MARK}": {"value": value}} for value in (5, {"slot": SLOT})),
        *(
            {f"mark:{MARK}": a_passage(start=start, end=end)}
            for start, end in ((5, 5), (-1, 5), (None, 5), (1, None))
        ),
        *({f"mark:{MARK}": a_passage(start=None, end=None, note=note)} for note in ("", " \u200b\n")),
        *({f"mark:{MARK}": a_passage(dimension=dimension)} for dimension in ("d" * 41, "\x00", None)),
        {f"mark:{MARK}": a_passage(note=None)},
        {f"mark:{MARK}": a_passage(slot="A")},
        *(
            {f"reading:{SLOT}": {"value": {"milliseconds": milliseconds, "depth": depth}}}
            for milliseconds, depth in ((-1, 5), (2**53, 5), (5, 101), (5, -1), (5.5, 5), (None, 5))
        ),
        {f"reading:{UUID(int=number)}": {"value": {"milliseconds": 1, "depth": 1}} for number in range(501)},
    ]
    yield from ({"fields": one} for one in fields)


@pytest.mark.parametrize("message", [pytest.param(one, id=str(number)) for number, one in enumerate(unreadable())])
def test_a_message_that_cannot_be_read_is_malformed(message: Any) -> None:
    with pytest.raises(Malformed):
        given_from_json(json.dumps(message).encode())


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"[" * 100_000, b'{"fields": 1' + b"0" * 5000 + b"}"])
def test_a_body_that_is_not_json_is_malformed(body: bytes) -> None:
    with pytest.raises(Malformed):
        given_from_json(body)


def test_a_readable_message_is_read_as_it_is_meant() -> None:
    fields = {
        f"score:{SLOT}:{CLARITY}": {"value": 5, "over": [None, 4]},
        f"place:{SLOT.upper()}": {"value": None, "over": [2]},
        JUSTIFICATION: {"value": "So.", "over": [None, "Then."]},
        f"mark:{MARK}": a_passage(note="Here\u200b."),
        f"mark:{SLOT}": {"value": None},
        f"reading:{SLOT}": {"value": {"milliseconds": 2**53 - 1, "depth": 100}},
    }
    slot, mark = UUID(SLOT), UUID(MARK)
    assert given_from_json(json.dumps({"rubric": "r" * 64, "window": "w" * 36, "fields": fields}).encode()) == (
        scoring.Given(
            rubric="r" * 64,
            window="w" * 36,
            scores=(scoring.ScoreGiven(slot, CLARITY, 5, (None, 4)),),
            places=(scoring.PlaceGiven(slot, None, (2,)),),
            justification=scoring.JustificationGiven("So.", ("", "Then.")),
            marks=(scoring.MarkMade(mark, slot, 1, 5, "", "Here."),),
            unmarked=(slot,),
            readings=(scoring.Read(slot, 2**53 - 1, 100),),
        )
    )
