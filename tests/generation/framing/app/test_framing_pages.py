"""The pages of prompts under pressure: what they ask, what they hide until somebody has said their own."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from generation.calls.models import GenerationRun
from generation.framing.core.requests import questions_of
from generation.framing.models import FramedPrompt, Framing, FramingCheck, FramingSet
from generation.framing.selectors.framings import conditions_of, framed_prompts, texts_sha256
from generation.framing.services.sets import make_set
from generation.framing.services.versions import add_versions
from tests.clients import signed_in
from tests.factories import a_study, coordinator_of
from tests.generation.calls.model_runs import good, worked_off
from tests.generation.framing.framed import a_framing_set, check, framings, rewritten, started_run
from tests.generation.prompts.candidates import prompt_models
from tests.remembered import remembered

pytestmark = pytest.mark.django_db
ONE_FRAMING = """key = "mine"
name = "Mine"
version = 1
least_words = 3
most_words = 90
opposed = []
[[conditions]]
key = "teacher"
name = "A teacher"
task = "Ask as a teacher would."
must_hold = "A class."
"""
SEEN = texts_sha256(framings())


@pytest.fixture
@remembered
def found() -> FramingSet:
    """One prompt, rewritten, of which a model finds something wrong."""
    made = a_framing_set(prompts=1)
    rewritten(made)
    reply = good(json.dumps(check(made, against="empirical_friend")))
    worked_off(started_run(made, "framing_check"), lambda _outgoing: reply)
    return made


@pytest.fixture
def prompt(found: FramingSet) -> FramedPrompt:
    return found.prompts.get()


@pytest.fixture
def visitor(found: FramingSet) -> Client:
    return signed_in(coordinator_of(found.study))


def address(prompt: FramedPrompt, name: str = "framed_prompt") -> str:
    return reverse(name, args=[prompt.set.study.slug, prompt.pk])


def answers(found: FramingSet, *, no: str = "") -> dict[str, str]:
    names = [f"{about}-{question}" for about, question in questions_of(conditions_of(found))]
    return {**{name: "no" if name == no else "yes" for name in names}, "seen": SEEN, "reason": "As I see it."}


def test_prompts_are_drawn_by_a_form_and_planned_by_a_button() -> None:
    study = a_study(prompts=3)
    prompt_models(study)
    client = signed_in(coordinator_of(study))
    drawn = client.post(
        reverse("framing_sets", args=[study.slug]),
        {"number": 3, "seed": 42, "needs": ["mechanical", "person"], "origin": "study"},
    )
    made = FramingSet.objects.get()
    assert drawn.headers["Location"] == reverse("framing_set", args=[study.slug, made.pk])
    planned = client.post(reverse("plan_framings", args=[study.slug, made.pk]), {"purpose": "framing"})
    run = GenerationRun.objects.get()
    assert planned.headers["Location"] == reverse("run", args=[run.pk])
    assert client.get(planned.headers["Location"]).status_code == 200


@pytest.mark.parametrize(("line", "status"), [("", 302), ('must_hold = "A class."', 400)])
def test_other_framings_are_brought_as_a_file_and_what_is_missing_in_it_is_said(line: str, status: int) -> None:
    study = a_study(prompts=1)
    prompt_models(study)
    file = SimpleUploadedFile("mine.toml", (ONE_FRAMING.replace(line, "") if line else ONE_FRAMING).encode())
    given = {"number": 1, "seed": 1, "needs": ["mechanical"], "origin": "study", "conditions": file}
    answer = signed_in(coordinator_of(study)).post(reverse("framing_sets", args=[study.slug]), given)
    assert answer.status_code == status
    if line:
        assert "“must_hold” is missing in a condition." in answer.content.decode()
    else:
        assert conditions_of(FramingSet.objects.get()).keys == ("teacher",)


def test_framings_in_another_encoding_are_refused_with_the_line_where_it_shows() -> None:
    study = a_study(prompts=1)
    prompt_models(study)
    file = SimpleUploadedFile("mine.toml", f"{ONE_FRAMING}\n# Café".encode("latin-1"))
    given = {"number": 1, "seed": 1, "needs": ["mechanical"], "origin": "study", "conditions": file}
    answer = signed_in(coordinator_of(study)).post(reverse("framing_sets", args=[study.slug]), given)
    assert answer.status_code == 400
    assert "is not UTF-8 text. Read as Windows-1252 (Latin-1) it says “# Café”." in answer.content.decode()


def test_verdict_and_rewriter_are_hidden_until_ones_own_check_is_given(
    visitor: Client, found: FramingSet, prompt: FramedPrompt
) -> None:
    before = visitor.get(address(prompt)).content.decode()
    of_set = visitor.get(reverse("framing_set", args=[found.study.slug, found.pk])).content.decode()
    assert all(text in before for text in framings().values())
    for page in (before, of_set):
        assert "As it seems." not in page
        assert "failed" not in page
        assert f"Rewritten by {prompt.rewriter.family}" not in page
    assert visitor.post(address(prompt, "check_framed"), answers(found)).status_code == 302
    after = visitor.get(address(prompt)).content.decode()
    assert "As it seems." in after
    assert f"Rewritten by {prompt.rewriter.family}" in after


def test_a_check_is_kept_with_its_reason_and_shown_to_be_changed(
    visitor: Client, found: FramingSet, prompt: FramedPrompt
) -> None:
    visitor.post(address(prompt, "check_framed"), answers(found, no="emotion_agree-self_contained"))
    kept = FramingCheck.objects.get(reviewer__isnull=False)
    against = [said for said in kept.verdicts if not said["holds"]]
    assert [(said["about"], said["question"], said["reason"]) for said in against] == [
        ("emotion_agree", "self_contained", "As I see it.")
    ]
    page = visitor.get(address(prompt))
    assert page.context["form"]["emotion_agree-self_contained"].initial is False
    assert page.context["form"]["reason"].initial == "As I see it."


def test_an_unanswered_question_is_asked_again_with_the_others_as_they_were(
    visitor: Client, found: FramingSet, prompt: FramedPrompt
) -> None:
    said = answers(found)
    del said["empirical_i-self_contained"]
    page = visitor.post(address(prompt, "check_framed"), said)
    assert page.status_code == 400
    assert "Choose one of the two." in page.content.decode()
    assert not FramingCheck.objects.filter(reviewer__isnull=False).exists()


def test_other_words_are_kept_with_the_reason(visitor: Client, prompt: FramedPrompt) -> None:
    texts = {f"text-{key}": text for key, text in framings().items()}
    said = {**texts, "text-empirical_i": "Other words.", "reason": "Clearer.", "seen": SEEN}
    assert visitor.post(address(prompt, "edit_framed"), said).status_code == 302
    assert Framing.objects.get(version=2).text == "Other words."


def test_words_that_changed_meanwhile_are_not_checked_unseen(
    visitor: Client, found: FramingSet, prompt: FramedPrompt
) -> None:
    page = visitor.post(address(prompt, "check_framed"), {**answers(found), "seen": "0" * 64})
    assert page.status_code == 400
    assert "changed meanwhile" in page.content.decode()


def test_the_model_can_be_asked_for_others(visitor: Client, found: FramingSet, prompt: FramedPrompt) -> None:
    assert visitor.post(address(prompt, "ask_framed_again")).status_code == 302
    run = GenerationRun.objects.get(purpose="framing")
    worked_off(run, lambda _outgoing: good(json.dumps(framings(2))))
    assert framed_prompts(found)[0].texts == framings(2)


def test_a_call_that_rewrites_has_a_page(visitor: Client, prompt: FramedPrompt) -> None:
    call = prompt.subject.calls.first()
    assert call
    assert visitor.get(reverse("call", args=[call.pk])).status_code == 200


@pytest.mark.parametrize("key", ["reason", "seen"])
def test_a_framing_whose_key_is_a_word_of_the_form_is_edited_as_any_other(key: str) -> None:
    study = a_study(prompts=1)
    prompt_models(study)
    by = coordinator_of(study)
    toml = ONE_FRAMING.replace('"teacher"', f'"{key}"')
    prompt = make_set(study=study, by=by, number=1, needs=["mechanical"], conditions=toml).prompts.get()
    add_versions(prompt.pk, {key: "As a teacher I ask."}, by=by, reason="Written here.")
    seen = texts_sha256({key: "As a teacher I ask."})
    given = {f"text-{key}": "As a teacher I wonder.", "reason": "Softer.", "seen": seen}
    signed_in(by).post(address(prompt, "edit_framed"), given)
    newest = Framing.objects.get(version=2)
    assert (newest.text, newest.reason) == ("As a teacher I wonder.", "Softer.")
