"""Two studies with a row in every table: one in which people write, and one in which they judge."""

from datetime import timedelta

from django.utils import timezone

from analysis.blinding.models import SealedTable
from analysis.ceremony.models import UnblindingRequest
from analysis.frozen.models import Freeze, FrozenTable
from analysis.rating_files.models import RatingFile, RatingFileResult
from analysis.release.models import Release, ReleaseArchive
from analysis.report.models import AnalysisRun, RunFile
from annotation.assignment.models import AssignmentRepair
from annotation.benchmarks.models.benchmarks import Benchmark, DrawnQuestion, MechanicalFinding, Question, Story
from annotation.benchmarks.models.marks import AnswerMark
from annotation.benchmarks.models.reviews import QuestionFlag, Review
from annotation.benchmarks.models.rulings import Correction, Ruling, Subset
from annotation.coordination.models.honoraria import Payment
from annotation.coordination.models.reminders import Reminder
from annotation.judging.models.judging import BlindedSlot, Guess, GuessOption, JudgingItem, RankedSlot
from annotation.judging.models.traces import Dwell, Mark
from annotation.notifications.models import NotificationWording
from annotation.people.services import account_mail, people
from annotation.platform.models.uptime import SitePause, UpPeriod
from annotation.platform.models.users import User
from annotation.platform.services import uptime
from annotation.study.models.flags import Flag
from annotation.study.models.participation import Participation, Role
from annotation.study.models.responses import Response
from annotation.study.models.studies import Study
from annotation.texts.models.model_readings import TextReading
from annotation.texts.models.provenance import TextClearance, TextEdit
from annotation.unblinders.models import RecoveryPerson, Unblinder
from annotation.unblinders.services.offices import propose_leaving
from annotation.writing.models import (
    LateText,
    OutageCredit,
    RewordingDecision,
    SideText,
    WaivedAnswer,
    WritingAssignment,
    WritingPause,
    WritingReceipt,
)
from generation.benchmarks.models import AskingRules, ModelMark, Prediction, Wording
from generation.calls.models import Call, GenerationRun, OutcomeCount, ProviderBatch, Subject
from generation.catalogue.models import StudyTemplate, Target
from generation.framing.models import FramedAnswer, FramedPrompt, FramingCheck
from generation.framing.services.sets import make_set
from generation.framing.services.versions import add_versions
from generation.panel.models import GivenText, PanelScore
from generation.prompts.models import Candidate, PromptMap, PromptSample, SampledPrompt, TextEmbedding
from generation.sources.models import Document, ProposedConcept, RemovedItem
from generation.trials.core.conditions import SHIPPED_TOML
from generation.trials.models import (
    CaseAnswer,
    ConclusionCode,
    ModelConclusion,
    TrialCase,
    TrialDesign,
    TrialScenario,
)
from scrub_site.demo.judgments import judge_item
from tests.factories import (
    a_judging_study,
    a_member,
    a_writing_study,
    assignments_of,
    coordinator_of,
    written,
)
from tests.generation.calls.model_runs import a_target, claimed, started
from tests.generation.prompts.candidates import a_pool, compared, voted


def a_study_in_writing() -> None:
    study = a_writing_study("writing")
    coordinator = coordinator_of(study)
    a_member(study, Role.JUDGE)
    answer = written(assignments_of(study)[0])
    _beside(answer, coordinator)
    _told_of(answer)
    _read(answer)
    _around(answer.participation, coordinator)
    account_mail.post(email="new@example.org", subject="Your password was changed", body="It was.")
    uptime.check_writes()
    people.invite(study=study, email="new@example.org", name="New", role=Role.WRITER, by=coordinator)
    _asked_of_a_model(study)
    _with_a_pool(study)
    _with_offices(study)
    _with_a_benchmark(study)


