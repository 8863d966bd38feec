"""What the purposes of a study's pool of prompts have in common: writing prompts, judging and comparing them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast

from annotation.study.models.studies import Study
from generation.calls.models import Call, GenerationRun
from generation.calls.selectors.calls import PromptLine
from generation.calls.services.purposes import Purpose
from generation.catalogue.models import Target
from generation.catalogue.services import targets as target_services
from generation.catalogue.services import templates as template_services
from generation.prompts.selectors.pool_runs import prompts_of, scope_of
from generation.providers.base import Request
from generation.sources.models import Source


class PoolPurpose(Purpose):
    """What is the same for all of them."""

    role = Target.Role.PROMPTS

    def closed(self, run: GenerationRun) -> str:
        return closed_in(study_of(run))

    def scope(self, run: GenerationRun) -> Sequence[tuple[str, str]]:
        return scope_of(run)

    def prompts(self, call: Call) -> Sequence[PromptLine]:
        return prompts_of(call)


def study_of(run: GenerationRun) -> Study:
    return cast(Study, run.study)  # no file has a pool


def closed_in(study: Study) -> str:
    """Why nothing more is said of the study's prompts; how far answers are does not matter."""
    return "The study is released: its prompts stay as they are." if study.state == "released" else ""


def only(run: GenerationRun) -> Mapping[str, Any]:
    """What the run was narrowed down to."""
    narrowed: Mapping[str, Any] = run.materials.get("only", {})
    return narrowed


def sources(run: GenerationRun) -> list[Source]:
    """The sources the run is about: all that the study draws on, or some of them."""
    drawn_on = Source.objects.filter(uses__study=study_of(run))
    chosen = only(run).get("sources")
    return list(drawn_on if chosen is None else drawn_on.filter(pk__in=chosen))


def materials(
    run: GenerationRun, targets: Sequence[Target], *, templates: Iterable[str], expected: int
) -> dict[str, Any]:
    """What `purposes.Purpose.materials` asks for: high effort, and the study's own wordings of `templates`.

    `expected` is how many tokens a reply will take.
    """
    study = study_of(run)
    return {
        "templates": template_services.materials(study, templates),
        "efforts": {
            str(target.pk): target.effort or target_services.effort_of(target, study.maximum_effort)
            for target in targets
        },
        "output_tokens": {"expected": expected, "most": study.output_token_cap},
    }


def models(run: GenerationRun) -> dict[int, dict[str, object]]:
    """The models that the run asks, by id, each with the part of a call's key that says who is asked, and how."""
    shares = run.shares.select_related("target__study")
    return {share.target_id: identity(run, share.target) for share in shares}


def identity(run: GenerationRun, target: Target) -> dict[str, object]:
    """The part of a call's key that says who is asked, and how.

    A vote is the same under another cap, and not paid for again.
    """
    is_writing = run.purpose == GenerationRun.Purpose.PROMPTS
    cap = {"output_token_cap": run.materials["output_tokens"]["most"]} if is_writing else {}
    return target_services.identity(
        target, purpose=run.purpose, effort=run.materials["efforts"][str(target.pk)], **cap
    )


def requests(
    run: GenerationRun,
    calls: Iterable[Call],
    *,
    prompt: Callable[[Call], str],
    schema: Mapping[str, Any] | None = None,
) -> dict[int, Request]:
    """The requests by the calls' ids. `prompt` makes a request's text, `schema` is that of every reply, if any."""
    calls = list(calls)
    targets = Target.objects.in_bulk({call.target_id for call in calls})
    return {
        call.pk: Request(
            model=targets[call.target_id].model_id,
            prompt=prompt(call),
            effort=run.materials["efforts"][str(call.target_id)],
            max_output_tokens=run.materials["output_tokens"]["most"],
            schema=schema,
            options=targets[call.target_id].options,
        )
        for call in calls
    }
