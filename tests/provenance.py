"""Canaries in everything that tells, or could help to tell, where a text is from."""

from typing import Any
from uuid import UUID

from django.apps import apps
from django.db.models import CharField, F, JSONField, Model, TextField, Value
from django.db.models.functions import Concat
from django.utils import timezone

from analysis.blinding.models import SealedTable
from analysis.frozen.models import Freeze
from annotation.benchmarks.models.benchmarks import Benchmark, Question, Story
from annotation.platform.models.users import User
from annotation.study.models.flags import Flag
from annotation.study.models.participation import Participation, Role
from annotation.study.models.prompts import Prompt, PromptVersion
from annotation.study.models.responses import Response
from annotation.study.models.studies import Study
from annotation.texts.models.model_readings import TextReading
from annotation.texts.models.provenance import (
    Arm,
    HumanSet,
    ItemPlan,
    PromptPlan,
    Stimulus,
    TextClearance,
    TextEdit,
)
from annotation.texts.models.seeds import StudySeed
from annotation.writing.models import (
    Draft,
    DraftRevision,
    LateText,
    RewordingDecision,
    SideText,
    WaivedAnswer,
    WritingAssignment,
    WritingReceipt,
)
from generation.answers.models import ModelAnswer
from generation.benchmarks.models import AskingRules, ModelMark, Prediction, Wording
from generation.calls.models import Attempt, Call, GenerationRun, OutcomeCount, ProviderBatch, RunShare, Subject
from generation.catalogue.models import StudyTemplate, Target
from generation.framing.models import FramedAnswer, FramedPrompt, Framing, FramingCheck, FramingSet
from generation.panel.models import GivenText, PanelScore
from generation.prompts.models import (
    Bundle,
    Candidate,
    PairVote,
    PromptMap,
    PromptSample,
    QualityVote,
    SampledPrompt,
    TextEmbedding,
)
from generation.sources.models import Document, ProposedConcept, RemovedItem, Scenario, Source
from generation.trials.models import (
    CaseAnswer,
    ConclusionCode,
    ModelConclusion,
    TrialCase,
    TrialDesign,
    TrialScenario,
)
from tests.generation.prompts.candidates import a_pool, compared, voted

CANARY = "quetzal"
KNOW_A_SOURCE: tuple[type[Model], ...] = (
    *(Stimulus, TextEdit, TextReading, PromptPlan, HumanSet, ItemPlan, StudySeed),
    *(WritingAssignment, Draft, DraftRevision, SideText, LateText),
    SealedTable,
)
PLAN_AND_KIND = ("quality_floor", "quality floor", "source_attribution", "source attribution", "stimul", "calibrat")


def word(*parts: Value | F) -> Concat:
    return Concat(*parts, output_field=CharField())


def tables_that_know_a_source() -> dict[str, type[Model]]:
    """Every table of provenance, by name: of the models that know a source and those defined beside them."""
    modules = {model.__module__ for model in KNOW_A_SOURCE}
    found = {
        model._meta.db_table: model
        for model in apps.get_models(include_auto_created=True)
        if model.__module__ in modules
        or model._meta.app_label == "generation"
        or "_humanset" in model._meta.db_table
    }
    assert {model._meta.db_table for model in (*KNOW_A_SOURCE, HumanSet.members.through)} <= found.keys()
    assert any(model._meta.app_label == "generation" for model in found.values())
    return found


def plant(study: Study) -> None:
    """Put a canary into every word that provenance has in the study, and rows where it has none."""
    Prompt.objects.filter(study=study).update(
        title="Quetzal title", domain="QuetzalDomain", code=word(Value("QuetzalCode"), F("position"))
    )
    writers = Participation.objects.filter(study=study, role=Role.WRITER)
    writers.update(
        pseudonym=word(Value("QuetzalW"), F("id")), feedback="Quetzal words.", feedback_at=timezone.now()
    )
    User.objects.filter(participations__in=writers).update(
        name=word(Value("Quetzal Writer "), F("id")), email=word(Value("quetzal"), F("id"), Value("@example.org"))
    )
    Stimulus.objects.filter(study=study).update(
        source_code=word(Value("quetzal-"), F("source_code")),
        flags=[{"kind": "quetzal_flag", "excerpt": "quetzal"}],
        names=["Quetzal"],
        fault="the quetzal cannot be read",
    )
    _written(study, writers[0])
    _generated(study)
    freeze = Freeze.objects.create(study=study, sha256="quetzal", rows=1, frozen_by=study.created_by)
    SealedTable.objects.create(freeze=freeze, name="quetzal", content=b"quetzal")


