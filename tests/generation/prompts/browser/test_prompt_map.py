"""The map of prompts: read by pointing and by keys, filtered, enlarged, and looked at in every size and scheme."""

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, Position, expect

from annotation.study.models.studies import Study
from generation.prompts.core.prompt_map import Drawing, PromptPoint
from generation.prompts.models import Candidate, PromptMap
from generation.prompts.services.prompt_maps import ask_for_map, draw_map
from generation.sources.models import Source
from tests.browsing import SignIn, check_accessible, check_every_look
from tests.factories import a_study, coordinator_of
from tests.generation.prompts.candidates import a_pool

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

EDGE = 18  # pixels around the whole map, as in prompt-map-view.js


@pytest.fixture
def study() -> Study:
    """With forty prompts that share words and differ in them, so that no two lie in one place."""
    study = a_study()
    pool = a_pool(study, scenarios=4, generators=("claude", "gpt"))
    words = "debt rent rule vote fair kin oath tax".split()
    for number, candidate in enumerate(pool):
        candidate.text = f"{words[number % 8]} {words[number % 8]} of a {words[number // 8]} {words[number % 7]}?"
        candidate.label = f"What the prompt {number} asks of those who read it"
    Candidate.objects.bulk_update(pool, ["text", "label"])
    return study


def a_map(study: Study) -> tuple[PromptMap, Drawing]:
    made = ask_for_map(study=study, source=Source.objects.get(), by=coordinator_of(study))
    draw_map(made.pk)
    made.refresh_from_db()
    return made, Drawing.of(made.drawing)


def open_map(page: Page, sign_in: SignIn, study: Study) -> tuple[Locator, Locator]:
    """The map and the pane in which one reads, once the points are there."""
    sign_in(page, coordinator_of(study))
    page.goto(reverse("prompt_map", args=[study.slug]))
    stage = page.get_by_role("application")
    expect(stage).not_to_have_attribute("aria-busy", "true")
    return stage, page.get_by_label("What is pointed at")


def pixel_of(stage: Locator, point: PromptPoint) -> Position:
    width, height = (stage.evaluate(f"stage => stage.client{side}") for side in ("Width", "Height"))
    scale = min(width, height) / 2 - EDGE
    return {"x": width / 2 + point.x * scale, "y": height / 2 - point.y * scale}


def painted(page: Page) -> str:
    """What the lower canvas shows, once the frames under way are painted."""
    return str(
        page.evaluate(
            "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame("
            "() => done(document.querySelector('canvas').toDataURL()))))"
        )
    )


def test_the_map_is_seen_whole_with_its_controls(page: Page, sign_in: SignIn, study: Study) -> None:
    a_map(study)
    page.set_viewport_size({"width": 1440, "height": 900})
    open_map(page, sign_in, study)
    top, bottom = (
        page.locator(part).evaluate("part => part.getBoundingClientRect()")
        for part in ("#map-controls", "figcaption")
    )
    assert bottom["bottom"] - top["top"] <= 900


def test_pointing_at_a_mark_reads_its_prompt(page: Page, sign_in: SignIn, study: Study) -> None:
    _, drawing = a_map(study)
    stage, pane = open_map(page, sign_in, study)
    expect(pane).to_contain_text("Point at a mark")
    outermost = max(drawing.prompts, key=lambda prompt: abs(prompt.x) + abs(prompt.y))
    candidate = Candidate.objects.get(pk=outermost.id)

    stage.hover(position=pixel_of(stage, outermost))
    expect(pane.get_by_role("heading")).to_have_text(candidate.label)
    expect(pane).to_contain_text(candidate.text)

    # Away from it the pane is free again; what was clicked stays.
    stage.hover(position={"x": 1, "y": 1})
    expect(pane).to_contain_text("Point at a mark")
    stage.click(position=pixel_of(stage, outermost))
    page.mouse.move(0, 0)
    expect(pane).to_contain_text(candidate.text)
    expect(pane.get_by_role("link")).to_have_attribute(
        "href", reverse("candidate", args=[study.slug, candidate.pk])
    )


def test_keys_read_every_point_and_open_a_prompt(page: Page, sign_in: SignIn, study: Study) -> None:
    a_map(study)
    stage, pane = open_map(page, sign_in, study)
    stage.focus()
    page.keyboard.press("ArrowRight")
    expect(pane).not_to_contain_text("Point at a mark")

    # In order: four scenarios and forty prompts, and round again.
    first = pane.inner_text().splitlines()[0]
    read = set()
    for _ in range(44):
        page.keyboard.press("]")
        read.add(pane.inner_text().splitlines()[0])
    assert len(read) == 44
    assert pane.inner_text().splitlines()[0] == first

    # By direction: from anywhere one gets to the left edge.
    seen = []
    while (now := pane.inner_text().splitlines()[0]) not in seen:
        seen.append(now)
        page.keyboard.press("ArrowLeft")
    assert len(seen) > 1

    while pane.inner_text().startswith("Scenario"):
        page.keyboard.press("[")
    expect(pane.get_by_role("link")).to_be_visible()
    page.route("**/candidates/**", lambda route: route.fulfill(body="The prompt’s page"))
    page.keyboard.press("Enter")
    page.wait_for_url("**/candidates/*/")


def test_what_is_shown_follows_the_form_and_so_does_the_table(page: Page, sign_in: SignIn, study: Study) -> None:
    a_map(study)
    stage, _ = open_map(page, sign_in, study)
    pictures = [painted(page)]
    for what in ("Arms", "Hulls", "claude"):
        page.get_by_label(what).uncheck()
        pictures.append(painted(page))
    page.get_by_label("Stratum").select_option("Stratum 1")
    pictures.append(painted(page))
    assert len(set(pictures)) == len(pictures)
    expect(page.get_by_text("10 prompts shown")).to_be_visible()
    download = page.get_by_role("link", name="Download as SVG")
    assert "generator=1&stratum=0" in str(download.get_attribute("href"))

    stage.focus()
    page.keyboard.press("+")
    closer = painted(page)
    page.get_by_role("button", name="All of it").click()
    assert pictures[-1] == painted(page) != closer


def test_the_map_looks_right_by_day_and_night_and_says_when_it_is_lost(
    page: Page, sign_in: SignIn, study: Study
) -> None:
    a_map(study)
    _, pane = open_map(page, sign_in, study)
    by_day = painted(page)
    check_accessible(page)
    check_every_look(page)
    assert painted(page) != by_day

    page.route("**/points.json", lambda route: route.abort())
    page.reload()
    expect(pane).to_contain_text("The map could not be fetched")
