"""A study's prompts, as long as it is being designed: adding, importing, changing and removing them.

A changed wording is a new version, and the ones before it stay on record with the prompt.
"""

from collections.abc import Collection, Iterable

from django.db import transaction
from django.db.models import Max

from annotation.platform.core.errors import Refused
from annotation.platform.core.lifecycle import STUDY
from annotation.platform.core.table_import import Examined, ParsedRow
from annotation.platform.core.text import clean, sha256_hex
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.study.core.prompt_import import NewPrompt, NextCodes, examine
from annotation.study.models.prompts import Prompt, PromptVersion
from annotation.study.models.studies import Study
from annotation.study.policies.roles import check_coordinator
from annotation.study.selectors.prompts import present_texts
from annotation.study.services import studies

MAX_PROMPTS = 10_000  # in a study


@transaction.atomic
def add_prompt(
    *,
    study: Study,
    code: str,
    domain: str,
    text: str,
    by: User,
    title: str = "",
    disciplines: Iterable[str] = (),
) -> Prompt:
    """Add a prompt, with its first version, to a study in design.

    Raises `Refused` for an empty text, and where another prompt of the study has the text or the code.
    """
    _check_designing(study, by)
    text = _wording(text)
    codes = present_texts(study)
    _check_new(text, codes)
    if code in codes.values():
        raise Refused(f"There is a prompt with the code {code} already.")
    [prompt] = _add(study, [NewPrompt(text, domain, code, title, tuple(disciplines))], by)
    audit.record(verb=AuditVerb.PROMPT_ADDED, by=by, study=study, subject=code)
    return prompt


@transaction.atomic
def add_prompt_in_domain(
    *, study: Study, domain: str, text: str, by: User, title: str = "", disciplines: Iterable[str] = ()
) -> Prompt:
    """Add a prompt under the domain's next code, such as BBQ_07."""
    _check_designing(study, by)
    codes = Prompt.objects.filter(study=study).values_list("code", flat=True)
    return add_prompt(
        study=study,
        code=NextCodes(codes).next(domain),
        domain=domain,
        text=text,
        title=title,
        disciplines=disciplines,
        by=by,
    )


@transaction.atomic
def import_prompts(*, study: Study, lines: Collection[ParsedRow], by: User) -> Examined[NewPrompt]:
    """Add the prompts that lines of a table describe; returns them, and how many were there before.

    Raises `Refused` where anything is wrong with a line; then none is added.
    """
    _check_designing(study, by)
    examined = examine(lines, wordings=present_texts(study))
    if examined.problems:
        raise Refused(f"Nothing was imported: {examined.problems[0]}.")
    added = _add(study, examined.found, by)
    if added:
        audit.record(
            verb=AuditVerb.PROMPTS_IMPORTED, by=by, study=study, subject=study.slug, codes=[p.code for p in added]
        )
    return examined


@transaction.atomic
def add_prompts_alike(*, study: Study, new: Collection[NewPrompt], by: User) -> list[Prompt]:
    """Add prompts under their own codes, some of which may have one text: they differ by who is to answer them.

    Raises `Refused` where another prompt of the study has one of the codes.
    """
    _check_designing(study, by)
    taken = Prompt.objects.filter(study=study, code__in=[prompt.code for prompt in new]).first()
    if taken:
        raise Refused(f"There is a prompt with the code {taken.code} already.")
    added = _add(study, new, by)
    audit.record(
        verb=AuditVerb.PROMPTS_IMPORTED, by=by, study=study, subject=study.slug, codes=[p.code for p in added]
    )
    return added


@transaction.atomic
def change_prompt(
    *, prompt: Prompt, text: str, title: str, disciplines: Iterable[str], by: User, reason: str = ""
) -> None:
    """Give a prompt another wording, title or disciplines. Idempotent.

    Raises `Refused` for an empty text, and where another prompt of the study has it.
    """
    _check_designing(prompt.study, by)
    text = _wording(text)
    present = PromptVersion.objects.filter(prompt=prompt).latest("number")
    if is_reworded := present.sha256 != sha256_hex(text):
        _check_new(text, present_texts(prompt.study))
        _versions([(prompt, text)], by, number=present.number + 1, reason=clean(reason).strip())
    described = (title, list(disciplines))
    if not is_reworded and described == (prompt.title, prompt.disciplines):
        return
    prompt.title, prompt.disciplines = described
    prompt.save(update_fields=["title", "disciplines"])
    audit.record(
        verb=AuditVerb.PROMPT_CHANGED, by=by, study=prompt.study, subject=prompt.code, reworded=is_reworded
    )


@transaction.atomic
def remove_prompt(*, prompt: Prompt, by: User) -> None:
    """Take a prompt out of the study, with every wording it had. Its code is free again."""
    _check_designing(prompt.study, by)
    wordings = PromptVersion.objects.filter(prompt=prompt)
    sha256 = wordings.latest("number").sha256
    wordings.delete()
    audit.record(verb=AuditVerb.PROMPT_REMOVED, by=by, study=prompt.study, subject=prompt.code, sha256=sha256)
    prompt.delete()


def _check_designing(study: Study, by: User) -> None:
    check_coordinator(by, study)
    studies.lock_for_update(study)
    if study.state != STUDY.initial:
        raise Refused("Prompts can be added, changed and removed only while the study is being designed.")


def _wording(text: str) -> str:
    text = clean(text).strip()
    if not text:
        raise Refused("A prompt needs a text.")
    return text


def _check_new(text: str, codes: dict[str, str]) -> None:
    if code := codes.get(sha256_hex(text)):
        raise Refused(f"Prompt {code} has this text already.")


def _add(study: Study, new: Collection[NewPrompt], by: User) -> list[Prompt]:
    """Make prompts, each with its first version, after those that are there."""
    there = Prompt.objects.filter(study=study)
    if there.count() + len(new) > MAX_PROMPTS:
        raise Refused(f"A study has {MAX_PROMPTS:,} prompts at most.")
    last = there.aggregate(last=Max("position"))["last"] or 0
    added = Prompt.objects.bulk_create(
        Prompt(
            study=study,
            code=prompt.code,
            domain=prompt.domain,
            title=prompt.title,
            position=position,
            disciplines=list(prompt.disciplines),
        )
        for position, prompt in enumerate(new, start=last + 1)
    )
    _versions(zip(added, (prompt.text for prompt in new), strict=True), by)
    return added


def _versions(wordings: Iterable[tuple[Prompt, str]], by: User, *, number: int = 1, reason: str = "") -> None:
    PromptVersion.objects.bulk_create(
        PromptVersion(
            prompt=prompt, number=number, text=text, sha256=sha256_hex(text), reason=reason, created_by=by
        )
        for prompt, text in wordings
    )