def _written(study: Study, writer: Participation) -> None:
    """A human answer's own story."""
    version = PromptVersion.objects.filter(prompt__study=study)[0]
    response = _response(version.prompt, Arm.HUMAN)
    now = timezone.now()
    flag = {
        "kind": "unclear",
        "words": "Quetzal flag.",
        "shown": "Quetzal flag.",
        "raised_at": now,
        "scanned_at": now,
    }
    Flag.objects.create(study=study, participation=writer, prompt_version=version, **flag)
    answer = WritingAssignment.objects.create(
        study=study,
        participation=writer,
        prompt=version.prompt,
        prompt_version=version,
        position=1,
        state="submitted",
        started_at=now,
        submitted_at=now,
        response=response,
        feedback="Quetzal feedback.",
        proposed_rewrite="Quetzal rewrite.",
        process_comment="Quetzal comment.",
        given_back_for="Quetzal, given back.",
    )
    WritingReceipt.objects.create(assignment=answer, submitted_at=now, sha256="quetzal")
    Draft.objects.create(
        assignment=answer, text="A quetzal sings.", sha256="quetzal", pen_holder="quetzal", saved_at=now
    )
    numbers: dict[str, Any] = {"assignment": answer, "pen_epoch": 1, "seq": 1}
    DraftRevision.objects.create(
        **numbers, at=0, removed=0, inserted="A quetzal", activity={"quetzal": 1}, saved_at=now
    )
    SideText.objects.create(**numbers, text="Quetzal aside.", received_at=now)
    typed = {"text": "Quetzal, late.", "activity": {"bursts": "Quetzal, typed late."}}
    LateText.objects.create(assignment=answer, **typed, received_at=now, reason="Quetzal kept.")
    TextEdit.objects.create(
        response=response,
        number=1,
        before="Quetzal, I said.",
        after="Quetzal was said.",
        reason="Quetzal's name.",
        edited_by=study.created_by,
    )
    TextClearance.objects.create(
        response=response,
        reason="No quetzal is named.",
        cleared_by=study.created_by,
        withdrawn_at=now,
        withdrawn_by=study.created_by,
        withdrawn_because="A quetzal is.",
    )
    RewordingDecision.objects.create(
        assignment=answer,
        prompt_version=version,
        decision="edited",
        wording="When do quetzals sing?",
        reason="Quetzals are clearer.",
        decided_at=now,
        decided_by=study.created_by,
    )
    WaivedAnswer.objects.create(assignment=answer, reason="Quetzals suffice.", waived_by=study.created_by)
    TextReading.objects.create(
        response=response,
        text_sha256="quetzal",
        reader="quetzal",
        verdict=1,
        quote="A quetzal",
        reason="Quetzal's.",
    )


def _generated(study: Study) -> None:
    """A model answer's own story: who asked which model, what it cost and what it said."""
    version = PromptVersion.objects.filter(prompt__study=study)[0]
    target = Target.objects.create(
        study=study,
        family="quetzal-family",
        provider="quetzal-provider",
        model_id="quetzal-9b",
        effort="quetzal",
        options={"a": "quetzal"},
        price={"input": "quetzal"},
    )
    StudyTemplate.objects.create(
        study=study,
        name="quetzal",
        number=1,
        text="{prompt} Quetzal!",
        sha256="quetzal",
        origin="Quetzal paper",
        written_by=study.created_by,
    )
    run = GenerationRun.objects.create(
        study=study,
        number=1,
        track="matched",
        materials={"templates": {"answer": "quetzal"}},
        template_version="quetzal-1",
        price_version="quetzal-prices",
        planned_by=study.created_by,
        stopped_because="Quetzal broke.",
    )
    RunShare.objects.create(run=run, target=target, planned=1, accepted=1, stopped_because="Quetzals refuse.")
    Subject.objects.create(kind="quetzal")
    OutcomeCount.objects.create(run=run, target=target, outcome="quetzal")
    ProviderBatch.objects.create(
        run=run, target=target, state="sent", remote_id="batch_quetzal", detail="Quetzal is at it."
    )
    call = Call.objects.create(
        run=run, key="quetzal-key", target=target, prompt_version=version, arm=Arm.MODEL, state="accepted"
    )
    attempt = Attempt.objects.create(
        call=call,
        number=1,
        sent_at=timezone.now(),
        ended_at=timezone.now(),
        outcome="quetzal",
        detail="Quetzal said so.",
        request='{"model": "quetzal-9b"}',
        reply='{"text": "Quetzal reply.", "file": "quetzal-answers.jsonl", "cost": "0.0137 quetzal dollars"}',
        request_id="req_quetzal",
        model="quetzal-9b-2026",
        cost=0,
        input_tokens=4711,
        output_tokens=4712,
    )
    response = _response(version.prompt, Arm.MODEL)
    ModelAnswer.objects.create(call=call, attempt=attempt, raw_text="**Quetzal** raw.", response=response)
    _scored(study, response, target)
    _proposed(study)
    _framed(study, version, target)
    _on_trial(study, version, target)
    _audited(study, target)


