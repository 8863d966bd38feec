"""Everything a judge's browser receives, from the list of studies to the last guess: nothing in it tells a source.

Canaries sit in every field that knows where a text is from (`tests/provenance.py`). A judge then does all there is
to do, and makes every mistake there is to make.
"""

import json
import logging
import re
from collections.abc import Callable, Collection, Iterator
from typing import Any
from unittest import mock
from urllib.parse import urljoin
from uuid import uuid4

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.judging.models.judging import JudgingItem
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from annotation.study.selectors.rubrics import rubric_by_hash
from annotation.texts.models.provenance import ItemPlan, Kind
from tests.clients import signed_in, without_tokens
from tests.factories import a_judging_study, a_study, judging_items_of, members_of, opened, slots_of
from tests.judging import CLARITY, form_of, url
from tests.provenance import plant, secrets_of, tables_that_know_a_source, told, without_canary

pytestmark = pytest.mark.django_db

LINKS = re.compile(
    r"""(?:src|href)="(/static/[^"]+)"|(?:from|import)\s*\(?["'](\.[^"']+\.js)["']|url\(["']?([^"')]+)"""
)


def a_study_of_every_kind(judges: int = 2) -> Study:
    """A standard prompt, a quality floor and a source attribution; every item is guessed about in the end."""
    return a_judging_study(
        2,
        2,
        judges,
        prompts=3,
        quality_floor_prompts=1,
        source_attribution_prompts=1,
        rationale="optional",
        human_sets="fixed",
    )


def levels(item: JudgingItem) -> dict[str, int]:
    """A value for every answer: A gets 3, B 4, …"""
    return {label: number + 3 for number, label in enumerate(slots_of(item))}


def sent(client: Client, item: JudgingItem, fields: dict[str, Any]) -> Any:
    """What the room's script sends."""
    body = {"rubric": item.study.rubric_id, "window": str(uuid4()), "fields": fields}
    return client.post(url("judging_save", item), body, content_type="application/json")


def one_item(client: Client, item: JudgingItem) -> Iterator[Any]:
    """From the first look at an item to its receipt, by script and without, with everything that is refused."""
    first, second, *_ = slots_of(item).values()
    score = f"score:{first}:{CLARITY}"
    yield client.get(url("judging_item", item))
    yield sent(client, item, {score: {"value": 7, "over": [None]}})  # not begun: refused
    yield client.post(url("judging_open", item))
    yield client.get(url("judging_item", item))
    yield sent(client, item, {score: {"value": 7, "over": [None]}})
    yield sent(client, item, {score: {"value": 9, "over": [None]}})  # a conflict
    yield sent(client, item, {score: {"value": 70}})
    yield sent(client, item, {f"score:{uuid4()}:{CLARITY}": {"value": 7}})
    yield client.post(url("judging_save", item), "[]", content_type="application/json")
    mark = {"slot": str(first), "start": 2, "end": 9, "dimension": CLARITY, "note": "Well put."}
    yield sent(client, item, {f"mark:{uuid4()}": {"value": mark}, "justification": {"value": "A first draft."}})
    yield sent(client, item, {f"reading:{second}": {"value": {"milliseconds": 9000, "depth": 80}}})
    yield client.get(url("judging_state", item))
    yield client.post(url("judging_save", item), form_of(item, A=6))
    yield client.get(url("judging_receipt", item))
    yield client.post(url("judging_submit", item), form_of(item, A=6))
    yield client.post(url("judging_submit", item), form_of(item, **levels(item)))
    yield client.get(url("judging_item", item))
    yield client.get(url("judging_receipt", item))
    yield client.post(url("judging_reopen", item))
    yield client.get(url("judging_item", item))
    yield client.post(url("judging_submit", item), form_of(item, **levels(item)))
    yield sent(client, item, {score: {"value": 1}})  # too late
    yield client.get(url("judging_receipt", item))