def _with_a_benchmark(study: Study) -> None:
    """As one that was read before the design was locked."""
    benchmark = Benchmark.objects.create(
        study=study, name="ToMi", layout="tomi", files=[], added_by=coordinator_of(study)
    )
    story = Story.objects.create(benchmark=benchmark, number=1, key="1", text="Nora came.", cluster="1")
    question = Question.objects.create(story=story, number=1, text="Who came?", gold="Nora", line=1, raw={})
    Question.objects.create(story=story, number=2, text="Where is Nora?", gold="here", line=2, raw={})
    review = Review.objects.create(annotator=a_member(study, Role.ANNOTATOR), question=question, position=1)
    QuestionFlag.objects.create(
        review=review, axis="data", category="semantic", flaw="role_mismatch", scope="item", note="Nora is nobody."
    )
    DrawnQuestion.objects.create(question=question, weight=1, is_sampled=False, answer="Paul")
    ruling = Ruling.objects.create(
        question=question,
        position=1,
        is_disputed=True,
        adjudicator=a_member(study, Role.ADJUDICATOR),
        category="semantic",
        fate="corrected",
        ruled_at=timezone.now(),
    )
    Correction.objects.create(
        ruling=ruling, number=1, changes={"gold": "Paul"}, reason="Nora is nobody.", made_at=timezone.now()
    )
    Subset.objects.create(
        benchmark=benchmark, kind="original", members=[1], files=[], sha256="d" * 64, frozen_at=timezone.now()
    )
    MechanicalFinding.objects.create(question=question, kind="unclear", text="“Nora came.” says nothing.")
    AskingRules.objects.create(benchmark=benchmark)
    wording = Wording.objects.create(
        subject=Subject.objects.create(kind="wording"),
        question=question,
        kind="published",
        story="Nora came.",
        text="Who came?",
    )
    call = Call.objects.filter(arm="model")[:1].get()
    prediction = Prediction.objects.create(
        subject=Subject.objects.create(kind="prediction"),
        wording=wording,
        mode="singly",
        target=call.target,
        call=call,
        words="Nora",
        predicted_at=timezone.now(),
    )
    ModelMark.objects.create(prediction=prediction, call=call, is_right=True)
    AnswerMark.objects.create(
        marker=review.annotator,
        question=question,
        kind="answer",
        about=prediction.pk,
        shown={"words": "Nora"},
        position=1,
        verdict="right",
        marked_at=timezone.now(),
    )


def _with_offices(study: Study) -> None:
    """Somebody who is to leave the office, and a third person who was mailed a link."""
    unblinder = Unblinder.objects.filter(study=study)[0]
    propose_leaving(unblinder=unblinder, reason="Has another post.", by=coordinator_of(study))
    RecoveryPerson.objects.filter(study=study).update(asked_at=timezone.now(), token_sha256="c" * 64)


def _asked_of_a_model(study: Study) -> None:
    """A run with one call of two on its way, and what else may belong to one."""
    target = a_target(study)
    run = started(study)
    claimed(run, most=1)
    OutcomeCount.objects.create(run=run, target=target, outcome="ok")
    ProviderBatch.objects.create(run=run, target=target, state="sent", remote_id="batch-1")
    StudyTemplate.objects.create(
        study=study,
        name="answer",
        number=1,
        text="{prompt}",
        sha256="0" * 64,
        origin="Here",
        written_by=coordinator_of(study),
    )
    GivenText.objects.create(sha256="0" * 64, prompt_text="Why?", response_text="Because.")


def _with_a_pool(study: Study) -> None:
    """Prompts that wait to be chosen, with all that is kept of where they came from and what became of them."""
    first, second, *_ = candidates = a_pool(study)
    voted(candidates)
    compared(first, second, by="gpt", is_equivalent=False)
    source = first.bundle.scenario.source
    RemovedItem.objects.create(source=source, step=1, key="bbq-000", text="A scene of another kind.")
    document = Document.objects.create(
        source=source, title="Charter", citation="Art. 1", text="We listen.", sha256="0" * 64
    )
    assert first.bundle.call
    ProposedConcept.objects.create(
        call=first.bundle.call,
        document=document,
        position=1,
        name="Listening",
        interpretation="To hear.",
        quotes=[],
    )
    sample = PromptSample.objects.create(study=study, report=[], content_sha256="0" * 64)
    SampledPrompt.objects.create(sample=sample, candidate=first, position=1, code="BBQ_01")
    PromptMap.objects.create(study=study, source=source, method="lexical", projection="pca")
    TextEmbedding.objects.create(method="model", sha256=first.sha256, vector=b"\0" * 8)
    _under_pressure(study)
    _on_trial(study)


