"""A real browser judges items of every kind, and everything that reaches it is kept: nothing tells a source.

Answers of the server with their addresses and headers, scripts, what the browser stores and what it is told to
log. `tests/annotation/judging/app/test_blinded_pages.py` asks for the same, page by page, and for what goes wrong.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from django.urls import reverse
from playwright.sync_api import Page, Request, Route, expect

from annotation.judging.models.judging import JudgingItem
from annotation.platform.models.users import User
from annotation.study.models.studies import Study
from annotation.texts.models.provenance import ItemPlan, Kind
from tests.annotation.judging.browser.room import DIMENSIONS, finish, rail, ready, saved, score_button, show, submit
from tests.factories import a_judging_study, judging_items_of, slots_of
from tests.provenance import plant, secrets_of, told

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SignIn = Callable[[Page, User], None]

STORED = """async () => JSON.stringify([
    {...localStorage}, {...sessionStorage}, document.cookie, history.state, document.title, window.name,
    await caches.keys(), (await indexedDB.databases()).map((database) => database.name),
])"""


@dataclass
class Received:
    """What a browser has got so far, and what it has asked for."""

    parts: dict[str, str] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def watch(self, page: Page) -> None:
        page.route("**/*", self._pass_on)
        page.on("console", lambda message: self.parts.update({f"console {len(self.parts)}": message.text}))

    def _pass_on(self, route: Route) -> None:
        """Keep the answer as it came, redirects too, and hand it to the page."""
        self._ask(route.request)
        answer = route.fetch(max_redirects=0)
        headers = "\n".join(f"{header['name']}: {header['value']}" for header in answer.headers_array)
        body = answer.body().decode(errors="replace")
        self.parts[f"{route.request.method} {answer.url} #{len(self.parts)}"] = f"{answer.url}\n{headers}\n{body}"
        route.fulfill(response=answer)

    def _ask(self, request: Request) -> None:
        """The request without the particulars of the item; a save as the kinds of things that are saved."""
        path = re.sub(r"^https?://[^/]+|\?.*", "", request.url)
        if "/static/" in path:
            return
        kinds = sorted(set(re.findall(r'"(score|mark|reading|place|justification)[:"]', request.post_data or "")))
        self.asked.append(f"{request.method} {re.sub(r'/[0-9]+/', '/N/', path)} {' '.join(kinds)}")

    def keep_what_is_stored(self, page: Page) -> None:
        self.parts[f"stored on {page.url} #{len(self.parts)}"] = page.evaluate(STORED)


def judge(page: Page, item: JudgingItem, received: Received) -> None:
    """Begin the item, look at it in every way, score it by mouse and submit it."""
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(reverse("judging_item", args=[item.pk]))
    received.keep_what_is_stored(page)
    page.get_by_role("button", name="Begin").click()
    ready(page)
    for view in ("Overview", "Compare", "Reading"):
        show(page, view)
    for number, label in enumerate(slots_of(item), start=3):
        rail(page, label).click()
        for dimension in DIMENSIONS:
            score_button(page, label, dimension, number).check()
    saved(page)
    received.keep_what_is_stored(page)
    submit(finish(page))
    page.wait_for_url("**/receipt/")
    received.keep_what_is_stored(page)


def a_study_of_every_kind(judges: int) -> Study:
    return a_judging_study(
        1,
        2,
        judges,
        prompts=3,
        quality_floor_prompts=1,
        source_attribution_prompts=1,
        answers_per_target_in_attribution=1,
        model_targets_expected=3,
        human_sets="fixed",
    )


def test_nothing_that_reaches_a_judges_browser_tells_a_source(page: Page, sign_in: SignIn) -> None:
    study = a_study_of_every_kind(judges=1)
    plant(study)
    secrets = secrets_of(study)
    received = Received()
    received.watch(page)
    items = judging_items_of(study)
    sign_in(page, items[0].participation.user)
    for address in (reverse("home"), reverse("study", args=[study.slug]), "/no/such/page/"):
        page.goto(address)
        received.keep_what_is_stored(page)
    for item in items:
        judge(page, item, received)
    for item in items:
        page.goto(reverse("judging_guesses", args=[item.pk]))
        expect(page.get_by_role("button", name="Send the guesses")).to_be_visible()
        received.keep_what_is_stored(page)
    page.unroute_all(behavior="ignoreErrors")
    kinds = ("text/html", "javascript", "text/css", "application/json")
    assert [kind for kind in kinds if not any(kind in part for part in received.parts.values())] == []
    assert any("/receipt/" in name for name in received.parts)
    for item in items:
        assert any(item.prompt_version.text in part for part in received.parts.values())
    assert {name: found for name, part in received.parts.items() if (found := told(part, secrets))} == {}


def test_a_browser_asks_the_same_for_every_kind_of_item(page: Page, sign_in: SignIn) -> None:
    study = a_study_of_every_kind(judges=6)
    firsts = [judging_items_of(study, judge=number)[0] for number in range(6)]
    by_kind = {ItemPlan.objects.get(item=item).kind: item for item in firsts}
    assert set(by_kind) == set(Kind)
    asked = {}
    for kind, item in by_kind.items():
        page.context.clear_cookies()
        received = Received()
        received.watch(page)
        sign_in(page, item.participation.user)
        judge(page, item, received)
        page.unroute_all(behavior="ignoreErrors")
        # As the network has it several scores may travel together, and the receipt may or may not ask in time what
        # is held: what is asked for counts, not how often, and not the reading or that question.
        asked[kind] = sorted({one for one in received.asked if "reading" not in one and "/state/" not in one})
    assert len(asked[Kind.STANDARD]) == len(("item", "open", "save", "submit"))
    assert asked[Kind.QUALITY_FLOOR] == asked[Kind.SOURCE_ATTRIBUTION] == asked[Kind.STANDARD]
