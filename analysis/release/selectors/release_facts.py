"""What a release says of its study beside the tables: design, dates, hashes, seed, templates, pool of prompts."""

import json
from collections import defaultdict
from collections.abc import Mapping
from datetime import UTC
from typing import Any, Final

from django.db.models import QuerySet

from analysis.frozen.models import Freeze
from analysis.release.core.facts import ReleaseFacts
from analysis.release.selectors.releases import next_number
from annotation.design.selectors.design import design_bytes, design_sha256
from annotation.platform.core.lifecycle import STUDY
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.services import audit
from annotation.study.models.prompts import Prompt
from annotation.study.models.studies import Study, StudyStep
from annotation.study.policies.unblinding import check_unblinded
from annotation.texts.models.provenance import Stimulus
from annotation.texts.models.seeds import StudySeed
from annotation.unblinders.selectors.published import unblinders_of
from annotation.writing.selectors.rewordings import history_of
from generation.calls.models import GenerationRun
from generation.catalogue.core.prompt_templates import PromptTemplate
from generation.prompts.models import PromptSample
from generation.prompts.selectors.candidates import rule_of
from generation.prompts.selectors.prompt_files import passing_prompts, sampled_prompts

# Publishing is the one step that a release is not about.
DATED: Final = [step.verb for step in STUDY.transitions if step.target != "released"]


def release_facts(study: Study, *, licence: str = "") -> ReleaseFacts:
    """Facts of the release that would be the next, under this licence.

    Raises `PermissionDenied` before the study is unblinded.
    """
    check_unblinded(study)
    seed, frozen = StudySeed.objects.get(study=study), Freeze.objects.get(study=study)
    return ReleaseFacts(
        number=next_number(study),
        slug=study.slug,
        title=study.title,
        description=study.description,
        is_synthetic=study.is_synthetic,
        preset=study.preset,
        licence=licence,
        dates=_dates(study),
        design=json.loads(design_bytes(study)),
        design_sha256=design_sha256(study),
        rubric_toml=study.rubric.toml.replace("\r\n", "\n"),  # as it is hashed
        rubric_sha256=study.rubric_id,
        templates=_templates(study),
        template_texts=_template_texts(study),
        commitment=seed.commitment,
        seed=bytes(seed.seed).hex(),
        frozen_sha256=frozen.sha256,
        frozen_rows=frozen.rows,
        frozen_tables=frozen.tables,
        unblinders=unblinders_of(study),
        normalisation=_normalisation(study),
        audit_head=str(audit.head_at(study, AuditVerb.STUDY_UNBLIND) or ""),
        wordings=wordings_of(study),
        efforts=efforts_of(study),
        **_pool(study),
    )


def _normalisation(study: Study) -> tuple[int, ...]:
    admitted = Stimulus.objects.filter(study=study, state="admitted").order_by("response__normalisation")
    return tuple(admitted.values_list("response__normalisation", flat=True).distinct())


def _dates(study: Study) -> dict[str, str]:
    """When each step was taken for the first time, by its verb, to the second."""
    steps = StudyStep.objects.filter(study=study, verb__in=DATED).order_by("id")
    dates: dict[str, str] = {}
    for verb, at in steps.values_list("verb", "taken_at"):
        dates.setdefault(verb, at.astimezone(UTC).isoformat(timespec="seconds"))
    return dates


def _templates(study: Study) -> Mapping[str, str]:
    """The templates that calls of the study were asked with, by purpose, and track or mode where it has those."""
    asked: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for run in _runs(study):
        asked[_asked_for(run)][run.template_version] = None
    return {what: "; ".join(versions) for what, versions in sorted(asked.items())}


def efforts_of(study: Study) -> dict[str, dict[str, str]]:
    """Efforts of runs that were started: by what they asked for, and the model's name. A model that was told
    different efforts has them one after the other.
    """
    told: defaultdict[str, defaultdict[str, dict[str, None]]] = defaultdict(lambda: defaultdict(dict))
    for run in _runs(study).filter(approved_at__isnull=False):
        for target, family in run.shares.filter(planned__gt=0).values_list("target", "target__family"):
            told[_asked_for(run)][family][_effort(run, str(target))] = None
    return {
        what: {family: "; ".join(efforts) for family, efforts in sorted(models.items())}
        for what, models in sorted(told.items())
    }


def _effort(run: GenerationRun, target: str) -> str:
    effort, sent = (run.materials.get(name, {}).get(target) for name in ("efforts", "sent"))
    if sent is None:  # a run from before it was kept
        return effort or "not said"
    return f"{effort or 'not said'}, sent as {sent}" if sent else "no effort was sent"


def _runs(study: Study) -> QuerySet[GenerationRun]:
    return GenerationRun.objects.filter(study=study).order_by("pk")


def _asked_for(run: GenerationRun) -> str:
    return "/".join(filter(None, (run.purpose, run.track, run.mode)))


def _template_texts(study: Study) -> dict[str, str]:
    """The wordings of these templates, by name and hash."""
    materials = _runs(study).values_list("materials__templates", flat=True)
    templates = [PromptTemplate(name, text) for texts in materials for name, text in (texts or {}).items()]
    return {template.version: template.text for template in templates}


def wordings_of(study: Study) -> dict[str, list[dict[str, Any]]]:
    """How each prompt that was reworded came to its words. What writers said of it is not published."""
    reworded = Prompt.objects.filter(study=study, versions__number__gt=1).distinct().order_by("code")
    return {
        prompt.code: [
            {
                "number": wording.number,
                "text": wording.text,
                "round": wording.round.slug,
                "reason": wording.led_to_it.reason if wording.led_to_it else "",
            }
            for wording in history_of(prompt)
        ]
        for prompt in reworded
    }


def _pool(study: Study) -> dict[str, Any]:
    """The prompts of the sample that became the study's, and all that pass by its rule."""
    sample = PromptSample.objects.filter(study=study, taken_at__isnull=False).order_by("-taken_at").first()
    if sample is None:
        return {}
    return {"sample": sampled_prompts(sample), "passing": passing_prompts(study, **rule_of(study))}
