"""The one step that takes a study on, and what stands in its way."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from annotation.benchmarks.core.allocation import EACH
from annotation.benchmarks.selectors.progress import AuditAmounts
from annotation.coordination.selectors.coordination import Overview
from annotation.design.selectors.workload import expected, gathered, workload_of
from annotation.notifications.core.occasions import ANNOTATING_BEGUN, JUDGING_BEGUN, WRITING_BEGUN
from annotation.platform.core.phrases import counted, listed
from annotation.study.core.workload import Concern, Workload, lengths_apart, prompts_needed
from annotation.study.models.studies import Study
from annotation.study.policies.design import unfilled
from annotation.unblinders.selectors.offices import recovery_of
from annotation.unblinders.selectors.page import missing

NO_CASES: Final = (
    "There are no cases yet: add scenarios, name the models, and make cases on the page “Sources”, “Trials”."
)
NO_BENCHMARKS: Final = "There is nothing to audit yet: read a benchmark in on the page “Benchmarks”."
NO_WAY_BACK: Final = (
    "No third person is named on the page “Unblinders”: should fewer than two unblinders be left, the study could "
    "never be unblinded."
)
NO_TWO: Final = "Every question is annotated by two, independently of each other. Joined so far: {there}."
NO_ADJUDICATOR: Final = "Nobody who adjudicates has joined yet"
NAMED: Final = 12  # people in a sentence; a page lists all of them
MODELS_ALONE: Final = "Texts can no longer be changed, and models may score them. Nobody judges in this study."
NOBODY_WRITES: Final = " Nobody writes in this study: models may answer at once, and texts are looked at next."


@dataclass(frozen=True)
class NextAction:
    """A step a coordinator may take. `verb` is the name of its address.

    `obstacles` make it impossible now. `waits` say that it is early or does not fit, which the coordinator may
    decide to ignore. A `final` step cannot be undone. `workload` is what it commits people to, where it fixes that.
    `looked_at_on` names the address of the page on which it is taken; empty where the study's own page does.
    `mails` names the occasion on which people learn of the step by mail, if they do.
    """

    verb: str
    label: str
    effect: str
    final: bool
    obstacles: Sequence[str] = ()
    waits: Sequence[str | Concern] = ()
    workload: Workload | None = None
    looked_at_on: str = ""
    mails: str = ""


def next_action(study: Study, page: Overview, further: Sequence[str | Concern] = ()) -> NextAction | None:
    """`None` once judging has begun: then the coordinator follows it, and a researcher takes the next step.

    `further` is what else may not be meant before the design is locked.
    """
    if study.state == "design":
        return _lock_design(study, page, further)
    if study.state == "writing":
        return _close_writing(page) if page.writing.total else _assign_writing(study, page)
    if study.state == "assembling":
        return _open_judging(study, page)
    return None


def _lock_design(study: Study, page: Overview, further: Sequence[str | Concern]) -> NextAction:
    calibration = study.quality_floor_prompts + study.source_attribution_prompts
    workload = workload_of(study, expected(study, gathered(study)))
    is_possible = page.audit.benchmarks > 0 if page.audit else page.prompts > calibration
    needed = prompts_needed(calibration, page.prompts)
    if study.is_trial or page.audit:
        needed = NO_CASES if study.is_trial else NO_BENCHMARKS
    return NextAction(
        verb="lock_design",
        label="Lock the design",
        effect=(
            f"{'Benchmarks' if page.audit else 'Prompts'} and parameters are fixed, and with them who alone can "
            "unblind. A secret seed is drawn, from which every order and label follows, so that nobody changes it "
            f"unnoticed. {_published(study)}"
            f"{'' if study.has_writing or study.audits_benchmarks else NOBODY_WRITES}"
        ),
        final=True,
        obstacles=[
            *([] if is_possible else [needed]),
            *filter(None, [unfilled(study)]),
            *missing(study),
        ],
        waits=(
            *(workload.warnings if is_possible else lengths_apart(study)),
            *further,
            *(() if recovery_of(study) else (NO_WAY_BACK,)),
            *_merely_invited(page),
        ),
        workload=workload,
    )


def _published(study: Study) -> str:
    if study.is_public:
        return "The commitment to it and the design’s hash stand on the study’s public page from then on."
    return "The public page is off: nobody outside the study sees the commitment to it."


def _assign_writing(study: Study, page: Overview) -> NextAction:
    writers = len(page.members("writer"))
    if study.every_writer_answers_every_prompt:
        obstacles = [] if writers else ["Every writer answers every prompt, and no writer has joined so far."]
    else:
        obstacles = _too_few(writers, study.answers_per_prompt, "writer", "answer")
    workload = workload_of(study, replace(expected(study, gathered(study)), writers=writers))
    return NextAction(
        verb="assign_writing",
        label="Assign writing",
        effect="Every writer who has joined gets prompts in an order of their own. People who join later get none.",
        final=True,
        obstacles=obstacles,
        waits=[*_open_invitations(page), *(() if obstacles else workload.warnings)],
        workload=workload,
        mails=WRITING_BEGUN,
    )


def _close_writing(page: Overview) -> NextAction:
    missing, running = page.writing.missing, page.writing.running
    obstacles = [f"{counted(running, 'answer')} being written at this moment."] if running else []
    if page.late_texts:
        obstacles.append(f"{counted(page.late_texts, 'late text')} to be decided about on the writing desk.")
    return NextAction(
        verb="close_writing",
        label="Close writing",
        effect="No further answer can be started. You can open writing again until judging begins.",
        final=False,
        obstacles=obstacles,
        waits=[f"Waiting for {missing} of {page.writing.total} answers"] if missing else [],
    )


def _open_judging(study: Study, page: Overview) -> NextAction:
    if page.audit:
        return _open_audit(page, page.audit)
    judges = len(page.members("judge"))
    obstacles = _too_few(judges, study.ratings_per_prompt, "judge", "rating")
    effect = (
        "Every judge’s items are put together and blinded, and judges may begin. Texts can no longer be "
        "changed, and judges who join later get no items."
    )
    if page.shortfalls:
        lacking = len({shortfall.code for shortfall in page.shortfalls})
        prompts = counted(lacking, "case" if study.is_trial else "prompt")
        obstacles.append(
            f"{prompts} {'is' if lacking == 1 else 'are'} not ready: the table below says what each needs."
        )
    if page.late_texts:
        obstacles.append("A text that came late is undecided: resume writing and decide on the writing desk.")
    return NextAction(
        verb="open_judging",
        label="Open judging" if study.has_judging else "Open scoring",
        effect=effect if study.has_judging else MODELS_ALONE,
        final=True,
        obstacles=obstacles,
        waits=_open_invitations(page),
        looked_at_on="preflight",
        mails=JUDGING_BEGUN if study.has_judging else "",
    )


def _open_audit(page: Overview, audit: AuditAmounts) -> NextAction:
    annotators = len(page.members("annotator"))
    obstacles = [] if annotators >= EACH else [NO_TWO.format(there=counted(annotators, "annotator"))]
    if audit.undrawn:
        obstacles.append(f"The questions to be reviewed have still to be drawn: {listed(audit.undrawn)}.")
    return NextAction(
        verb="open_judging",
        label="Open the audit",
        effect="Every question that is reviewed is given to two annotators, and they may begin. Annotators who "
        "join later get the questions of those who leave.",
        final=True,
        obstacles=obstacles,
        mails=ANNOTATING_BEGUN,
        waits=[*([] if page.members("adjudicator") else [NO_ADJUDICATOR]), *_open_invitations(page)],
    )


def _open_invitations(page: Overview) -> list[str]:
    number = page.invitations
    return [f"Waiting for {number} invited {'person' if number == 1 else 'people'} to join"] if number else []


def _merely_invited(page: Overview) -> list[str]:
    """How many of those who are counted on have not joined, and who they are."""
    here, invited = len(page.people), page.invitations
    if not invited:
        return []
    named = sorted(page.invited)[:NAMED]
    who = ", ".join(named) + (f" and {invited - NAMED} more" if invited > NAMED else "")
    return [f"{invited} of {here + invited} people are merely invited and have not joined: {who}."]


def _too_few(people: int, wanted: int, role: str, work: str) -> list[str]:
    if people >= wanted:
        return []
    return [f"Each prompt takes {counted(wanted, work)}. Joined so far: {counted(people, role)}."]