def _under_pressure(study: Study) -> None:
    """A prompt whose framing somebody has written and checked."""
    coordinator = coordinator_of(study)
    prompt = make_set(study=study, by=coordinator, number=1).prompts.get()
    FramedPrompt.objects.create(
        subject=Subject.objects.create(kind="framed prompt"),
        set=prompt.set,
        candidate=Candidate.objects.order_by("pk")[0],
        code="BBQ_99",
        rewriter=prompt.rewriter,
    )
    add_versions(prompt.pk, {"empirical_i": "So?"}, by=coordinator, reason="Shorter.")
    call = Call.objects.filter(arm="model")[:1].get()
    FramedAnswer.objects.create(
        subject=Subject.objects.create(kind="framed answer"),
        prompt=prompt,
        target=call.target,
        is_instructed=True,
        call=call,
        raw_text="So.",
        text="So.",
    )
    FramingCheck.objects.create(prompt=prompt, texts_sha256="0" * 64, verdicts=[], reviewer=coordinator)


def _on_trial(study: Study) -> None:
    """A case whose answer is still wanted."""
    coordinator = coordinator_of(study)
    TrialDesign.objects.create(
        study=study, conditions_toml=SHIPPED_TOML, conditions_sha256="0" * 64, changed_by=coordinator
    )
    scenario = TrialScenario.objects.create(
        study=study, key="ferry", position=1, title="A ferry", situation="Here.", facts=["It runs."], question="So?"
    )
    case = TrialCase.objects.create(
        prompt=study.prompts.order_by("pk")[0], scenario=scenario, target=Target.objects.filter(study=study)[0]
    )
    answer = CaseAnswer.objects.create(
        subject=Subject.objects.create(kind="case answer"), case=case, condition="utilitarian", is_control=False
    )
    for is_settled in (False, True):
        ConclusionCode.objects.create(
            answer=answer, coder=coordinator, category="Keep it running", is_settled=is_settled
        )
    GuessOption.objects.create(study=study, position=1, key="utilitarian", name="Utilitarian")
    ModelConclusion.objects.create(answer=answer, call=Call.objects.order_by("pk")[0], category="Keep it running")


def _beside(answer: WritingAssignment, coordinator: User) -> None:
    """What may be kept beside an answer."""
    now = timezone.now()
    SideText.objects.create(assignment=answer, pen_epoch=1, seq=1, text="Written here.", received_at=now)
    LateText.objects.create(assignment=answer, text="Written offline.", received_at=now)
    UpPeriod.objects.create(began_at=now, seen_at=now)
    SitePause.objects.get_or_create(id=1, defaults={"reason": "Restored."})
    OutageCredit.objects.create(
        assignment=answer,
        began_at=now,
        ended_at=now + timedelta(seconds=40),
        seconds=40,
        decided_at=now,
        decided_by=coordinator,
    )


def _read(answer: WritingAssignment) -> None:
    """What a model that read the answer said of it."""
    response = Response.objects.filter(study=answer.study)[:1].get()
    TextReading.objects.create(
        response=response, text_sha256="0" * 64, reader="claude", verdict=1, quote="Towns", reason="A place."
    )


def _told_of(answer: WritingAssignment) -> None:
    """A pause of the answer, its receipt, and a repair that moved nothing."""
    now = timezone.now()
    WritingPause.objects.create(assignment=answer, began_at=now)
    RewordingDecision.objects.create(
        assignment=answer,
        prompt_version=answer.prompt_version,
        decision="edited",
        wording="When is it fair?",
        reason="It is clearer.",
        decided_at=timezone.now(),
        decided_by=coordinator_of(answer.study),
    )
    WaivedAnswer.objects.create(assignment=answer, waived_by=coordinator_of(answer.study), reason="Enough others.")
    WritingReceipt.objects.create(assignment=answer, submitted_at=now, sha256="0" * 64)
    AssignmentRepair.objects.create(study=answer.study, task="writing", reason="Ill.", digest="0" * 64)


