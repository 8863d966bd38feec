"""The whole study as five people in five browsers: from an invitation to the published file of judgments."""

import csv
import io
import re
from collections.abc import Callable, Iterator

import django_rq
import pytest
from django.conf import settings
from django.core import mail
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Page, expect
from rq import SimpleWorker

from annotation.judging.models.judging import Guess, JudgingItem
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from annotation.writing.models import WritingAssignment
from scrub_site.management.commands.run_loop import tick
from tests.annotation.judging.browser.room import ready
from tests.factories import a_member, a_study, an_essay, coordinator_of, members_of, written
from tests.generation.calls.model_runs import a_target

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PASSWORD = "quiet harbour 1847"
PUBLISHED = (
    "prompt_id,true_id,blinded_label,item_type,true_source,model,rank,score,judge_id,conceptual_clarity,"
    "evidential_grounding,contextual_relevance,pluralistic_engagement,argumentative_soundness"
)
FAMILIES = ("claude", "gemini", "gpt")

SignIn = Callable[[Page, User], None]


@pytest.fixture
def study() -> Study:
    """A study of two prompts in design: three human and three model answers to an item, one judge."""
    study = a_study(
        prompts=2,
        answers_per_prompt=3,
        human_answers_per_item=3,
        model_answers_per_item=3,
        model_targets_expected=3,
        human_sets="fixed",
    )
    for family in FAMILIES:
        a_target(study, family)
    for _ in range(2):
        a_member(study, Role.WRITER)
        a_member(study, Role.RESEARCHER)
    return study


@pytest.fixture
def visit(browser: Browser, base_url: str, sign_in: SignIn) -> Iterator[Callable[[User | None], Page]]:
    """`visit(person)` opens a browser of that person's own; `None` is somebody who has no account yet."""
    contexts: list[BrowserContext] = []

    def visit(person: User | None) -> Page:
        context = browser.new_context(base_url=base_url, viewport={"width": 1440, "height": 900})
        context.set_default_timeout(10_000)
        contexts.append(context)
        page = context.new_page()
        if person:
            sign_in(page, person)
        return page

    yield visit
    for context in contexts:
        context.close()


def work_off() -> None:
    """What the loop and a worker do in their own processes, until nothing is due."""
    queues = [django_rq.get_queue(name) for name in settings.RQ_QUEUES]
    while True:
        tick()
        if not SimpleWorker(queues, connection=queues[0].connection).work(burst=True, logging_level="WARNING"):
            return


def enter_by_invitation(page: Page, study: Study, name: str) -> None:
    """From the mailed link to the study's page: account, consent, profile."""
    work_off()
    message = next(message for message in mail.outbox if name in str(message.body))
    link = re.search(r"/invitations/\S+", str(message.body))
    assert link
    page.goto(link.group())
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Accept and open my account").click()
    page.get_by_role("link", name="Read the consent form").click()
    page.get_by_label("I have read this text").check()
    page.get_by_role("button", name="Agree and go on").click()
    page.get_by_role("radio", name="Doctorate", exact=True).check()
    page.get_by_role("radio", name="Yes").check()
    page.get_by_label("Discipline").select_option(label="Sociology")
    page.get_by_label("Years of research experience").fill("11")
    page.get_by_label("Country").select_option("Portugal")
    page.get_by_role("button", name="Save and go on").click()
    page.wait_for_url(f"**/studies/{study.slug}/")


def invite(page: Page, name: str, role: str) -> None:
    page.get_by_text("Invite somebody").click()
    form = page.locator("details", has_text="Invite somebody")
    form.get_by_label("Name").fill(name)
    form.get_by_label("Address").fill(f"{name.lower().replace(' ', '.')}@university.example")
    form.get_by_label("Role").select_option(label=role)
    form.get_by_role("button", name="Send the invitation").click()
    expect(page.get_by_text("is being mailed")).to_be_visible()


