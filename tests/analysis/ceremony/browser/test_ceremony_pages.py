"""Two researchers close, unblind and release a study, by keyboard."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from analysis.release.models import Release
from analysis.release.services import releases
from annotation.judging.services import judging
from tests.browsing import SignIn, box, check_every_look
from tests.factories import (
    a_judging_study,
    judging_items_of,
    researchers_of,
    scored,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def press(page: Page, role: str, name: str) -> None:
    page.get_by_role(role, name=name).first.press("Enter")  # type: ignore[arg-type]


def test_the_ceremony_leads_from_the_last_judgment_to_the_published_release(page: Page, sign_in: SignIn) -> None:
    study = a_judging_study(2, 2, 2, prompts=3)
    *judged, left = judging_items_of(study)
    for item in (*judged, *judging_items_of(study, judge=1)):
        judging.submit_item(item_id=scored(item, A=7, B=5, C=4, D=9).pk, by=item.participation.user)
    first, second = researchers_of(study)

    sign_in(page, first)
    page.goto(reverse("study", args=[study.slug]))
    press(page, "link", "Close collection …")
    expect(page.get_by_role("row", name=f"{left.prompt.code} 1 of 2 items")).to_be_visible()
    check_every_look(page)
    page.get_by_label("Close all the same: 1 item not submitted").press("Space")
    press(page, "button", "Close collection")
    page.get_by_label("Why now?").fill("All ratings that will come are in.")
    press(page, "button", "Ask for unblinding")
    expect(page.get_by_text("Waiting for another unblinder to decide")).to_be_visible()

    sign_in(page, second)
    page.reload()
    page.get_by_text("Approve …").press("Enter")
    check_every_look(page)
    press(page, "button", "Unblind the study")
    press(page, "link", "The record")
    expect(page.get_by_role("row", name="Seed and sources revealed")).to_contain_text(second.name)
    check_every_look(page)
    page.emulate_media(media="print")
    expect(page.get_by_role("heading", name="Every step")).to_be_visible()
    expect(page.get_by_role("heading", name="Downloads")).to_be_hidden()
    page.emulate_media(media="screen")

    press(page, "link", "Releases")
    check_every_look(page)
    page.get_by_label("People who must be alike").fill("2")
    press(page, "button", "Prepare the files")
    expect(page.get_by_text("The release waits for its turn.")).to_be_visible()
    check_every_look(page)
    releases.build(Release.objects.get().pk)
    page.get_by_text("Publish this release …").press("Enter")
    check_every_look(page)
    press(page, "button", "Publish the release")
    expect(page.get_by_role("heading", name="Release 1")).to_be_visible()
    with page.expect_download() as download:
        press(page, "link", "Download all files")
    assert download.value.suggested_filename == "trial-release-1.zip"
    page.set_viewport_size({"width": 390, "height": 844})
    for row in page.locator(".files > div").all():
        assert box(row)["height"] < 130  # its name and its hash in two or three lines each
