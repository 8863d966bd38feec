"""A coordinator has a model asked: names it, plans, sees the cost, approves, watches, stops, goes on, inspects."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from annotation.study.models.studies import Study
from generation.calls.models import GenerationRun
from generation.calls.services import planning, recording
from generation.calls.services.recording import Arrival
from generation.providers.base import Outcome, Reply
from tests.browsing import SignIn, check_accessible
from tests.factories import a_study, coordinator_of, locked
from tests.generation.calls.model_runs import claimed, good, worked_off

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DECLINED = Reply(Outcome.REFUSED, detail="The model declined.", raw='{"stop_reason": "refusal"}', status=200)


@pytest.fixture
def study() -> Study:
    """A locked study of four prompts that shows the answers of one model, which is yet to be named."""
    study = a_study(prompts=4)
    locked(study)
    return study


def open_tab(page: Page, study: Study) -> None:
    page.goto(reverse("study", args=[study.slug]))
    page.get_by_role("navigation", name="Coordination").get_by_role("link", name="Models").click()


def test_a_run_is_planned_watched_stopped_and_looked_into(page: Page, sign_in: SignIn, study: Study) -> None:
    sign_in(page, coordinator_of(study))
    open_tab(page, study)
    expect(page.get_by_text("No run is planned yet.")).to_be_visible()
    check_accessible(page)

    page.get_by_role("link", name="Models asked").click()
    page.get_by_role("link", name="Add a model").first.click()
    page.get_by_label("A model this site knows").select_option("Demonstration, large")
    page.get_by_role("button", name="Fill in below").click()
    expect(page.get_by_label("Name")).to_have_value("aurora")
    check_accessible(page)
    page.get_by_role("button", name="Add the model").click()
    expect(page.get_by_text("aurora was added.")).to_be_visible()
    check_accessible(page)

    page.get_by_role("link", name="Runs").click()
    page.get_by_role("button", name="Plan it, send nothing").click()
    expect(page.get_by_text("Being planned")).to_be_visible()
    run = GenerationRun.objects.get()
    planning.fill_plan(run.pk)
    expect(page.get_by_role("heading", name="Approve and start")).to_be_visible()
    expect(page.get_by_role("region", name="What it asks")).to_contain_text("aurora")
    expect(page.get_by_role("main")).to_contain_text("That will probably cost about $")
    check_accessible(page)

    page.get_by_label("Spend at most, in $").fill("5")
    page.get_by_role("button", name="Start: send 4 requests").click()
    expect(page.get_by_text("Running", exact=True)).to_be_visible()
    check_accessible(page)
    outgoing = claimed(run, most=2)
    replies = [DECLINED, good()]
    recording.record(
        run.pk, [Arrival(out.attempt_id, reply, 900) for out, reply in zip(outgoing, replies, strict=True)]
    )
    expect(page.get_by_text("2 of 4")).to_be_visible()  # without the page being loaded again
    expect(page.get_by_role("region", name="Attempts by how they ended")).to_contain_text("Declined by the model")
    check_accessible(page)

    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("The run is stopped. Replies on their way are still kept.")).to_be_visible()
    check_accessible(page)
    page.get_by_label("Spend at most, in $").fill("6")
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_text("Running", exact=True)).to_be_visible()
    run.refresh_from_db()
    worked_off(run, lambda _: good())
    expect(page.get_by_text("Finished", exact=True).first).to_be_visible()
    expect(page.get_by_role("button", name="Ask again for what failed")).to_be_visible()

    page.get_by_role("link", name="See what failed").click()
    expect(page.get_by_role("region", name="Calls").get_by_role("row")).to_have_count(2)
    check_accessible(page)
    page.get_by_role("link", name=str(outgoing[0].call_id), exact=True).click()
    expect(page.get_by_role("heading", name="Attempt 1: declined by the model")).to_be_visible()
    page.get_by_text("How the reply says it ended").click()
    expect(page.get_by_text('"stop_reason": "refusal"')).to_be_visible()
    check_accessible(page)


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_templates_are_accessible_at_any_width(
    page: Page, sign_in: SignIn, study: Study, width: int, scheme: str
) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.set_viewport_size({"width": width, "height": 900})
    sign_in(page, coordinator_of(study))
    page.goto(reverse("study_templates", args=[study.slug]))
    check_accessible(page)
    page.get_by_role("link", name="Answer to a prompt").click()
    page.get_by_text("As it comes with the site").first.click()
    check_accessible(page)
