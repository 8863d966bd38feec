"""What the texts of a release still say of their writers, and the texts that are left out for it."""

import pandas as pd
import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from analysis.blinding.selectors.sealed_tables import withheld_answers
from analysis.release.models import ReleaseArchive
from analysis.release.selectors.releases import archive_of, why_stale
from analysis.release.services.published_scan import scan_of_texts
from analysis.unblinded.selectors.study_tables import WITHHELD, study_tables
from annotation.platform.core.errors import Refused
from annotation.platform.models.work import Task
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from annotation.texts.core.work_kinds import AFTER_WITHDRAWAL
from annotation.texts.models.provenance import Arm, Stimulus, TextClearance
from annotation.texts.services import clearances, intake
from annotation.texts.services.clearances import withdraw_clearance
from tests.ceremony import a_prepared_release, prepared
from tests.clients import signed_in
from tests.factories import (
    a_judging_study,
    a_member,
    a_person,
    a_quarantined_text,
    a_study,
    an_unblinded_study,
    coordinator_of,
    locked,
    researchers_of,
)
from tests.pages import in_words
from tests.work import perform

pytestmark = pytest.mark.django_db

WHY = "It names its writer."


def cleared(study: Study) -> TextClearance:
    """Of a person's text that judges were given, as if it had been in quarantine before."""
    [text] = Stimulus.objects.filter(study=study, arm=Arm.HUMAN).order_by("pk")[:1]
    by = coordinator_of(study)
    return TextClearance.objects.create(response_id=text.pk, reason="A town of that name.", cleared_by=by)


def withdrawn(clearance: TextClearance) -> None:
    [researcher, _] = researchers_of(clearance.response.study)
    withdraw_clearance(clearance=clearance, reason=WHY, by=researcher)


def test_a_name_that_a_coordinator_had_cleared_is_told_when_a_release_is_prepared() -> None:
    study = an_unblinded_study(2, 2, 2)
    name = a_member(study, Role.WRITER, a_person("Wilhelmina Quist")).user.name
    rows = [("r-1", "BBQ_01", "human", f"So says {name}, and I agree."), ("r-2", "BBQ_01", "model", name)]
    found = scan_of_texts(study, pd.DataFrame(rows, columns=["response_id", "prompt_id", "arm", "text"]))
    assert (found["texts"], found["unread"]) == (1, 0)
    assert [(each["prompt"], each["quote"]) for each in found["found"]] == [("BBQ_01", name)]


def test_the_page_of_a_release_says_what_was_scanned_and_never_that_nobody_is_named() -> None:
    release = a_prepared_release(2, 2, 2)
    client = signed_in(researchers_of(release.study)[0])
    page = in_words(client.get(reverse("release", args=[release.pk])))
    assert "Nobody is named" not in page
    assert f"{release.report['scan']['texts']} answers by people were scanned again" in page


def test_what_was_cleared_is_listed_with_its_reason_and_can_be_withdrawn_before_a_release() -> None:
    study = an_unblinded_study(2, 2, 2)
    clearance = cleared(study)
    client = signed_in(researchers_of(study)[0])
    releases = reverse("releases", args=[study.slug])
    assert "A town of that name." in in_words(client.get(releases))
    client.post(reverse("withdraw_clearance", args=[clearance.pk]), {"reason": WHY})
    clearance.refresh_from_db()
    assert (clearance.is_withheld, clearance.withdrawn_because) == (True, WHY)
    assert "A town of that name." not in in_words(client.get(releases))


def test_a_release_leaves_a_text_out_whose_clearance_was_withdrawn_and_names_its_id() -> None:
    before = a_prepared_release(2, 2, 2)
    study, clearance = before.study, cleared(before.study)
    withdrawn(clearance)
    response = str(clearance.response_id)
    tables = study_tables(study)
    assert withheld_answers(study) == {response}
    assert response not in set(tables.answers["response_id"]) | set(tables.judgments["true_id"])
    told = tables.tombstones.set_index("id")["reason"]
    assert told[response] == WITHHELD
    assert "a text was withheld" in why_stale(before)
    after = prepared(study)
    assert after.report["withdrawn"] == {"answer": 1}


def test_withholding_a_text_deletes_the_files_and_quotes_that_may_have_it() -> None:
    release = a_prepared_release(2, 2, 2)
    study, clearance = release.study, cleared(release.study)
    quote = {"response": str(clearance.response_id), "prompt": "BBQ_01", "quote": "Wilhelmina", "meaning": "a name"}
    release.report["scan"]["found"] = [quote]
    release.save()
    withdrawn(clearance)
    page = reverse("release", args=[release.pk])
    client = signed_in(researchers_of(study)[0])
    assert "Wilhelmina" not in in_words(client.get(page))
    perform(Task.objects.get(kind=AFTER_WITHDRAWAL, subject=str(study.pk)))
    release.refresh_from_db()
    assert not ReleaseArchive.objects.exists()
    assert "Wilhelmina" not in str(release.report)
    assert "is not quoted any more" in in_words(client.get(page))
    assert archive_of(prepared(study))


def test_where_nothing_was_found_that_is_still_said_after_a_text_was_withheld() -> None:
    release = a_prepared_release(2, 2, 2)
    study, clearance = release.study, cleared(release.study)
    release.report["scan"]["found"] = []
    release.save()
    withdrawn(clearance)
    perform(Task.objects.get(kind=AFTER_WITHDRAWAL, subject=str(study.pk)))
    page = in_words(signed_in(researchers_of(study)[0]).get(reverse("release", args=[release.pk])))
    assert "Nothing was found." in page
    assert "not quoted any more" not in page


def test_a_clearance_that_is_withdrawn_before_judging_sends_the_text_back_into_quarantine() -> None:
    study = locked(a_study())
    by, text = coordinator_of(study), a_quarantined_text(study)
    intake.decide(stimulus=text, verb="clear", reason="Another Claude.", by=by)
    clearance = TextClearance.objects.get()
    page = in_words(signed_in(by).get(reverse("texts", args=[study.slug])))
    assert "Another Claude." in page
    with CaptureQueriesContext(connection) as asked:
        clearances.withdraw_clearance(clearance=clearance, reason=WHY, by=by)
    studies = [each["sql"] for each in asked if '"annotation_study"."id"' in each["sql"]]
    assert not [sql for sql in studies if sql.endswith("FOR NO KEY UPDATE")]  # it shares the study, as decisions do
    text.refresh_from_db()
    assert text.state == "quarantined"
    assert not withheld_answers(study)
    with pytest.raises(Refused, match="withdrawn before"):
        clearances.withdraw_clearance(clearance=clearance, reason=WHY, by=by)


def test_a_clearance_stands_while_judges_read_the_text() -> None:
    study = a_judging_study(1, 1, 1)
    with pytest.raises(Refused, match="once the study is unblinded"):
        withdraw_clearance(clearance=cleared(study), reason=WHY, by=coordinator_of(study))


def test_only_a_researcher_withdraws_a_clearance_once_the_study_is_unblinded() -> None:
    study = an_unblinded_study(2, 2, 2)
    with pytest.raises(PermissionDenied):
        withdraw_clearance(clearance=cleared(study), reason=WHY, by=coordinator_of(study))
