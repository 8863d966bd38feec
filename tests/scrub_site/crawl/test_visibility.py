"""Who sees what before a study is unblinded: the table of `docs/reference/visibility.md`, proved on every page.

What may be on no page is planted where it is kept, and every page that a role can reach is read. That nobody sees
which prompts serve calibration is proved by exchanging them: no page may come out differently.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from django.db import connection
from django.db.models import BooleanField, F, IntegerField, Value
from django.db.transaction import atomic, set_rollback
from django.test import override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django.plugin import DjangoDbBlocker

from analysis.agreement.sections import AGREEMENT
from analysis.data.core.parameters import WHOLE
from analysis.frozen.selectors.judgments import masked_judgments
from analysis.masked.services import masked_runs
from analysis.report.selectors.runs import report_of
from annotation.assignment.selectors.certificate import certificate
from annotation.judging.models.judging import BlindedSlot, JudgingItem, RankedSlot
from annotation.judging.models.traces import Mark
from annotation.people.core.limits import Limits
from annotation.people.services.members import change_limits
from annotation.platform.models.users import User
from annotation.study.models.participation import Participation, Profile, Role
from annotation.study.models.prompts import Prompt
from annotation.study.models.responses import Response
from annotation.study.models.studies import Study
from annotation.study.policies.design import UNTIL
from annotation.texts.models.provenance import Arm, ItemPlan, Kind, PromptPlan, Stimulus
from annotation.texts.models.seeds import StudySeed
from annotation.texts.selectors.stimuli import shortfalls, texts_by_prompt
from tests.analysis.report.analyses import analysed, asked_for, files_of
from tests.annotation.assignment.repairs import a_shared_study, planned, repaired
from tests.clients import signed_in, without_tokens
from tests.factories import (
    a_closed_study,
    a_judging_study,
    admit_all,
    an_assembling_study,
    coordinator_of,
    members_of,
)
from tests.provenance import word
from tests.scrub_site.crawl.crawl import read
from tests.scrub_site.crawl.route_lines import OK
from tests.scrub_site.crawl.routes_table import ROUTES
from tests.scrub_site.crawl.world import World, build_world

# The states of the table, with the objects of `crawl` that are looked at in them.
STATES = {
    "design": ("design",),
    "writing": (
        "writing",
        "submitted answer",
        "begun answer",
        "lapsed answer",
        "assigned answer",
        "writer of the study",
        "model of the study",
        "template",
        "run",
        "call",
    ),
    "judging": (
        "judging",
        "submitted item",
        "open item",
        "assigned item",
        "item to guess about",
        "judge of the study",
    ),
    "closed": ("closed", "masked analysis", "file of a masked analysis"),
}
BLINDED = ("judging", "closed")
SUPERVISORS = ("coordinator", "researcher")
ACTORS = ("writer", "judge", *SUPERVISORS)
JUDGMENTS = ("score", "rankedslot", "guess", "mark", "dwell")


# -- in studies of their own, before the shared world is built -------------------------------------------------


def a_study_of_every_kind(**parameters: Any) -> Study:
    """It has a prompt of each kind, with all the texts that they need."""
    return an_assembling_study(
        writers=3,
        prompts=3,
        human_answers_per_item=3,
        model_answers_per_item=3,
        model_targets_expected=3,
        quality_floor_prompts=1,
        source_attribution_prompts=1,
        answers_per_target_in_attribution=2,
        **parameters,
    )


@pytest.mark.django_db
def test_what_is_missing_is_said_in_the_same_words_for_every_kind_of_prompt() -> None:
    """Of each prompt the texts of one model, and one human answer, are taken away: of another kind each."""
    study = a_study_of_every_kind(human_sets="fixed")
    plans = PromptPlan.objects.filter(prompt__study=study)
    assert set(plans.values_list("kind", flat=True)) == set(Kind)
    assert shortfalls(study) == []
    for prompt in Prompt.objects.filter(study=study):
        human = Stimulus.objects.filter(prompt=prompt, arm=Arm.HUMAN)[0]
        is_floor = plans.get(prompt=prompt).kind == Kind.QUALITY_FLOOR
        machine = Stimulus.objects.filter(prompt=prompt, arm=Arm.WEAK if is_floor else Arm.MODEL)[0]
        Stimulus.objects.filter(pk__in=[human.pk, machine.pk]).update(state="rejected")
    lacks: dict[str, list[str]] = {}
    for shortfall in shortfalls(study):
        lacks.setdefault(shortfall.code, []).append(shortfall.lacks)
    assert list(lacks.values()) == [["1 human answer", "answers by 1 model"]] * 3


def allowed(name: str) -> list[Any]:
    """Values that the parameter may take: all of few, else the first dozen and the last."""
    field: Any = Study._meta.get_field(name)
    limits = {type(rule).__name__: rule.limit_value for rule in field.validators if hasattr(rule, "limit_value")}
    if field.choices:
        return [value for value, _ in field.choices]
    if isinstance(field, BooleanField):
        return [False, True]
    if isinstance(field, IntegerField):
        low, high = limits["MinValueValidator"], limits["MaxValueValidator"]
        return [*range(low, min(low + 12, high)), high]
    return [field.get_default()]  # days, fees, words and the rubric


@pytest.mark.django_db
@pytest.mark.parametrize("has_texts", [True, False])
def test_nothing_that_may_change_after_the_lock_makes_a_kind_of_prompt_lack_something_else(has_texts: bool) -> None:
    """There is a prompt of each kind, and each has the texts that it needs, or none."""
    study = a_study_of_every_kind()
    if not has_texts:
        Stimulus.objects.filter(study=study).update(state="rejected")
    texts = texts_by_prompt(study)
    assert {prompt.kind for prompt in texts} == set(Kind)
    later = [name for name, until in UNTIL.items() if until != "design"]
    assert {"ratings_per_prompt", "human_sets"} <= set(later)
    for name in later:
        for value in allowed(name):
            tried = copy(study)
            setattr(tried, name, value)
            found = shortfalls(tried)
            lacks = {prompt.code: [lack.lacks for lack in found if lack.code == prompt.code] for prompt in texts}
            assert len({tuple(own) for own in lacks.values()}) == 1, (name, value, lacks)


@pytest.mark.django_db
def test_what_judging_needs_is_there_again_once_the_texts_are() -> None:
    study = an_assembling_study(quality_floor_prompts=1)
    floor = PromptPlan.objects.get(prompt__study=study, kind=Kind.QUALITY_FLOOR).prompt
    Stimulus.objects.filter(study=study, arm=Arm.WEAK).update(state="rejected")
    assert [shortfall.code for shortfall in shortfalls(study)] == [floor.code]
    admit_all(floor, Arm.WEAK, ["family-1"])
    assert shortfalls(study) == []


@pytest.mark.django_db
def test_the_figures_on_calibration_places_come_with_unblinding_only() -> None:
    """From χ² to two decimals and the judges' lists, which coordinators know, the prompts could be worked out."""
    study = a_judging_study(1, 1, 3, prompts=6, quality_floor_prompts=1)
    page = signed_in(coordinator_of(study)).get(reverse("certificate", args=[study.slug])).content.decode()
    assert "figures after unblinding" in page
    assert "degrees of freedom" not in page


