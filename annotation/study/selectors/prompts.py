"""A study's prompts as its coordinator sees them. Whoever writes or judges sees neither code nor domain."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery

from annotation.study.models.prompts import Prompt, PromptVersion
from annotation.study.models.studies import Study


@dataclass(frozen=True)
class DomainSize:
    name: str
    prompts: int


@dataclass(frozen=True)
class Wording:
    """What a prompt said from a time on, who wrote it, and why it was changed if they said so."""

    number: int
    text: str
    reason: str
    created_at: datetime
    by: str


def domain_sizes(study: Study) -> tuple[DomainSize, ...]:
    """How many prompts each domain has, by its name."""
    sizes = Prompt.objects.filter(study=study).order_by("domain").values_list("domain").annotate(Count("pk"))
    return tuple(DomainSize(*size) for size in sizes)


def prompts(study: Study, *, domain: str = "", words: str = "") -> QuerySet[Prompt]:
    """Prompts by domain, each with its present wording as `text`; of one domain, or with `words` in any of it."""
    wordings = PromptVersion.objects.filter(prompt=OuterRef("pk")).order_by("-number")
    found = Prompt.objects.filter(study=study).annotate(text=Subquery(wordings.values("text")[:1]))
    if domain:
        found = found.filter(domain=domain)
    if words:
        found = found.filter(Q(text__icontains=words) | Q(title__icontains=words) | Q(code__icontains=words))
    return found.order_by("domain", "position", "id")


def wordings_of(prompt: Prompt) -> list[Wording]:
    """Every wording of a prompt, the present one first."""
    versions = PromptVersion.objects.filter(prompt=prompt).select_related("created_by").order_by("-number")
    return [
        Wording(version.number, version.text, version.reason, version.created_at, version.created_by.name)
        for version in versions
    ]


def latest_versions(study: Study) -> QuerySet[PromptVersion]:
    """The newest version of every prompt, with the prompt."""
    versions = PromptVersion.objects.filter(prompt__study=study).select_related("prompt")
    return versions.order_by("prompt_id", "-number").distinct("prompt_id")


def latest_by_code(study: Study) -> dict[str, PromptVersion]:
    """The newest version of every prompt, by prompt code."""
    return {version.prompt.code: version for version in latest_versions(study)}


def present_texts(study: Study) -> dict[str, str]:
    """The SHA-256 of each prompt's present wording → the prompt's code."""
    return dict(latest_versions(study).values_list("sha256", "prompt__code"))


def topics_of(study: Study) -> frozenset[str]:
    """What a wish can speak of: every code, domain and discipline of a prompt, in small letters."""
    return frozenset[str]().union(*topics_by_prompt(study).values())


def topics_by_prompt(study: Study) -> dict[str, frozenset[str]]:
    """Prompt code → the words by which people's wishes speak of it, in lower case."""
    prompts = Prompt.objects.filter(study=study).values_list("code", "domain", "disciplines")
    return {code: folded([code, domain, *disciplines]) for code, domain, disciplines in prompts}


def folded(words: Iterable[str]) -> frozenset[str]:
    """Words as they are compared: case makes no other one."""
    return frozenset(word.casefold() for word in words)
