"""A study's checklist, from what it has so far."""

from collections.abc import Iterator, Sequence
from typing import Final

from annotation.coordination.core.checklist import Amount, Duty, Point, checklist, merged
from annotation.coordination.selectors.audit_duties import after_locking, before_locking
from annotation.coordination.selectors.coordination import Overview, Progress
from annotation.design.selectors.design import own_parameters
from annotation.platform.core.lifecycle import STUDY
from annotation.platform.core.phrases import counted, listed
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from annotation.study.policies.design import unfilled
from annotation.unblinders.core.offices import MIN_UNBLINDERS
from annotation.unblinders.selectors.page import missing
from annotation.writing.selectors.rewordings import NextRound

COORDINATOR: Final = "Coordinator"
RESEARCHER: Final = "Researcher"
UNBLINDERS: Final = "Two unblinders: one asks, another one approves"


def checklist_of(study: Study, page: Overview, of_models: Sequence[Duty]) -> list[Point]:
    """Every step from design to release; `of_models` are those that models do, which are not counted here."""
    return checklist(merged(list(_duties(study, page)), of_models), study.state, STUDY.states)


def _duties(study: Study, page: Overview) -> Iterator[Duty]:
    calibration = study.quality_floor_prompts + study.source_attribution_prompts
    has_prompts, has_consent = page.prompts > calibration, not unfilled(study)
    unblinders = missing(study) if study.state == "design" else []
    can_propose = study.state != "design" or len(page.members(Role.RESEARCHER)) >= MIN_UNBLINDERS
    audit, own = page.audit, own_parameters(study)
    yield Duty(
        title="Decide on the design",
        who=COORDINATOR,
        begins="design",
        ends="writing",
        page="study_design",
        is_settled=bool(own),
        note=f"{counted(len(own), 'parameter')} of its own" if own else "what invitations say follows from it",
    )
    if audit:
        yield from before_locking(audit)
    if not study.is_trial and not audit:
        yield Duty(
            title="Add prompts",
            who=COORDINATOR,
            begins="design",
            ends="writing",
            page="study_prompts",
            is_settled=has_prompts,
            note=counted(page.prompts, "prompt"),
        )
    if study.has_writing or study.has_judging or audit:
        yield Duty(
            title="Fill in the consent text",
            who=COORDINATOR,
            begins="design",
            ends="writing",
            page="participants_preview",
            is_settled=has_consent,
        )
    yield Duty(
        title="Invite people",
        who=COORDINATOR,
        begins="design",
        ends="judging",
        page="study_people",
        is_settled=_is_complete(study, page),
        note=_people(study, page),
    )
    yield Duty(
        title="Agree on who unblinds",
        who="Coordinator, then each researcher",
        begins="design",
        ends="writing",
        page="unblinders",
        is_settled=not unblinders,
        is_blocked=not can_propose,
        note="" if can_propose else f"once {MIN_UNBLINDERS} researchers have joined",
    )
    yield Duty(
        title="Lock the design",
        who=COORDINATOR,
        begins="design",
        ends="writing",
        is_blocked=bool(unblinders) or not has_consent or (not audit and not has_prompts),
    )
    if study.has_writing:
        yield from _writing(page)
        if page.next_round:
            yield from _next_round(study, page, page.next_round)
    if not study.is_trial and not audit:
        yield Duty(
            title="Collect the texts",
            who="Coordinator, with models",
            begins="writing",
            ends="judging",
            page="study_runs",
            is_settled=not page.shortfalls,
            note=_about_texts(page),
        )
    collecting = list(after_locking(audit) if audit else _texts(study, page))
    if study.has_judging:
        collecting.append(_judging(page))
    yield from collecting
    yield Duty(
        title="Close collection",
        who=RESEARCHER,
        begins="judging",
        ends="closed",
        page="close_study",
        is_blocked=any(each.begins == "judging" and not each.is_settled for each in collecting),
    )
    yield Duty(
        title="Unblind",
        who=UNBLINDERS,
        begins="closed",
        ends="unblinded",
    )
    yield Duty(title="Publish a release", who=RESEARCHER, begins="unblinded", ends="released", page="releases")


