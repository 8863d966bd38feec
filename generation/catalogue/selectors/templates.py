"""The templates a study's models are asked by, with every wording they had."""

from dataclasses import dataclass
from datetime import datetime

from annotation.platform.core.text import sha256_hex
from annotation.study.models.studies import Study
from generation.catalogue.core.prompt_templates import KINDS, SHIPPED, TemplateKind
from generation.catalogue.models import StudyTemplate


@dataclass(frozen=True)
class Wording:
    """A wording of a template. Number 0 is the one that comes with the site: nobody of the study wrote it."""

    number: int
    text: str
    sha256: str
    origin: str = ""
    written_at: datetime | None = None
    written_by: str = ""


@dataclass(frozen=True)
class TemplateLine:
    """A template with its wordings, the one in use first and the shipped one last."""

    kind: TemplateKind
    wordings: tuple[Wording, ...]

    @property
    def current(self) -> Wording:
        return self.wordings[0]

    @property
    def is_as_shipped(self) -> bool:
        return self.current.sha256 == self.wordings[-1].sha256


def templates_of(study: Study) -> list[TemplateLine]:
    """Every template, in the order of `KINDS`."""
    own: dict[str, list[Wording]] = {}
    for saved in StudyTemplate.objects.filter(study=study).select_related("written_by"):
        own.setdefault(saved.name, []).append(_own(saved))
    return [TemplateLine(kind, (*own.get(name, ()), _shipped(name))) for name, kind in KINDS.items()]


def template_of(study: Study, name: str) -> TemplateLine | None:
    """One of them; `None` where there is none of that name."""
    return next((line for line in templates_of(study) if line.kind.name == name), None)


def _own(saved: StudyTemplate) -> Wording:
    return Wording(
        number=saved.number,
        text=saved.text,
        sha256=saved.sha256,
        origin=saved.origin,
        written_at=saved.written_at,
        written_by=saved.written_by.name,
    )


def _shipped(name: str) -> Wording:
    text = SHIPPED[name].text
    return Wording(number=0, text=text, sha256=sha256_hex(text))
