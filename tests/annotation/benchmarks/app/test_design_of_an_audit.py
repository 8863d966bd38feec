"""The design of an audit has what an audit decides, by names that are an audit's, and nothing of other studies."""

import re

import pytest
from django.urls import reverse

from annotation.design.selectors.design import used_sections
from annotation.design.services.protocol import change_parameters
from annotation.platform.core.errors import Refused
from annotation.study.core.parameters import AUDIT_SECTIONS, SECTIONS
from annotation.study.models.participation import Role
from annotation.study.policies.design import UNTIL
from tests.annotation.benchmarks.audits import SOUND, an_audit, audit_in_design, questions_of, reviews_of, said
from tests.clients import signed_in
from tests.factories import a_member, coordinator_of, members_of, researchers_of

pytestmark = pytest.mark.django_db

OWN = {name: label for section in AUDIT_SECTIONS for name, label in section.labels.items()}
OF_OTHERS = [
    label
    for section in SECTIONS
    for name, label in section.labels.items()
    if name not in OWN and label not in {"Models", *OWN.values()}
]


def words(html: str) -> str:
    """What of the page is the study's own: no head, no foot, no list of addresses."""
    main = html[html.index("<main") : html.index("</main>")]
    return " ".join(re.sub(r"<[^>]+>", " ", main).split())


def test_every_page_of_an_audits_design_names_what_it_decides_and_nothing_else() -> None:
    study = audit_in_design()
    office = signed_in(coordinator_of(study))

    def page(name: str, *more: str) -> str:
        return words(office.get(reverse(name, args=[study.slug, *more])).content.decode())

    assert set(OWN) <= set(UNTIL)
    for section in AUDIT_SECTIONS:
        form = page("design_section", section.key)
        assert [label for label in section.labels.values() if label not in form] == []
        assert [label for label in OF_OTHERS if label in form] == []
    paper, home = page("study_protocol"), page("study")
    of_paper = [label for section in AUDIT_SECTIONS[1:] for label in section.labels.values()]
    assert [label for label in of_paper if label not in paper] == []
    for page_of_all in (paper, page("study_design"), home):
        assert [label for label in OF_OTHERS if label in page_of_all] == []
    assert "Annotating every question that is reviewed, by two people" in home
    assert "This is what annotators and adjudicators find" in page("participants_preview")
    assert "Copy the prompts" not in page("study_design")
    assert "every question that is reviewed goes to two annotators" in paper
    of_texts = (
        "items are blinded",
        "which items are for calibration",
        "every prompt",
        "sources masked",
        "appendix",
    )
    assert [each for each in of_texts if each in paper] == []
    assert "annotator, adjudicator, coordinator or researcher" in page("people_import")
    assert "when annotating or adjudication begins" in page("reminders")
    annotator = a_member(study, Role.ANNOTATOR)
    limits = page("person", annotator.pseudonym)
    assert "Has time until" in limits
    assert [each for each in ("Most prompts", "Institution", "Rather gets", "repair") if each in limits] == []
    own = signed_in(annotator.user)
    consent, data = (
        words(own.get(reverse(name, args=[study.slug])).content.decode()) for name in ("consent", "own_data")
    )
    assert "You annotate, rule on and mark nothing more" in consent
    assert "what you flagged and marked" in data
    of_judges = ("judge nothing more", "Your judgments", "justifications of your judgments")
    assert [each for each in of_judges if each in consent + data] == []
    [researcher, *_] = researchers_of(study)
    record = words(signed_in(researcher).get(reverse("study_record", args=[study.slug])).content.decode())
    assert [each for each in ("Frozen judgments", "every label", "items, labels") if each in record] == []
    for key in ("writing", "judging", "panel", "prompts"):
        assert office.get(reverse("design_section", args=[study.slug, key])).status_code == 404


def test_an_audits_fees_are_saved_under_their_own_names_and_a_copy_has_them() -> None:
    study = audit_in_design()
    office = signed_in(coordinator_of(study))
    address = reverse("design_section", args=[study.slug, "fees"])
    loaded = re.search(r'name="loaded" value="([^"]*)"', office.get(address).content.decode())
    assert loaded
    form = {"loaded": loaded[1], "judging_due_on": "", "fee_per_item": "2", "currency": "EUR"}
    assert "Saved: Fee for a question." in office.post(address, form, follow=True).content.decode()
    copy = {"title": "The next audit", "slug": "next-audit"}
    office.post(reverse("study_clone", args=[study.slug]), copy)
    [fees] = [
        each
        for each in used_sections(coordinator_of(study).participations.get(study__slug="next-audit").study)
        if each.key == "fees"
    ]
    assert {line.label: line.value for line in fees.lines}["Fee for a question"] == "2.00"


def test_an_audits_fee_cannot_fall_once_a_question_is_done() -> None:
    study = an_audit()
    change_parameters(study=study, changes={"fee_per_item": 2}, by=coordinator_of(study))
    change_parameters(study=study, changes={"fee_per_item": 1}, by=coordinator_of(study))
    said(reviews_of(questions_of(study)[0])[0], SOUND)
    with pytest.raises(Refused, match=r"“Fee for a question” can only rise by now: .* was done for 1\.00"):
        change_parameters(study=study, changes={"fee_per_item": 0}, by=coordinator_of(study))
    change_parameters(study=study, changes={"fee_per_item": 3}, by=coordinator_of(study))
    annotator = members_of(study, Role.ANNOTATOR)[0]
    home = words(signed_in(annotator.user).get(reverse("study", args=[study.slug])).content.decode())
    assert "Fee for a question 3.00 EUR" in home
