"""Studies and people in any state, reached through the same services the pages use.

Everything is deterministic: the same call gives the same texts, orders and labels.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any
from uuid import UUID

from analysis.ceremony.services import ceremony
from annotation.assignment.services import assembling, designing
from annotation.judging.models.judging import BlindedSlot, JudgingItem
from annotation.judging.services import judging, scoring
from annotation.people.services import people
from annotation.platform.core.text import sha256_hex
from annotation.platform.models.users import User
from annotation.platform.models.work import Task
from annotation.study.core.consent import ASKS, blanks, fill
from annotation.study.models.participation import Participation, Role
from annotation.study.models.prompts import Prompt
from annotation.study.models.responses import Response
from annotation.study.models.studies import Study
from annotation.study.policies.participation import is_profile_fixed
from annotation.study.selectors import consents
from annotation.study.selectors.rubrics import rubric_by_hash
from annotation.study.services import studies
from annotation.study.services.prompts import add_prompt
from annotation.texts.core.work_kinds import READ_TEXT
from annotation.texts.models.provenance import Arm, Kind, PromptPlan, Stimulus
from annotation.texts.services import intake
from annotation.unblinders.models import RecoveryPerson, Unblinder
from annotation.unblinders.services import offices, recovery
from annotation.unblinders.services.recovery import ThirdPerson
from annotation.writing.models import WritingAssignment
from annotation.writing.services import drafts, writing
from tests.remembered import remembered
from tests.work import perform

SEED = bytes(range(32))
DOMAINS = ("BBQ", "HLE", "MSC")
PROFILE = {
    "highest_degree": "doctorate",
    "r1_institution": True,
    "discipline": "Sociology",
    "years_experience": 12,
    "country": "Austria",
}
# The standard text with something in each of its blanks.
CONSENT = fill(consents.STANDARD_CONSENT, dict.fromkeys(ASKS, "what the example says"))
# The smallest design: two answers to an item, each prompt written once and rated once, no calibration.
SMALL = {
    "consent_text": CONSENT,
    "answers_per_prompt": 1,
    "human_answers_per_item": 1,
    "model_answers_per_item": 1,
    "model_targets_expected": 1,
    "ratings_per_prompt": 1,
    "quality_floor_prompts": 0,
    "source_attribution_prompts": 0,
}
THIRD = ThirdPerson("Theo Third", "Elsewhere Academy", "theo@elsewhere.example")
RESEARCHERS = ("Rosa Researcher", "Remo Researcher")
# What an answer scores on every dimension, by arm.
LEVELS = {"human": 5, "model": 7, "weak": 2}
SENTENCES = (
    "A rule that everybody may follow is not yet a rule that everybody had a part in making.",
    "Neighbours who share a well learn soon whose thirst is counted and whose is not.",
    "The strongest objection is that habits outlive the reasons people once gave for them.",
    "Where a practice is defended by its age alone, the defence has stopped before it began.",
    "Two towns with the same law can live under it in quite different ways.",
    "What looks like agreement from afar is often patience, and patience has a price.",
    "It helps to ask who could say no without losing more than an argument.",
)


def a_person(name: str = "Ada Example", *, password: str | None = None, **fields: Any) -> User:
    """An account at `ada.example@example.org`; the same name twice is the same person."""
    email = f"{name.lower().replace(' ', '.')}@example.org"
    known = User.objects.filter(email=email).first()
    return known or User.objects.create_user(email, password, name=name, **fields)


@remembered
def a_study(slug: str = "trial", *, prompts: int = 2, **parameters: Any) -> Study:
    """A study in design, of the smallest design unless `parameters` say otherwise, with its coordinator."""
    coordinator = a_person("Cora Coordinator")
    study = studies.create_study(slug=slug, title=f"The {slug} study", by=coordinator, **{**SMALL, **parameters})
    a_member(study, Role.COORDINATOR, coordinator)
    for number in range(prompts):
        domain = DOMAINS[number % len(DOMAINS)]
        add_prompt(
            study=study,
            code=f"{domain}_{number + 1:02}",
            domain=domain,
            text=f"When, if ever, is it fair that {number + 2} towns share one rule? Weigh the reasons.",
            by=coordinator,
        )
    return study


def a_member(
    study: Study, role: Role, person: User | None = None, *, ready: bool = True, pseudonym: str | None = None
) -> Participation:
    """`person`, or somebody new, joins `study`; `ready`: consent and profile are given while they can be."""
    number = Participation.objects.filter(study=study, role=role).count() + 1
    person = person or a_person(f"{role.label} {number} {study.slug}")
    member = people.join(
        study=study,
        user=person,
        role=role,
        by=person,
        pseudonym=pseudonym or f"{people.PSEUDONYM_LETTER[role]}-{number:04}",
    )
    if ready and not blanks(study.consent_text):
        agree(member)
    if ready and not is_profile_fixed(study):
        people.complete_profile(participation=member, answers=PROFILE, by=person)
    return member


def agree(member: Participation) -> None:
    """The member agrees to the study's consent text as it is now."""
    shown = sha256_hex(member.study.consent_text)
    people.give_consent(participation=member, text_sha256=shown, by=member.user)


