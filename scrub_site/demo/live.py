"""Two studies in progress on six prompts: a pilot in which people write, and a study in which they judge."""

import tomllib
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from annotation.assignment.services import assembling, designing
from annotation.judging.models.judging import JudgingItem
from annotation.judging.services import judging
from annotation.platform.services.clock import database_now, database_today
from annotation.study.models.flags import Flag
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from annotation.study.selectors.rubrics import rubric_by_hash
from annotation.study.services import flags, studies
from annotation.study.services.prompts import add_prompt
from annotation.texts.models.provenance import Arm, Stimulus
from annotation.texts.services import intake
from annotation.texts.services.flags import scan_flag
from annotation.writing.models import WritingAssignment
from annotation.writing.services import remarks
from generation.answers.models import ModelAnswer
from generation.calls.models import Call
from scrub_site.demo import cast, texts
from scrub_site.demo.judgments import guess_on, judge_item

ESSAYS = Path(__file__).resolve().parent / "essays"
QUALITY = {"strong": 0.82, "middling": 0.62, "uneven": 0.5, "weak": 0.22}
FAMILIES = ("claude", "gpt", "gemini")


@dataclass(frozen=True)
class Essay:
    arm: str
    text: str
    quality: float
    model: str


@dataclass(frozen=True)
class EssayPrompt:
    code: str
    domain: str
    title: str
    text: str
    essays: tuple[Essay, ...]

    def by(self, arm: str) -> list[Essay]:
        return [essay for essay in self.essays if essay.arm == arm]


def essay_prompts() -> list[EssayPrompt]:
    """The six prompts with their essays. Codes count within a domain: BBQ_01, BBQ_02, HLE_01, …"""
    prompts: list[EssayPrompt] = []
    for path in sorted(ESSAYS.glob("*.toml")):
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        domain = data["domain"]
        number = sum(prompt.domain == domain for prompt in prompts) + 1
        essays = tuple(
            Essay(
                arm=answer["arm"],
                text=answer["text"],
                quality=QUALITY[answer.get("quality", "weak")],
                model=answer.get("model", ""),
            )
            for answer in data["answers"]
        )
        prompts.append(EssayPrompt(f"{domain}_{number:02}", domain, data["title"], data["prompt"], essays))
    return prompts


def add_prompts(study: Study, prompts: list[EssayPrompt]) -> None:
    for prompt in prompts:
        add_prompt(
            study=study,
            code=prompt.code,
            domain=prompt.domain,
            title=prompt.title,
            text=prompt.text,
            by=cast.person(cast.COORDINATOR),
        )


def _design(
    study: Study, prompts: list[EssayPrompt], *, models: tuple[str, ...], seed: bytes, slips: float = 0
) -> None:
    coordinator = cast.person(cast.COORDINATOR)
    cast.staff(study)
    add_prompts(study, prompts)
    texts.name_models(study, models, slips=slips)
    cast.unblinders(study)
    designing.lock_design(study=study, by=coordinator, seed=seed)


def load_pilot() -> Study:
    """People write: two answers are in, the others wait. Model answers are planned, not yet asked for."""
    coordinator = cast.person(cast.COORDINATOR)
    study = studies.create_study(
        slug="pilot",
        title="Pilot round: writing",
        description="Five people and two models answer the same six questions. A first round, to try the way of "
        "working before the study proper.",
        preset="pilot",
        is_demo=True,
        consent_text=cast.CONSENT,
        by=coordinator,
        writing_due_on=database_today() + timedelta(days=9),
        fee_per_answer=40,
    )
    for number, name in enumerate(cast.WRITERS[:5], start=1):
        cast.member(study, name, Role.WRITER, pseudonym=f"W-P{number:02}", ready=number != 5)
    for number, name in enumerate(cast.JUDGES, start=1):
        cast.member(study, name, Role.JUDGE, pseudonym=f"J-P{number:02}")
    prompts = essay_prompts()
    # Some of their answers go into quarantine, so that there is something to decide about.
    _design(study, prompts, models=FAMILIES[:2], seed=b"pilot demonstration, not secret!", slips=0.3)
    designing.assign_writing(study=study, by=coordinator)
    _write_first_answers(study, prompts)
    texts.plan(study)
    return study


def _write_first_answers(study: Study, prompts: list[EssayPrompt]) -> None:
    """Two writers have handed in the first prompt given to them: one proposes other words for it, the other points
    out what is unclear in it, and left a mark that the leak scan finds.
    """
    essays = {prompt.code: prompt.by(Arm.HUMAN) for prompt in prompts}
    assignments = WritingAssignment.objects.filter(study=study, position=1).select_related("prompt")
    for number, assignment in enumerate(assignments.order_by("participation__pseudonym")[:2]):
        text = essays[assignment.prompt.code][number].text
        texts.write(assignment, text.replace(" not ", " *not* ", number))
        if number == 0:
            _propose_a_rewrite(assignment)
        else:
            _flag(
                assignment,
                Flag.Kind.UNCLEAR,
                "It does not say whose decision this is: the town's or the families'?",
            )


def _propose_a_rewrite(assignment: WritingAssignment) -> None:
    remarks.give_feedback(
        assignment=assignment,
        feedback="The question is clear, but it asks two things at once. Which of them matters more?",
        proposed_rewrite=f"{assignment.prompt_version.text} Say first which of these questions you answer.",
        by=assignment.participation.user,
    )


