"""Samples of a study's prompts: drawing one, making it the study's prompts, and discarding it."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.db import transaction

from annotation.platform.core.errors import Refused
from annotation.platform.core.phrases import counted
from annotation.platform.core.table_import import ParsedRow
from annotation.platform.core.text import sha256_hex
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.platform.services.clock import database_now
from annotation.study.core.prompt_import import NextCodes, examine
from annotation.study.models.prompts import Prompt
from annotation.study.models.studies import Study
from annotation.study.policies.roles import check_coordinator
from annotation.study.selectors.prompts import present_texts
from annotation.study.services import studies
from annotation.study.services.prompts import import_prompts
from generation.prompts.core.quality import MIN_PASSES, SCHEMES, Scheme
from generation.prompts.core.sampling import Drawn, draw
from generation.prompts.models import Candidate, PromptSample, SampledPrompt
from generation.prompts.selectors.samples import fallen
from generation.prompts.selectors.sampling import Eligible, eligible
from generation.sources.models import Source

MAX_TITLE_LENGTH = Prompt._meta.get_field("title").max_length


@dataclass(frozen=True)
class Taken:
    """How many prompts of a sample the study got, and how many it had already."""

    added: int
    known: int


@transaction.atomic
def make_sample(
    *,
    study: Study,
    by: User,
    seed: int = 42,
    per_source: int = 10,
    scheme: Scheme = "all",
    least_passes: int = MIN_PASSES,
) -> PromptSample:
    """Draw `per_source` of the prompts that pass from each of the study's sources. Idempotent: what would be drawn
    again is returned as it is.

    `seed` is at least 0, `per_source` and `least_passes` at least 1. Raises `Refused` where nothing passes.
    """
    check_coordinator(by, study)
    studies.lock_for_update(study)
    if scheme not in SCHEMES or min(seed, per_source - 1, least_passes - 1) < 0:
        raise ValueError("There is no such rule for a sample.")
    found = eligible(study, scheme=scheme, least_passes=least_passes)
    if not found.candidates:
        raise Refused("No prompt passes the quality filter under this rule yet, so there is nothing to draw from.")
    rule: dict[str, Any] = {
        "seed": seed,
        "per_source": per_source,
        "scheme": scheme,
        "least_passes": least_passes,
    }
    drawn = draw(found.pools, size=per_source, seed=seed)
    chosen = _coded(found, drawn)
    report = [_of_source(found.sources[slug], sample) for slug, sample in drawn.items()]
    content = {"report": report, "content_sha256": _content_sha256(chosen)}
    same = PromptSample.objects.filter(study=study, **rule, **content).first()
    if same:
        return same
    sample = PromptSample.objects.create(study=study, made_by=by, **rule, **content)
    SampledPrompt.objects.bulk_create(
        SampledPrompt(sample=sample, candidate=candidate, position=position, code=code)
        for position, (code, candidate) in enumerate(chosen.items(), start=1)
    )
    audit.record(verb=AuditVerb.SAMPLE_MADE, by=by, study=study, subject=sample.pk, **rule, prompts=len(chosen))
    return sample


def _coded(found: Eligible, drawn: Mapping[str, Drawn]) -> dict[str, Candidate]:
    """The prompts that were drawn in their order, each by its code, such as BBQ_01."""
    candidates = Candidate.objects.in_bulk(
        [found.candidates[option] for sample in drawn.values() for option in sample.chosen]
    )
    codes = NextCodes(())
    return {
        codes.next(found.sources[slug].code): candidates[found.candidates[option]]
        for slug, sample in drawn.items()
        for option in sample.chosen
    }


def _content_sha256(chosen: Mapping[str, Candidate]) -> str:
    """The hash of a line for each prompt: its code, a space, the SHA-256 of its text, and a line feed."""
    return sha256_hex("".join(f"{code} {candidate.sha256}\n" for code, candidate in chosen.items()))


def _of_source(source: Source, sample: Drawn) -> dict[str, Any]:
    return {
        "source": source.slug,
        "code": source.code,
        "name": source.name,
        "wanted": sample.wanted,
        "chosen": len(sample.chosen),
        "eligible": sum(share.eligible for share in sample.strata),
        "strata": [asdict(share) for share in sample.strata],
        "generators": [asdict(share) for share in sample.generators],
        "shortfalls": list(sample.shortfalls),
    }


def _lock(sample: PromptSample, by: User) -> Study:
    """The sample's study, locked for its coordinator; the sample is read again. Raises `Refused` if it is gone."""
    study = sample.study
    check_coordinator(by, study)
    studies.lock_for_update(study)
    try:
        sample.refresh_from_db()
    except PromptSample.DoesNotExist:
        raise Refused("This sample was discarded meanwhile.") from None
    return study


@transaction.atomic
def take_sample(*, sample: PromptSample, by: User) -> Taken:
    """Make a sample's prompts the study's, while that is being designed. Idempotent: those it has already stay.

    Raises `Refused` where one of them does not pass any more, or the study has another prompt under its code or the
    same text under another code; then none is taken.
    """
    study = _lock(sample, by)
    if codes := fallen(sample):
        raise Refused(f"Nothing was taken: {', '.join(codes)} would not pass any more. Draw a new sample.")
    chosen = list(sample.prompts.order_by("position").select_related("candidate__bundle__scenario__source"))
    lines = [ParsedRow(prompt.position, _described(prompt)) for prompt in chosen]
    if problems := examine(lines, wordings=present_texts(study)).problems:
        raise Refused(
            f"Nothing was taken: {problems[0].text}. Remove {counted(len(problems), 'prompt')} of the study that "
            "stand in the way, or keep the study’s prompts as they are."
        )
    taken = import_prompts(study=study, lines=lines, by=by)
    _link(chosen, study)
    if sample.taken_at is None:
        sample.taken_at, sample.taken_by = database_now(), by
        sample.save(update_fields=["taken_at", "taken_by"])
        audit.record(verb=AuditVerb.SAMPLE_TAKEN, by=by, study=study, subject=sample.pk, prompts=len(chosen))
    return Taken(added=len(taken.found), known=taken.known)


def _described(sampled: SampledPrompt) -> dict[str, Any]:
    candidate = sampled.candidate
    return {
        "text": candidate.text,
        "domain": candidate.bundle.scenario.source.code,
        "code": sampled.code,
        "title": candidate.label[:MAX_TITLE_LENGTH],
    }


def _link(chosen: Iterable[SampledPrompt], study: Study) -> None:
    prompts = {prompt.code: prompt for prompt in Prompt.objects.filter(study=study)}
    for sampled in chosen:
        sampled.prompt = prompts[sampled.code]
    SampledPrompt.objects.bulk_update(chosen, ["prompt"])


@transaction.atomic
def discard_sample(*, sample: PromptSample, by: User) -> None:
    """Forget a sample that was not taken; the same rule draws it again. Raises `Refused` where it was."""
    study = _lock(sample, by)
    if sample.taken_at:
        raise Refused("The study’s prompts were taken from this sample, so it stays on record.")
    audit.record(
        verb=AuditVerb.SAMPLE_DISCARDED,
        by=by,
        study=study,
        subject=sample.pk,
        content_sha256=sample.content_sha256,
    )
    sample.delete()