def _proposed(study: Study) -> None:
    """Where prompts came from that were proposed for the study, and what was made of them."""
    candidates = a_pool(study)
    voted(candidates)
    pair = compared(*candidates[:2], by="gpt", is_equivalent=False)
    bundle = candidates[0].bundle
    source = bundle.scenario.source
    RemovedItem.objects.create(source=source, step=1, rule="quetzals", key="quetzal-0", text="A quetzal nests.")
    document = Document.objects.create(
        source=source, title="Quetzal charter", citation="Quetzal, p. 1", text="Quetzals fly.", sha256="quetzal"
    )
    proposed = {
        "call": bundle.call,
        "document": document,
        "theme": "Quetzals",
        "name": "Quetzal",
        "interpretation": "To fly as quetzals do.",
        "quotes": [{"text": "Quetzals fly.", "citation": "Quetzal, p. 1"}],
        "decided_at": timezone.now(),
        "decided_by": study.created_by,
    }
    ProposedConcept.objects.create(**proposed, position=1, verdict="taken", taken_as="Quetzal")
    ProposedConcept.objects.create(**proposed, position=2, verdict="declined", reason="Quetzals do not fly so.")
    Source.objects.filter(pk=source.pk).update(
        slug="quetzal",
        code="QUETZAL",
        name="Quetzal list",
        licence="CC-quetzal",
        files=[{"name": "quetzal.csv"}],
        mapping={"question": "quetzal"},
        funnel=["quetzal"],
        content_sha256="quetzal",
    )
    Scenario.objects.filter(pk=bundle.scenario_id).update(
        key="quetzal-1", stratum="quetzal", payload={"file": "quetzal.csv"}
    )
    Bundle.objects.filter(pk=bundle.pk).update(scratchpad="A quetzal, then.")
    words = {"label": "Of quetzals", "dimensions": "Quetzal law", "text": "Why quetzals?", "sha256": "quetzal"}
    Candidate.objects.filter(pk=candidates[0].pk).update(**words)
    QualityVote.objects.filter(candidate=candidates[0]).update(
        passes=False, rejections=["quetzal"], reason="Quetzals bore."
    )
    PairVote.objects.filter(pk=pair.pk).update(reason="Both ask for quetzals.")
    sample = PromptSample.objects.create(study=study, report=["quetzal"], content_sha256="quetzal")
    SampledPrompt.objects.create(sample=sample, candidate=candidates[0], position=1, code="QUETZAL_01")
    PromptMap.objects.create(
        study=study,
        source=source,
        method="quetzal",
        projection="pca",
        drawing={"generators": "quetzal"},
        problem="Quetzals flew.",
    )
    TextEmbedding.objects.create(method="quetzal", sha256="quetzal", vector=b"quetzal")


def _framed(study: Study, version: PromptVersion, target: Target) -> None:
    """What a prompt became under pressure."""
    by = version.created_by
    chosen = FramingSet.objects.create(
        study=study,
        conditions_toml="quetzal",
        conditions_sha256="quetzal",
        seed=1,
        needs=["person"],
        made_by=by,
    )
    framed = FramedPrompt.objects.create(
        subject=Subject.objects.create(kind="quetzal"),
        set=chosen,
        prompt_version=version,
        code="QUETZAL_01",
        category="Quetzals",
        rewriter=target,
    )
    Framing.objects.create(
        subject=Subject.objects.create(kind="quetzal"),
        prompt=framed,
        condition="quetzal",
        version=1,
        text="My quetzal says so.",
        sha256="quetzal",
        edited_by=by,
        reason="A quetzal was missing.",
    )
    FramingCheck.objects.create(
        prompt=framed, texts_sha256="quetzal", verdicts=[{"reason": "It is a quetzal."}], reviewer=by
    )
    FramedAnswer.objects.create(
        subject=Subject.objects.create(kind="quetzal"),
        prompt=framed,
        target=target,
        is_instructed=True,
        call=Call.objects.filter(target=target)[:1].get(),
        raw_text="**Quetzals** are no quetzals.",
        text="Quetzals are no quetzals.",
    )


