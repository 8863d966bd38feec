"""Votes of models on prompts, two by two: which are wanted, how they are asked for, how they are kept."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import combinations, groupby
from operator import attrgetter
from typing import Any, NamedTuple, cast

from django.db.models import QuerySet
from django.db.models.functions import Length

from annotation.platform.core.errors import Refused
from generation.calls.core.call_keys import call_key
from generation.calls.core.planned_calls import PlannedCall
from generation.calls.models import Call, GenerationRun
from generation.calls.services.good_replies import GoodReply
from generation.catalogue.models import Target
from generation.prompts.core.diversity import evaluators, orders_shown
from generation.prompts.core.vote_replies import read_comparison
from generation.prompts.core.vote_requests import PAIR_SCHEMA, pair_request
from generation.prompts.models import Candidate, PairVote
from generation.prompts.selectors.candidates import standing_models
from generation.prompts.selectors.pairs import compared
from generation.prompts.services import pool, voting
from generation.providers.base import Request

EXPECTED_TOKENS = 200


class _Prompt(NamedTuple):
    scenario: int
    pk: int
    writer: int
    sha256: str
    length: int


class PairVotes(pool.PoolPurpose):
    """The purpose “pairs”. A model has one vote on two prompts, the one asked for last."""

    nothing = "No scenario has two prompts yet that these models are to compare."

    def materials(self, run: GenerationRun, targets: Sequence[Target]) -> dict[str, Any]:
        if standing_models(pool.study_of(run)).count() < 2:
            raise Refused("No model compares prompts of its own: name another one that writes prompts.")
        if not _candidates(run).exists():
            raise Refused(
                "There are no prompts to compare yet: have models write some first, and judge them where only "
                "those that pass are to be compared."
            )
        return pool.materials(run, targets, templates=["pair_vote"], expected=EXPECTED_TOKENS)

    def wanted(self, run: GenerationRun) -> Iterator[PlannedCall]:
        """A scenario after the other, every two of its prompts, by the models that are to compare these."""
        template, judges = voting.template_of(run), pool.models(run)
        study = pool.study_of(run)
        mixed = pool.only(run).get("mixed", study.mixed_pair_evaluators)
        order = pool.only(run).get("order", study.pair_order)
        names = dict(run.shares.values_list("target", "target__family"))
        frame = len(pair_request(template, "", ""))
        for first, second in _pairs(run):
            pair = (first.sha256, second.sha256)
            for target in evaluators(judges, (first.writer, second.writer), mixed=mixed):
                for is_swapped in orders_shown(order, seed=study.sampling_seed, model=names[target], pair=pair):
                    one, other = (second, first) if is_swapped else (first, second)
                    inputs = {"candidates": [one.pk, other.pk], "texts": [one.sha256, other.sha256]}
                    yield PlannedCall(
                        key=call_key(target=judges[target], template=template.version, inputs=inputs, replicate=1),
                        target_id=target,
                        characters=frame + first.length + second.length,
                        candidate_id=one.pk,
                        beside_id=other.pk,
                    )

    def requests(self, run: GenerationRun, calls: Sequence[Call]) -> dict[int, Request]:
        """Nothing for a vote that was asked for again meanwhile, and came."""
        template, texts = voting.template_of(run), voting.texts_of(calls)
        return pool.requests(
            run,
            voting.still_wanted(calls, _votes(calls)),
            prompt=lambda call: pair_request(template, *(texts[prompt] for prompt in _about(call))),
            schema=PAIR_SCHEMA,
        )

    def accept(self, good: Sequence[GoodReply], *, run: GenerationRun) -> Mapping[int, str]:
        said, instead = voting.read_votes(run, good, read_comparison, votes=_votes(each.call for each in good))
        PairVote.objects.bulk_create(
            (
                PairVote(
                    first_id=min(shown),
                    second_id=max(shown),
                    is_swapped=shown[0] > shown[1],
                    target_id=call.target_id,
                    call=call,
                    **asdict(comparison),
                )
                for call, comparison in said
                for shown in [_about(call)]
            ),
            update_conflicts=True,
            unique_fields=["first", "second", "target", "is_swapped"],
            update_fields=["call", "is_equivalent", "reason", "voted_at"],
        )
        voting.let_newest_stand(_votes(each.call for each in good), same=["first", "second"])
        return instead

    def about_known(self, run: GenerationRun) -> str:
        return voting.about_another_wording(run, PairVote.objects.filter(first__bundle__study=run.study))


PAIRS = PairVotes()


def _about(call: Call) -> tuple[int, int]:
    """What a call is about, in the order in which the prompts are shown."""
    return cast(int, call.candidate_id), cast(int, call.beside_id)


def _votes(calls: Iterable[Call]) -> QuerySet[PairVote]:
    """Votes on any two of the prompts that the calls are about."""
    firsts, seconds = zip(*(sorted(_about(call)) for call in calls), strict=True)
    return PairVote.objects.filter(first__in=set(firsts), second__in=set(seconds))


def _candidates(run: GenerationRun) -> QuerySet[Candidate]:
    study, only = pool.study_of(run), pool.only(run)
    usual = "after" if study.diversity_after_filter else "before"
    stage, scheme = only.get("stage", usual), only.get("scheme", study.quality_voting)
    return compared(study, stage=stage, scheme=scheme).filter(bundle__scenario__source__in=pool.sources(run))


def _pairs(run: GenerationRun) -> Iterator[tuple[_Prompt, _Prompt]]:
    """The prompts of one scenario are in memory at a time, whatever the database hands over at once."""
    rows = (
        _candidates(run)
        .order_by("bundle__scenario_id", "pk")
        .values_list("bundle__scenario_id", "pk", "bundle__target_id", "sha256", Length("text"))
        .iterator(chunk_size=voting.AT_A_TIME)
    )
    for _, prompts in groupby(map(_Prompt._make, rows), key=attrgetter("scenario")):
        yield from combinations(prompts, 2)