def members_of(study: Study, role: Role) -> list[Participation]:
    """Who takes part as `role`, by pseudonym."""
    return list(Participation.objects.filter(study=study, role=role).select_related("user", "study"))


def coordinator_of(study: Study) -> User:
    coordinators = User.objects.filter(participations__study=study, participations__role=Role.COORDINATOR)
    return coordinators.order_by("participations__pseudonym")[0]


def in_office(study: Study, person: User, *, affiliation: str = "Example University") -> Unblinder:
    """A researcher of the study, new to it if need be, who was proposed as unblinder and has accepted, once."""
    if held := Unblinder.objects.filter(study=study, user=person, ended_at__isnull=True).first():
        return held
    if not Participation.objects.filter(study=study, user=person).exists():
        a_member(study, Role.RESEARCHER, person)
    proposed = offices.propose(study=study, candidate=person, by=coordinator_of(study))
    offices.accept(unblinder=proposed, name=person.name, affiliation=affiliation, by=person)
    return proposed


def third_person_named(study: Study) -> RecoveryPerson:
    return recovery.name_third_person(study=study, third=THIRD, by=coordinator_of(study))


def ready_to_lock(study: Study) -> Study:
    """A study in design after two researchers took the office of unblinder on, and a third person was named."""
    third_person_named(study)
    for person in researchers_of(study):
        in_office(study, person)
    return study


def locked(study: Study, *, seed: bytes = SEED) -> Study:
    """A study in design after its offices were taken on and its coordinator locked it."""
    ready_to_lock(study)
    designing.lock_design(study=study, by=coordinator_of(study), seed=seed)
    study.refresh_from_db()
    return study


@remembered
def a_writing_study(slug: str = "trial", *, writers: int = 1, prompts: int = 2, **parameters: Any) -> Study:
    """A study whose `writers` are each assigned all of its prompts, and none has begun."""
    study = a_study(slug, prompts=prompts, **{"answers_per_prompt": writers, **parameters})
    for _ in range(writers):
        a_member(study, Role.WRITER)
    locked(study)
    designing.assign_writing(study=study, by=coordinator_of(study))
    study.refresh_from_db()
    return study


def assignments_of(study: Study, *, writer: int = 0) -> list[WritingAssignment]:
    """A writer's assignments in their order."""
    return list(
        WritingAssignment.objects.filter(participation=members_of(study, Role.WRITER)[writer]).select_related(
            "participation__user", "study", "prompt", "prompt_version"
        )
    )


