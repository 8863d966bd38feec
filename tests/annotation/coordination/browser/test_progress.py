"""A coordinator goes through a study by keyboard: the heat map, one judge, their limits, their leaving."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Page, ViewportSize, expect

from annotation.study.models.participation import Participation, Role
from tests.browsing import WIDE, SignIn, check_accessible
from tests.factories import a_judging_study, coordinator_of, judging_items_of, members_of, opened
from tests.judging import submitted

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NARROW: ViewportSize = {"width": 390, "height": 844}


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.id"))


def test_progress_leads_by_keyboard_from_the_heat_map_to_a_person(page: Page, sign_in: SignIn) -> None:
    study = a_judging_study(1, 1, 3, prompts=12)
    items = [judging_items_of(study, judge=number) for number in range(3)]
    by_prompt = [sorted(own, key=lambda item: item.prompt_id) for own in items]
    submitted(by_prompt[0][0])
    sign_in(page, coordinator_of(study))
    page.set_viewport_size(NARROW)
    page.clock.install()
    page.goto(reverse("progress", args=[study.slug]))
    check_accessible(page)

    # The map scrolls in its own region, and is one stop of the tab key; the arrow keys go from cell to cell.
    region = page.get_by_role("region", name="Who judges what")
    region.focus()
    page.keyboard.press("Tab")
    judge = members_of(study, Role.JUDGE)[0]
    expect(page.get_by_role("link", name=judge.pseudonym)).to_be_focused()
    page.keyboard.press("ArrowRight")
    assert focused(page) == f"judging-{by_prompt[0][0].pk}"
    for _ in range(11):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    here = by_prompt[1][11]
    assert focused(page) == f"judging-{here.pk}"
    scrolled = region.evaluate("region => region.scrollLeft")
    assert scrolled > 0

    # Half a minute later the map is exchanged: the cell has changed, and neither the focus nor the place is lost.
    opened(here)
    with page.expect_response(re.compile("/progress/")):
        page.clock.fast_forward(31_000)
    cell = page.locator(f"#judging-{here.pk}")
    expect(cell).to_have_accessible_name("begun")
    expect(cell).to_be_focused()
    assert region.evaluate("region => region.scrollLeft") == scrolled
    page.keyboard.press("ArrowUp")
    assert focused(page) == f"judging-{by_prompt[0][11].pk}"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    other = members_of(study, Role.JUDGE)[1]
    page.wait_for_url(re.compile(f"/people/{other.pseudonym}/#item-{here.pk}"))

    # On the person's page limits are filled in, and a topic that fits no prompt is named.
    page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
    check_accessible(page)
    page.get_by_text("Limits and preferences").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Never gets").fill("Zoology")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("“Zoology”")
    check_accessible(page)
    page.get_by_label("Never gets").fill("hle")
    page.keyboard.press("Enter")
    expect(page.get_by_text("The limits are saved")).to_be_visible()
    assert Participation.objects.get(pk=other.pk).excludes == ["hle"]

    # Leaving asks why, and leads to where the work is given to others.
    page.get_by_text("Has left the study").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Reason").fill("Has moved abroad.")
    page.get_by_role("button", name="has left").press("Enter")
    page.wait_for_url(f"**{reverse('repair', args=[study.slug])}?task=judging&leaves={other.pseudonym}")
    assert Participation.objects.get(pk=other.pk).left_at
