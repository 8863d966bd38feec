"""Studies in every state, and who and what in them the lines of the routes' table speak of."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from analysis.ceremony.models import UnblindingRequest
from analysis.ceremony.services import ceremony
from analysis.data.core.parameters import Parameters
from analysis.release.models import Release
from analysis.release.services import releases
from analysis.report.services import runs
from annotation.assignment.services import designing
from annotation.benchmarks.models.marks import AnswerMark
from annotation.benchmarks.models.reviews import Review
from annotation.benchmarks.models.rulings import Ruling
from annotation.coordination.selectors.reminders import stop_token
from annotation.people.services import people
from annotation.platform.core.text import sha256_hex
from annotation.platform.models.users import User
from annotation.platform.services.clock import database_now
from annotation.study.models.participation import Participation, Role
from annotation.study.models.prompts import Prompt
from annotation.study.models.studies import Study
from annotation.study.services import studies
from annotation.study.services.flags import raise_flag
from annotation.texts.models.provenance import Arm, TextClearance
from annotation.texts.services import intake
from annotation.unblinders.models import RecoveryPerson, Unblinder
from annotation.unblinders.services import offices
from annotation.writing.models import LateText
from annotation.writing.services import writing
from generation.calls.models import Call
from generation.calls.services import recording
from generation.calls.services.recording import Arrival
from generation.framing.services.sets import make_set
from generation.prompts.services import prompt_maps
from generation.prompts.services.samples import make_sample
from generation.providers.base import Outcome, Reply
from generation.sources.core.concepts import Quote
from generation.sources.core.source_files import read_source
from generation.sources.models import ProposedConcept, RemovedItem
from generation.sources.services import sources
from generation.sources.services.concepts import add_concept, add_document
from generation.trials.core.scenarios import EXAMPLES
from generation.trials.models import TrialScenario
from generation.trials.services.designs import add_scenarios
from tests.analysis.rating_files.files import a_rating_file, analyse_rating_file
from tests.analysis.report.analyses import analysed
from tests.annotation.benchmarks.audits import an_adjudication
from tests.annotation.benchmarks.tomi_stories import a_benchmark
from tests.annotation.coordination.payments import a_payment
from tests.annotation.coordination.reminders import a_reminder
from tests.answers import put, save
from tests.factories import (
    a_judging_study,
    a_member,
    a_person,
    a_quarantined_text,
    a_study,
    assignments_of,
    coordinator_of,
    judging_items_of,
    locked,
    members_of,
    opened,
    researchers_of,
    written,
)
from tests.generation.calls.model_runs import a_target, claimed, started
from tests.generation.prompts.candidates import a_pool, voted
from tests.judging import submitted
from tests.scrub_site.crawl.route_lines import MEMBERS
from tests.unblinders import proposed


@dataclass(frozen=True)
class World:
    """The cast by actor, and the arguments of an address by the object's name in the table."""

    cast: Mapping[str, User]
    objects: Mapping[str, tuple[object, ...]]


def build_world() -> World:
    """Studies in every state with the same cast in the same roles, and one study of another coordinator."""
    judged = a_judging_study(1, 1, 2, slug="judging")
    cast = {
        "writer": members_of(judged, Role.WRITER)[0].user,
        "other_writer": members_of(judged, Role.WRITER)[1].user,
        "judge": members_of(judged, Role.JUDGE)[0].user,
        "other_judge": members_of(judged, Role.JUDGE)[1].user,
        "coordinator": coordinator_of(judged),
        "researcher": researchers_of(judged)[0],
        "stranger": a_person("Some Stranger"),
        "other_coordinator": a_person("Other Coordinator"),
        "administrator": a_person("Ada Administrator", is_staff=True),
    }
    _elsewhere(cast["other_coordinator"])
    objects = {
        "": (),
        **_design(cast),
        **_writing(cast),
        **_judging(judged),
        **_ceremonies(cast),
        **_files_of_ratings(cast["researcher"]),
        "demonstration person": (a_person("Demo Person", is_demo=True).pk,),
        "real person": (cast["stranger"].pk,),
        "unknown invitation": ("no-such-token",),
        "unknown key": ("no-such-key",),
        "unknown reset": ("1", "no-such-key"),
        "unknown recovery": ("no-such-token",),
        "unknown way out": ("1.no-such-signature",),
    }
    return World(cast, objects)


