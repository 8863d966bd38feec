"""A study's design: its fingerprint, and its parameters as people read them."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Final

from django.contrib.postgres.fields import ArrayField

from annotation.design.core import design_hash
from annotation.design.models import DesignFingerprint
from annotation.platform.core.lifecycle import STUDY
from annotation.platform.core.phrases import counted, listed
from annotation.platform.core.text import count_words, sha256_hex
from annotation.study.core import instrument
from annotation.study.core.parameters import SECTIONS, Section, labels_of, sections_of
from annotation.study.core.presets import PRESETS, RUBRICS
from annotation.study.models.studies import Study, StudyStep
from annotation.study.policies.design import FIXED_SINCE, OPEN_UNTIL, PARAMETERS, UNTIL, can_change
from annotation.study.selectors.consents import consent_filled_in
from annotation.study.selectors.prompts import latest_versions
from annotation.study.selectors.rubrics import rubric_by_hash, standard_rubrics

FIELDS: Final = {field.name: field for field in Study._meta.fields}
# What every study decides for itself: the presets say nothing about it.
OWN: Final = frozenset(
    {"profile_questions", "ideology_instrument", "consent_version", "consent_text", "names_kept_months"}
).union(*(section.labels for section in SECTIONS if section.key in ("about", "fees")))


# -- the fingerprint ---------------------------------------------------------------------------------------------


def design_bytes(study: Study, *, without: Collection[str] = ()) -> bytes:
    """The design of the study as it is now, as the bytes whose hash is published.

    `without` leaves parameters out, as a version of the site wrote it that did not have them.
    """
    names = (name for name in PARAMETERS if name != "consent_text" and name not in without)
    return design_hash.design_bytes(
        parameters={name: getattr(study, name) for name in names},
        rubric_sha256=study.rubric_id,
        consent_sha256=sha256_hex(study.consent_text),
        prompts=dict(latest_versions(study).values_list("prompt__code", "sha256")),
    )


def design_sha256(study: Study, *, without: Collection[str] = ()) -> str:
    return design_hash.design_sha256(design_bytes(study, without=without))


# -- parameters in words -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ParameterLine:
    """A parameter as it is read: what presets have in its place where they differ, and since when it is fixed.

    `is_own`: it is not what the protocol says that the study follows.
    """

    name: str
    label: str
    help: str
    value: str
    presets: str
    is_own: bool
    fixed: str


@dataclass(frozen=True)
class SectionLines:
    """A section as it is read. `open_until` says until when the last of it may change; empty where all is fixed."""

    key: str
    title: str
    lead: str
    lines: tuple[ParameterLine, ...]

    @property
    def open_until(self) -> str:
        open_names = [line.name for line in self.lines if not line.fixed]
        return open_until(*open_names) if open_names else ""

    @property
    def fixed(self) -> tuple[ParameterLine, ...]:
        return tuple(line for line in self.lines if line.fixed)

    @property
    def own(self) -> tuple[ParameterLine, ...]:
        return tuple(line for line in self.lines if line.is_own)


@dataclass(frozen=True)
class Change:
    """What a parameter is and what it would become, in words."""

    label: str
    now: str
    then: str


def in_words(name: str, value: Any) -> str:
    """A value of the parameter `name`, for people."""
    match name, value:
        case "ideology_instrument", str():
            said = counted(len(instrument.parse(value).items), "question") if value else "none"
        case "consent_text", str():
            said = f"{count_words(value):,} words"
        case "names_kept_months", None:
            said = "until somebody asks"
        case "writing_minutes", None:
            said = "no limit"
        case _, None:
            said = "not set"
        case _, bool():
            said = "yes" if value else "no"
        case _, list():
            labels = choices_of_each(name)
            said = ", ".join(labels[each] for each in value) or "none"
        case _, Decimal():
            said = f"{value:.2f}"
        case _, date():
            said = f"{value:%-d %B %Y}"
        case _:
            said = str(dict(FIELDS[name].flatchoices).get(value, value))
    return said


def choices_of_each(name: str) -> dict[str, str]:
    """The labels, by value, of what the list parameter `name` may hold."""
    parameter = FIELDS[name]
    return dict(parameter.base_field.flatchoices) if isinstance(parameter, ArrayField) else {}


def preset_value(preset: str, name: str) -> Any:
    """What a preset says: the models' defaults are the full study, and the preset's values stand over them."""
    return PRESETS[preset].get(name, FIELDS[name].get_default())


def preset_values(preset: str) -> dict[str, Any]:
    """Everything that a preset says, by the name of the parameter."""
    return {name: preset_value(preset, name) for name in PARAMETERS if name not in OWN}


def own_parameters(study: Study) -> list[str]:
    """The names of the parameters that are not what the study's preset says."""
    return [name for name, value in preset_values(study.preset).items() if getattr(study, name) != value]


