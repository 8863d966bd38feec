"""Fixing a study's design: the seed's commitment, what each prompt's items are for, who writes what."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction

from annotation.assignment.core.assignment import allocate
from annotation.assignment.core.feasibility import Allocation, Person
from annotation.assignment.core.preferences import recorded
from annotation.assignment.core.repair_plan import WRITING
from annotation.assignment.models import WorkGivenOut
from annotation.assignment.selectors.assigning import people_for
from annotation.benchmarks.services.benchmarks import check_benchmarks
from annotation.design.services import protocol
from annotation.notifications.core.occasions import JUDGING_BEGUN, WRITING_BEGUN
from annotation.notifications.services import notifications
from annotation.platform.core.blinding import commitment, seeded_order
from annotation.platform.core.errors import Refused
from annotation.platform.core.phrases import counted, in_words
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.platform.services.clock import database_today
from annotation.study.core.workload import model_contradictions, prompts_needed
from annotation.study.models.participation import Participation, Role
from annotation.study.models.prompts import Prompt
from annotation.study.models.studies import Study
from annotation.study.policies.design import unfilled
from annotation.study.policies.roles import check_coordinator
from annotation.study.selectors.prompts import latest_by_code
from annotation.study.services import studies
from annotation.texts.models.provenance import Kind, PromptPlan
from annotation.texts.models.seeds import StudySeed
from annotation.unblinders.services import offices
from annotation.writing.models import WritingAssignment
from annotation.writing.selectors.writing_desk import undecided_late_texts


@transaction.atomic
def lock_design(*, study: Study, by: User, seed: bytes | None = None) -> StudySeed:
    """Fix every parameter, draw the secret seed, publish its commitment and draw the calibration prompts.

    Who unblinds is published with it, by name. Where nobody writes, writing is closed at once. `seed` (32 bytes) is
    for studies that must come out the same every time, such as demonstrations. Raises `Refused` where judging could
    never open, as what stands in its way cannot be changed once the design is locked; while the consent text has
    blanks to fill in; and with fewer than two unblinders, who could not be named later.
    """
    check_coordinator(by, study)
    studies.check_step(study, "lock_design")
    if contradiction := next(model_contradictions(study), ""):
        raise Refused(contradiction)
    if left_open := unfilled(study):
        raise Refused(left_open)
    codes = list(Prompt.objects.filter(study=study).values_list("code", flat=True))
    calibration = study.quality_floor_prompts + study.source_attribution_prompts
    if study.audits_benchmarks:
        check_benchmarks(study)
    elif len(codes) <= calibration:
        raise Refused(prompts_needed(calibration, len(codes)))
    seed = secrets.token_bytes(32) if seed is None else seed
    committed = StudySeed.objects.create(study=study, seed=seed, commitment=commitment(seed))
    who_unblinds = offices.commit(study=study, seed_sha256=committed.commitment)
    sha256 = protocol.keep_fingerprint(study, by=by)
    studies.move(
        study,
        "lock_design",
        by=by,
        commitment=committed.commitment,
        unblinders_sha256=who_unblinds.sha256,
        statement=who_unblinds.statement,
        design_sha256=sha256,
    )
    _draw_calibration(study, codes, seed)
    if not study.has_writing:
        studies.move(study, "close_writing", by=by)
    return committed


def _draw_calibration(study: Study, codes: list[str], seed: bytes) -> None:
    drawn = seeded_order(seed, "calibration", items=codes)
    floor, attribution = study.quality_floor_prompts, study.source_attribution_prompts
    kinds = dict.fromkeys(drawn[:floor], Kind.QUALITY_FLOOR)
    kinds |= dict.fromkeys(drawn[floor : floor + attribution], Kind.SOURCE_ATTRIBUTION)
    PromptPlan.objects.bulk_create(
        PromptPlan(prompt=prompt, kind=kinds.get(prompt.code, Kind.STANDARD))
        for prompt in Prompt.objects.filter(study=study)
    )


@dataclass(frozen=True)
class Design:
    """Who gets which prompts: drawn from the seed for these people, `each` of them for every prompt."""

    people: tuple[Person, ...]
    each: int
    allocation: Allocation


def design_of(study: Study, role: Role, *, each: int | None) -> Design:
    """Draw the design, without saving it. `each`: `None` stands for everybody.

    Not for a look beforehand: whoever saw what the seed draws could change limits until they like it. Raises
    `Infeasible` where there is no design.
    """
    people = people_for(study, role=role, today=database_today())
    each = len(people) if each is None else each
    codes = list(Prompt.objects.filter(study=study).order_by("code").values_list("code", flat=True))
    seed = bytes(StudySeed.objects.get(study=study).seed)
    work = "answers" if role == Role.WRITER else "ratings"
    return Design(people, each, allocate(people, codes, each=each, seed=seed, work=work))


@transaction.atomic
def assign_writing(*, study: Study, by: User) -> int:
    """Give every prompt its number of writers, in an order of its own for each; returns how many assignments.

    Who could take what stays in the audit trail. Raises `Infeasible` where the writers cannot cover the prompts.
    """
    check_coordinator(by, study)
    studies.lock_for_update(study)
    if study.state != "writing":
        raise Refused("Writing is assigned after the design is locked and before writing is closed.")
    if WritingAssignment.objects.filter(study=study).exists():
        raise Refused("Writing has been assigned already.")
    each = None if study.every_writer_answers_every_prompt else study.answers_per_prompt
    design = design_of(study, Role.WRITER, each=each)
    number = add_assignments(study, design.allocation.prompts)
    people = recorded(design.people)
    WorkGivenOut.objects.create(study=study, task=WRITING, people=people)
    tell_of_work(study, Role.WRITER, design.allocation.prompts, by=by)
    audit.record(
        verb=AuditVerb.WRITING_ASSIGNED,
        by=by,
        study=study,
        subject=study.slug,
        assignments=number,
        people=people,
    )
    return number


def tell_of_work(study: Study, role: Role, given: Mapping[str, Sequence[str]], *, by: User) -> None:
    """Mail everybody who was `given` prompts that their phase has begun, and how much they are asked for."""
    is_writer = role == Role.WRITER
    occasion, noun, verb, due = (
        (WRITING_BEGUN, "answer", "write", study.writing_due_on)
        if is_writer
        else (JUDGING_BEGUN, "item", "judge", study.judging_due_on)
    )
    by_when = f", by {in_words(due)}" if due else ""
    members = Participation.objects.filter(study=study, role=role).values_list("pseudonym", "user_id")
    people = {
        user: {"work": f"{counted(len(given[pseudonym]), noun)} to {verb}{by_when}"}
        for pseudonym, user in members
        if given.get(pseudonym)
    }
    notifications.tell(study=study, occasion=occasion, people=people, by=by)


def add_assignments(
    study: Study, given: Mapping[str, Sequence[str]], *, after: Mapping[str, int] | None = None
) -> int:
    """Give each writer prompts, in this order; returns how many. `after` is the last position of who has some."""
    after = after or {}
    writers = {p.pseudonym: p for p in Participation.objects.filter(study=study, role=Role.WRITER)}
    versions = latest_by_code(study)
    assignments = WritingAssignment.objects.bulk_create(
        WritingAssignment(
            study=study,
            participation=writers[pseudonym],
            prompt=versions[code].prompt,
            prompt_version=versions[code],
            position=position,
        )
        for pseudonym, codes in given.items()
        for position, code in enumerate(codes, start=after.get(pseudonym, 0) + 1)
    )
    return len(assignments)


@transaction.atomic
def close_writing(*, study: Study, by: User) -> None:
    """End writing. Refused while somebody is in the middle of an answer, or a late text is not decided about."""
    check_coordinator(by, study)
    studies.check_step(study, "close_writing")
    _check_nobody_writes(study)
    check_late_texts(study)
    studies.move(study, "close_writing", by=by)


def _check_nobody_writes(study: Study) -> None:
    if running := WritingAssignment.objects.filter(study=study, state="writing").count():
        verb = "is" if running == 1 else "are"
        raise Refused(
            f"{counted(running, 'answer')} {verb} being written at this moment. Close writing when all are in; one "
            f"that is stalled can be withdrawn on the writing desk."
        )


def check_late_texts(study: Study) -> None:
    """Raise `Refused` while a text that came late waits for a decision."""
    late = undecided_late_texts(study).values_list(
        "assignment__prompt__code", "assignment__participation__pseudonym"
    )
    if late:
        where = ", ".join(f"{code} by {pseudonym}" for code, pseudonym in sorted(set(late)))
        raise Refused(
            f"{counted(len(late), 'late text')} must be decided about first, on the writing desk: {where}."
        )


@transaction.atomic
def resume_writing(*, study: Study, by: User) -> None:
    """Open writing again, for answers that turned out to be missing. Refused where nobody writes."""
    check_coordinator(by, study)
    if not study.has_writing:
        raise Refused("Nobody writes in this study, so there is no writing to open.")
    studies.move(study, "resume_writing", by=by)
