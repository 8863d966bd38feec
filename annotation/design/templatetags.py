"""Lengths of work in words, and where a parameter is decided."""

from collections.abc import Iterable
from dataclasses import dataclass

from django import template

from annotation.study.core.parameters import labels_of, sections_of
from annotation.study.core.workload import in_hours
from annotation.study.models.studies import Study

register = template.Library()
register.filter("hours", in_hours)


@dataclass(frozen=True)
class ParameterLink:
    """A parameter of the study, as it is called there, and the section that it stands in."""

    name: str
    label: str
    section: str


@register.filter
def parameter_links(names: Iterable[str], study: Study) -> list[ParameterLink]:
    """Where the named parameters are decided; those that a study of this kind does not have are left out."""
    labels = labels_of(study.preset)
    sections = {name: section.key for section in sections_of(study.preset) for name in section.labels}
    return [ParameterLink(name, labels[name], sections[name]) for name in names or () if name in sections]