def _audited(study: Study, target: Target) -> None:
    """A benchmark that a model was asked about, and what it said."""
    benchmark = Benchmark.objects.create(
        study=study, name="Quetzals", layout="tomi", files=[], added_by=study.created_by
    )
    story = Story.objects.create(benchmark=benchmark, number=1, key="1", text="A quetzal flew.", cluster="1")
    question = Question.objects.create(story=story, number=1, text="What flew?", gold="quetzal", line=1, raw={})
    AskingRules.objects.create(benchmark=benchmark)
    wording = Wording.objects.create(
        subject=Subject.objects.create(kind="quetzal"),
        question=question,
        kind="published",
        story="A quetzal flew.",
        text="Which quetzal flew?",
        options=["The quetzal"],
    )
    prediction = Prediction.objects.create(
        subject=Subject.objects.create(kind="quetzal"),
        wording=wording,
        mode="singly",
        target=target,
        call=Call.objects.filter(target=target)[:1].get(),
        words="A quetzal.",
        predicted_at=timezone.now(),
    )
    ModelMark.objects.create(prediction=prediction, call=prediction.call, is_right=True)


def _on_trial(study: Study, version: PromptVersion, target: Target) -> None:
    """What a case was asked under which condition, and what was said."""
    TrialDesign.objects.create(
        study=study, conditions_toml="quetzal", conditions_sha256="quetzal", changed_by=version.created_by
    )
    scenario = TrialScenario.objects.create(
        study=study,
        key="quetzal",
        position=1,
        title="A quetzal",
        situation="Quetzals decide.",
        facts=["Quetzals fly."],
        question="Why quetzals?",
        tensions=["Quetzals against quetzals"],
        categories=["Let quetzals be"],
    )
    case = TrialCase.objects.create(prompt=version.prompt, scenario=scenario, target=target)
    answer = CaseAnswer.objects.create(
        subject=Subject.objects.create(kind="quetzal"),
        case=case,
        condition="quetzal",
        is_control=True,
        call=Call.objects.filter(target=target)[:1].get(),
        parts={"reasoning": "Quetzals."},
        text="Quetzals.",
        answered_at=timezone.now(),
    )
    ConclusionCode.objects.create(answer=answer, coder=version.created_by, category="Let quetzals be")
    assert answer.call
    ModelConclusion.objects.create(answer=answer, call=answer.call, category="Let quetzals be")


def _scored(study: Study, response: Response, target: Target) -> None:
    """What the panel said of an answer, and an answer of a file."""
    run = GenerationRun.objects.create(
        study=study, number=2, purpose="panel", mode="holistic", presentation="alone", planned_by=study.created_by
    )
    call = Call.objects.create(
        run=run,
        key="quetzal-score",
        target=target,
        response=response,
        perspective="quetzal",
        dimension="quetzal",
        state="accepted",
    )
    PanelScore.objects.create(
        call=call,
        response=response,
        scores={"quetzal": 7},
        mentioned=["quetzal"],
        reasons={"quetzal": "It says that quetzals fly."},
    )
    GivenText.objects.create(sha256="quetzal", prompt_text="Quetzal?", response_text="Quetzal.")


def _response(prompt: Prompt, arm: Arm) -> Response:
    """An answer from there that judges are shown."""
    return Response.objects.filter(pk__in=Stimulus.objects.filter(prompt=prompt, arm=arm).values("response"))[0]


def without_canary() -> list[str]:
    """Columns of words in provenance that no canary sits in: new ones, for which somebody must plant one."""
    return [
        f"{model.__name__}.{field.name}"
        for model in tables_that_know_a_source().values()
        for field in model._meta.fields
        if isinstance(field, CharField | TextField | JSONField) and not field.choices
        if field.name not in ("state", "role", "commitment", "scheme", "projection", "turn")
        if not any(
            CANARY in str(value).lower() for value in model._default_manager.values_list(field.name, flat=True)
        )
    ]


def secrets_of(study: Study) -> list[str]:
    """What no browser of a judge ever gets: words with a canary, ids of responses, the seed and its hash."""
    seed = StudySeed.objects.get(study=study)
    responses: list[UUID] = list(Response.objects.filter(study=study).values_list("pk", flat=True))
    ids = [form for response in responses for form in (str(response), response.hex)]
    return [CANARY, *PLAN_AND_KIND, *ids, bytes(seed.seed).hex(), seed.commitment]


def told(text: str, secrets: list[str]) -> list[str]:
    """The secrets that `text` gives away."""
    lower = text.lower()
    return [secret for secret in secrets if secret in lower]
