"""Votes of models on the quality of prompts: which are wanted, how they are asked for, how they are kept."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any, cast

from django.db.models import QuerySet
from django.db.models.functions import Length

from annotation.platform.core.errors import Refused
from generation.calls.core.call_keys import call_key
from generation.calls.core.planned_calls import PlannedCall
from generation.calls.models import Call, GenerationRun
from generation.calls.services.good_replies import GoodReply
from generation.catalogue.core.prompt_templates import EXAMPLES
from generation.catalogue.core.worked_examples import WorkedExample, fitted, read_examples, version_of
from generation.catalogue.models import Target
from generation.catalogue.services import templates
from generation.prompts.core.quality import Assessment
from generation.prompts.core.vote_replies import read_quality
from generation.prompts.core.vote_requests import QUALITY_SCHEMA, quality_request
from generation.prompts.models import Candidate, QualityVote
from generation.prompts.services import pool, voting
from generation.providers.base import Request

EXPECTED_TOKENS = 300
_SAID = ("passes", *(field.name for field in fields(Assessment)))


class QualityVotes(pool.PoolPurpose):
    """The purpose “quality”. A model has one vote on a prompt, the one asked for last."""

    nothing = "There is no prompt yet that these models are to judge."

    def materials(self, run: GenerationRun, targets: Sequence[Target]) -> dict[str, Any]:
        candidates = _candidates(run)
        if not candidates.exists():
            raise Refused("There are no prompts to judge yet: have models write some first.")
        if _among_others(run) and len(targets) == 1 and not candidates.exclude(bundle__target=targets[0]).exists():
            raise Refused("No model judges prompts of its own here: name another one that judges prompts.")
        toml = templates.current(pool.study_of(run), "quality_examples").text
        version = version_of(_examples(toml))
        return {
            **pool.materials(run, targets, templates=["quality_vote"], expected=EXPECTED_TOKENS),
            "examples": toml,
            "unusual": [f"examples:{version}"] if version else [],
        }

    def wanted(self, run: GenerationRun) -> Iterator[PlannedCall]:
        """The calls wanted; under the scheme “others” nobody is asked about prompts of their own."""
        template, judges = voting.template_of(run), pool.models(run)
        among_others = _among_others(run)
        examples = _examples(run.materials.get("examples", ""))
        version = version_of(examples)
        told = {"examples": version} if version else {}
        frame = len(quality_request(template, "", examples=examples))
        rows = _candidates(run).order_by("pk").values_list("pk", "sha256", Length("text"), "bundle__target_id")
        for candidate, sha256, length, writer in rows.iterator(chunk_size=voting.AT_A_TIME):
            inputs = {"candidate": candidate, "text": sha256, **told}
            for target, identity in judges.items():
                if among_others and target == writer:
                    continue
                yield PlannedCall(
                    key=call_key(target=identity, template=template.version, inputs=inputs, replicate=1),
                    target_id=target,
                    characters=frame + length,
                    candidate_id=candidate,
                )

    def requests(self, run: GenerationRun, calls: Sequence[Call]) -> dict[int, Request]:
        """Nothing for a vote that was asked for again meanwhile, and came."""
        template, texts = voting.template_of(run), voting.texts_of(calls)
        examples = _examples(run.materials.get("examples", ""))
        return pool.requests(
            run,
            voting.still_wanted(calls, _votes(calls)),
            prompt=lambda call: quality_request(template, texts[_about(call)], examples=examples),
            schema=QUALITY_SCHEMA,
        )

    def accept(self, good: Sequence[GoodReply], *, run: GenerationRun) -> Mapping[int, str]:
        said, instead = voting.read_votes(run, good, read_quality, votes=_votes(each.call for each in good))
        QualityVote.objects.bulk_create(
            (
                QualityVote(
                    candidate_id=_about(call),
                    target_id=call.target_id,
                    call=call,
                    passes=assessment.passes,
                    **asdict(assessment),
                )
                for call, assessment in said
            ),
            update_conflicts=True,
            unique_fields=["candidate", "target"],
            update_fields=["call", *_SAID, "voted_at"],
        )
        voting.let_newest_stand(_votes(each.call for each in good), same=["candidate"])
        return instead

    def about_known(self, run: GenerationRun) -> str:
        return voting.about_another_wording(run, QualityVote.objects.filter(candidate__bundle__study=run.study))


QUALITY = QualityVotes()


def _examples(toml: str) -> tuple[WorkedExample, ...]:
    """The examples of a file. Raises `Refused` for a reply that no vote could be."""
    return fitted(read_examples(toml, names=EXAMPLES["quality_examples"]), QUALITY_SCHEMA, read_quality)


def _among_others(run: GenerationRun) -> bool:
    scheme: str = pool.only(run).get("scheme", pool.study_of(run).quality_voting)
    return scheme == "others"


def _about(call: Call) -> int:
    return cast(int, call.candidate_id)


def _votes(calls: Iterable[Call]) -> QuerySet[QualityVote]:
    """Votes on the prompts that the calls are about."""
    return QualityVote.objects.filter(candidate__in={_about(call) for call in calls})


def _candidates(run: GenerationRun) -> QuerySet[Candidate]:
    return Candidate.objects.filter(
        bundle__study=pool.study_of(run), bundle__scenario__source__in=pool.sources(run)
    )