def take_up_the_office(coordinator: Page, study: Study, *researchers: Page) -> None:
    """The coordinator proposes whoever may be; each accepts the office of unblinder on a page of their own."""
    coordinator.goto(reverse("study", args=[study.slug]))
    expect(coordinator.get_by_text("At least 2 researchers must accept")).to_be_visible()
    coordinator.get_by_role("link", name="Unblinders", exact=True).click()
    for _ in researchers:
        coordinator.get_by_role("button", name="Propose", exact=True).click()
    for page in researchers:
        page.goto(reverse("study", args=[study.slug]))
        page.get_by_role("link", name="Look and decide").click()
        page.get_by_label("Your affiliation").fill("University of Somewhere")
        page.get_by_role("button", name="Accept the office").click()
        expect(page.get_by_text("You have accepted the office of unblinder.")).to_be_visible()


def take_the_final_step(page: Page, label: str) -> None:
    page.locator("summary", has_text=label).click()
    for box in page.get_by_label("Go on although").all():
        box.check()
    page.get_by_role("button", name=label, exact=True).click()


def test_five_people_take_a_study_from_invitation_to_publication(
    visit: Callable[[User | None], Page], study: Study
) -> None:
    home = reverse("study", args=[study.slug])

    # The coordinator invites a writer and a judge, locks the design and gives out the writing.
    coordinator = visit(coordinator_of(study))
    coordinator.goto(reverse("study_people", args=[study.slug]))
    invite(coordinator, "Wanda Writer", "Writer")
    invite(coordinator, "Judith Judge", "Judge")
    writer, judge = visit(None), visit(None)
    enter_by_invitation(writer, study, "Wanda Writer")
    expect(writer.get_by_text("There is nothing to write yet")).to_be_visible()
    enter_by_invitation(judge, study, "Judith Judge")
    first, second = (visit(member.user) for member in members_of(study, Role.RESEARCHER))
    take_up_the_office(coordinator, study, first, second)
    coordinator.goto(home)
    take_the_final_step(coordinator, "Lock the design")
    expect(coordinator.get_by_text("Commitment to the seed")).to_be_visible()
    take_the_final_step(coordinator, "Assign writing")

    # The writer writes against the clock; the text saves itself and is handed in.
    write_and_hand_in(writer, home)
    others = WritingAssignment.objects.filter(study=study, state="assigned").select_related(
        "participation__user", "study", "prompt"
    )
    for number, assignment in enumerate(others, start=100):
        written(assignment, an_essay(number))

    # Models answer in the background; writing is closed; every text is admitted; judging opens.
    coordinator.goto(home)
    coordinator.get_by_role("link", name="Plan and watch runs").click()
    coordinator.get_by_role("button", name="Plan it, send nothing").click()
    work_off()
    coordinator.get_by_role("button", name="Start: send 6 requests").click()
    work_off()
    # The page follows the run by itself; to reload it meanwhile would break one of the two off.
    expect(coordinator.get_by_text("6 of 6").first).to_be_visible(timeout=30_000)
    coordinator.goto(home)
    coordinator.get_by_role("button", name="Close writing").click()
    coordinator.get_by_role("link", name="Look at the texts and open judging").first.click()
    coordinator.locator("summary", has_text="Open judging").click()
    for reason in coordinator.get_by_label("Reason").all():  # the essays of tests are near copies of each other
        reason.fill("Nobody wrote these.")
    coordinator.get_by_role("button", name="Open judging").click()
    expect(coordinator.get_by_text("2 items were assembled")).to_be_visible()

    # The judge scores two items; the ranking appears with ties and is confirmed.
    for position in (1, 2):
        judge.goto(home)
        judge_the_next_item(judge, position)
    judge.goto(home)
    expect(judge.get_by_text("2 of 2")).to_be_visible()
    guess_who_wrote_the_answers(judge)

    # One researcher closes and asks for unblinding, another one approves.
    first.goto(home)
    first.get_by_role("link", name="Close collection …").click()
    first.get_by_role("button", name="Close collection").click()
    expect(first.get_by_text("judgments are frozen")).to_be_visible()
    first.get_by_label("Why now?").fill("Collection is complete and checked.")
    first.get_by_role("button", name="Ask for unblinding").click()
    expect(first.get_by_text("Waiting for another unblinder")).to_be_visible()
    second.goto(home)
    second.locator("summary", has_text="Approve").click()
    second.get_by_role("button", name="Unblind the study").click()
    expect(second.get_by_text("the study is unblinded")).to_be_visible()

    # Results and the published file.
    second.goto(reverse("results", args=[study.slug]))
    expect(second.get_by_text("Run 2 waits for a worker.")).to_be_visible()  # the first was of masked judgments
    work_off()
    expect(second.get_by_role("heading", name="Agreement").first).to_be_visible()
    second.get_by_role("navigation", name="On this page").get_by_role("link", name="Outcomes").click()
    for family in FAMILIES:
        expect(second.locator("#section-outcomes").get_by_text(family).first).to_be_visible()
    exported = second.request.get(reverse("judgments_csv", args=[study.slug])).text()
    assert ",".join(next(csv.reader(io.StringIO(exported)))).startswith(PUBLISHED)
    rows = list(csv.DictReader(io.StringIO(exported)))
    assert len(rows) == 2 * 6
    assert {row["model"] for row in rows} == {"", *FAMILIES}
    audit.seal()
    assert audit.verify().intact


