"""Adjudication: opened once all is annotated, side by side without names, ruled on, frozen, analysed."""

import hashlib
import io
import re
from collections.abc import Mapping

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse

from analysis.benchmarks.core.audit_files import read_flags, read_rulings
from annotation.benchmarks.models.reviews import Review
from annotation.benchmarks.models.rulings import Correction, Ruling, Subset
from annotation.benchmarks.services.adjudicating import freeze_subsets, open_adjudication, rule
from annotation.benchmarks.services.giving_out import pass_on
from annotation.coordination.selectors.honoraria import ledger
from annotation.people.selectors.pending_work import pending_work
from annotation.platform.core.errors import Refused
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from tests.annotation.benchmarks.audits import (
    SOUND,
    all_said,
    an_adjudication,
    an_audit,
    flawed,
    questions_of,
    reviews_of,
    ruled,
    said,
)
from tests.clients import signed_in
from tests.factories import coordinator_of, members_of
from tests.pages import in_words

pytestmark = pytest.mark.django_db

WRONG, ROLE = "structural.wrong_label", "semantic.role_mismatch"
DISPUTED = {1: (SOUND, flawed(WRONG, note="What only one of them says.")), 4: (flawed(ROLE), flawed(WRONG))}


def a_ruling(study: Study, number: int) -> Ruling:
    return Ruling.objects.get(question__story__benchmark__study=study, question__number=number)


def test_adjudication_waits_for_every_annotator_and_then_nobody_changes_anything() -> None:
    study = an_audit()
    benchmark = study.benchmarks.get()
    with pytest.raises(Refused, match="12 reviews are not done yet"):
        open_adjudication(benchmark=benchmark, by=coordinator_of(study))
    all_said(study, flaws=DISPUTED)
    assert (
        open_adjudication(benchmark=benchmark, by=coordinator_of(study)) == 3
    )  # two disputed, one of four sampled
    assert Ruling.objects.filter(is_disputed=True).count() == 2
    with pytest.raises(Refused, match="Adjudication has begun"):
        said(reviews_of(questions_of(study)[0])[0], flawed(WRONG))
    with pytest.raises(Refused, match="already"):
        open_adjudication(benchmark=benchmark, by=coordinator_of(study))


def test_an_adjudicator_sees_both_sides_without_names_and_nobody_else_sees_them() -> None:
    study = an_adjudication(flaws=DISPUTED)
    [adjudicator] = members_of(study, Role.ADJUDICATOR)
    address = reverse("ruling", args=[a_ruling(study, 1).pk])
    page = signed_in(adjudicator.user).get(address).content.decode()
    assert "What only one of them says." in page
    assert "No flaw" in page
    for annotator in members_of(study, Role.ANNOTATOR):
        assert annotator.pseudonym not in page
        assert annotator.user.name not in page
        assert signed_in(annotator.user).get(address).status_code == 404
    assert signed_in(coordinator_of(study)).get(address).status_code == 404


def test_rulings_are_revised_corrections_are_numbered_and_a_window_that_lags_is_told() -> None:
    study = an_adjudication(flaws=DISPUTED)
    ruled(study, 1, "structural", "corrected", gold="cellar")
    with pytest.raises(Refused, match="Another window"):
        ruled(study, 1, "none", "stays")
    ruled(study, 1, "structural", "corrected", over=1, gold="attic")
    found = Correction.objects.filter(ruling=a_ruling(study, 1)).values_list("number", "changes")
    assert list(found) == [(1, {"gold": "cellar"}), (2, {"gold": "attic"})]
    [annotator, _] = members_of(study, Role.ANNOTATOR)
    with pytest.raises(PermissionDenied):
        rule(
            pk=a_ruling(study, 4).pk,
            category="none",
            fate="stays",
            reason="",
            changes={},
            over=0,
            by=annotator.user,
        )