@pytest.fixture
def attributing() -> Study:
    """A study with items that show no human answer: its coordinator knows who has what, and can change who does."""
    calibration = {"source_attribution_prompts": 1, "quality_floor_prompts": 1}
    return a_shared_study(6, prompts=6, ratings=3, **calibration)


def at_institution(member: Participation, name: str) -> None:
    change_limits(participation=member, limits=Limits(institution=name), by=coordinator_of(member.study))


@pytest.mark.django_db
def test_the_certificate_is_the_same_whichever_judge_is_a_colleague_of_all_writers(attributing: Study) -> None:
    """Else a judge who met colleagues in fewer items than they have would have one that shows no human answer."""
    for writer in members_of(attributing, Role.WRITER):
        at_institution(writer, "X")
    client, address = signed_in(coordinator_of(attributing)), reverse("certificate_json", args=[attributing.slug])
    seen = set()
    for judge in members_of(attributing, Role.JUDGE):
        at_institution(judge, "X")
        seen.add(client.get(address).content)
        at_institution(judge, "")
    assert len(seen) == 1


@pytest.mark.django_db
def test_sources_under_labels_are_counted_alike_before_and_after_a_repair(attributing: Study) -> None:
    """Else the difference would tell whether human answers are in the items that it moved."""
    before = certificate(attributing)
    assert repaired(attributing, leaves=members_of(attributing, Role.JUDGE)[:1]).moves
    after = certificate(attributing)
    assert before
    assert after
    assert before.positions
    assert after.positions == before.positions


