"""Runs in which models read texts: what they are asked, and what becomes of their verdicts."""

import json
from typing import Any

import pytest
from django.urls import reverse

from annotation.platform.core.errors import Refused
from annotation.study.models.studies import Study
from annotation.texts.models.model_readings import TextReading
from annotation.texts.models.provenance import Stimulus
from annotation.texts.selectors.quarantine import with_readings
from annotation.texts.services import intake
from generation.calls.models import Attempt, Call, RunShare
from generation.calls.services.claiming import Outgoing
from generation.providers.base import Reply
from tests.clients import signed_in
from tests.factories import a_judging_study, a_quarantined_text, an_assembling_study, coordinator_of
from tests.generation.calls.model_runs import a_target, claimed, collected, good, planned, started, worked_off

pytestmark = pytest.mark.django_db

READING: dict[str, Any] = {"purpose": "reading", "track": ""}
SUBTLE = "Towns differ.\n\nThe view from the third floor is less rosy than from the first."
CLEAR = "Towns differ.\n\nSo do the rules that they live by."


def a_study_with(*texts: str) -> tuple[Study, list[Stimulus]]:
    """A study with a reader and these texts, besides those it has for its items."""
    study = an_assembling_study(prompts=1)
    a_target(study, "reader", role="reader")
    return study, [a_quarantined_text(study, text) for text in texts]


def says(outgoing: Outgoing) -> Reply:
    """Suspects the third floor, and nothing else."""
    is_suspect = "third floor" in outgoing.request.prompt
    quote, verdict = ("the third floor", "probably") if is_suspect else ("", "no")
    return good(json.dumps({"quote": quote, "reason": "A place of work.", "verdict": verdict}))


def test_every_text_is_read_once_and_never_with_its_source() -> None:
    study, texts = a_study_with(SUBTLE, CLEAR)
    run = started(study, **READING)
    read = Stimulus.objects.filter(study=study).count()
    assert Call.objects.filter(run=run).values("response").distinct().count() == read >= len(texts)
    for outgoing in claimed(run):
        assert "family-1" not in outgoing.request.prompt
    again = planned(study, **READING)
    assert again.state == "withdrawn"
    assert RunShare.objects.get(run=again).known == read


def test_a_text_that_a_reader_suspects_is_held_back_with_its_verdict_beside_the_scan_s() -> None:
    study, [subtle, clear] = a_study_with(SUBTLE, CLEAR)
    assert (subtle.state, clear.state) == ("admitted", "admitted")
    collected(study, says, **READING)
    subtle.refresh_from_db()
    clear.refresh_from_db()
    assert (subtle.state, clear.state) == ("quarantined", "admitted")
    assert subtle.leak_severity == 2
    [text] = with_readings([subtle])
    assert [(read.reader, read.verdict, read.quote) for read in text.readings] == [
        ("reader", "probably leaks", "the third floor")
    ]
    page = signed_in(coordinator_of(study)).get(reverse("texts", args=[study.slug])).content.decode()
    assert "which read the text without its source, points to “the third floor”" in page


def test_what_a_coordinator_has_cleared_is_not_held_back_again() -> None:
    study, [text] = a_study_with(f"{SUBTLE} Says Grok.")
    intake.decide(stimulus=text, verb="clear", reason="A poem.", by=coordinator_of(study))
    collected(study, says, **READING)
    text.refresh_from_db()
    assert text.state == "admitted"
    assert TextReading.objects.get(response=text.pk).verdict == 2


def test_a_verdict_on_words_that_were_edited_meanwhile_is_left_aside() -> None:
    study, [text] = a_study_with(f"{SUBTLE} Says Grok.")
    run = started(study, **READING)

    def edits(outgoing: Outgoing) -> Reply:
        text.refresh_from_db()
        if "Says Grok." in outgoing.request.prompt and text.state == "quarantined":
            intake.edit(stimulus=text, text=CLEAR, reason="A name.", by=coordinator_of(study))
        return says(outgoing)

    worked_off(run, edits)
    assert not TextReading.objects.filter(response=text.pk).exists()
    assert Attempt.objects.filter(call__run=run, call__response=text.pk, outcome="superseded").exists()


def test_the_demonstrations_provider_reads_texts_to_the_end() -> None:
    study, [text] = a_study_with("Towns differ.\n\nAs an AI language model, I take no sides.")
    collected(study, **READING)
    assert TextReading.objects.get(response=text.pk).verdict == 3


def test_texts_are_read_while_they_are_decided_about_only() -> None:
    study = a_judging_study(1, 1, 1, prompts=1)
    a_target(study, "reader", role="reader")
    with pytest.raises(Refused, match="before judging opens"):
        planned(study, **READING)
