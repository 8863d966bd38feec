"""Concepts that models propose: the documents they read, and what somebody has to decide about."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, QuerySet

from generation.calls.models import Call, GenerationRun
from generation.sources.core.concepts import check_quote
from generation.sources.models import Document, ProposedConcept, Scenario, Source


@dataclass(frozen=True)
class ProposalLine:
    """A proposed concept in a list. `model` is the family that proposes it; `namesake` says that the source has a
    concept of this name. What was decided is empty while nothing was.
    """

    pk: int
    theme: str
    name: str
    interpretation: str
    document: str
    model: str
    run: int
    quotes: int
    missing: int
    namesake: bool
    verdict: str
    taken_as: str
    reason: str
    decided_at: datetime | None
    decided_by: str


@dataclass(frozen=True)
class Silence:
    """A model, by its family, that read a document in a run and proposed nothing."""

    model: str
    document: str
    run: int


@dataclass(frozen=True)
class ProposalCounts:
    """Proposals of a source: all of them, and those that nobody has decided about. Quotations of all, and those of
    them that are not in their document word for word.
    """

    proposals: int
    open: int
    quotes: int
    missing: int


def documents_to_read(run: GenerationRun) -> QuerySet[Document]:
    """Documents of the study's sources of concepts, or of those that the run is narrowed down to."""
    sources = Source.objects.filter(uses__study=run.study, kind=Source.Kind.CONCEPTS)
    chosen = run.materials.get("only", {}).get("sources")
    if chosen is not None:
        sources = sources.filter(pk__in=chosen)
    return Document.objects.filter(source__in=sources).order_by("pk")


def proposals_of(source: Source) -> list[ProposalLine]:
    """Proposals, those nobody has decided about first, each by document and as they came."""
    keys = set(Scenario.objects.filter(source=source).values_list("stratum", flat=True))
    names = {key.casefold() for key in keys}
    found = (
        ProposedConcept.objects.filter(document__source=source)
        .select_related("document", "call__target", "call__run", "decided_by")
        .order_by("document", "call", "position")
    )
    lines = [_line(proposal, names) for proposal in found]
    return sorted(lines, key=lambda line: line.verdict != "")


def has_proposals(source: Source) -> bool:
    return ProposedConcept.objects.filter(document__source=source).exists()


def found_nothing(source: Source) -> list[Silence]:
    """Who found no concept at all, and in which documents."""
    asked = Call.objects.filter(subject__document__source=source, state="accepted")
    silent = asked.exclude(Exists(ProposedConcept.objects.filter(call=OuterRef("pk"))))
    return [
        Silence(call.target.family, call.subject.document.title, call.run.known_as)
        for call in silent.select_related("target", "run", "subject__document").order_by("pk")
        if call.subject
    ]


def open_proposals(source: Source) -> int:
    return ProposedConcept.objects.filter(document__source=source, verdict="").count()


def counted_proposals(lines: Sequence[ProposalLine]) -> ProposalCounts:
    return ProposalCounts(
        proposals=len(lines),
        open=sum(not line.verdict for line in lines),
        quotes=sum(line.quotes for line in lines),
        missing=sum(line.missing for line in lines),
    )


def _line(proposal: ProposedConcept, names: set[str]) -> ProposalLine:
    text = proposal.document.text
    checks = [check_quote(quote["text"], text, seeks_nearest=False) for quote in proposal.quotes]
    return ProposalLine(
        pk=proposal.pk,
        theme=proposal.theme,
        name=proposal.name,
        interpretation=proposal.interpretation,
        document=proposal.document.title,
        model=proposal.call.target.family,
        run=proposal.call.run.known_as,
        quotes=len(checks),
        missing=sum(not check.is_found for check in checks),
        namesake=proposal.name.casefold() in names and not proposal.verdict,
        verdict=proposal.verdict,
        taken_as=proposal.taken_as,
        reason=proposal.reason,
        decided_at=proposal.decided_at,
        decided_by=proposal.decided_by.name if proposal.decided_by else "",
    )