def one_guess(client: Client, item: JudgingItem) -> Iterator[Any]:
    address = url("judging_guesses", item)
    slots = list(slots_of(item).values())
    yield client.get(address)
    yield client.post(address, {f"source:{slots[0]}": "human"})
    guesses = {f"source:{slot}": "model" for slot in slots} | {f"confidence:{slot}": "4" for slot in slots}
    yield client.post(address, guesses)
    yield client.post(address, guesses)


def all_that_goes_wrong(client: Client, study: Study, item: JudgingItem) -> Iterator[Any]:
    """Wrong addresses, wrong methods, pages of other people and of other roles, forged forms, a fault of ours."""
    theirs = opened(judging_items_of(study, judge=1)[0])
    for route in ("judging_item", "judging_state", "judging_receipt", "judging_guesses"):
        yield client.get(url(route, theirs))
    for route in ("judging_open", "judging_save", "judging_submit", "judging_reopen"):
        yield client.post(url(route, theirs))
        yield client.get(url(route, theirs))
    for name in ("texts", "results", "judgments_csv", "writing_desk"):
        yield client.get(reverse(name, args=[study.slug]))
    yield client.post(reverse("request_unblinding", args=[study.slug]), {"reason": "I am curious."})
    yield client.get(reverse("study", args=["elsewhere"]))
    yield client.get("/no/such/page/")
    strict = signed_in(item.participation.user, Client(enforce_csrf_checks=True))
    yield strict.post(url("judging_submit", item), form_of(item, A=6))
    careless = signed_in(item.participation.user, Client(raise_request_exception=False))
    with mock.patch("annotation.judging.views.judging.item_page", side_effect=RuntimeError("A fault of ours.")):
        yield careless.get(url("judging_item", item))


def a_judges_whole_study(study: Study) -> Iterator[Any]:
    """Every answer of the server to one judge, in order."""
    client = signed_in(members_of(study, Role.JUDGE)[0].user)
    around = [reverse("home"), *(reverse(name, args=[study.slug]) for name in ("study", "consent_text", "profile"))]
    around += [reverse(name) for name in ("person_settings", "signed_in")]
    items = judging_items_of(study)
    for address in around:
        yield client.get(address)
    yield from all_that_goes_wrong(client, study, items[0])
    for item in items:
        yield from one_item(client, item)
        yield client.get(around[1])
    for item in items:
        yield from one_guess(client, item)
    for address in around:
        yield client.get(address)


def received(answer: Any) -> str:
    """Everything of an answer that its browser gets: status, headers, cookies, body."""
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return f"{answer.status_code} {answer.headers} {answer.cookies} {body.decode()}"


# -- canaries ------------------------------------------------------------------------------------------------------


@pytest.fixture
def study() -> Study:
    study = a_study_of_every_kind()
    plant(study)
    a_study("elsewhere")
    return study


def test_there_is_a_canary_in_every_word_of_provenance(study: Study) -> None:
    assert without_canary() == []


def test_nothing_a_judges_browser_receives_tells_a_source(study: Study, caplog: pytest.LogCaptureFixture) -> None:
    secrets = secrets_of(study)
    met = set()
    with caplog.at_level(logging.DEBUG):
        for answer in a_judges_whole_study(study):
            met.add(answer.status_code)
            given_away = told(received(answer), secrets)
            assert not given_away, f"{answer.request['PATH_INFO']} tells {given_away}"
    assert {200, 302, 400, 403, 404, 405, 409, 500} <= met
    logged = "\n".join(logging.Formatter().format(record) for record in caplog.records)
    assert re.search(r"^GET \S+ 404$", logged, re.MULTILINE)
    assert told(logged, secrets) == []


def test_nothing_that_is_kept_for_a_judges_session_or_in_the_cache_tells_a_source(study: Study) -> None:
    assert len(list(a_judges_whole_study(study))) > 80
    kept = [str(session.get_decoded()) for session in Session.objects.all()]
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM scrub_cache")
        kept += [str(row) for row in cursor.fetchall()]
    assert kept
    assert told("\n".join(kept), secrets_of(study)) == []