def _around(writer: Participation, coordinator: User) -> None:
    """What is mailed and paid to a member."""
    now = timezone.now()
    Reminder.objects.create(
        participation=writer, subject="Your answers", body="Two wait.", due_at=now, asked_by=coordinator
    )
    wording = {"is_on": True, "subject": "Begun", "text": "Dear {name}, please begin."}
    NotificationWording.objects.create(study=writer.study, occasion="writing_begun", **wording)
    Payment.objects.create(participation=writer, amount=20, paid_on=now.date(), recorded_by=coordinator)


def a_study_in_judging() -> None:
    study = a_judging_study(human=1, model=1, judges=2, prompts=2, slug="judging")
    researcher = a_member(study, Role.RESEARCHER).user
    item = JudgingItem.objects.filter(study=study).select_related("participation__user", "prompt_version")[:1].get()
    slots = list(BlindedSlot.objects.filter(item=item))
    judge_item(item, {str(slot.response_id): 0.6 for slot in slots}, ["conceptual_clarity"], submit=False)
    now = timezone.now()
    Mark.objects.create(slot=slots[0], start=3, end=9, note="Says who?", made_at=now)
    Flag.objects.create(
        study=study,
        participation=item.participation,
        prompt_version=item.prompt_version,
        label="A",
        kind="broken",
        words="It stops.",
        raised_at=now,
    )
    Dwell.objects.create(slot=slots[0], window="window-one", milliseconds=900, depth=40)
    for slot in slots:
        RankedSlot.objects.create(slot=slot, rank=1, mid_rank=1.5)
        Guess.objects.create(slot=slot, source="human", confidence=3, guessed_at=now)
    response = Response.objects.filter(study=study)[:1].get()
    _scored_by_the_panel(study, response)
    TextEdit.objects.create(
        response=response, number=1, before="Ha.", after="Oh.", reason="A name.", edited_by=researcher
    )
    TextClearance.objects.create(response=response, reason="Another Claude.", cleared_by=researcher)
    UnblindingRequest.objects.create(study=study, reason="Collection is complete.", requested_by=researcher)
    run = AnalysisRun.objects.create(study=study, kind="masked", number=1, parameters={}, asked_by=researcher)
    RunFile.objects.create(run=run, name="results.json", content=b"{}")
    file = RatingFile.objects.create(
        owner=researcher, name="ratings.csv", kind="ratings", content=b"a", sha256="0" * 64, look={"rows": 1}
    )
    RatingFileResult.objects.create(rating_file=file, name="results.json", content=b"{}")
    release = Release.objects.create(
        study=study, asked_by=researcher, prepared_at=now, number=1, published_at=now, published_by=researcher
    )
    ReleaseArchive.objects.create(release=release, content=b"PK")
    freeze = Freeze.objects.create(study=study, sha256="0" * 64, rows=1, frozen_by=researcher)
    FrozenTable.objects.create(freeze=freeze, name="judgments", content=b"{}")
    SealedTable.objects.create(freeze=freeze, name="answers", content=b"{}")


def _scored_by_the_panel(study: Study, response: Response) -> None:
    """A score of an answer, and one of a text of a file."""
    target = Target.objects.create(study=study, role="panel", family="gpt", provider="demo", model_id="demo-small")
    of_panel = {"purpose": "panel", "mode": "holistic", "presentation": "alone"}
    run = GenerationRun.objects.create(study=study, number=1, planned_by=study.created_by, **of_panel)
    call = Call.objects.create(run=run, target=target, key="1" * 64, response=response, perspective="historian")
    PanelScore.objects.create(call=call, response=response, scores={"holistic": 7})
    given = Call.objects.create(
        run=run, target=target, key="2" * 64, given=GivenText.objects.get(), perspective="historian"
    )
    PanelScore.objects.create(call=given, scores={"holistic": 7})