def _design(cast: Mapping[str, User]) -> dict[str, tuple[object, ...]]:
    """A study in design, and the address of a prompt that is another study's."""
    study, other = _joined(a_study("design"), cast), a_study("other-design")
    return {
        "design": (study.slug,),
        "section of the design": (study.slug, "writing"),
        "unknown section": (study.slug, "no-such-section"),
        "preset of the design": (study.slug, "pilot"),
        "prompt in design": (study.slug, Prompt.objects.filter(study=study)[0].pk),
        "prompt of another study": (study.slug, Prompt.objects.filter(study=other)[0].pk),
        "proposed office": (study.slug, proposed(study, cast["researcher"]).pk),
        **_benchmarks(study, other),
        **_pool(study),
    }


def _benchmarks(study: Study, other: Study) -> dict[str, tuple[object, ...]]:
    own, others, audited = a_benchmark(study), a_benchmark(other), an_adjudication(slug="audited")
    return {
        "layout of a benchmark": (study.slug, "tomi"),
        "unknown layout": (study.slug, "no-such-layout"),
        "benchmark": (study.slug, own.pk),
        "benchmark of another study": (study.slug, others.pk),
        "story of a benchmark": (study.slug, own.pk, 1),
        "unknown story": (study.slug, own.pk, 99),
        "question of an annotator": (Review.objects.filter(annotator__study=audited)[0].pk,),
        "answers of a benchmark": (study.slug, own.pk, "answer"),
        "mark of an annotator": (_a_mark(audited),),
        "ruling": (Ruling.objects.filter(question__story__benchmark__study=audited)[0].pk,),
        "file of a subset": (study.slug, own.pk, "cleaned", "questions.jsonl"),
        "file of an audit": (study.slug, own.pk, "rulings"),
    }


def _a_mark(audited: Study) -> int:
    """An answer for an annotator to mark."""
    review = Review.objects.filter(annotator__study=audited)[0]
    return AnswerMark.objects.create(
        marker=review.annotator,
        question=review.question,
        kind="answer",
        about=1,
        shown={"words": "basket"},
        position=1,
    ).pk


def _pool(study: Study) -> dict[str, tuple[object, ...]]:
    """Prompts that were written for a study: judged, drawn on a map and sampled; and concepts it draws on."""
    coordinator = coordinator_of(study)
    candidates = a_pool(study)
    voted(candidates)
    source = candidates[0].bundle.scenario.source
    source.funnel.append({"name": "Scenes", "kept": 2, "removed": 1, "rules": {}})
    source.save(update_fields=["funnel"])
    RemovedItem.objects.create(source=source, step=1, key="bbq-000", text="A scene of another kind.")
    concepts = sources.import_source(
        slug="charter",
        kind="concepts",
        shape="concept",
        code="CON",
        name="A charter",
        licence="",
        reduction=read_source("concepts", []).reduction,
        by=coordinator,
    ).source
    sources.use_source(study=study, source=concepts, by=coordinator)
    document = add_document(source=concepts, title="Charter", citation="Art. 1", text="We listen.", by=coordinator)
    quote = Quote(text="We listen.", document=document.title, citation="Art. 1")
    concept = add_concept(
        source=concepts, theme="Talk", name="Listening", interpretation="To hear.", quotes=[quote], by=coordinator
    )
    assert candidates[0].bundle.call
    proposal = ProposedConcept.objects.create(
        call=candidates[0].bundle.call,
        document=document,
        position=1,
        name="Hearing",
        interpretation="To listen.",
        quotes=[{"text": "We listen.", "citation": ""}],
    )
    drawn = prompt_maps.ask_for_map(study=study, source=source, by=coordinator)
    prompt_maps.draw_map(drawn.pk)
    sample = make_sample(study=study, by=coordinator, per_source=1)
    framings = make_set(study=study, by=coordinator, number=1)
    framed = framings.prompts.get()
    add_scenarios(study=study, new=EXAMPLES[:1], by=coordinator)
    return {
        "source": (study.slug, source.slug),
        "unknown source": (study.slug, "no-such-source"),
        "step of a source": (study.slug, source.slug, 1),
        "concepts": (study.slug, concepts.slug),
        "concept": (study.slug, concepts.slug, concept.pk),
        "document": (study.slug, concepts.slug, document.pk),
        "proposal": (study.slug, concepts.slug, proposal.pk),
        "candidate": (study.slug, candidates[0].pk),
        "candidate of another study": ("writing", candidates[0].pk),
        "map": (study.slug, drawn.pk),
        "map of another study": ("writing", drawn.pk),
        "scenario on the map": (study.slug, drawn.pk, candidates[0].bundle.scenario_id),
        "sample": (study.slug, sample.pk),
        "sample of another study": ("writing", sample.pk),
        "framings": (study.slug, framings.pk),
        "framings of another study": ("writing", framings.pk),
        "scenario on trial": (study.slug, TrialScenario.objects.get(study=study).pk),
        "framed prompt": (study.slug, framed.pk),
        "framed prompt of another study": ("writing", framed.pk),
    }


