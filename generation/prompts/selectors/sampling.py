"""What samples of a study's prompts are drawn from."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from annotation.study.models.studies import Study
from generation.prompts.core.quality import Scheme
from generation.prompts.core.sampling import Option, Pool
from generation.prompts.models import Bundle
from generation.prompts.selectors.candidates import passing, tallied
from generation.sources.models import Scenario, Source


@dataclass(frozen=True)
class Eligible:
    """The prompts that pass: sources by slug, the pool of each, and the id of the prompt that an option is."""

    sources: Mapping[str, Source]
    pools: tuple[Pool, ...]
    candidates: Mapping[Option, int]


def eligible(study: Study, *, scheme: Scheme, least_passes: int) -> Eligible:
    """What passes under the rule, of the sources that the study draws on. A text found twice counts once."""
    sources = {source.slug: source for source in Source.objects.filter(uses__study=study).order_by("slug")}
    rows = passing(tallied(study), scheme=scheme, least_passes=least_passes).values_list(
        "bundle__scenario__source__slug",
        "bundle__scenario__stratum",
        "bundle__scenario__key",
        "bundle__target__family",
        "position",
        "sha256",
        "pk",
    )
    options: defaultdict[str, list[Option]] = defaultdict(list)
    candidates: dict[Option, int] = {}
    seen = set()
    for slug, stratum, scenario, generator, position, sha256, pk in sorted(rows):
        if sha256 not in seen:
            seen.add(sha256)
            option = Option(stratum, scenario, generator, f"{position} {sha256}")
            options[slug].append(option)
            candidates[option] = pk
    pools = tuple(
        Pool(slug, _strata(source), _generators(study, source), tuple(options[slug]), _unwritten(study, source))
        for slug, source in sources.items()
    )
    return Eligible(sources, pools, candidates)


def _strata(source: Source) -> frozenset[str]:
    scenarios = Scenario.objects.filter(source=source).order_by()
    return frozenset(scenarios.values_list("stratum", flat=True).distinct())


def _unwritten(study: Study, source: Source) -> frozenset[str]:
    written = Bundle.objects.filter(study=study, scenario__source=source).order_by()
    return _strata(source) - set(written.values_list("scenario__stratum", flat=True).distinct())


def _generators(study: Study, source: Source) -> frozenset[str]:
    """The models that wrote prompts from the source, by family."""
    bundles = Bundle.objects.filter(study=study, scenario__source=source).order_by()
    return frozenset(bundles.values_list("target__family", flat=True).distinct())
