"""How far scenarios are covered by prompts that pass, and where too many prompts are about technology."""

from collections import Counter, defaultdict
from dataclasses import dataclass

from annotation.study.models.studies import Study
from generation.prompts.core.technology import MAX_ABOUT_TECHNOLOGY, is_about_technology
from generation.prompts.models import Candidate
from generation.prompts.selectors.candidates import passing_in
from generation.prompts.selectors.origins import generators, sources


@dataclass(frozen=True)
class Coverage:
    """The `written` scenarios that a generator wrote prompts from, and those of which all, some or none pass.

    What passes is decided by the study's own rule.
    """

    source: str
    generator: str
    written: int
    all_pass: int
    none_passes: int

    @property
    def some_pass(self) -> int:
        return self.written - self.all_pass - self.none_passes


@dataclass(frozen=True)
class TooTechnical:
    """A concept of which a generator has `number` prompts about technology, more than were asked for."""

    source: str
    concept: str
    generator: str
    number: int
    first: int


def coverage_of(study: Study) -> list[Coverage]:
    families, names = generators(study), dict(sources(study).values_list("pk", "name"))
    passing = set(passing_in(study).order_by().values_list("pk", flat=True))
    bundles: defaultdict[tuple[int, int, int], list[bool]] = defaultdict(list)
    candidates = Candidate.objects.filter(bundle__study=study).order_by()
    for pk, source, generator, bundle in candidates.values_list(
        "pk", "bundle__scenario__source", "bundle__target", "bundle"
    ):
        bundles[source, generator, bundle].append(pk in passing)
    written: Counter[tuple[int, int]] = Counter()
    all_pass: Counter[tuple[int, int]] = Counter()
    none_passes: Counter[tuple[int, int]] = Counter()
    for (source, generator, _), passes in bundles.items():
        written[source, generator] += 1
        all_pass[source, generator] += all(passes)
        none_passes[source, generator] += not any(passes)
    return [
        Coverage(name, family, written[place], all_pass[place], none_passes[place])
        for source, name in names.items()
        for generator, family in families.items()
        if (place := (source, generator)) in written
    ]


def too_technical(study: Study) -> list[TooTechnical]:
    """Bundles of concepts alone: nowhere else are models told how many prompts may be about technology."""
    families = generators(study)
    candidates = Candidate.objects.filter(bundle__study=study, bundle__scenario__source__shape="concept")
    found: defaultdict[int, list[Candidate]] = defaultdict(list)
    for candidate in candidates.select_related("bundle__scenario__source").order_by("bundle", "position"):
        if is_about_technology(candidate.text):
            found[candidate.bundle_id].append(candidate)
    return [
        TooTechnical(
            source=first.bundle.scenario.source.name,
            concept=first.bundle.scenario.stratum,
            generator=families[first.bundle.target_id],
            number=len(about),
            first=first.pk,
        )
        for about in found.values()
        if len(about) > MAX_ABOUT_TECHNOLOGY
        for first in about[:1]
    ]