def _about_texts(page: Overview) -> str:
    """How many prompts lack texts; else how many are there and still being read. Empty for neither."""
    if lacking := {shortfall.code for shortfall in page.shortfalls if not shortfall.is_waiting}:
        return f"missing for {counted(len(lacking), 'prompt')}"
    return f"{counted(page.unread, 'text')} still being read" if page.unread else ""


def _texts(study: Study, page: Overview) -> Iterator[Duty]:
    yield Duty(
        title="Decide about texts in quarantine",
        who=COORDINATOR,
        begins="writing",
        ends="judging",
        page="texts",
        is_settled=not page.shortfalls and not page.quarantined,
        is_blocked=not page.quarantined,  # some are still to come, or to be read
        note=f"{counted(page.quarantined, 'text')} waiting" if page.quarantined else "",
    )
    if study.has_writing:
        is_under_way = not page.writing.total or page.writing.missing > 0
        yield Duty(
            title="Close writing", who=COORDINATOR, begins="writing", ends="assembling", is_blocked=is_under_way
        )
    yield Duty(
        title=f"Look at the texts and open {'judging' if study.has_judging else 'scoring'}",
        who=COORDINATOR,
        begins="assembling",
        ends="judging",
        page="preflight",
        is_blocked=bool(page.shortfalls or page.late_texts),
    )


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
        is_blocked=not given_out,
        amount=_amount(page.writing, "answer"),
    )


def _next_round(study: Study, page: Overview, round_: NextRound) -> Iterator[Duty]:
    """What leads from one round of a pilot to the next, which stays possible after the release."""
    is_all_said = study.state != "writing" or (page.writing.total > 0 and not page.writing.missing)
    yield Duty(
        title="Decide about the prompts of the next round",
        who=COORDINATOR,
        begins="writing",
        page="writing_desk",
        is_settled=is_all_said and round_.is_decided,
        is_blocked=round_.is_decided,
        note=f"{round_.decided} of {counted(round_.remarks, 'remark')} decided about" if round_.remarks else "",
    )
    yield Duty(
        title="Set up the next round, if there is to be one",
        who=COORDINATOR,
        begins="writing",
        page="study_design",
        place="whole-study",
        is_settled=round_.is_set_up,
        is_blocked=not is_all_said or not round_.is_decided,
    )


def _judging(page: Overview) -> Duty:
    return Duty(
        title="Judge",
        who="Judges",
        begins="judging",
        ends="closed",
        page="progress",
        is_settled=page.judging.total > 0 and not page.judging.missing,
        amount=_amount(page.judging, "item"),
    )


def _wanted(study: Study) -> list[Role]:
    """The roles without which a part of the study has nobody to do it."""
    work = (
        (Role.WRITER, study.has_writing),
        (Role.JUDGE, study.has_judging),
        (Role.ANNOTATOR, study.audits_benchmarks),
        (Role.ADJUDICATOR, study.audits_benchmarks),
    )
    return [role for role, is_there in work if is_there]


def _is_complete(study: Study, page: Overview) -> bool:
    """Whether there is somebody for all that people are to do, two who may unblind, and nobody else is awaited."""
    may_unblind = len(page.members(Role.RESEARCHER)) >= MIN_UNBLINDERS
    return may_unblind and all(page.members(role) for role in _wanted(study)) and not page.invitations


def _people(study: Study, page: Overview) -> str:
    """Who has joined, of the roles that the study needs; researchers are those who can unblind it."""
    roles = [*_wanted(study), Role.RESEARCHER]
    joined = listed([counted(len(page.members(role)), role.label.lower()) for role in roles])
    return f"{joined} joined{f', {page.invitations} merely invited' if page.invitations else ''}"


def _amount(progress: Progress, noun: str) -> Amount:
    return Amount(progress.done, progress.total, noun)
