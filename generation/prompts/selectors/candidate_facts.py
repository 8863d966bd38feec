"""What prompts are found and counted by: a few facts of each, read at once for all of a study's."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from django.db.models import Q

from annotation.study.models.studies import Study
from generation.prompts.core.quality import Scheme
from generation.prompts.models import Bundle
from generation.prompts.selectors.candidates import judged, standing_models, tallied

PASSES: Final[Mapping[str, str]] = {"open": "Not fully judged"}
VERDICTS: Final[Mapping[str, str]] = {"passes": "Passes", "fails": "Fails", "open": "Votes are missing"}
REVIEWS: Final[Mapping[str, str]] = {
    "none": "Not by a person",
    "passes": "Passed by people",
    "fails": "Failed by a person",
}


class Facts(NamedTuple):
    """`source` is a slug and `generator` the id of a target. `in_favour` of the `votes` by models are for it;
    `passes` is that number, or a key of `PASSES` while votes are missing. `verdict` and `review` are keys of
    `VERDICTS` and `REVIEWS`.
    """

    id: int
    source: str
    stratum: str
    generator: int
    in_favour: int
    votes: int
    passes: str
    verdict: str
    review: str


def facts_of(study: Study, *, scheme: Scheme, where: Q | None = None) -> list[Facts]:
    """Facts of the study's prompts, or of those for which `where` holds: by source, stratum, scenario, generator
    and place.

    Bundles are read apart: putting them in order is much less work than putting every prompt in order.
    """
    judges = frozenset(standing_models(study).values_list("pk", flat=True))
    found = judged(tallied(study).filter(where or Q()), scheme=scheme, least_passes=study.quality_passes_needed)
    rows = found.order_by("position").values(
        "pk",
        "bundle_id",
        "pass_count",
        "vote_count",
        "names_voted",
        "other_names_voted",
        "review_count",
        "is_failed_by_people",
        "is_passing",
    )
    in_bundle: dict[int, list[dict[str, Any]]] = {}
    for row in rows:
        in_bundle.setdefault(row["bundle_id"], []).append(row)
    return [
        Facts(
            id=row["pk"],
            source=source,
            stratum=stratum,
            generator=generator,
            in_favour=row["pass_count"],
            votes=row["vote_count"],
            passes=str(row["pass_count"]) if is_judged else "open",
            verdict=_verdict(row, is_judged=is_judged),
            review="fails" if row["is_failed_by_people"] else "passes" if row["review_count"] else "none",
        )
        for bundle, source, stratum, generator in _bundles(study)
        for row in in_bundle.get(bundle, ())
        for is_judged in [_is_judged(row, scheme, len(judges), len(judges - {generator}))]
    ]


def _bundles(study: Study) -> list[tuple[int, str, str, int]]:
    """Id, the source's slug, stratum and generator of every bundle, in order: scenarios as in their source."""
    bundles = Bundle.objects.filter(study=study).order_by(
        "scenario__source__code", "scenario__stratum", "scenario_id", "target__family", "pk"
    )
    return list(bundles.values_list("pk", "scenario__source__slug", "scenario__stratum", "target_id"))


def _is_judged(row: Mapping[str, Any], scheme: Scheme, judges: int, others: int) -> bool:
    """Whether every model in use has voted, or one whose place it took, that counts under the scheme."""
    votes, wanted = (row["names_voted"], judges) if scheme == "all" else (row["other_names_voted"], others)
    return bool(votes >= wanted)


def _verdict(row: Mapping[str, Any], *, is_judged: bool) -> str:
    """The verdict is open until a person fails the prompt, or it is judged."""
    if row["is_passing"]:
        return "passes"
    return "fails" if row["is_failed_by_people"] or is_judged else "open"