def written(assignment: WritingAssignment, text: str | None = None) -> WritingAssignment:
    """The assignment after its writer started it, saved `text` and handed it in, and it was read."""
    person = assignment.participation.user
    writing.start(assignment=assignment, attested=True, by=person)
    drafts.keep(assignment=assignment, text=text or an_essay(assignment.pk), by=person)
    submitted = writing.submit(assignment=assignment, confirmed=True, by=person)
    perform(Task.objects.get(kind=READ_TEXT, subject=submitted.response_id))
    return submitted


@remembered
def a_judging_study(
    human: int = 3,
    model: int = 3,
    judges: int = 3,
    *,
    slug: str = "trial",
    prompts: int = 3,
    text_of: Callable[[int], str] | None = None,
    **parameters: Any,
) -> Study:
    """A study open for judging: every one of `judges` rates every prompt, on `human` + `model` answers.

    Each prompt has two human answers more than an item shows, so that sets rotate; one answer of each model,
    or as many as source attribution needs; and a weak one where it is a quality floor. `text_of` gives an answer's
    text by its number.
    """
    answers = human + 2 if human else 1
    study = an_assembling_study(
        slug,
        writers=answers,
        prompts=prompts,
        **{
            "answers_per_prompt": answers,
            "human_answers_per_item": human,
            "model_answers_per_item": model,
            "model_targets_expected": max(model, 1),
            "ratings_per_prompt": judges,
            "answers_per_target_in_attribution": -(-(human + model) // max(model, 1)),
            **parameters,
        },
    )
    for _ in range(judges):
        a_member(study, Role.JUDGE)
    if text_of:
        for number, response in enumerate(Response.objects.filter(study=study)):
            response.text = text_of(number)
            response.save(update_fields=["text"])
    assembling.open_judging(study=study, by=coordinator_of(study), reason="Made for a test.")
    study.refresh_from_db()
    return study


def judging_items_of(study: Study, *, judge: int = 0) -> list[JudgingItem]:
    """A judge's items in their order."""
    return list(
        JudgingItem.objects.filter(participation=members_of(study, Role.JUDGE)[judge]).select_related(
            "participation__user", "study", "prompt_version"
        )
    )


def slots_of(item: JudgingItem) -> dict[str, UUID]:
    """The item's answers, slot by label."""
    return dict(BlindedSlot.objects.filter(item=item).values_list("label", "pk"))


def opened(item: JudgingItem) -> JudgingItem:
    """The item after its judge began it."""
    return judging.open_item(item=item, by=item.participation.user)


def scored(item: JudgingItem, **levels: int) -> JudgingItem:
    """The item, begun, after its judge gave each answer in `levels` that value on every dimension: `A=8, B=7`."""
    slots = slots_of(item)
    dimensions = [dimension.key for dimension in rubric_by_hash(item.study.rubric_id).dimensions]
    scores = {slots[label]: dict.fromkeys(dimensions, value) for label, value in levels.items()}
    item = opened(item)
    given = scoring.Given.of_scores(item.study.rubric_id, scores)
    scoring.save(item_id=item.pk, given=given, by=item.participation.user)
    return item


@remembered
def a_judged_study(
    human: int = 2,
    model: int = 2,
    judges: int = 2,
    *,
    levels: Mapping[str, int] = LEVELS,
    slug: str = "trial",
    prompts: int = 3,
    **parameters: Any,
) -> Study:
    """A judging study in which every item is submitted.

    `levels` says what value an answer gets on every dimension, by its source's code or else by its arm.
    """
    study = a_judging_study(human, model, judges, slug=slug, prompts=prompts, **parameters)
    made_by = dict(Stimulus.objects.filter(study=study).values_list("response_id", "source_code"))
    arms = dict(Stimulus.objects.filter(study=study).values_list("response_id", "arm"))
    for item in JudgingItem.objects.filter(study=study).select_related("participation__user", "study"):
        responses = dict(BlindedSlot.objects.filter(item=item).values_list("label", "response_id"))
        given = {
            label: levels.get(made_by[response], levels[arms[response]]) for label, response in responses.items()
        }
        judging.submit_item(item_id=scored(item, **given).pk, by=item.participation.user)
    return study


def researchers_of(study: Study) -> tuple[User, User]:
    """Both unblinders: the first asks, the second decides."""
    first, second = (a_person(name) for name in RESEARCHERS)
    return first, second


@remembered
def a_closed_study(*sizes: int, **parameters: Any) -> Study:
    """A judged study after its first researcher closed it."""
    return closed(a_judged_study(*sizes, **parameters))


@remembered
def an_unblinded_study(*sizes: int, **parameters: Any) -> Study:
    """A closed study after its first researcher asked for unblinding and its second approved."""
    return unblinded(a_closed_study(*sizes, **parameters))


def closed(study: Study) -> Study:
    ceremony.close_study(study=study, by=researchers_of(study)[0], despite_missing=True)
    study.refresh_from_db()
    return study


def unblinded(study: Study) -> Study:
    first, second = researchers_of(study)
    request = ceremony.request_unblinding(study=study, reason="Collection is complete.", by=first)
    ceremony.decide_unblinding(request=request, approve=True, by=second)
    study.refresh_from_db()
    return study


@remembered
def an_assembling_study(slug: str = "trial", *, writers: int = 1, prompts: int = 2, **parameters: Any) -> Study:
    """A study with every text it needs admitted, writing closed and judging not yet open."""
    study = a_study(slug, prompts=prompts, **{"answers_per_prompt": writers, **parameters})
    for _ in range(writers):
        a_member(study, Role.WRITER)
    locked(study)
    pseudonyms = [writer.pseudonym for writer in members_of(study, Role.WRITER)]
    families = [f"family-{number}" for number in range(1, study.model_targets_expected + 1)]
    for plan in PromptPlan.objects.filter(prompt__study=study).select_related("prompt"):
        each = study.answers_per_target_in_attribution if plan.kind == Kind.SOURCE_ATTRIBUTION else 1
        admit_all(plan.prompt, Arm.HUMAN, pseudonyms)
        admit_all(plan.prompt, Arm.MODEL, [family for family in families for _ in range(each)])
        if plan.kind == Kind.QUALITY_FLOOR:
            admit_all(plan.prompt, Arm.WEAK, families[:1])
    designing.close_writing(study=study, by=coordinator_of(study))
    study.refresh_from_db()
    return study


def admit_all(prompt: Prompt, arm: Arm, sources: Iterable[str]) -> list[Response]:
    """One new essay on `prompt` from each source."""
    before = Response.objects.filter(study=prompt.study).count()
    return [
        intake.admit(
            study=prompt.study,
            prompt=prompt,
            text=an_essay(before + number),
            arm=arm,
            source_code=source,
            by=None,
        )
        for number, source in enumerate(sources, start=1)
    ]


# What the scan finds in it: a machine speaking of itself, a model's name, and no end.
GIVEAWAY = "Towns differ.\n\nAs an AI language model, I take no sides. Claude would.\n\nIt is all a matter of"


def a_quarantined_text(study: Study, text: str = GIVEAWAY, **where: Any) -> Stimulus:
    """A text in quarantine, by a model and on the first prompt unless `where` says otherwise."""
    known = {"prompt": Prompt.objects.filter(study=study)[0], "arm": Arm.MODEL, "source_code": "family-1"}
    response = intake.admit(study=study, text=text, by=None, **{**known, **where})
    return Stimulus.objects.select_related("study", "prompt", "response").get(pk=response.pk)


def an_essay(number: int = 1, *, sentences: int = 14) -> str:
    """Plain prose in paragraphs of five sentences, different for every number, about 16 words a sentence."""
    chosen = [SENTENCES[(number + offset) % len(SENTENCES)] for offset in range(sentences)]
    chosen[0] = f"Consider street {number}, where the question first arose."
    return "\n\n".join(" ".join(chosen[start : start + 5]) for start in range(0, sentences, 5))
