"""What people make of framings: checks, edits with a reason, and the wish for others."""

import json

import pytest
from django.core.exceptions import PermissionDenied

from annotation.platform.core.errors import Refused
from annotation.platform.models.audit import AuditEvent
from annotation.study.models.participation import Role
from generation.framing.models import FramedPrompt, Framing, FramingCheck, FramingSet
from generation.framing.selectors.framings import framed_prompts, texts_sha256
from generation.framing.services.reviews import ask_for_others, check_framings, edit_framings
from tests.factories import a_member, coordinator_of
from tests.generation.calls.model_runs import good, worked_off
from tests.generation.framing.framed import a_framing_set, framings, rewritten, verdicts
from tests.remembered import remembered

pytestmark = pytest.mark.django_db
SEEN = texts_sha256(framings())


@pytest.fixture
@remembered
def found() -> FramingSet:
    made = a_framing_set(prompts=1, needs=["mechanical", "person"])
    rewritten(made)
    return made


@pytest.fixture
def prompt(found: FramingSet) -> FramedPrompt:
    return found.prompts.get()


def state(found: FramingSet) -> str:
    return framed_prompts(found)[0].standing.state


def test_framings_that_a_person_passes_pass(found: FramingSet, prompt: FramedPrompt) -> None:
    check_framings(prompt=prompt, by=coordinator_of(found.study), verdicts=verdicts(found), seen=SEEN)
    assert state(found) == "passed"


def test_one_no_fails_them_all_and_may_be_taken_back(found: FramingSet, prompt: FramedPrompt) -> None:
    by = coordinator_of(found.study)
    check_framings(prompt=prompt, by=by, verdicts=verdicts(found, against="empirical_i"), seen=SEEN)
    assert state(found) == "failed"
    for _ in range(2):
        check_framings(prompt=prompt, by=by, verdicts=verdicts(found), seen=SEEN)
    assert state(found) == "passed"
    assert FramingCheck.objects.count() == 1
    assert AuditEvent.objects.filter(verb="framing.checked").count() == 2


def test_an_edit_makes_a_new_version_that_is_checked_anew(found: FramingSet, prompt: FramedPrompt) -> None:
    by = coordinator_of(found.study)
    check_framings(prompt=prompt, by=by, verdicts=verdicts(found), seen=SEEN)
    texts = {**framings(), "empirical_i": framings()["empirical_i"] + " Tell me."}
    edit_framings(prompt=prompt, by=by, texts=texts, reason="More natural.", seen=SEEN)
    assert state(found) == "waiting"
    edited = Framing.objects.get(edited_by=by)
    assert (edited.condition, edited.version, edited.reason) == ("empirical_i", 2, "More natural.")
    assert Framing.objects.count() == 5
    with pytest.raises(Refused, match="changed meanwhile"):
        check_framings(prompt=prompt, by=by, verdicts=verdicts(found), seen=SEEN)


@pytest.mark.parametrize(
    ("changed", "reason", "says"),
    [
        ({}, "Why not.", "Nothing was changed"),
        ({"empirical_i": " "}, "So.", "1 to 4,000"),
        ({"empirical_i": "X"}, " ", "why"),
    ],
    ids=["nothing changed", "empty", "no reason"],
)
def test_an_edit_that_says_nothing_is_refused(
    found: FramingSet, prompt: FramedPrompt, changed: dict[str, str], reason: str, says: str
) -> None:
    with pytest.raises(Refused, match=says):
        edit_framings(
            prompt=prompt, by=coordinator_of(found.study), texts={**framings(), **changed}, reason=reason, seen=SEEN
        )


def test_framings_asked_for_anew_become_the_newest_versions_of_all(found: FramingSet, prompt: FramedPrompt) -> None:
    call = ask_for_others(prompt=prompt, by=coordinator_of(found.study))
    worked_off(call.run, lambda _outgoing: good(json.dumps(framings(2))))
    assert framed_prompts(found)[0].texts == framings(2)
    assert set(Framing.objects.filter(version=2).values_list("condition", flat=True)) == set(framings())


def test_only_a_coordinator_decides_about_framings(found: FramingSet, prompt: FramedPrompt) -> None:
    researcher = a_member(found.study, Role.RESEARCHER).user
    with pytest.raises(PermissionDenied):
        check_framings(prompt=prompt, by=researcher, verdicts=verdicts(found), seen=SEEN)
    with pytest.raises(PermissionDenied):
        edit_framings(prompt=prompt, by=researcher, texts={}, reason="So.", seen=SEEN)
    with pytest.raises(PermissionDenied):
        ask_for_others(prompt=prompt, by=researcher)
