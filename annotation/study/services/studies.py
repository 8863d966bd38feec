"""Making a study and moving it through its life cycle."""

from typing import Any

from django.db import IntegrityError, connection, transaction

from annotation.platform.core.errors import Refused
from annotation.platform.core.lifecycle import STUDY
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.platform.services.clock import database_now
from annotation.study.core import rubric as rubrics
from annotation.study.core.presets import PRESETS
from annotation.study.core.presets import RUBRICS as PRESET_RUBRICS
from annotation.study.models.studies import Rubric, Study, StudyStep
from annotation.study.policies.design import check_consistent
from annotation.study.selectors.consents import consent_of
from annotation.study.selectors.rubrics import RUBRICS

STANDARD_RUBRIC = RUBRICS / "social_concept_reasoning-1.toml"


def freeze_rubric(toml: str) -> Rubric:
    """Keep a rubric file under the hash of its bytes. Raises `RubricError` naming the key that is wrong."""
    rubric = rubrics.parse(toml)
    frozen, _ = Rubric.objects.get_or_create(
        sha256=rubric.sha256, defaults={"slug": rubric.slug, "version": rubric.version, "toml": toml}
    )
    return frozen


@transaction.atomic
def create_study(
    *,
    slug: str,
    title: str,
    by: User,
    preset: str = "full",
    rubric_toml: str | None = None,
    **parameters: Any,
) -> Study:
    """A study in design, with the preset's parameters and any given ones over them.

    Raises `Refused` where a parameter is out of its range or contradicts another.
    """
    settings = {**consent_of(preset), **PRESETS[preset], **parameters}
    rubric = freeze_rubric(rubric_toml if rubric_toml is not None else rubric_of_preset(preset))
    study = Study(slug=slug, title=one_line(title), preset=preset, rubric=rubric, created_by=by, **settings)
    check_consistent(study)
    try:
        with transaction.atomic():
            study.save()
    except IntegrityError as error:
        raise Refused(f"The short name “{slug}” is taken.", field="slug") from error
    audit.record(
        verb=AuditVerb.STUDY_CREATED, by=by, study=study, subject=slug, preset=preset, rubric=rubric.sha256
    )
    return study


def rubric_of_preset(preset: str) -> str:
    """The text of the rubric's file."""
    name = PRESET_RUBRICS.get(preset)
    return (RUBRICS / f"{name}.toml" if name else STANDARD_RUBRIC).read_text(encoding="utf-8")


def one_line(title: str) -> str:
    """A title as it is kept: it stands in the subject of mails."""
    return " ".join(title.split())


def lock_for_update(study: Study) -> None:
    """Lock the study's row and read all of it again: nobody else changes it until the transaction ends."""
    rows = Study.objects.select_for_update(no_key=True)  # rows that refer to the study can still be added
    study.refresh_from_db(from_queryset=rows)


def lock_shared(study: Study) -> None:
    """Keep the study's state as it is until the transaction ends, and read it again.

    For work that counts only in a certain state: any number of people do such work side by side, and a step of
    the study waits for them, as they wait for a step that is being taken. It reads the state alone, since it is on
    the way of every text and judgment: by then the parameters that such work reads are fixed.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT state FROM annotation_study WHERE id = %s FOR SHARE", [study.pk])
        (study.state,) = cursor.fetchone()


def check_step(study: Study, verb: str) -> None:
    """Lock the study and raise `Refused` unless `verb` applies: before the work that the step needs."""
    lock_for_update(study)
    STUDY.after(verb, study.state)


def move(study: Study, verb: str, *, by: User, **detail: Any) -> None:
    """Take the study one step along its life cycle; belongs in a transaction with what the step needs.

    Raises `Refused` where the table has no such step from the present state.
    """
    lock_for_update(study)
    study.state = STUDY.after(verb, study.state)
    study.state_changed_at = database_now()
    study.save(update_fields=["state", "state_changed_at"])
    StudyStep.objects.create(study=study, verb=verb, taken_at=study.state_changed_at)
    audit.record(verb=AuditVerb(f"study.{verb}"), by=by, study=study, subject=study.slug, **detail)
