"""A coordinator follows a source from its items to what is left of it, and writes a concept down, by keyboard."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from annotation.study.models.studies import Study
from generation.sources.models import RemovedItem, Source
from tests.browsing import SignIn, check_every_look
from tests.factories import a_study, coordinator_of
from tests.generation.prompts.candidates import a_pool, voted
from tests.generation.sources.concept_sources import a_concept_source

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def follow(page: Page, name: str) -> None:
    """Enter on the link, as with the keyboard."""
    page.get_by_role("link", name=name).first.press("Enter")


def a_reduced_pool(study: Study) -> None:
    """Of a source whose second step removed one item by each of 30 rules; two scenarios are left."""
    voted(a_pool(study), fails=("claude", "gpt"))
    source = Source.objects.get()
    rules = {f"rule number {number}": 1 for number in range(30)}
    source.funnel = [
        {"name": "all items", "kept": 32, "removed": 0, "rules": {}, "admitted": {}},
        {"name": "no trivia", "kept": 2, "removed": 30, "rules": rules, "admitted": {"ethics": 2, "law": 1}},
    ]
    source.save()
    RemovedItem.objects.bulk_create(
        RemovedItem(source=source, step=1, rule=rule, key=f"item-{rule[12:]}", text="Who wrote it? " * 20)
        for rule in rules
    )


def test_the_pages_of_sources_lead_from_the_overview_to_what_a_rule_removed(page: Page, sign_in: SignIn) -> None:
    study = a_study()
    a_reduced_pool(study)
    sign_in(page, coordinator_of(study))
    page.goto(reverse("pool", args=[study.slug]))
    check_every_look(page)
    follow(page, "The BBQ source")
    page.get_by_text("By rule").press("Enter")
    page.get_by_text("What let them in").press("Enter")
    check_every_look(page)
    follow(page, "rule number 7")
    expect(page.get_by_label("Removed by")).to_have_value("rule number 7")
    expect(page.get_by_role("row")).to_have_count(2)  # the head, and the one item
    page.get_by_label("Removed by").select_option("")
    page.get_by_label("Words in it").fill("ITEM-12")
    page.get_by_label("Words in it").press("Enter")
    expect(page.get_by_role("rowheader")).to_have_text(["item-12"])
    check_every_look(page)


def test_a_quotation_is_looked_up_while_it_is_typed(page: Page, sign_in: SignIn) -> None:
    study = a_study()
    a_concept_source(study)
    sign_in(page, coordinator_of(study))
    page.goto(reverse("concept_add", args=[study.slug, "ours"]))
    page.get_by_label("Concept", exact=True).fill("A say for everybody")
    page.get_by_label("Interpretation").fill("Nobody is decided for unheard.")
    first = page.get_by_role("group", name="Quotation 1")
    first.get_by_label("Document").select_option("Charter")
    words = first.get_by_label("Words")
    words.fill("Whoever decides for others tells why")
    expect(first.get_by_role("status")).to_contain_text("Not in the document")
    expect(first.get_by_role("status")).to_contain_text("Whoever decides for others says why")
    expect(words).to_be_focused()
    check_every_look(page)
    words.fill("Whoever decides for others says why - and listens")
    expect(first.get_by_role("status")).to_contain_text("Found in the document")
    page.get_by_role("button", name="One more quotation").press("Enter")
    expect(page.get_by_role("group", name="Quotation 3")).to_be_visible()
    page.get_by_role("button", name="Save the concept").press("Enter")
    expect(page.get_by_text("“A say for everybody” is saved.")).to_be_visible()
    check_every_look(page)


def test_what_looking_up_finds_is_all_that_a_refused_quotation_says(page: Page, sign_in: SignIn) -> None:
    study = a_study()
    a_concept_source(study)
    sign_in(page, coordinator_of(study))
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.goto(reverse("concept_add", args=[study.slug, "ours"]))
    page.get_by_label("Concept", exact=True).fill("A say for everybody")
    page.get_by_label("Interpretation").fill("Nobody is decided for unheard.")
    first = page.get_by_role("group", name="Quotation 1")
    first.get_by_label("Document").select_option("Charter")
    first.get_by_label("Words").fill("Everybody must speak")
    page.get_by_role("button", name="Save the concept").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Quotation 1 is not in its document word for word.")
    expect(first).to_contain_text("Not in the document")
    complaints.clear()  # the page itself came with status 400
    first.get_by_label("Words").press_sequentially("Everybody may speak", delay=100)
    first.get_by_label("Words").fill("Everybody may speak")
    expect(first.get_by_role("status")).to_contain_text("Found in the document")
    expect(first).not_to_contain_text("Not in the document")
    check_every_look(page)
    page.get_by_role("button", name="Save the concept").press("Enter")
    expect(page.get_by_text("“A say for everybody” is saved.")).to_be_visible()
    assert complaints == []


def test_a_table_waits_for_its_columns(page: Page, sign_in: SignIn) -> None:
    study = a_study()
    sign_in(page, coordinator_of(study))
    page.goto(reverse("source_add", args=[study.slug]))
    follow(page, "A table of your own")
    for label, said in {"Name": "Harbour questions", "Short name": "harbour", "Code": "HAR"}.items():
        page.get_by_label(label, exact=True).fill(said)
    content = b"nr;frage\n1;Is a promise to a crowd a promise?\n2;When is a custom a law?\n"
    page.get_by_label("Files").set_input_files({"name": "q.csv", "mimeType": "text/csv", "buffer": content})
    page.get_by_role("button", name="Read the table").press("Enter")
    page.get_by_label("Question", exact=True).select_option("frage")
    page.get_by_role("button", name="Check again").press("Enter")
    expect(page.get_by_text("Scenarios: 2.")).to_be_visible()
    check_every_look(page)
    page.get_by_role("button", name="Import the table").press("Enter")
    expect(page.get_by_text("Harbour questions is read in, and the study draws on it.")).to_be_visible()