def write_and_hand_in(page: Page, home: str) -> None:
    page.goto(home)
    page.get_by_role("link", name="Prepare to write").click()
    page.get_by_label("I will write without AI tools").check()
    page.get_by_role("button", name="Start the clock").click()
    expect(page.locator("#status")).to_have_text("Nothing to save yet")  # once the room is open
    page.locator("#answer").fill(an_essay(1))
    expect(page.locator("#status")).to_have_text(re.compile("Saved"))
    page.get_by_role("button", name=re.compile("^Hand in|^Submit")).first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("checkbox").check()
    dialog.get_by_role("button", name=re.compile("^Hand in|^Submit")).click()
    page.wait_for_url("**/receipt/")
    assignment = WritingAssignment.objects.get(participation__user__name="Wanda Writer", state="submitted")
    assert assignment.response_id
    assert not assignment.submitted_by_clock


def judge_the_next_item(page: Page, position: int) -> None:
    """Answers A and B share the first place, the others follow one by one."""
    page.get_by_role("link", name=re.compile(rf"item {position}\b", re.IGNORECASE)).first.click()
    page.get_by_role("button", name="Begin").click()
    ready(page)
    for label, figure in zip("abcdef", "998765", strict=True):
        page.keyboard.press(label)
        for _ in range(5):
            page.keyboard.press(figure)
    expect(page.get_by_role("table", name="Ranking")).to_be_visible()
    expect(page.get_by_role("region", name="Ranking").get_by_role("row").nth(1)).to_contain_text("1=")
    page.get_by_role("button", name="Submit the item").click()
    page.get_by_role("dialog").get_by_role("button", name="Submit", exact=True).click()
    page.wait_for_url("**/receipt/")
    item = JudgingItem.objects.get(participation__user__name="Judith Judge", position=position)
    ranks = dict(item.slots.values_list("label", "ranking__rank"))
    assert ranks == {"A": 1, "B": 1, "C": 3, "D": 4, "E": 5, "F": 6}


def guess_who_wrote_the_answers(page: Page) -> None:
    """On both items: A is a person's, quite surely, and of the others the judge does not know."""
    page.get_by_role("link", name="Begin guessing").click()
    for _ in range(2):
        page.get_by_role("group", name="Who wrote answer A?").get_by_label("A person").check()
        page.get_by_role("group", name="How sure are you about answer A?").get_by_label("quite sure").check()
        for label in "BCDEF":
            page.get_by_role("group", name=f"Who wrote answer {label}?").get_by_label("I don’t know").check()
        page.get_by_role("button", name="Send the guesses").click()
    expect(page.get_by_text("your guesses are kept")).to_be_visible()
    assert Guess.objects.filter(source="human", confidence=5).count() == 2
    assert Guess.objects.filter(source="unknown", confidence=None).count() == 10
