"""What a coordinator decides about a study: its parameters and rubric, a copy of it, and putting it away."""

import logging
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from django.db import transaction

from annotation.design.core.design_hash import plain, read_opened_on, values_sha256
from annotation.design.models import DesignFingerprint
from annotation.design.policies import check_fees
from annotation.design.selectors.design import (
    changes_to,
    design_sha256,
    preset_sha256,
    preset_values,
    section_opened,
)
from annotation.notifications.services import notifications
from annotation.people.services import people
from annotation.platform.core.errors import Refused
from annotation.platform.core.text import clean, sha256_hex
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.platform.services.clock import database_now
from annotation.study.core.consent import blanks, fill
from annotation.study.core.parameters import Section
from annotation.study.core.presets import RUBRICS as PRESET_RUBRICS
from annotation.study.models.participation import Consent, Role
from annotation.study.models.prompts import Prompt, PromptVersion
from annotation.study.models.studies import Study
from annotation.study.policies.design import PARAMETERS, check_consistent, check_may_archive, check_may_change
from annotation.study.policies.roles import check_coordinator, check_may_create_studies
from annotation.study.selectors.consents import consent_filled_in
from annotation.study.selectors.prompts import latest_versions
from annotation.study.services import studies
from annotation.writing.models import RewordingDecision
from annotation.writing.selectors.rewordings import accepted_rewordings

log = logging.getLogger(__name__)

DAYS: Final = ("writing_due_on", "judging_due_on")


@transaction.atomic
def change_parameters(*, study: Study, changes: Mapping[str, Any], by: User) -> tuple[str, ...]:
    """Change parameters, by the name of their field; returns the names of those that are different now.

    Besides parameters it takes the title, the description, `preset` and `rubric_id`. A new consent text gets a
    version of its own unless `changes` name it, and whoever agreed to the one before is asked again.

    Raises `Refused`, and changes nothing, where one of them is fixed by now, out of its range or contradicts
    another.
    """
    check_coordinator(by, study)
    studies.lock_for_update(study)
    changed = Study.objects.get(pk=study.pk)
    wanted = {name: _cleaned(name, value) for name, value in changes.items()}
    before = {name: getattr(changed, name) for name in wanted if getattr(changed, name) != wanted[name]}
    if not before:
        return ()
    check_fees(changed, wanted)
    for name in before:
        check_may_change(changed, name)
        setattr(changed, name, wanted[name])
    if "consent_text" in before:
        before.setdefault("consent_version", changed.consent_version)
        changed.consent_version = wanted.get("consent_version") or _next_version(changed.consent_version)
        _ask_again(changed, by)
    check_consistent(changed, before)
    changed.save(update_fields=list(before))
    study.refresh_from_db()
    sha256 = design_sha256(study) if study.state == "design" else keep_fingerprint(study, tuple(before), by=by)
    audit.record(
        verb=AuditVerb.STUDY_DESIGN_CHANGED,
        by=by,
        study=study,
        subject=study.slug,
        changes={name: [plain(old), plain(getattr(study, name))] for name, old in before.items()},
        design_sha256=sha256,
    )
    return tuple(before)


@transaction.atomic
def fill_consent(
    *, study: Study, said: Mapping[str, str], unneeded: Sequence[str], loaded: str, by: User
) -> tuple[str, ...]:
    """Put what is `said` in the blanks of the consent text, leave `unneeded` ones out; returns those still open.

    `loaded` is the text's SHA-256 when the form was opened. Raises `Refused` where that is another one by now, or
    the text is fixed.
    """
    check_coordinator(by, study)
    studies.lock_for_update(study)
    if sha256_hex(study.consent_text) != loaded:
        raise Refused("The consent text was changed after you opened it, so nothing is saved. Look at it again.")
    change_parameters(study=study, changes={"consent_text": fill(study.consent_text, said, unneeded)}, by=by)
    audit.record(
        verb=AuditVerb.STUDY_CONSENT_FILLED,
        by=by,
        study=study,
        subject=study.slug,
        filled=sorted(said),
        unneeded=sorted(unneeded),
    )
    return tuple(blanks(study.consent_text))


def keep_fingerprint(study: Study, parameters: Sequence[str] = (), *, by: User) -> str:
    """Keep and return the hash of the design, now that these `parameters` were changed or it was locked."""
    sha256 = design_sha256(study)
    DesignFingerprint.objects.create(study=study, by=by, parameters=list(parameters), sha256=sha256)
    return sha256


