"""An audit says what is to be done in its own words: checklist, next step, progress."""

import re

import pytest
from django.urls import reverse

from annotation.benchmarks.models.benchmarks import Benchmark
from annotation.coordination.core.checklist import Standing
from annotation.coordination.selectors.checklist import checklist_of
from annotation.coordination.selectors.coordination import overview
from annotation.coordination.selectors.next_action import next_action
from annotation.study.core.parameters import sections_of
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from annotation.study.selectors.consents import AUDIT_CONSENT_VERSION
from generation.model_steps import model_steps
from scrub_site.views.homes import COORDINATORS_PAGES, RESEARCHERS_PAGES
from tests.annotation.benchmarks.audits import all_said, an_audit, audit_in_design
from tests.annotation.benchmarks.tomi_stories import a_benchmark
from tests.clients import signed_in
from tests.factories import a_member, a_study, coordinator_of, locked
from tests.generation.calls.model_runs import a_target

pytestmark = pytest.mark.django_db

OF_OTHERS = {"Add prompts", "Collect the texts", "Write", "Judge", "Decide about texts in quarantine"}


def following(study: Study) -> dict[str, str]:
    """The steps that are next, with how far each is."""
    points = checklist_of(study, overview(study), model_steps(study))
    assert not OF_OTHERS & {point.duty.title for point in points}
    assert {point.duty.page for point in points if point.duty.page} <= COORDINATORS_PAGES | RESEARCHERS_PAGES
    return {point.duty.title: point.duty.told for point in points if point.standing == Standing.NEXT}


def obstacles(study: Study) -> str:
    action = next_action(study, overview(study))
    assert action
    return " ".join(action.obstacles)


def test_before_it_opens_an_audit_asks_for_benchmarks_models_and_two_annotators() -> None:
    study = audit_in_design()
    assert following(study)["Read the benchmarks in"] == "0 benchmarks, 0 questions"
    assert following(study)["Say which models answer"] == "0 models"
    assert "read a benchmark in" in obstacles(study)
    benchmark = a_benchmark(study)
    a_target(study, "claude")
    assert "read a benchmark in" not in obstacles(study)
    a_member(study, Role.ANNOTATOR)
    locked(study)
    assert "Open the audit" in following(study)
    assert "Draw the questions that are reviewed" not in following(study)
    assert "Joined so far: 1 annotator." in obstacles(study)
    Benchmark.objects.filter(pk=benchmark.pk).update(reviewed="missed")
    assert following(study)["Draw the questions that are reviewed"] == "not drawn of ToMi"
    assert "have still to be drawn: ToMi" in obstacles(study)


def test_an_open_audit_tells_how_many_questions_are_annotated_and_what_comes_next() -> None:
    study = an_audit()
    assert following(study)["Annotate"] == "0 of 12 reviews"
    assert "Close collection" not in following(study), "people are still annotating"
    all_said(study, flaws={})
    found = following(study)
    assert "Annotate" not in found
    assert found["Open adjudication"] == "0 of 1 benchmark"
    client = signed_in(coordinator_of(study))
    for name in ("study", "progress"):
        page = client.get(reverse(name, args=[study.slug])).content.decode()
        assert "Reviews done" in page
        assert "There is no prompt yet" not in page


def tabs(study: Study, address: str) -> list[str]:
    page = signed_in(coordinator_of(study)).get(reverse(address, args=[study.slug])).content.decode()
    bar = page.split('aria-label="Coordination"', 1)[1].split("</nav>", 1)[0]
    return re.findall(r">([^<>]+)</a>", bar)


def test_an_audit_speaks_of_benchmarks_wherever_other_studies_speak_of_texts() -> None:
    study = audit_in_design()
    a_benchmark(study)
    a_target(study, "claude")
    assert study.consent_version == AUDIT_CONSENT_VERSION
    office = signed_in(coordinator_of(study))
    people, models = (
        office.get(reverse(name, args=[study.slug])).content.decode() for name in ("study_people", "study_models")
    )
    assert re.findall(r'<option value="(\w+)"', people)[:4] == [
        "annotator",
        "adjudicator",
        "coordinator",
        "researcher",
    ]
    assert "Answers questions" in models
    assert not re.search(r"Answers prompts|every perspective|Reads texts|Made weak by", models)
    form = office.get(reverse("target_add", args=[study.slug])).content.decode()
    assert "The provider’s own name of it." in form
    assert "deliberately weak" not in form
    design = office.get(reverse("study_design", args=[study.slug])).content.decode()
    assert 'hx-trigger="none"' in design, "there is nothing that what is typed could change"
    for _ in range(2):
        a_member(study, Role.ANNOTATOR)
    locked(study)
    page = office.get(reverse("study", args=[study.slug])).content.decode()
    assert "Look at the texts" not in page
    told = office.post(reverse("open_judging", args=[study.slug]), follow=True).content.decode()
    assert "The audit is open: annotators may begin." in told


def test_an_audit_has_a_tab_for_its_benchmarks_and_none_for_what_people_write_and_judge() -> None:
    of_others = {"Sources", "Prompts", "Assignment", "Writing desk"}
    audit = audit_in_design()
    for address in ("study", "progress", "benchmarks", "study_runs"):
        assert "Benchmarks" in tabs(audit, address)
        assert not of_others & set(tabs(audit, address))
    another = a_study("another")
    assert of_others <= set(tabs(another, "study"))
    assert "Benchmarks" not in tabs(another, "study")


def test_the_protocol_of_an_audit_is_of_what_annotators_do_and_has_no_section_that_is_not_used() -> None:
    audit = audit_in_design()
    page = signed_in(coordinator_of(audit)).get(reverse("study_protocol", args=[audit.slug])).content.decode()
    assert "nobody rules on flags of their own" in page
    assert '<th scope="row">Adjudicator</th>' in page
    assert "Taking part is voluntary" in page
    unused = ("Rubric:", "Tasks, times and fees", '<th scope="row">Judge</th>', "Of judges:", "Appendix: prompts")
    assert [words for words in (*unused, "Minutes for writing") if words in page] == []
    parameters = re.findall("<h3>([^<]+)</h3>", page.partition("<h2>Parameters</h2>")[2])
    assert {section.title for section in sections_of(audit.preset)} >= set(parameters)


def test_the_models_page_of_an_audit_plans_nothing_and_says_where_runs_are_planned() -> None:
    study = audit_in_design("planned-elsewhere")
    client = signed_in(coordinator_of(study))
    page = " ".join(client.get(reverse("study_runs", args=[study.slug])).content.decode().split())
    assert "Runs of an audit are planned where their questions are" in page
    assert "Plan it, send nothing" not in page
    for purpose in ("panel", "concepts"):
        assert client.post(reverse("plan_run", args=[study.slug]), {"purpose": purpose}).status_code == 404