def test_no_script_style_or_picture_of_a_judges_pages_tells_a_source(study: Study) -> None:
    client = Client()
    waiting = {link for answer in a_judges_whole_study(study) for link in links(answer, "/")}
    fetched: set[str] = set()
    while waiting - fetched:
        address = sorted(waiting - fetched)[0]
        fetched.add(address)
        answer: Any = client.get(address)
        assert answer.status_code == 200, address
        body = b"".join(answer.streaming_content)
        if address.endswith((".js", ".css", ".svg")):
            assert told(f"{answer.headers} {body.decode()}", secrets_of(study)) == [], address
            waiting |= set(found_links(body.decode(), address))
    assert {"/static/judging/judging-room.js", "/static/judging/judging.css"} <= fetched


def links(answer: Any, address: str) -> Iterator[str]:
    if answer.headers.get("Content-Type", "").startswith("text/html"):
        yield from found_links(answer.content.decode(), address)


def found_links(text: str, address: str) -> Iterator[str]:
    for groups in LINKS.findall(text):
        link = next(filter(None, groups))
        if not link.startswith(("data:", "#")):
            yield urljoin(address, link)


def test_a_judges_requests_touch_no_table_that_knows_a_source(study: Study) -> None:
    tables = tables_that_know_a_source()
    assert {"annotation_stimulus", "annotation_humanset_members", "annotation_draft"} <= set(tables)
    with CaptureQueriesContext(connection) as captured:
        answers = list(a_judges_whole_study(study))
    assert len(answers) > 80
    touched = {query["sql"]: found for query in captured if (found := tables_in(query["sql"], tables))}
    assert touched == {}


def tables_in(sql: str, tables: Collection[str]) -> list[str]:
    """Those of the tables that a statement names, in quotes as Django writes them or without."""
    return [table for table in tables if re.search(rf"\b{table}\b", sql)]


@pytest.mark.parametrize(
    "sql",
    [
        'SELECT "annotation_stimulus"."arm" FROM "annotation_stimulus"',
        "SELECT source_code FROM annotation_stimulus",
        "UPDATE item SET state = 'open' FROM annotation_stimulus, annotation_score",
        "WITH made AS (SELECT * FROM annotation_stimulus) SELECT * FROM annotation_blindedslot",
        "SELECT arm FROM public.annotation_stimulus AS s",
    ],
)
def test_a_statement_that_touches_a_table_that_knows_a_source_is_seen(sql: str) -> None:
    assert tables_in(sql, tables_that_know_a_source()) == ["annotation_stimulus"]


def test_a_statement_that_touches_no_table_that_knows_a_source_is_let_pass() -> None:
    assert (
        tables_in('SELECT * FROM "annotation_score", annotation_drafts_of_nobody', tables_that_know_a_source())
        == []
    )


def test_no_page_of_an_item_is_kept_by_any_cache(study: Study) -> None:
    client = signed_in(members_of(study, Role.JUDGE)[0].user)
    items = judging_items_of(study)
    answers = [answer for item in items for answer in one_item(client, item)]
    answers += [answer for item in items for answer in one_guess(client, item)]
    assert {answer.headers.get("Cache-Control") for answer in answers} == {"private, no-store"}


# -- kinds ---------------------------------------------------------------------------------------------------------


def firsts_by_kind(study: Study) -> dict[str, JudgingItem]:
    """For each kind an item that is its judge's first, so that nothing but the kind differs."""
    judges = range(len(members_of(study, Role.JUDGE)))
    firsts = [judging_items_of(study, judge=number)[0] for number in judges]
    by_kind = {ItemPlan.objects.get(item=item).kind: item for item in firsts}
    assert set(by_kind) == set(Kind)
    return by_kind


