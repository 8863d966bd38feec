"""Making a study and moving it through its life cycle."""

from pathlib import Path
from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from annotation.core import instrument
from annotation.core import rubric as rubrics
from annotation.core.errors import Refused
from annotation.core.lifecycle import STUDY
from annotation.core.presets import PRESETS
from annotation.core.text import clean, sha256_hex
from annotation.models.people import User
from annotation.models.prompts import Prompt, PromptVersion
from annotation.models.studies import Rubric, Study
from annotation.services import audit

FILES = Path(__file__).resolve().parent.parent
RUBRICS = FILES / "rubrics"
STANDARD_RUBRIC = RUBRICS / "social_concept_reasoning-1.toml"
CONSENT_VERSION = "3"
STANDARD_CONSENT = (FILES / "consent" / f"standard-{CONSENT_VERSION}.txt").read_text()


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
    consent = {"consent_version": CONSENT_VERSION, "consent_text": STANDARD_CONSENT}
    settings = {**consent, **PRESETS[preset], **parameters}
    rubric = freeze_rubric(rubric_toml if rubric_toml is not None else STANDARD_RUBRIC.read_text())
    title = " ".join(title.split())  # it stands in the subject of mails
    study = Study(slug=slug, title=title, preset=preset, rubric=rubric, created_by=by, **settings)
    if study.ideology_instrument:
        instrument.parse(study.ideology_instrument)
    try:
        study.full_clean(validate_unique=False)
    except ValidationError as error:
        raise Refused(_in_words(error)) from error
    try:
        with transaction.atomic():
            study.save()
    except IntegrityError as error:
        raise Refused(f"The short name “{slug}” is taken.") from error
    audit.record(verb="study.created", by=by, study=study, subject=slug, preset=preset, rubric=rubric.sha256)
    return study


def _in_words(error: ValidationError) -> str:
    """Each complaint with the parameter it is about, where it is about one."""
    return " ".join(
        complaint if name == NON_FIELD_ERRORS else f"{name.replace('_', ' ').capitalize()}: {complaint}"
        for name, complaints in error.message_dict.items()
        for complaint in complaints
    )


@transaction.atomic
def add_prompt(*, study: Study, code: str, domain: str, text: str, by: User, title: str = "") -> Prompt:
    """Add a prompt, with its first version, to a study in design."""
    hold(study)
    if study.state != STUDY.initial:
        raise Refused("Prompts can be added only while the study is being designed.")
    text = clean(text).strip()
    if not text:
        raise Refused("A prompt needs a text.")
    sha256 = sha256_hex(text)
    if same := Prompt.objects.filter(study=study, versions__sha256=sha256).first():
        raise Refused(f"Prompt {same.code} has this text already.")
    prompt = Prompt.objects.create(
        study=study,
        code=code,
        domain=domain,
        title=title,
        position=Prompt.objects.filter(study=study).count() + 1,
    )
    PromptVersion.objects.create(prompt=prompt, text=text, sha256=sha256, created_by=by)
    audit.record(verb="prompt.added", by=by, study=study, subject=code)
    return prompt


@transaction.atomic
def add_prompt_in_domain(*, study: Study, domain: str, text: str, by: User) -> Prompt:
    """Add a prompt under the domain's next code, such as BBQ_07."""
    hold(study)
    number = Prompt.objects.filter(study=study, domain=domain).count() + 1
    return add_prompt(study=study, code=f"{domain}_{number:02}", domain=domain, text=text, by=by)


def hold(study: Study) -> None:
    """Lock the study's row and read its state again: nobody else takes a step until the transaction ends."""
    rows = Study.objects.select_for_update(no_key=True)  # rows that refer to the study can still be added
    study.state = rows.values_list("state", flat=True).get(pk=study.pk)


def steady(study: Study) -> None:
    """Keep the study's state as it is until the transaction ends, and read it again.

    For work that counts only in a certain state: any number of people do such work side by side, and a step of
    the study waits for them, as they wait for a step that is being taken.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT state FROM annotation_study WHERE id = %s FOR SHARE", [study.pk])
        (study.state,) = cursor.fetchone()


def check_step(study: Study, verb: str) -> None:
    """Hold the study and raise `Refused` unless `verb` applies: before the work that the step needs."""
    hold(study)
    STUDY.after(verb, study.state)


def move(study: Study, verb: str, *, by: User, **detail: Any) -> None:
    """Take the study one step along its life cycle; belongs in a transaction with what the step needs.

    Raises `Refused` where the table has no such step from the present state.
    """
    hold(study)
    study.state = STUDY.after(verb, study.state)
    study.state_changed_at = timezone.now()
    study.save(update_fields=["state", "state_changed_at"])
    audit.record(verb=f"study.{verb}", by=by, study=study, subject=study.slug, **detail)