def section_opened(study: Study, section: Section) -> str:
    """What a form of the section sends along, so that it is known later what was changed in it and since."""
    return design_hash.opened_on({name: getattr(study, name) for name in section.labels if can_change(study, name)})


def preset_sha256(study: Study, preset: str) -> str:
    """The hash of what filling the preset in would change: a page that was made before a change shows another."""
    changes = [(change.label, change.now, change.then) for change in preset_changes(study, preset)]
    return sha256_hex(json.dumps(changes))


def preset_changes(study: Study, preset: str) -> tuple[Change, ...]:
    """What would become different if the preset were filled in, in the order of the sections; the rubric last,
    where the preset comes with another one.
    """
    changes = changes_to(study, preset_values(preset) | consent_filled_in(study, preset))
    name = RUBRICS.get(preset)
    rubric = standard_rubrics()[name].rubric if name else None
    if rubric is None or rubric.sha256 == study.rubric_id:
        return changes
    held = rubric_by_hash(study.rubric_id)
    now, then = (f"{each.title}, version {each.version}" for each in (held, rubric))
    return (*changes, Change("Rubric", now, then))


def changes_to(study: Study, wanted: Mapping[str, Any]) -> tuple[Change, ...]:
    """What would become different with the `wanted` parameters, in the order of the sections."""
    return tuple(
        Change(label, in_words(name, getattr(study, name)), in_words(name, wanted[name]))
        for section in SECTIONS
        for name, label in section.labels.items()
        if name in wanted and wanted[name] != getattr(study, name)
    )


def presets_beside(study: Study, name: str) -> str:
    """The values of the presets where they are not the study's, such as "pilot: 20"; empty where there are none."""
    presets: dict[str, list[str]] = {}
    for preset in PRESETS if name not in OWN else ():
        value = preset_value(preset, name)
        if value != getattr(study, name):
            presets.setdefault(in_words(name, value), []).append(Study.Preset(preset).label.lower())
    return " · ".join(f"{listed(names)}: {value}" for value, names in presets.items())


def section_lines(study: Study, section: Section) -> SectionLines:
    since, followed = _steps_taken(study), preset_values(study.preset)
    return SectionLines(
        section.key,
        section.title,
        section.lead,
        tuple(
            ParameterLine(
                name=name,
                label=label,
                help=section.help.get(name, str(FIELDS[name].help_text)),
                value=in_words(name, getattr(study, name)),
                presets=presets_beside(study, name),
                is_own=name in followed and followed[name] != getattr(study, name),
                fixed="" if can_change(study, name) else _fixed(name, since),
            )
            for name, label in section.labels.items()
        ),
    )


def used_sections(study: Study) -> tuple[SectionLines, ...]:
    return tuple(section_lines(study, section) for section in sections_of(study.preset))


def open_until(*names: str) -> str:
    """How long, in words, the last of these parameters may change."""
    return OPEN_UNTIL[max((UNTIL[name] for name in names), key=STUDY.states.index)]


def rubric_fixed(study: Study) -> str:
    """Since when, in words, the rubric has been fixed; empty while it can be exchanged."""
    return "" if can_change(study, "rubric_id") else _fixed("rubric_id", _steps_taken(study))


def _fixed(name: str, since: Mapping[str, datetime]) -> str:
    until = UNTIL[name]
    step = next(t.verb for t in STUDY.transitions if t.source == until and t.target == _following(until))
    day = f", {since[step]:%-d %B %Y}" if step in since else ""
    return f"fixed since {FIXED_SINCE[until]}{day}"


def _following(state: str) -> str:
    return STUDY.states[STUDY.states.index(state) + 1]


def _steps_taken(study: Study) -> dict[str, datetime]:
    """When the study took each step of its life cycle last, by verb."""
    return dict(StudyStep.objects.filter(study=study).order_by("id").values_list("verb", "taken_at"))


# -- what was changed --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fingerprint:
    """The hash of the design at one moment, and what was done to it then."""

    at: datetime
    by: str
    what: str
    sha256: str


def fingerprints(study: Study) -> tuple[Fingerprint, ...]:
    """The lock of the design and every change after it, with the hash each of them led to.

    Nobody changes a parameter when the site is updated to a version that has more of them.
    """
    found = DesignFingerprint.objects.filter(study=study).select_related("by").order_by("id")
    labels = labels_of(study.preset)
    return tuple(
        Fingerprint(
            at=kept.at,
            by=kept.by.name if kept.by else "",
            what=", ".join(labels.get(name, name) for name in kept.parameters)
            or ("Site updated, parameters added" if is_later else "Design locked"),
            sha256=kept.sha256,
        )
        for is_later, kept in enumerate(found)
    )
