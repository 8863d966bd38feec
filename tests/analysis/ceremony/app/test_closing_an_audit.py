"""Closing an audit says what is left of it."""

import pytest
from django.urls import reverse

from analysis.ceremony.selectors.ceremony import closing
from analysis.ceremony.services.ceremony import close_study, decide_unblinding, request_unblinding
from analysis.unblinded.services.pressure_runs import NOT_BEFORE_UNBLINDING
from annotation.people.selectors.pending_work import pending_work
from annotation.platform.core.errors import Refused
from annotation.study.models.participation import Role
from tests.analysis.report.analyses import analysed, asked_for
from tests.annotation.benchmarks.audits import all_said, an_audit
from tests.clients import signed_in
from tests.factories import closed, members_of, researchers_of

pytestmark = pytest.mark.django_db


def test_closing_asks_whether_all_is_annotated_ruled_on_and_frozen() -> None:
    study = an_audit()
    assert closing(study).costs == (
        "12 reviews not done",
        "adjudication not opened in 1 benchmark",
        "subsets not frozen in 1 benchmark",
    )
    with pytest.raises(Refused, match="12 reviews not done"):
        close_study(study=study, by=researchers_of(study)[0])
    [coordinator] = members_of(study, Role.COORDINATOR)
    assert pending_work([coordinator])[coordinator.pk] == "Follow the annotators and the adjudicator"
    all_said(study, flaws={})
    assert closing(study).costs[0] == "adjudication not opened in 1 benchmark"
    home = signed_in(coordinator.user).get(reverse("study", args=[study.slug])).content.decode()
    assert "The audit is under way" in home
    for word in ("Judging is", "Assembling", "Models score"):
        assert word not in home
    design = signed_in(coordinator.user).get(reverse("study_design", args=[study.slug])).content.decode()
    assert "How models answer the questions" in design
    assert "What judges see" not in design
    assert "Scores by the panel" not in design
    [researcher, *_] = members_of(study, Role.RESEARCHER)
    home = signed_in(researcher.user).get(reverse("study", args=[study.slug])).content.decode()
    assert "adjudication not opened in 1 benchmark" in home
    assert reverse("certificate", args=[study.slug]) not in home, "an audit has no such page"
    masked = "See agreement, with sources masked"
    assert NOT_BEFORE_UNBLINDING in analysed(asked_for(study)).problem
    request = request_unblinding(study=closed(study), reason="All is annotated.", by=researcher.user)
    home = signed_in(researcher.user).get(reverse("study", args=[study.slug])).content.decode()
    assert "Waiting for another unblinder to decide" in home
    assert masked not in home, "nobody judged, so there is nothing to agree on"
    decide_unblinding(request=request, approve=False, by=researchers_of(study)[1], reason="Not yet.")
    home = signed_in(researcher.user).get(reverse("study", args=[study.slug])).content.decode()
    assert "Ask for unblinding" in home
    assert masked not in home