def _elsewhere(coordinator: User) -> None:
    study = studies.create_study(slug="elsewhere", title="Elsewhere", by=coordinator)
    a_member(study, Role.COORDINATOR, coordinator)


def _joined(study: Study, cast: Mapping[str, User]) -> Study:
    """The study after those of the cast who are not in it already joined it."""
    for actor in MEMBERS:
        if not Participation.objects.filter(study=study, user=cast[actor]).exists():
            a_member(study, Role(actor.removeprefix("other_")), cast[actor])
    return study


def _writing(cast: Mapping[str, User]) -> dict[str, tuple[object, ...]]:
    """Of three answers the writer has submitted one and begun another; a model's text is in quarantine.

    The other writer let an answer lapse, and a text of it arrived late.
    """
    study = _joined(a_study("writing", prompts=3, answers_per_prompt=2), cast)
    coordinator = cast["coordinator"]
    locked(study)
    designing.assign_writing(study=study, by=coordinator)
    study.refresh_from_db()
    first, second, third = assignments_of(study)
    assert first.participation.user == cast["writer"]
    written(first)
    writing.start(assignment=second, attested=True, by=cast["writer"])
    flag = raise_flag(
        participation=second.participation,
        prompt_version=second.prompt_version_id,
        kind="unclear",
        words="Who is meant?",
        by=cast["writer"],
    )
    lapsed = put(assignments_of(study, writer=1)[0], "lapsed")
    save(lapsed, 1, "Written offline, and too late.")
    target, call = a_target(study), _failed_call(study)
    suspicious = a_quarantined_text(study, source_code="demo")
    # Not a model's: the prompt would lack a weak answer alone if it were the one that needs it.
    edited = a_quarantined_text(study, arm=Arm.HUMAN, source_code=first.participation.pseudonym)
    intake.edit(stimulus=edited, text="Towns differ.", reason="It named itself.", by=coordinator)
    cleared = a_quarantined_text(study, arm=Arm.HUMAN, source_code=first.participation.pseudonym)
    intake.decide(stimulus=cleared, verb="clear", reason="Another Claude.", by=coordinator)
    offer = people.invite(study=study, email="new@example.org", name="New", role=Role.WRITER, by=coordinator)
    leaving = offices.propose_leaving(
        unblinder=Unblinder.objects.filter(study=study)[1], reason="Has another post.", by=coordinator
    )
    return {
        "writing": (study.slug,),
        "office": (study.slug, Unblinder.objects.filter(study=study)[0].pk),
        "office of another study": ("judging", Unblinder.objects.filter(study=study)[0].pk),
        "change of an office": (study.slug, leaving.pk),
        "change of another study": ("judging", leaving.pk),
        "recovery": (_link_of_a_third_person(study),),
        "writer of the study": (study.slug, first.participation.pseudonym),
        "nobody of the study": (study.slug, "W-NONE"),
        "submitted answer": (first.pk,),
        "begun answer": (second.pk,),
        "assigned answer": (third.pk,),
        "lapsed answer": (lapsed.pk,),
        "public release": ("finished", 99),
        "mail of a step": ("writing", "writing_begun"),
        "mail of no step": ("writing", "lunch"),
        "waiting reminder": (a_reminder(first.participation).pk,),
        "way out": (stop_token(first.participation_id),),
        "payment": (a_payment(first.participation).pk,),
        "late text": (LateText.objects.get(assignment=lapsed).pk,),
        "model of the study": (study.slug, target.pk),
        "model of another study": ("design", target.pk),
        "template": (study.slug, "answer"),
        "unknown template": (study.slug, "no-such-template"),
        "run": (call.run_id,),
        "call": (call.pk,),
        "quarantined text": (suspicious.pk,),
        "flag": (flag.pk,),
        "edited text": (edited.pk,),
        "clearance": (TextClearance.objects.get(response=cleared.pk).pk,),
        "locked prompt": (study.slug, first.prompt_id),
        "open invitation": (study.slug, offer.invitation.pk),
        "invitation of another study": ("design", offer.invitation.pk),
        "invitation": (offer.link.rstrip("/").rsplit("/", 1)[1],),
    }


