"""A study's own wordings: saved once, kept for ever, used from the next plan on."""

import pytest
from django.core.exceptions import PermissionDenied

from annotation.platform.core.errors import Refused
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.users import User
from annotation.study.models.studies import Study
from generation.catalogue.core.prompt_templates import SHIPPED
from generation.catalogue.models import StudyTemplate
from generation.catalogue.services import templates
from tests.factories import a_person, a_study, coordinator_of

pytestmark = pytest.mark.django_db

OWN = "{prompt}\n\nAnswer in {target_words} words."


def save(
    study: Study, text: str = OWN, origin: str = "A paper, appendix B", by: User | None = None
) -> StudyTemplate:
    return templates.save_template(
        study=study, name="answer", text=text, origin=origin, by=by or coordinator_of(study)
    )


def test_a_study_asks_by_the_shipped_wording_until_it_has_its_own() -> None:
    study, other = a_study("one"), a_study("other")
    assert templates.current(study, "answer") == SHIPPED["answer"]
    save(study)
    assert templates.current(study, "answer").text == f"{OWN}\n"
    assert templates.current(other, "answer") == templates.current(None, "answer") == SHIPPED["answer"]


def test_the_newest_wording_counts_and_the_others_stay_on_record() -> None:
    study = a_study()
    save(study)
    save(study, "{prompt}", "Our own")
    assert templates.materials(study, ["answer", "weak_answer"]) == {
        "answer": "{prompt}\n",
        "weak_answer": SHIPPED["weak_answer"].text,
    }
    numbers = StudyTemplate.objects.filter(study=study).values_list("number", "origin")
    assert set(numbers) == {(1, "A paper, appendix B"), (2, "Our own")}
    assert AuditEvent.objects.filter(study=study, verb="template.saved").count() == 2


def test_the_wording_in_use_is_not_kept_twice_and_its_author_is_told() -> None:
    study = a_study()
    with pytest.raises(Refused, match="in use already"):
        save(study, SHIPPED["answer"].text)
    save(study, f"  {OWN}\r\n\r\n")
    with pytest.raises(Refused, match="nothing was changed, nor where it comes from"):
        save(study, origin="Another paper")
    assert [saved.origin for saved in StudyTemplate.objects.all()] == ["A paper, appendix B"]


def test_the_shipped_wording_can_be_gone_back_to() -> None:
    study = a_study()
    save(study)
    save(study, SHIPPED["answer"].text, "Shipped")
    assert templates.current(study, "answer").version == SHIPPED["answer"].version


@pytest.mark.parametrize(
    ("text", "origin", "complaint"),
    [("No place for it.", "A paper", "lacks {prompt}"), (OWN, "  ", "where the wording comes from")],
)
def test_a_template_that_cannot_serve_is_refused_and_nothing_is_kept(
    text: str, origin: str, complaint: str
) -> None:
    study = a_study()
    with pytest.raises(Refused, match=complaint):
        save(study, text, origin)
    assert not StudyTemplate.objects.exists()


def test_only_a_coordinator_of_the_study_changes_its_wordings() -> None:
    with pytest.raises(PermissionDenied):
        save(a_study(), by=a_person("Otto Other"))
