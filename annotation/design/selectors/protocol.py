"""A study's protocol as an ethics board reads it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from annotation.design.selectors.design import Fingerprint, SectionLines, design_sha256, fingerprints, used_sections
from annotation.design.selectors.workload import expected, gathered, workload_of
from annotation.people.selectors.people import Section, consent_sections
from annotation.platform.core.lifecycle import STUDY, Transition
from annotation.study.core.rubric import Rubric
from annotation.study.core.workload import Counts, Workload
from annotation.study.models.studies import Study
from annotation.study.selectors.prompts import latest_versions
from annotation.study.selectors.rubrics import rubric_by_hash
from annotation.unblinders.selectors.published import unblinders_of


@dataclass(frozen=True)
class PromptText:
    code: str
    text: str


@dataclass(frozen=True)
class Protocol:
    """`counts` are what the workload counts on; `history` is empty until the design is locked."""

    sections: tuple[SectionLines, ...]
    consent: tuple[Section, ...]
    rubric: Rubric
    counts: Counts
    workload: Workload
    steps: tuple[Transition, ...]
    prompts: tuple[PromptText, ...]
    sha256: str
    history: tuple[Fingerprint, ...]
    unblinders: Mapping[str, Any]


def protocol_of(study: Study) -> Protocol:
    counts = expected(study, gathered(study))
    return Protocol(
        sections=used_sections(study),
        consent=tuple(consent_sections(study.consent_text)),
        rubric=rubric_by_hash(study.rubric_id),
        counts=counts,
        workload=workload_of(study, counts),
        steps=_steps(study),
        prompts=_prompts(study),
        sha256=design_sha256(study),
        history=fingerprints(study),
        unblinders=unblinders_of(study),
    )


def _steps(study: Study) -> tuple[Transition, ...]:
    """The study's course; an audit has no texts to wait for."""
    if not study.audits_benchmarks:
        return STUDY.transitions
    meanings = {
        "close_writing": "at once, for nobody writes",
        "open_judging": "every question that is reviewed goes to two annotators",
    }
    return tuple(
        replace(step, meaning=meanings.get(step.verb, step.meaning))
        for step in STUDY.transitions
        if step.verb != "resume_writing"
    )


def _prompts(study: Study) -> tuple[PromptText, ...]:
    """The prompts as they are worded now, in their order."""
    in_order = sorted(latest_versions(study), key=lambda version: version.prompt.position)
    return tuple(PromptText(version.prompt.code, version.text) for version in in_order)