def _link_of_a_third_person(study: Study) -> str:
    """As it was mailed."""
    link = "link-of-the-third-person"
    RecoveryPerson.objects.filter(study=study).update(asked_at=database_now(), token_sha256=sha256_hex(link))
    return link


def _failed_call(study: Study) -> Call:
    """A call whose only attempt was in vain, of a run that is still running."""
    run = started(study)
    first = claimed(run)[0]
    in_vain = Reply(Outcome.FINAL_REQUEST, detail="The request is not understood.", status=400)
    recording.record(run.pk, [Arrival(first.attempt_id, in_vain, 20)])
    return Call.objects.get(pk=first.call_id)


def _judging(study: Study) -> dict[str, tuple[object, ...]]:
    """Of three items the first judge has submitted the first and opened the second; the other judge is done."""
    first, second, third = judging_items_of(study)
    for item in (first, *judging_items_of(study, judge=1)):
        submitted(item)
    opened(second)
    return {
        "judging": (study.slug,),
        "judge of the study": (study.slug, first.participation.pseudonym),
        "submitted item": (first.pk,),
        "open item": (second.pk,),
        "assigned item": (third.pk,),
        "item to guess about": (judging_items_of(study, judge=1)[0].pk,),
    }


def _ceremonies(cast: Mapping[str, User]) -> dict[str, tuple[object, ...]]:
    """Two studies whose unblinding the researcher has asked for; a second researcher has approved one of them."""
    one_each = {"quality_floor_prompts": 1, "source_attribution_prompts": 1}  # and an ordinary one
    closed, closed_request = _closed("closed", cast, **one_each)
    finished, finished_request = _closed("finished", cast)
    second = researchers_of(finished)[1]
    ceremony.decide_unblinding(request=finished_request, approve=True, by=second)
    analysed(runs.ask_for_run(study=finished, parameters=Parameters(draws=100), by=second))
    masked = analysed(runs.ask_for_run(study=closed, parameters=Parameters(draws=100), by=cast["researcher"]))
    return {
        "closed": (closed.slug,),
        "unblinding request": (closed_request.pk,),
        "finished": (finished.slug,),
        "release": (_released(finished, second).pk,),
        "masked analysis": (closed.slug, masked.number),
        "file of a masked analysis": (closed.slug, masked.number, "results.json"),
        "analysis": (finished.slug, 1),
        "unknown analysis": (finished.slug, 2),
        "file of an analysis": (finished.slug, 1, "results.json"),
        "unknown file": (finished.slug, 1, "figures/none.svg"),
    }


def _files_of_ratings(researcher: User) -> dict[str, tuple[object, ...]]:
    """One that was only brought, one that is analysed, one that will be removed."""
    brought, analysed, other = (a_rating_file(by=researcher) for _ in range(3))
    analyse_rating_file(analysed)
    return {
        "file of ratings": (brought.pk,),
        "analysed file of ratings": (analysed.pk,),
        "result of a file of ratings": (analysed.pk, "results.json"),
        "other file of ratings": (other.pk,),
    }


def _released(study: Study, researcher: User) -> Release:
    """A release that is prepared and not published."""
    release = releases.prepare_release(study=study, k=2, by=researcher)
    releases.build(release.pk)
    return release


def _closed(slug: str, cast: Mapping[str, User], **parameters: Any) -> tuple[Study, UnblindingRequest]:
    study = a_judging_study(1, 1, 2, slug=slug, **parameters)
    for number in range(2):
        for item in judging_items_of(study, judge=number):
            submitted(item)
    _joined(study, cast)
    researcher = cast["researcher"]
    ceremony.close_study(study=study, by=researcher, despite_missing=True)
    return study, ceremony.request_unblinding(study=study, reason="All items are in.", by=researcher)
