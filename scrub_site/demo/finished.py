"""A study at full size, finished and unblinded: every text and judgment in it is synthetic and says so."""

import tomllib
from datetime import timedelta
from pathlib import Path

from django.db.models import F

from analysis.ceremony.services import ceremony
from analysis.rating_files import services as rating_files
from analysis.rating_files.core.looking import look_at
from analysis.report.selectors.runs import parameters_of
from analysis.report.services import runs
from annotation.assignment.services import assembling, designing
from annotation.judging.models.judging import JudgingItem
from annotation.study.models.participation import Role
from annotation.study.models.prompts import PromptVersion
from annotation.study.models.studies import Study
from annotation.study.selectors.rubrics import rubric_by_hash
from annotation.study.services import studies
from annotation.study.services.prompts import add_prompt
from annotation.texts.models.provenance import Arm
from annotation.writing.models import WritingAssignment
from generation.answers.models import ModelAnswer
from generation.calls.models import Call
from generation.demo.core.synthetic import compose
from scrub_site.demo import cast, texts
from scrub_site.demo.judgments import guess_on, judge_item, noise
from scrub_site.demo.panel import ask_panel, read_justifications
from scrub_site.demo.pressure import put_under_pressure

PROMPTS = Path(__file__).resolve().parent / "finished_prompts.toml"
RATINGS = Path(__file__).resolve().parent / "sources/ratings.csv"
HUMAN_QUALITY = 0.58
MODEL_QUALITY = {"claude": 0.76, "gpt": 0.73, "gemini": 0.71}
GAINED = {"claude": 0.05, "gpt": 0.08, "gemini": 0.02}  # at maximum capability
WEAK_QUALITY = 0.2


def load_finished() -> Study:
    """30 prompts, 30 writers × 10 answers, 15 judges × 10 items, four calibration prompts, fixed triples."""
    coordinator = cast.person(cast.COORDINATOR)
    study = studies.create_study(
        slug="finished",
        title="Finished study: synthetic, full size",
        description="Synthetic texts and judgments at the size of a real study, for looking at results.",
        is_demo=True,
        consent_text=cast.CONSENT,
        is_synthetic=True,
        by=coordinator,
        ratings_per_prompt=5,
        human_sets="fixed",
        quality_floor_prompts=2,
        source_attribution_prompts=2,
        break_minutes=0,
    )
    cast.staff(study)
    names = cast.invented_names(45)
    for number, name in enumerate(names[:30], start=1):
        cast.member(study, name, Role.WRITER, pseudonym=f"W-{number:03}")
    for number, name in enumerate(names[30:], start=1):
        cast.member(study, name, Role.JUDGE, pseudonym=f"J-{number:03}")
    for domain, prompts in tomllib.loads(PROMPTS.read_text(encoding="utf-8")).items():
        for number, text in enumerate(prompts, start=1):
            code = f"{domain}_{number:02}"
            add_prompt(study=study, code=code, domain=domain, text=text, by=coordinator)
    texts.name_models(study, MODEL_QUALITY)
    cast.unblinders(study)
    designing.lock_design(study=study, by=coordinator, seed=b"finished demo study, open to all")
    designing.assign_writing(study=study, by=coordinator)
    qualities = _write(study) | _answer(study)
    designing.close_writing(study=study, by=coordinator)
    texts.clear_quarantine(study)
    assembling.open_judging(study=study, by=coordinator, reason=cast.LOOKED_AT)
    _judge(study, qualities)
    ask_panel(study, qualities | _answer_at_maximum(study))
    put_under_pressure(study)
    _unblind(study)
    _bring_ratings()
    return study


def _bring_ratings() -> None:
    """A file of another study, made up too, whose columns wait to be confirmed."""
    content = RATINGS.read_bytes()
    bringer = cast.person(cast.RESEARCHERS[0])
    rating_files.bring(name=RATINGS.name, kind="ratings", content=content, look=look_at(content), by=bringer)


def _write(study: Study) -> dict[str, float]:
    qualities = {}
    assignments = WritingAssignment.objects.filter(study=study).select_related(
        "participation__user", "prompt_version"
    )
    for assignment in assignments.order_by("participation__pseudonym", "position"):
        quality = HUMAN_QUALITY + 0.16 * noise("writer", assignment.participation.pseudonym, assignment.position)
        seed = f"{assignment.participation.pseudonym}/{assignment.position}"
        text = compose(assignment.prompt_version.text, seed=seed, quality=quality, voice="scholar")
        qualities[texts.write(assignment, text)] = quality
    return qualities


def _answer(study: Study) -> dict[str, float]:
    def quality_of(call: Call) -> float:
        if call.arm == Arm.WEAK:
            return WEAK_QUALITY
        return MODEL_QUALITY[call.target.family] + 0.08 * noise(call.target.family, call.key)

    def text_of(call: Call, version: PromptVersion) -> str:
        return compose(
            version.text,
            seed=call.key,
            quality=quality_of(call),
            voice="model",
            markdown=True,
        )

    run = texts.plan(study)
    texts.collect(run, text_of)
    accepted = ModelAnswer.objects.filter(call__run=run).select_related("call__target")
    return {str(answer.response_id): quality_of(answer.call) for answer in accepted}


def _answer_at_maximum(study: Study) -> dict[str, float]:
    """What the same models answer at maximum capability, for the panel alone: somewhat better."""

    def quality_of(call: Call) -> float:
        return MODEL_QUALITY[call.target.family] + GAINED[call.target.family] + 0.06 * noise("maximum", call.key)

    run = texts.plan(study, track="maximum")
    texts.collect(
        run,
        lambda call, version: compose(
            version.text, seed=call.key, quality=quality_of(call), words=600, voice="model"
        ),
    )
    accepted = ModelAnswer.objects.filter(call__run=run).select_related("call__target")
    return {str(answer.response_id): quality_of(answer.call) for answer in accepted}


def _judge(study: Study, qualities: dict[str, float]) -> None:
    dimensions = [dimension.key for dimension in rubric_by_hash(study.rubric_id).dimensions]
    items = JudgingItem.objects.filter(study=study).select_related("participation__user")
    for item in items:
        judge_item(item, qualities, dimensions, justifies=True)
        minutes = 22 + 9 * noise("minutes", item.participation.pseudonym, item.position)
        JudgingItem.objects.filter(pk=item.pk).update(opened_at=F("opened_at") - timedelta(minutes=minutes))
    for item in items.filter(asks_guess=True):
        guess_on(item, qualities)


def _unblind(study: Study) -> None:
    first, second = (cast.person(name) for name in cast.RESEARCHERS)
    ceremony.close_study(study=study, by=first, despite_missing=True)
    study.refresh_from_db()
    read_justifications(study)
    runs.ask_for_run(study=study, parameters=parameters_of(study), by=first)
    request = ceremony.request_unblinding(study=study, reason="Collection is complete.", by=first)
    ceremony.decide_unblinding(request=request, approve=True, by=second)
    study.refresh_from_db()
    runs.ask_for_run(study=study, parameters=parameters_of(study), by=second)