@pytest.mark.django_db
def test_a_repair_is_the_same_whoever_is_whose_colleague(attributing: Study) -> None:
    """Two judges give a prompt up: which of its items goes to whom must not depend on the answers in them."""
    prompt = PromptPlan.objects.filter(prompt__study=attributing, kind=Kind.STANDARD)[0].prompt
    givers = [item.participation for item in JudgingItem.objects.filter(prompt=prompt)[:2]]
    others = [judge for judge in members_of(attributing, Role.JUDGE) if judge not in givers]
    moves = planned(attributing, late=givers).moves
    assert [move.prompt for move in moves].count(prompt.code) == 2
    for writer in members_of(attributing, Role.WRITER):
        at_institution(writer, "X")
        for judge in others:
            at_institution(judge, "X")
            assert planned(attributing, late=givers).moves == moves
            at_institution(judge, "")
        at_institution(writer, "")


@pytest.mark.django_db
def test_a_masked_run_tells_no_prompt_from_another() -> None:
    """There is one of each kind, and no two have as many answers: their shape would tell which is which."""
    study = a_closed_study(2, 2, 3, quality_floor_prompts=1, source_attribution_prompts=1)
    assert set(PromptPlan.objects.filter(prompt__study=study).values_list("kind", flat=True)) == set(Kind)
    answers = masked_judgments(study).groupby("prompt_id")["true_id"].nunique()
    assert answers.nunique() > 1
    run = asked_for(study)
    masked_runs.compute_masked(run.pk)
    files = files_of(run)
    assert {"results.json", "figures.csv", "report.txt", "report.tex"} < set(files)
    prompts = Prompt.objects.filter(study=study)
    codes, domains = prompts.values_list("code", flat=True), prompts.values_list("domain", flat=True)
    assert len({*codes}) == len({*domains}) == 3
    assert [name for name, content in files.items() if any(code.encode() in content for code in codes)] == []
    texts = {name: content.decode() for name, content in files.items() if not name.endswith((".pdf", ".png"))}
    assert [name for name, text in texts.items() if any(domain in text for domain in domains)] == []


@pytest.mark.django_db
def test_a_masked_run_tells_of_prompts_that_do_not_differ_by_what_was_given() -> None:
    study = a_closed_study(1, 1, 2, human_sets="fixed")
    found = report_of(analysed(asked_for(study)))
    assert found
    assert len(found[AGREEMENT][WHOLE].prompts) == 3
    assert len(found[AGREEMENT]) == 4


# -- in the shared world ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def built(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[World]:
    """Building it takes longer than all the tests: they share it, and nothing of it stays."""
    folder = tmp_path_factory.mktemp("mail")
    with django_db_blocker.unblock(), override_settings(DEMO_MODE=True, MAIL_OUTBOX_DIR=folder), atomic():
        yield build_world()
        set_rollback(True)


