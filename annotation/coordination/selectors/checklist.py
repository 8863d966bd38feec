"""A study's checklist, from what it has so far."""

from collections.abc import Iterator
from typing import Final

from annotation.coordination.core.checklist import Duty, Point, checklist
from annotation.coordination.selectors.coordination import Overview, Progress
from annotation.platform.core.lifecycle import STUDY
from annotation.platform.core.phrases import counted
from annotation.study.models.studies import Study
from annotation.study.policies.design import unfilled
from annotation.unblinders.selectors.page import missing

COORDINATOR: Final = "Coordinator"
RESEARCHER: Final = "Researcher"


def checklist_of(study: Study, page: Overview) -> list[Point]:
    """Every step from design to release."""
    return checklist(list(_duties(study, page)), study.state, STUDY.states)


def _duties(study: Study, page: Overview) -> Iterator[Duty]:
    calibration = study.quality_floor_prompts + study.source_attribution_prompts
    unblinders = missing(study) if study.state == "design" else []
    lacking = {shortfall.code for shortfall in page.shortfalls}
    yield Duty(
        title="Add prompts",
        who=COORDINATOR,
        begins="design",
        ends="writing",
        page="study_prompts",
        is_settled=page.prompts > calibration,
        note=counted(page.prompts, "prompt"),
    )
    if study.has_writing or study.has_judging:
        yield Duty(
            title="Fill in the consent text",
            who=COORDINATOR,
            begins="design",
            ends="writing",
            page="participants_preview",
            is_settled=not unfilled(study),
        )
    yield Duty(
        title="Invite people",
        who=COORDINATOR,
        begins="design",
        ends="judging",
        page="study_people",
        is_settled=_is_complete(study, page),
        note=_people(page),
    )
    yield Duty(
        title="Agree on who unblinds",
        who="Coordinator, then each researcher",
        begins="design",
        ends="writing",
        page="unblinders",
        is_settled=not unblinders,
    )
    yield Duty(title="Lock the design", who=COORDINATOR, begins="design", ends="writing", page="study_design")
    if study.has_writing:
        yield from _writing(page)
    yield Duty(
        title="Collect the texts",
        who="Coordinator, with models",
        begins="writing",
        ends="judging",
        page="study_runs",
        is_settled=not page.shortfalls,
        note=f"missing for {counted(len(lacking), 'prompt')}" if lacking else "",
    )
    yield Duty(
        title="Decide about texts in quarantine",
        who=COORDINATOR,
        begins="writing",
        ends="judging",
        page="texts",
        is_settled=not page.quarantined,
        note=f"{counted(page.quarantined, 'text')} waiting" if page.quarantined else "",
    )
    if study.has_writing:
        yield Duty(title="Close writing", who=COORDINATOR, begins="writing", ends="assembling")
    yield Duty(
        title=f"Look at the texts and open {'judging' if study.has_judging else 'scoring'}",
        who=COORDINATOR,
        begins="assembling",
        ends="judging",
        page="preflight",
    )
    if study.has_judging:
        yield _judging(page)
    yield Duty(title="Close collection", who=RESEARCHER, begins="judging", ends="closed", page="close_study")
    yield Duty(
        title="Unblind",
        who="Two unblinders: one asks, another one approves",
        begins="closed",
        ends="unblinded",
        page="unblinders",
    )
    yield Duty(title="Publish a release", who=RESEARCHER, begins="unblinded", ends="released", page="releases")


def _writing(page: Overview) -> Iterator[Duty]:
    given_out = page.writing.total > 0
    yield Duty(
        title="Assign writing",
        who=COORDINATOR,
        begins="writing",
        ends="assembling",
        is_settled=given_out,
    )
    yield Duty(
        title="Write",
        who="Writers",
        begins="writing",
        ends="assembling",
        page="writing_desk",
        is_settled=given_out and not page.writing.missing,
        note=_done(page.writing, "answer"),
    )


def _judging(page: Overview) -> Duty:
    return Duty(
        title="Judge",
        who="Judges",
        begins="judging",
        ends="closed",
        page="progress",
        is_settled=page.judging.total > 0 and not page.judging.missing,
        note=_done(page.judging, "item"),
    )


def _is_complete(study: Study, page: Overview) -> bool:
    """Whether there is somebody for all that people are to do, and nobody else is awaited."""
    work = (
        ("writer", study.has_writing),
        ("judge", study.has_judging),
        ("annotator", study.audits_benchmarks),
        ("adjudicator", study.audits_benchmarks),
    )
    wanted = [role for role, is_there in work if is_there]
    return all(page.members(role) for role in wanted) and not page.invitations


def _people(page: Overview) -> str:
    invited = f", {page.invitations} merely invited" if page.invitations else ""
    writers, judges = counted(len(page.members("writer")), "writer"), counted(len(page.members("judge")), "judge")
    return f"{writers} and {judges} joined{invited}"


def _done(progress: Progress, what: str) -> str:
    return f"{progress.done} of {counted(progress.total, what)}" if progress.total else ""
