"""Results in a browser: waited for, read in every look, copied and printed."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal
from unittest import mock

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

from analysis.data.core.parameters import WHOLE
from analysis.data.core.results import Estimate, Interval
from analysis.report.core import page_file
from analysis.report.models import AnalysisRun
from analysis.sections.exhibits.exhibit import Column, Exhibit, Table
from annotation.study.models.studies import Study
from tests.analysis.report.analyses import a_finished_run, asked_for, computed
from tests.browsing import PHONE, SignIn, box, check_every_look, fits, resize
from tests.factories import an_unblinded_study, researchers_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FOUND = Interval(0.5, 0.75, 0.95, "two-way bootstrap")
TABLE = Table(
    (Column("Source"), *(Column(f"Dimension {number}") for number in range(6))),
    tuple(
        (
            source,
            Estimate("place", None, 0, reason="nobody ranked"),
            *(Estimate("place", 0.6, 9, interval=FOUND) for _ in range(5)),
        )
        for source in ("people", "models")
    ),
)
PLACES = Exhibit("places", "Outcomes", WHOLE, "Places", "Who came where.", "Means of ranks.", TABLE)
OF_BBQ = replace(PLACES, name="places-of-bbq", scope="BBQ")
LONG = replace(
    PLACES,
    section="Panel",
    name="places-of-many",
    title="Places of many",
    table=replace(TABLE, rows=TABLE.rows * 12),
)


@pytest.fixture(autouse=True)
def exhibits() -> Iterator[None]:
    with mock.patch.object(page_file, "exhibits", return_value=(PLACES, LONG, OF_BBQ)):
        yield


@pytest.fixture
def study() -> Study:
    return an_unblinded_study(1, 1, 1, prompts=1)


def open_results(page: Page, sign_in: SignIn, study: Study, name: str = "results") -> None:
    sign_in(page, researchers_of(study)[0])
    page.goto(reverse(name, args=[study.slug]))


def unfold(page: Page) -> None:
    page.locator(".part").evaluate_all("(parts) => parts.forEach((part) => (part.open = true))")


def test_the_page_follows_a_run_until_it_is_done(page: Page, sign_in: SignIn, study: Study) -> None:
    run = asked_for(study)
    open_results(page, sign_in, study)
    expect(page.get_by_text("Run 1 waits for a worker.")).to_be_visible()
    AnalysisRun.objects.filter(pk=run.pk).update(progress={"what": "agreement", "done": 2, "of": 9})
    expect(page.get_by_text("Agreement between judges")).to_be_visible()
    computed(run)
    expect(page.locator("#heading-outcomes")).to_be_visible()
    expect(page.get_by_role("progressbar")).to_have_count(0)


def test_a_picture_keeps_its_words_readable_on_a_phone_where_it_is_scrolled_by_key(
    page: Page, sign_in: SignIn, study: Study
) -> None:
    a_finished_run(study)
    open_results(page, sign_in, study)
    unfold(page)
    picture = page.get_by_role("group", name="Picture: Places", exact=True)
    said = page.get_by_text("This picture is wider than the page: scroll it sideways.").first
    expect(picture).not_to_have_attribute("tabindex", "0")
    expect(said).to_be_hidden()
    resize(page, PHONE)
    expect(picture).to_have_attribute("tabindex", "0")
    expect(said).to_be_visible()
    assert box(picture.get_by_role("img"))["width"] >= 576
    picture.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("(part) => part.scrollLeft > 0", arg=picture.element_handle())
    assert fits(page)


def test_what_was_not_understood_stands_where_one_arrives(page: Page, sign_in: SignIn, study: Study) -> None:
    a_finished_run(study)
    open_results(page, sign_in, study)
    page.get_by_text("Compute again, or with other parameters").click()
    page.locator("form", has=page.locator("#id_draws")).evaluate("form => (form.noValidate = true)")
    page.locator("#id_draws").fill("0")
    page.locator("#id_draws").press("Enter")
    expect(page.get_by_text("has to be 100 or more")).to_be_in_viewport()
    expect(page.locator("#heading-outcomes")).to_be_visible()


def test_results_are_read_in_every_look(page: Page, sign_in: SignIn, study: Study) -> None:
    a_finished_run(study)
    open_results(page, sign_in, study)
    unfold(page)
    page.get_by_text("The table, 24 rows").click()
    page.get_by_text("Compute again, or with other parameters").click()
    check_every_look(page)


def test_a_picture_is_shown_in_the_inks_of_the_page_and_on_paper_in_those_of_paper(
    page: Page, sign_in: SignIn, study: Study
) -> None:
    a_finished_run(study)
    open_results(page, sign_in, study)
    unfold(page)
    light, dark = page.locator("img.in-light").first, page.locator("img.in-dark").first
    schemes: tuple[tuple[Literal["light", "dark"], Locator, Locator], ...]
    schemes = (("light", light, dark), ("dark", dark, light))
    for scheme, seen, hidden in schemes:
        page.emulate_media(color_scheme=scheme)
        expect(seen).to_be_visible()
        expect(hidden).to_be_hidden()
    page.emulate_media(color_scheme="dark", media="print")
    expect(light).to_be_visible()
    expect(dark).to_be_hidden()


def test_on_paper_every_table_is_unfolded_and_fits_and_nothing_is_to_be_pressed(
    page: Page, sign_in: SignIn, study: Study
) -> None:
    a_finished_run(study)
    open_results(page, sign_in, study)
    folded = page.locator("#places-of-many table")
    expect(folded).to_be_hidden()
    expect(page.locator(".downloads").first).to_be_hidden()
    unfold(page)
    expect(page.locator(".downloads").first).to_be_visible()
    page.reload()
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 658, "height": 930})  # A4 within its margins
    expect(folded).to_be_visible()
    for table in page.get_by_role("region").all():
        assert table.evaluate("(table) => table.scrollWidth <= table.clientWidth")
    for hidden in page.locator(".downloads, .subpages, form").all():
        expect(hidden).to_be_hidden()


def test_the_table_of_contents_unfolds_what_it_leads_to_and_stays_in_view(
    page: Page, sign_in: SignIn, study: Study
) -> None:
    a_finished_run(study)
    open_results(page, sign_in, study)
    contents = page.get_by_role("navigation", name="On this page")
    expect(page.locator("#section-panel")).to_be_hidden()
    contents.get_by_role("link", name="Panel").press("Enter")
    expect(page.locator("#section-panel")).to_be_in_viewport()
    page.keyboard.press("End")
    expect(contents).to_be_in_viewport()
    contents.get_by_role("link", name="Outcomes").click()
    expect(page.get_by_text("Who came where.").first).to_be_in_viewport()


def test_pictures_are_loaded_before_they_are_printed(page: Page, sign_in: SignIn, study: Study) -> None:
    """On a dark page those of paper are not there at first."""
    page.emulate_media(color_scheme="dark")
    a_finished_run(study)
    open_results(page, sign_in, study)
    picture = page.locator("img.in-light")
    assert not picture.evaluate("(picture) => picture.complete")
    printed = page.evaluate(
        """() => new Promise((resolve) => {
          window.print = () => resolve([...document.querySelectorAll("img.in-light")].map((each) => each.complete));
          document.querySelector("[data-print]").click();
        })"""
    )
    assert printed == [True]
    page.reload()
    page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    expect(picture).to_have_js_property("complete", value=True)


def test_the_text_is_copied(page: Page, sign_in: SignIn, study: Study) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    a_finished_run(study)
    open_results(page, sign_in, study)
    unfold(page)
    page.get_by_role("button", name="Copy the text").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("Methods\n")
    assert copied == page.locator("#sentences").inner_text()


def test_runs_and_their_comparison_are_read_in_every_look(page: Page, sign_in: SignIn, study: Study) -> None:
    a_finished_run(study)
    a_finished_run(study, seed=7)
    open_results(page, sign_in, study, "run_list")
    check_every_look(page)
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("heading", name="What they rest on")).to_be_visible()
    check_every_look(page)