def walked(item: JudgingItem, walk: Callable[[Client, JudgingItem], Iterator[Any]]) -> list[tuple[str, list[str]]]:
    """For each request of a walk: the answer without its particulars, and the shapes of its statements."""
    rubric_by_hash(item.study.rubric_id)  # read once a process
    client = signed_in(item.participation.user)
    steps: list[tuple[str, list[str]]] = []
    answers = walk(client, item)
    while True:
        with CaptureQueriesContext(connection) as captured:
            answer = next(answers, None)
        if answer is None:
            return steps
        shapes = [re.sub(r"'(?:[^']|'')*'|\b\d[\d.]*\b|\bs\d+_x\d+", "?", query["sql"]) for query in captured]
        steps.append((without_particulars(item, received(answer)), shapes))


def without_particulars(item: JudgingItem, page: str) -> str:
    """A page without what differs between any two items: texts, slots, prompt, numbers, tokens, times."""
    for label, slot in slots_of(item).items():
        page = page.replace(str(slot), f"slot-{label}")
    page = re.sub(r'(<p class="prose-plain"\s+dir="auto">[^<]*</p>\s*)+', "<p>text</p>", page)
    person = item.participation.user
    page = (
        page.replace(item.prompt_version.text, "prompt").replace(person.name, "name").replace(person.email, "mail")
    )
    page = without_tokens(page)
    page = re.sub(r"(messages=[\w-]+):[\w-]+:[\w-]+", r"\1", page)  # when it was signed
    page = re.sub(r'("score:[^"]+": \d+(, )?)+', "scores", page)  # as the rows lie
    page = re.sub(r"/judging/\d+/|data-(?:item|person)=\"\d+\"", "item", page)
    page = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|\b[0-9a-f]{64}\b|sessionid=\w+", "id", page)
    page = re.sub(r"\d{4}-\d\d-\d\dT[\d:.+Z]+|\d\d:\d\d(?::\d\d)?", "time", page)
    page = re.sub(r"'Content-Security-Policy': \"[^\"]*\"|[0-9a-f]{8}…", "", page)  # a set's order; half a hash
    return re.sub(r"'Content-Length': '\d+'|Max-Age=\d+", "length", page)


def test_every_kind_of_item_has_the_same_pages_answers_and_statements() -> None:
    study = a_study_of_every_kind(judges=8)
    walks = {kind: walked(item, one_item) for kind, item in firsts_by_kind(study).items()}
    same_for_all(walks)


def test_every_kind_of_item_is_guessed_about_on_the_same_page() -> None:
    study = a_study_of_every_kind(judges=8)
    firsts = firsts_by_kind(study)
    for item in firsts.values():
        for own in JudgingItem.objects.filter(participation=item.participation).select_related(
            "participation__user", "study", "prompt_version"
        ):
            list(one_item(signed_in(own.participation.user), own))
    same_for_all({kind: walked(item, one_guess) for kind, item in firsts.items()})


def same_for_all(walks: dict[str, list[tuple[str, list[str]]]]) -> None:
    standard = walks.pop(Kind.STANDARD)
    assert len(standard) > 3
    for kind, steps in walks.items():
        for number, (step, expected) in enumerate(zip(steps, standard, strict=True)):
            assert step[0].splitlines() == expected[0].splitlines(), f"page {number} of {kind}"
            assert step[1] == expected[1], f"statements of request {number} of {kind}"


# -- cost ----------------------------------------------------------------------------------------------------------


def test_the_room_takes_few_statements() -> None:
    item = opened(judging_items_of(a_judging_study(3, 3, judges=1, prompts=1))[0])
    client = signed_in(item.participation.user)
    client.get(url("judging_item", item))
    with CaptureQueriesContext(connection) as captured:
        client.get(url("judging_item", item))
    assert len(captured) <= 3, json.dumps([query["sql"] for query in captured], indent=1)