def keep_fingerprints_of_an_update(added: Collection[str]) -> None:
    """Let the history of each locked design go on where an update has `added` parameters that it did not have.

    All studies get them, also those that are locked, whose design has another hash from then on. Where something
    else differs as well nothing is kept: that would vouch for a change that nobody made on the site.
    """
    for study in Study.objects.exclude(state="design"):
        with transaction.atomic():
            studies.lock_for_update(study)
            last = DesignFingerprint.objects.filter(study=study).order_by("id").last()
            sha256 = design_sha256(study)
            if last is None or last.sha256 == sha256:
                continue
            if last.sha256 != design_sha256(study, without=added):
                log.warning("The design of %s is not the one of its last fingerprint.", study.slug)
                continue
            DesignFingerprint.objects.create(study=study, sha256=sha256)
            audit.record(
                verb=AuditVerb.STUDY_DESIGN_REWRITTEN,
                by=None,
                study=study,
                subject=study.slug,
                added=sorted(added),
                design_sha256=sha256,
            )


@transaction.atomic
def change_section(
    *, study: Study, section: Section, changes: Mapping[str, Any], loaded: str, by: User
) -> tuple[str, ...]:
    """Change those parameters of a section that were touched, as `change_parameters` does.

    `loaded` is its `section_opened` when the form was opened. What somebody else has changed since and this form
    did not touch stays. Raises `Refused` where both have changed the same to something else, saying what, or a step
    has fixed some of the section.
    """
    check_coordinator(by, study)
    studies.lock_for_update(study)
    study.refresh_from_db()
    before, now = read_opened_on(loaded), read_opened_on(section_opened(study, section))
    if not before or before.keys() - now.keys():
        raise Refused("This section was changed after you opened it, so nothing is saved: some of it is fixed now.")
    touched = {
        name: value
        for name, value in changes.items()
        if values_sha256({name: _cleaned(name, value)}) != before.get(name)
    }
    contested = {name: _cleaned(name, value) for name, value in touched.items() if now[name] != before.get(name)}
    if differences := changes_to(study, contested):
        different = "; ".join(f"“{change.label}” is {change.now}, yours {change.then}" for change in differences)
        raise Refused(
            "Somebody else has changed the same after you opened this section, so nothing is saved. What you typed "
            f"is kept below. Now {different}. Save again to have yours."
        )
    return change_parameters(study=study, changes=touched, by=by)


def _cleaned(name: str, value: Any) -> Any:
    if name == "title":
        return studies.one_line(value)
    return clean(value) if isinstance(value, str) else value


def _next_version(version: str) -> str:
    """The version after "3" is "3.1", after "3.1" it is "3.2"."""
    first, _, last = version.rpartition(".")
    return f"{first}.{int(last) + 1}" if first and last.isdecimal() else f"{version}.1"


def _ask_again(study: Study, by: User) -> None:
    """Agreements to a text that is replaced end, and stay in the audit trail. In design nobody has worked yet."""
    agreements = Consent.objects.filter(participation__study=study, withdrawn_at__isnull=True)
    for agreement in agreements.select_related("participation"):
        audit.record(
            verb=AuditVerb.CONSENT_ASKED_AGAIN,
            by=by,
            study=study,
            subject=agreement.participation.pseudonym,
            version=agreement.version,
            text_sha256=agreement.text_sha256,
            given_at=agreement.given_at.isoformat(),
        )
    agreements.delete()


@transaction.atomic
def fill_in(*, study: Study, preset: str, by: User, shown: str = "") -> tuple[str, ...]:
    """Give every parameter the preset's value; what a study decides for itself stays. See `change_parameters`.

    The rubric stays, too, unless the preset comes with one of its own, and a consent text that nobody has touched
    becomes the preset's. Where `shown`, the `preset_sha256` of the
    page that asks, is given, raises `Refused` unless that is still so.
    """
    check_coordinator(by, study)
    studies.lock_for_update(study)
    study.refresh_from_db()
    if shown and shown != preset_sha256(study, preset):
        raise Refused("The design was changed after this page was made, so nothing is filled in. Look at it again.")
    changes = {"preset": preset, **preset_values(preset), **consent_filled_in(study, preset)}
    if preset in PRESET_RUBRICS:
        changes["rubric_id"] = studies.freeze_rubric(studies.rubric_of_preset(preset)).sha256
    return change_parameters(study=study, changes=changes, by=by)


@transaction.atomic
def choose_rubric(*, study: Study, toml: str, by: User) -> None:
    """Freeze a rubric file for the study. Raises `Refused`, naming the key, where it is not one, or it is too
    late.
    """
    change_parameters(study=study, changes={"rubric_id": studies.freeze_rubric(toml).sha256}, by=by)