def _flag(work: WritingAssignment | JudgingItem, kind: Flag.Kind, words: str, *, label: str = "") -> Flag:
    """What somebody at work points out to the coordinator, as it is once it was scanned."""
    version, by = work.prompt_version_id, work.participation.user
    flag = flags.raise_flag(
        participation=work.participation, prompt_version=version, kind=kind, words=words, label=label, by=by
    )
    scan_flag(flag_id=flag.pk)
    return flag


def load_judging() -> Study:
    """Load judging: of five judges one has come to the guesses, one, in the middle, points things out, one left an
    item lying.
    """
    coordinator = cast.person(cast.COORDINATOR)
    study = studies.create_study(
        slug="live",
        title="Live study: judging",
        description="Five judges score the answers to six prompts. Essays were written for this demonstration.",
        is_demo=True,
        consent_text=cast.CONSENT,
        by=coordinator,
        answers_per_prompt=3,
        ratings_per_prompt=4,  # one of five judges can leave, and the others take over
        human_sets="fixed",
        quality_floor_prompts=1,
        source_attribution_prompts=0,
        break_minutes=0,
        judging_due_on=database_today() + timedelta(days=12),
        fee_per_answer=40,
        fee_per_item=15,
    )
    for number, name in enumerate(cast.WRITERS, start=1):
        cast.member(study, name, Role.WRITER, pseudonym=f"W-L{number:02}")
    for number, name in enumerate(cast.JUDGES, start=1):
        cast.member(study, name, Role.JUDGE, pseudonym=f"J-L{number:02}", ready=number != 5)
    prompts = {prompt.code: prompt for prompt in essay_prompts()}
    _design(study, list(prompts.values()), models=FAMILIES, seed=b"live study demo, it is no secret")
    designing.assign_writing(study=study, by=coordinator)
    qualities = _write_essays(study, prompts) | _answer_as_models(study, prompts)
    designing.close_writing(study=study, by=coordinator)
    _clear_quarantine(study)
    assembling.open_judging(study=study, by=coordinator, reason=cast.LOOKED_AT)
    _judge_some(study, qualities)
    return study


def _write_essays(study: Study, prompts: dict[str, EssayPrompt]) -> dict[str, float]:
    left = {code: prompt.by(Arm.HUMAN) for code, prompt in prompts.items()}
    qualities = {}
    assignments = WritingAssignment.objects.filter(study=study).select_related("participation__user", "prompt")
    for assignment in assignments.order_by("participation__pseudonym", "position"):
        essay = left[assignment.prompt.code].pop(0)
        qualities[texts.write(assignment, essay.text)] = essay.quality
    return qualities


def _answer_as_models(study: Study, prompts: dict[str, EssayPrompt]) -> dict[str, float]:
    def essay_for(call: Call, code: str) -> Essay:
        essays = prompts[code].by(call.arm)
        return next(essay for essay in essays if call.arm == Arm.WEAK or essay.model == call.target.family)

    run = texts.plan(study)
    texts.collect(run, lambda call, version: essay_for(call, version.prompt.code).text)
    accepted = ModelAnswer.objects.filter(call__run=run).select_related("call__target", "response__prompt")
    return {
        str(answer.response_id): essay_for(answer.call, answer.response.prompt.code).quality for answer in accepted
    }


def _clear_quarantine(study: Study) -> None:
    reason = "The mark is the writer's own emphasis and does not tell who wrote the text."
    for stimulus in Stimulus.objects.filter(study=study, state="quarantined").select_related("study"):
        intake.decide(stimulus=stimulus, verb="clear", reason=reason, by=cast.person(cast.COORDINATOR))


def _judge_some(study: Study, qualities: dict[str, float]) -> None:
    dimensions = [dimension.key for dimension in rubric_by_hash(study.rubric_id).dimensions]
    items = JudgingItem.objects.filter(study=study).select_related("participation__user")
    done = items.filter(participation__pseudonym="J-L02")
    for item in done:
        judge_item(item, qualities, dimensions)
    for item in done.filter(asks_guess=True)[:1]:
        guess_on(item, qualities)
    for item in items.filter(participation__pseudonym="J-L03", position__lte=3):
        judge_item(item, qualities, dimensions, submit=item.position < 3)
        if item.position == 1:
            unclear = _flag(item, Flag.Kind.UNCLEAR, "Two of the terms in it can be read in more than one way.")
            note = "As it was meant: what they mean is for the answers to say."
            flags.deal_with(flag=unclear, note=note, by=cast.person(cast.COORDINATOR))
        elif item.position == 3:
            _flag(item, Flag.Kind.BROKEN, "Its last paragraph seems to end before the thought does.", label="B")
    for item in items.filter(participation__pseudonym="J-L04", position=1):
        judge_item(item, qualities, dimensions, submit=False)
        _leave_lying(item, days=2)


def _leave_lying(item: JudgingItem, *, days: int) -> None:
    """The item as it is when its lease ran out `days` ago."""
    lapsed_at = database_now() - timedelta(days=days)
    touched_at = lapsed_at - timedelta(hours=item.study.lease_hours)
    JudgingItem.objects.filter(pk=item.pk).update(
        opened_at=touched_at, touched_at=touched_at, leased_until=lapsed_at
    )
    judging.lapse(item_id=item.pk)