def test_an_adjudicator_rules_on_the_page_and_comes_to_the_next_question() -> None:
    study = an_adjudication(flaws=DISPUTED)
    [adjudicator] = members_of(study, Role.ADJUDICATOR)
    client = signed_in(adjudicator.user)
    for _ in range(3):
        waiting = Ruling.objects.filter(ruled_at=None).order_by("position")[0]
        address = reverse("rule", args=[waiting.pk])
        refused = client.post(address, {"category": "semantic", "fate": "excluded", "reason": "", "over": "0"})
        assert refused.status_code == 409
        assert "Give the reason" in refused.content.decode()
        answer = client.post(address, {"category": "none", "fate": "stays", "over": "0"})
    assert answer.headers["Location"] == reverse("study", args=[study.slug])
    assert pending_work([adjudicator])[adjudicator.pk] == "Nothing to do: 3 questions handed in"
    assert [line.account.pieces for line in ledger(study).lines if line.role == "Adjudicator"] == [3]


def test_another_windows_ruling_stands_beside_what_was_typed_and_is_not_replaced_unasked() -> None:
    study = an_adjudication(flaws=DISPUTED)
    [adjudicator] = members_of(study, Role.ADJUDICATOR)
    client, address = signed_in(adjudicator.user), reverse("rule", args=[a_ruling(study, 1).pk])
    ruled(study, 1, "structural", "excluded")
    answer = client.post(address, {"category": "none", "fate": "stays", "reason": "Mine.", "over": "0"})
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "Another window has ruled on this question meanwhile." in page
    assert "Flawed: structural; is excluded." in " ".join(page.split())
    assert "As the story has it." in page
    assert a_ruling(study, 1).category == "structural"
    assert re.search(r'name="reason"[^>]*>Mine\.</textarea>', page)
    again = client.post(address, {"category": "none", "fate": "stays", "reason": "Mine.", "over": "1"})
    assert (again.status_code, a_ruling(study, 1).category) == (302, "none")


def test_a_refused_form_keeps_what_was_emptied_empty() -> None:
    study = an_adjudication(flaws=DISPUTED)
    [adjudicator] = members_of(study, Role.ADJUDICATOR)
    ruled(study, 1, "structural", "corrected", gold="cellar")
    sent = {"category": "structural", "fate": "corrected", "gold": "attic", "reason": "", "over": "1"}
    address = reverse("rule", args=[a_ruling(study, 1).pk])
    page = signed_in(adjudicator.user).post(address, sent).content.decode()
    assert re.search(r'name="gold"[^>]*value="attic"', page)
    assert re.search(r'name="reason"[^>]*></textarea>', page)
    assert re.search(r'name="text"[^>]*></textarea>', page)


def test_where_nothing_can_be_ruled_any_more_the_page_says_so_and_takes_nothing() -> None:
    study = an_adjudication(flaws=DISPUTED)
    [adjudicator] = members_of(study, Role.ADJUDICATOR)
    client, address = signed_in(adjudicator.user), reverse("ruling", args=[a_ruling(study, 1).pk])
    open_page = client.get(address).content.decode()
    assert 'review-form stack" >' in open_page
    assert "keep the ruling." in open_page  # the key that does is told
    for ruling in Ruling.objects.select_related("question"):
        ruled(study, ruling.question.number, "none", "stays")
    freeze_subsets(benchmark=study.benchmarks.get(), by=coordinator_of(study))
    page = client.get(address).content.decode()
    assert "The subsets are frozen: rulings stay as they are." in page
    assert "A letter or figure chooses" not in page, "no key does anything"
    assert 'review-form stack" disabled>' in page