@transaction.atomic
def start_study(*, slug: str, title: str, preset: str, by: User) -> Study:
    """A new study in design, which `by` coordinates. Raises `Refused` where the short name is taken."""
    check_may_create_studies(by)
    started = studies.create_study(slug=slug, title=title, preset=preset, by=by)
    people.join(study=started, user=by, role=Role.COORDINATOR, by=by)
    return started


@transaction.atomic
def clone_study(*, study: Study, slug: str, title: str, with_prompts: bool, by: User) -> Study:
    """A new study in design with everything decided about this one but its days; `by` coordinates it.

    With prompts it is the next round: they come with the versions they had, in the wordings that were accepted.
    Raises `Refused` where the short name is taken.
    """
    check_coordinator(by, study)
    copy = studies.create_study(
        slug=slug,
        title=title,
        by=by,
        preset=study.preset,
        rubric_toml=study.rubric.toml,
        description=study.description,
        cloned_from=study,
        is_public=study.is_public,
        names_kept_months=study.names_kept_months,
        **{name: getattr(study, name) for name in PARAMETERS if name not in DAYS},
    )
    people.join(study=copy, user=by, role=Role.COORDINATOR, by=by)
    copied = _copy_prompts(study, copy, by) if with_prompts else 0
    notifications.copy_wordings(study, copy)
    audit.record(
        verb=AuditVerb.STUDY_CLONED, by=by, study=copy, subject=copy.slug, source=study.slug, prompts=copied
    )
    return copy


def _copy_prompts(study: Study, copy: Study, by: User) -> int:
    """Copy the prompts with every version, and word anew what was accepted; returns how many prompts."""
    latest = list(latest_versions(study))
    prompts = Prompt.objects.bulk_create(
        Prompt(
            study=copy,
            code=version.prompt.code,
            domain=version.prompt.domain,
            title=version.prompt.title,
            position=version.prompt.position,
            disciplines=version.prompt.disciplines,
        )
        for version in latest
    )
    copies = {version.prompt_id: prompt for version, prompt in zip(latest, prompts, strict=True)}
    repeated = [
        _carried(version, copies[version.prompt_id])
        for version in PromptVersion.objects.filter(prompt__study=study).order_by("prompt_id", "number")
    ]
    accepted = accepted_rewordings(study)
    reworded = [
        _reworded(version, copies[version.prompt_id], accepted[version.pk], by)
        for version in latest
        if version.pk in accepted
    ]
    PromptVersion.objects.bulk_create([*repeated, *reworded])
    return len(prompts)


def _carried(version: PromptVersion, copy: Prompt) -> PromptVersion:
    return PromptVersion(
        prompt=copy,
        number=version.number,
        text=version.text,
        sha256=version.sha256,
        reason=version.reason,
        created_at=version.created_at,
        created_by_id=version.created_by_id,
        carried_from=version,
    )


def _reworded(version: PromptVersion, copy: Prompt, accepted: RewordingDecision, by: User) -> PromptVersion:
    return PromptVersion(
        prompt=copy,
        number=version.number + 1,
        text=accepted.wording,
        sha256=sha256_hex(accepted.wording),
        reason=accepted.reason,
        created_at=database_now(),
        created_by=by,
        carried_from=version,
    )


@transaction.atomic
def archive(*, study: Study, by: User) -> None:
    """Put the study away: it leaves the lists and stays as it is. Idempotent."""
    _put(study, away=True, by=by)


@transaction.atomic
def bring_back(*, study: Study, by: User) -> None:
    """Put an archived study back into the lists. Idempotent."""
    _put(study, away=False, by=by)


def _put(study: Study, *, away: bool, by: User) -> None:
    check_may_archive(by, study)
    studies.lock_for_update(study)
    if (study.archived_at is not None) == away:
        return
    study.archived_at, study.archived_by = (database_now(), by) if away else (None, None)
    study.save(update_fields=["archived_at", "archived_by"])
    audit.record(
        verb=AuditVerb.STUDY_ARCHIVED if away else AuditVerb.STUDY_BROUGHT_BACK,
        by=by,
        study=study,
        subject=study.slug,
    )


@transaction.atomic
def show_publicly(*, study: Study, is_public: bool, by: User) -> None:
    """Switch the study's public page on or off, at any time. Idempotent."""
    check_coordinator(by, study)
    studies.lock_for_update(study)
    if study.is_public == is_public:
        return
    study.is_public = is_public
    study.save(update_fields=["is_public"])
    verb = AuditVerb.STUDY_MADE_PUBLIC if is_public else AuditVerb.STUDY_MADE_PRIVATE
    audit.record(verb=verb, by=by, study=study, subject=study.slug)
