"""A coordinator goes through the quarantine without a mouse: reads what was found, edits a text, rejects one."""

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

from annotation.study.models.prompts import Prompt
from annotation.texts.models.provenance import Arm, Stimulus, TextEdit
from annotation.texts.services import intake
from tests.browsing import SignIn, check_accessible, tab_to
from tests.factories import GIVEAWAY, a_quarantined_text, an_assembling_study, coordinator_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def press(page: Page, control: Locator) -> None:
    tab_to(page, control)
    page.keyboard.press("Enter")


def test_texts_are_read_edited_and_rejected_by_keyboard(page: Page, sign_in: SignIn) -> None:
    study = an_assembling_study()
    edited, rejected = (a_quarantined_text(study, prompt=prompt) for prompt in Prompt.objects.filter(study=study))
    sign_in(page, coordinator_of(study))
    page.goto(reverse("texts", args=[study.slug]))
    check_accessible(page)
    first = page.get_by_role("article").first
    press(page, first.get_by_role("link", name="“Claude”"))
    expect(page.locator("mark:target")).to_have_text("[name of a model or its maker: Claude]")
    expect(page.locator("mark:target")).to_be_focused()

    press(page, first.get_by_role("link", name="Edit"))
    expect(page.get_by_role("heading", name="Edit a text in quarantine")).to_be_visible()
    check_accessible(page)
    tab_to(page, page.get_by_label("The text as judges may see it"))
    expect(page.locator("textarea[name=text]")).to_have_value(GIVEAWAY)
    page.keyboard.press("Control+A")
    page.keyboard.insert_text("Towns differ.\n\nI take no sides. Claude would.\n\nIt is all a matter of habit.")
    press(page, page.get_by_role("button", name="Show what changes"))
    expect(page.get_by_role("heading", name="What changes")).to_be_focused()
    expect(page.locator("del")).to_have_text("As an AI language model,")
    expect(page.get_by_text("The scan still finds:")).to_be_visible()
    check_accessible(page)

    tab_to(page, page.get_by_label("Reason"))
    page.keyboard.type("It spoke of itself as a machine.")
    press(page, page.get_by_role("button", name="Keep this"))
    expect(page.get_by_role("alert")).to_contain_text("The scan still finds “Claude”")
    tab_to(page, page.get_by_label("What the scan still finds gives nothing away"))
    page.keyboard.press("Space")
    press(page, page.get_by_role("button", name="Keep this"))
    expect(page.get_by_text("The edited text is admitted.")).to_be_visible()
    assert TextEdit.objects.get(response=edited.pk).before == GIVEAWAY

    press(page, page.get_by_role("link", name="Side by side"))
    expect(page.locator("ins")).to_have_text("habit.")
    check_accessible(page)
    press(page, page.get_by_role("link", name="All texts in quarantine"))
    tab_to(page, page.get_by_label("Reason"))
    page.keyboard.type("It is not finished.")
    press(page, page.get_by_role("button", name="Reject", exact=True))
    expect(page.get_by_text("The text is rejected.")).to_be_visible()
    expect(page.get_by_text("Nothing is in quarantine")).to_be_visible()
    states = dict(Stimulus.objects.filter(pk__in=[edited.pk, rejected.pk]).values_list("pk", "state"))
    assert states == {edited.pk: "admitted", rejected.pk: "rejected"}


def test_a_text_that_could_not_be_read_is_read_again_by_keyboard(page: Page, sign_in: SignIn) -> None:
    study = an_assembling_study()
    prompt = Prompt.objects.filter(study=study)[0]
    response = intake.receive(
        study=study, prompt=prompt, text="Towns – they “differ”.", arm=Arm.HUMAN, source_code="W-0009", by=None
    )
    Stimulus.objects.filter(pk=response.pk).update(tries=intake.MAX_TRIES)
    intake.read(response_id=response.pk)  # finds that both tries broke off
    sign_in(page, coordinator_of(study))
    page.goto(reverse("texts", args=[study.slug]))
    check_accessible(page)
    expect(page.get_by_text(intake.BROKE_OFF)).to_be_visible()
    expect(page.get_by_text("Towns – they “differ”.")).to_be_visible()
    expect(page.get_by_role("button", name="Clear")).to_have_count(0)
    tab_to(page, page.get_by_label("Reason"))
    page.keyboard.type("The server was restarted.")
    press(page, page.get_by_role("button", name="Read it again"))
    expect(page.get_by_text("1 text is still being read.")).to_be_visible()
    check_accessible(page)
    intake.read(response_id=response.pk)
    page.reload()
    expect(page.get_by_text("Nothing is in quarantine")).to_be_visible()
