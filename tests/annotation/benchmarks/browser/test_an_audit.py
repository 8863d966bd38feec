"""An audit by three people in the browser, from the first question to frozen subsets; annotators are killed and
offline on the way, and nothing is lost.
"""

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from annotation.benchmarks.models.reviews import QuestionFlag, Review
from annotation.benchmarks.models.rulings import Ruling, Subset
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from tests.annotation.benchmarks.audits import an_audit
from tests.annotation.benchmarks.browser.questions import at_question, at_ruling
from tests.annotation.judging.browser.room import ready
from tests.browsing import SignIn
from tests.factories import coordinator_of, members_of
from tests.killable import WRITTEN, Killable
from tests.waiting import eventually

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NOTE = "The label contradicts it."


def begins(page: Page, base_url: str, study: Study) -> None:
    page.goto(base_url + reverse("study", args=[study.slug]))
    page.get_by_role("link", name="Begin annotating").press("Enter")
    at_question(page, 1)


def says_no_flaw(page: Page, positions: range) -> None:
    for position in positions:
        at_question(page, position)
        page.keyboard.press("n")
        page.keyboard.press("Enter")


def test_three_people_audit_by_keyboard_and_neither_a_kill_nor_a_failing_network_loses_a_word(
    page: Page, browser: Browser, killable: Killable, sign_in: SignIn, base_url: str
) -> None:
    study = an_audit()
    study.benchmarks.update(several_flaws=False)
    first, second = members_of(study, Role.ANNOTATOR)

    seat = killable.start()
    sign_in(seat, first.user)
    begins(seat, base_url, study)
    seat.context.set_offline(True)
    seat.keyboard.press("1")
    seat.keyboard.press("d")
    seat.keyboard.type(NOTE)
    expect(seat.get_by_text("You are offline.")).to_be_visible()
    assert seat.evaluate(WRITTEN)
    killable.kill()
    seat = killable.start()
    sign_in(seat, first.user)
    seat.goto(base_url + reverse("review", args=[Review.objects.get(annotator=first, position=1).pk]))
    expect(ready(seat).get_by_role("radio", name="Wrong label")).to_be_checked()
    eventually(lambda: QuestionFlag.objects.filter(note=NOTE).exists())
    seat.keyboard.press("Enter")
    says_no_flaw(seat, range(2, 7))
    eventually(lambda: Review.objects.filter(annotator=first, done_at__isnull=False).count() == 6)

    sign_in(page, second.user)
    begins(page, base_url, study)
    says_no_flaw(page, range(1, 4))
    at_question(page, 4)
    page.context.set_offline(True)
    page.keyboard.press("m")
    expect(page.get_by_text("You are offline.")).to_be_visible()
    page.context.set_offline(False)
    eventually(lambda: Review.objects.filter(annotator=second, position=4, verdict="model").exists())
    page.keyboard.press("Enter")
    says_no_flaw(page, range(5, 7))
    eventually(lambda: Review.objects.filter(annotator=second, done_at__isnull=False).count() == 6)

    benchmark = study.benchmarks.get()
    office = browser.new_context(base_url=base_url).new_page()
    sign_in(office, coordinator_of(study))
    office.goto(reverse("benchmark", args=[study.slug, benchmark.pk]))
    office.get_by_role("button", name="Open adjudication").press("Enter")
    expect(office.get_by_text("Adjudication has begun")).to_be_visible()

    [adjudicator] = members_of(study, Role.ADJUDICATOR)
    bench = browser.new_context(base_url=base_url).new_page()
    sign_in(bench, adjudicator.user)
    bench.goto(reverse("study", args=[study.slug]))
    bench.get_by_role("link", name="Begin", exact=True).press("Enter")
    for ruling in Ruling.objects.order_by("position"):
        at_ruling(bench, ruling.position, 2)
        if ruling.is_disputed:
            bench.keyboard.press("1")
            bench.keyboard.press("x")
            bench.keyboard.type("It contradicts itself.")
            bench.keyboard.press("Control+Enter")
        else:
            bench.keyboard.press("n")
            bench.keyboard.press("s")
            bench.keyboard.press("Control+Enter")
    eventually(lambda: not Ruling.objects.filter(ruled_at=None).exists())

    office.reload()
    office.get_by_text("Freeze the subsets …").press("Enter")
    office.get_by_role("button", name="Freeze", exact=True).press("Enter")
    expect(office.get_by_text("The subsets are frozen.")).to_be_visible()
    sizes = {subset.kind: len(subset.members) for subset in Subset.objects.filter(benchmark=benchmark)}
    assert sizes == {"original": 6, "cleaned": 5, "corrected": 5}
