"""How long each part of a study's design may change, and what of it cannot go together."""

from collections.abc import Collection, Mapping
from typing import Final

from django.core.exceptions import NON_FIELD_ERRORS, PermissionDenied, ValidationError
from django.db import models

from annotation.platform.core.errors import Refused
from annotation.platform.core.field_errors import said_of
from annotation.platform.core.lifecycle import STUDY
from annotation.platform.models.users import User
from annotation.study.core import instrument
from annotation.study.core.consent import blanks
from annotation.study.core.contradictions import contradictions
from annotation.study.core.parameters import labels_of
from annotation.study.models.protocol import (
    JudgingRules,
    ModelAnswerRules,
    PanelRules,
    ParticipantRules,
    PromptRules,
    WritingRules,
)
from annotation.study.models.studies import Study
from annotation.study.policies.roles import can_administer, can_coordinate

ALWAYS: Final = STUDY.states[-1]


def names_of(rules: type[models.Model]) -> tuple[str, ...]:
    """The parameters of a phase, by the name of their field."""
    return tuple(field.name for field in rules._meta.get_fields())


PARAMETERS: Final = tuple(
    name
    for rules in (ParticipantRules, PromptRules, WritingRules, ModelAnswerRules, JudgingRules, PanelRules)
    for name in names_of(rules)
)

# The last state in which something may change: the phase that uses it begins with the next one.
UNTIL: Final[Mapping[str, str]] = {
    **dict.fromkeys((*PARAMETERS, "preset", "names_kept_months"), "design"),
    **dict.fromkeys(names_of(JudgingRules), "assembling"),
    **dict.fromkeys(("quality_floor_prompts", "source_attribution_prompts"), "design"),  # drawn by the lock
    # Calibration prompts need other numbers of texts than the rest: a change would show which ones lack some.
    **dict.fromkeys(
        ("human_answers_per_item", "model_answers_per_item", "answers_per_target_in_attribution"), "design"
    ),
    "rubric_id": "assembling",
    **dict.fromkeys(names_of(PanelRules), "judging"),
    **dict.fromkeys(("writing_due_on", "judging_due_on", "fee_per_answer", "fee_per_item"), ALWAYS),
    **dict.fromkeys(("title", "description"), ALWAYS),
}
FIXED_SINCE: Final = {
    "design": "the design was locked",
    "assembling": "judging opened",
    "judging": "collection was closed",
}
OPEN_UNTIL: Final = {
    "design": "until the design is locked",
    "assembling": "until judging opens",
    "judging": "until collection is closed",
    ALWAYS: "at any time",
}


def can_change(study: Study, name: str) -> bool:
    """Whether the state of the study lets `name`, a key of `UNTIL`, change."""
    return STUDY.states.index(study.state) <= STUDY.states.index(UNTIL[name])


def check_may_change(study: Study, name: str) -> None:
    """Raise `Refused` where `name` is fixed by now."""
    if not can_change(study, name):
        raise Refused(f"“{labels_of(study.preset)[name]}” is fixed since {FIXED_SINCE[UNTIL[name]]}.", field=name)


def unfilled(study: Study) -> str:
    """What the consent text leaves open, in words; empty where nothing is, or nobody is asked for consent."""
    is_anybody_asked = study.has_writing or study.has_judging or study.audits_benchmarks
    left = blanks(study.consent_text) if is_anybody_asked else []
    if not left:
        return ""
    return f"The consent text has blanks that nobody has filled in, or said to be unneeded: {', '.join(left)}."


def check_consistent(study: Study, changed: Collection[str] = ()) -> None:
    """Raise `Refused` where a parameter is out of its range or contradicts another.

    The refusal is about the parameter that was `changed`, and names the others with their sections.
    """
    try:
        study.clean_fields()
        for found in contradictions(study):
            about = next((name for name in found.names if name in changed), found.names[0])
            raise Refused(found.says, field=about)
        study.validate_constraints()
    except ValidationError as error:
        raise Refused(_in_words(error, labels_of(study.preset)), field=next(iter(error.message_dict))) from error
    if study.ideology_instrument:
        try:
            instrument.parse(study.ideology_instrument)
        except instrument.InstrumentError as error:
            raise Refused(str(error), field="ideology_instrument") from error


def _in_words(error: ValidationError, labels: Mapping[str, str]) -> str:
    """Each complaint with the parameter it is about, where it is about one."""
    return " ".join(
        complaint if name == NON_FIELD_ERRORS else _of(labels.get(name, name.capitalize()), complaint)
        for name, complaints in error.message_dict.items()
        for complaint in complaints
    )


def _of(label: str, complaint: str) -> str:
    said = said_of(label, complaint)
    return said if said != complaint else f"{label}: {complaint}"


def can_archive(user: User, study: Study) -> bool:
    return can_coordinate(user, study) or can_administer(user)


def check_may_archive(user: User, study: Study) -> None:
    if not can_archive(user, study):
        raise PermissionDenied("Only a coordinator of this study or an administrator may do this.")