@pytest.fixture
def world(built: World, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """As it was built, whatever the test before planted."""
    with django_db_blocker.unblock(), atomic():
        yield built
        set_rollback(True)


def pages(world: World, actor: str, *states: str) -> Iterator[tuple[str, str]]:
    """Every page that the actor can reach about the studies in these states: its address and all of it."""
    client = signed_in(world.cast[actor])
    objects = {name for state in states for name in STATES[state]}
    for route in ROUTES:
        if route.method == "GET" and route.of in objects and route.expected[actor] == OK:
            answer: Any = client.get(reverse(route.name, args=world.objects[route.of]))
            assert answer.status_code == 200, str(route)
            yield str(route), f"{answer.headers} {read(answer)}"


def studies(*states: str) -> list[Study]:
    return list(Study.objects.filter(slug__in=states))


# -- what is planted ---------------------------------------------------------------------------------------------

JUDGED, COMPOSITE, WROTE, NAMED, SAID = (
    "quetzal judged",
    "4711.25",
    "quetzal-wrote-",
    "quetzal named",
    "quetzalland",
)


@dataclass(frozen=True)
class Reading:
    """All that one actor can read of the studies, state by state, with what others must not see planted."""

    pages: dict[str, dict[str, str]]
    queries: dict[str, list[str]]

    def telling(self, words: Iterable[str], states: Iterable[str] = STATES) -> list[str]:
        """The pages that give any of these words away."""
        sought = [each.lower() for each in words]
        read = {address: page.lower() for state in states for address, page in self.pages[state].items()}
        return [address for address, page in read.items() if any(each in page for each in sought)]


Read = Callable[[str], Reading]


@pytest.fixture(scope="module")
def reading(built: World, django_db_blocker: DjangoDbBlocker) -> Read:
    """What an actor reads, read once for all tests."""

    @cache
    def read_by(actor: str) -> Reading:
        with django_db_blocker.unblock(), atomic():
            plant_for(built.cast[actor])
            pages_, queries = {}, {}
            for state in STATES:
                with CaptureQueriesContext(connection) as captured:
                    pages_[state] = dict(pages(built, actor, state))
                queries[state] = [query["sql"] for query in captured]
            set_rollback(True)
        return Reading(pages_, queries)

    return read_by


def plant_for(reader: User) -> None:
    """Words where secrets of other people than the reader are kept."""
    items = JudgingItem.objects.filter(study__in=studies(*BLINDED)).exclude(participation__user=reader)
    items.update(justification=f"{JUDGED} justification")
    RankedSlot.objects.filter(slot__item__in=items).update(composite=COMPOSITE)
    slot = BlindedSlot.objects.filter(item__in=items)[0]
    opened_at = slot.item.opened_at or slot.item.study.created_at
    Mark.objects.create(slot=slot, note=f"{JUDGED} note", made_at=opened_at)
    stimuli = Stimulus.objects.filter(study__in=studies(*BLINDED))
    stimuli.exclude(arm=Arm.HUMAN).update(source_code=word(Value(WROTE), F("source_code")))
    studied = User.objects.filter(participations__role__in=(Role.WRITER, Role.JUDGE)).exclude(pk=reader.pk)
    studied.update(name=word(Value(f"{NAMED} "), F("id")))
    Profile.objects.exclude(participation__user=reader).update(country=SAID)


@pytest.mark.parametrize("actor", ACTORS)
def test_no_score_justification_or_note_of_a_judge_is_on_anybody_else_s_page(reading: Read, actor: str) -> None:
    assert reading(actor).telling([JUDGED, COMPOSITE], BLINDED) == []


@pytest.mark.parametrize("state", BLINDED)
def test_a_coordinator_s_pages_do_not_even_read_judgments(reading: Read, state: str) -> None:
    tables = re.compile("|".join(rf'"annotation_{name}"' for name in JUDGMENTS))
    read_by = reading("coordinator")
    assert read_by.pages[state]
    assert [query for query in read_by.queries[state] if tables.search(query)] == []


@pytest.mark.parametrize("actor", SUPERVISORS)
def test_no_page_tells_who_or_what_wrote_a_text_that_is_judged(world: World, reading: Read, actor: str) -> None:
    shown = [str(pk) for pk in Response.objects.filter(study__in=studies(*BLINDED)).values_list("pk", flat=True)]
    assert reading(actor).telling([WROTE, *shown], BLINDED) == []


@pytest.mark.parametrize("actor", SUPERVISORS)
def test_no_text_that_is_judged_is_on_a_supervisors_page_once_judging_is_open(
    world: World, reading: Read, actor: str
) -> None:
    texts = list(Response.objects.filter(study__in=studies(*BLINDED)).values_list("text", flat=True))
    openings = {text[:60] for text in texts}
    assert openings
    assert reading(actor).telling(openings, BLINDED) == []


@pytest.mark.parametrize("actor", ["writer", "judge", "researcher"])
def test_names_of_writers_and_judges_are_for_coordinators_alone(reading: Read, actor: str) -> None:
    assert reading(actor).telling([NAMED]) == []
    assert reading("coordinator").telling([NAMED])


@pytest.mark.parametrize("actor", ["writer", "judge", "researcher"])
def test_what_people_said_about_themselves_is_not_on_others_pages(reading: Read, actor: str) -> None:
    assert reading(actor).telling([SAID]) == []


def test_the_results_of_a_closed_study_name_none_of_its_prompts(world: World, reading: Read) -> None:
    codes = list(Prompt.objects.filter(study__slug="closed").values_list("code", flat=True))
    of_analyses = re.compile("results|run_(list|file|archive)|compare_runs")
    seen = [page for address, page in reading("researcher").pages["closed"].items() if of_analyses.search(address)]
    assert len(seen) == 5
    assert [page for page in seen if any(code in page for code in codes)] == []


@pytest.mark.parametrize("actor", ACTORS)
def test_the_seed_is_on_no_page_before_unblinding(world: World, reading: Read, actor: str) -> None:
    seen = {address: page for pages_ in reading(actor).pages.values() for address, page in pages_.items()}
    own = [page for address, page in seen.items() if "public_study" not in address]
    for kept in StudySeed.objects.filter(study__in=studies(*STATES)):
        assert not any(bytes(kept.seed).hex() in page for page in seen.values())
        assert any(kept.commitment in page for page in seen.values())
        assert any(kept.commitment in page for page in own) == (actor in SUPERVISORS)


# -- calibration -------------------------------------------------------------------------------------------------


def calibrating(study: Study, prompt: Prompt) -> None:
    """Let this prompt, and no other one, serve calibration."""
    PromptPlan.objects.filter(prompt__study=study).update(kind=Kind.STANDARD)
    ItemPlan.objects.filter(item__study=study).update(kind=Kind.STANDARD)
    PromptPlan.objects.filter(prompt=prompt).update(kind=Kind.QUALITY_FLOOR)
    ItemPlan.objects.filter(item__prompt=prompt).update(kind=Kind.QUALITY_FLOOR)


def without_particulars(page: str) -> str:
    """A page without what differs whenever it is opened: tokens and the time."""
    page = without_tokens(page)
    page = re.sub(r"\d{4}-\d\d-\d\dT[\d:.+Z]+|\d\d:\d\d(:\d\d)?", "time", page)
    return re.sub(
        r"\d+(\.\d+)? ?(seconds?|minutes?|s|min)\b|data-\w+=\"\d+(\.\d+)?\"|'Content-Length': '\d+'", "", page
    )


@pytest.mark.parametrize("actor", SUPERVISORS)
@pytest.mark.parametrize("state", ["writing", "judging", "closed"])
def test_every_page_is_the_same_whichever_prompt_serves_calibration(world: World, actor: str, state: str) -> None:
    """Pages count minutes, and one may pass between two of them: what differs does so every time."""
    differing = _differing(world, actor, state)
    for _ in range(2):
        differing &= _differing(world, actor, state) if differing else set()
    assert differing == set()


def _differing(world: World, actor: str, state: str) -> set[str]:
    """Addresses of the pages that are not the same whichever prompt serves calibration."""
    [study] = studies(state)
    seen = []
    for prompt in Prompt.objects.filter(study=study):
        calibrating(study, prompt)
        seen.append({address: without_particulars(page) for address, page in pages(world, actor, state)})
    assert len(seen) == 3
    return {address for address, page in seen[0].items() if any(other[address] != page for other in seen[1:])}