def test_subsets_are_frozen_with_hashes_and_downloaded_as_they_were() -> None:
    study = an_adjudication(flaws={**DISPUTED, 6: (flawed(ROLE), flawed(ROLE))})
    benchmark = study.benchmarks.get()
    with pytest.raises(Refused, match="still wait"):
        freeze_subsets(benchmark=benchmark, by=coordinator_of(study))
    ruled(study, 1, "structural", "corrected", gold="cellar")
    ruled(study, 4, "semantic", "excluded")
    for ruling in Ruling.objects.filter(ruled_at=None).select_related("question"):
        ruled(study, ruling.question.number, "none", "stays")
    freeze_subsets(benchmark=benchmark, by=coordinator_of(study))
    with pytest.raises(Refused, match="frozen"):
        ruled(study, 1, "none", "stays", over=1)
    members: Mapping[str, list[int]] = dict(Subset.objects.values_list("kind", "members"))
    assert members["original"] == [1, 2, 3, 4, 5, 6]
    assert 1 in members["corrected"]
    assert not {1, 4} & set(members["cleaned"])
    assert 4 not in members["corrected"]
    client = signed_in(coordinator_of(study))
    for subset in Subset.objects.all():
        for file in subset.files:
            address = reverse("subset_file", args=[study.slug, benchmark.pk, subset.kind, file["name"]])
            data = client.get(address).content
            assert hashlib.sha256(data).hexdigest() == file["sha256"]
            assert (b"cellar" in data) == (subset.kind == "corrected")
    assert client.get(reverse("benchmark", args=[study.slug, benchmark.pk])).status_code == 200


def test_flags_and_rulings_are_read_by_the_analysis_and_by_nobody_before_adjudication() -> None:
    study = an_audit()
    benchmark = study.benchmarks.get()
    client = signed_in(coordinator_of(study))
    addresses = {
        name: reverse("audit_file", args=[study.slug, benchmark.pk, name]) for name in ("flags", "rulings")
    }
    assert client.get(addresses["flags"]).status_code == 404
    all_said(study, flaws=DISPUTED)
    open_adjudication(benchmark=benchmark, by=coordinator_of(study))
    ruled(study, 1, "structural", "corrected", gold="cellar")
    numbers = range(1, 7)
    flags = read_flags(("flags.csv", io.BytesIO(client.get(addresses["flags"]).content)), numbers)
    assert [flag.category for flag in flags if flag.question == 4] == ["semantic", "structural"]
    assert len(flags) == 12
    rulings = read_rulings(("rulings.csv", io.BytesIO(client.get(addresses["rulings"]).content)), numbers)
    assert {each.question: (each.category, each.correction) for each in rulings}[1] == ("structural", "cellar")
    assert len(rulings) == 6
    [annotator, _] = members_of(study, Role.ANNOTATOR)
    assert signed_in(annotator.user).get(addresses["flags"]).status_code == 403


def test_of_a_finished_audit_every_page_says_that_it_is_closed_and_no_page_that_it_is_over_or_not_open() -> None:
    study = an_adjudication()
    ruled(study, 1, "none", "stays")
    Study.objects.filter(pk=study.pk).update(state="closed")
    [annotator, *_] = members_of(study, Role.ANNOTATOR)
    [adjudicator] = members_of(study, Role.ADJUDICATOR)
    [review] = Review.objects.filter(annotator=annotator, question__number=1)
    home = reverse("study", args=[study.slug])
    pages = [
        (annotator, home),
        (annotator, reverse("review", args=[review.pk])),
        (adjudicator, home),
        (adjudicator, reverse("ruling", args=[a_ruling(study, 1).pk])),
    ]
    for person, address in pages:
        found = in_words(signed_in(person.user).get(address))
        assert "The audit is closed" in found, address
        assert not re.search("audit is (over|not open)", found), address
    with pytest.raises(Refused, match="The audit is closed"):
        freeze_subsets(benchmark=study.benchmarks.get(), by=coordinator_of(study))


def test_before_an_audit_opens_a_refusal_says_that_it_is_not_open_yet() -> None:
    study = an_audit()
    Study.objects.filter(pk=study.pk).update(state="assembling")
    with pytest.raises(Refused, match="The audit is not open yet"):
        pass_on(study=study, by=coordinator_of(study))
