"""Scoring the answers of a file, without a study: each is asked about once, and read out as often as wanted."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from annotation.platform.core.errors import Refused
from generation.calls.models import GenerationRun
from generation.calls.services import planning
from generation.catalogue.models import Target
from generation.catalogue.services.targets import add_target
from generation.panel.core.panel import Mode
from generation.panel.core.rubric_texts import told_parts
from generation.panel.core.score_files import GivenAnswer
from generation.panel.core.ways_to_score import WayToScore, check_way
from generation.panel.models import GivenText, PanelScore
from generation.panel.selectors.panel_subjects import subjects
from generation.panel.services.panel import usual_way, wanted_about
from generation.providers.catalogue import catalogue

AT_ONCE = 200  # answers whose scores are in memory


@dataclass(frozen=True)
class Scored:
    """What one judge said of an answer from one perspective: `scores` by dimension, None where any is missing;
    `reasons` by dimension, where they were asked for.

    `judge_model` is PROVIDER/MODEL where two of the judges have one model's name, and MODEL otherwise.
    """

    answer: GivenAnswer
    judge_model: str
    perspective: str
    scores: dict[str, int] | None
    abstained: bool
    reasons: dict[str, str]


def judge_named(name: str, *, price: Mapping[str, str] | None = None) -> Target:
    """The model of the catalogue called `name` (MODEL or PROVIDER/MODEL) as a judge.

    `price` is what a million tokens cost, “input” and “output”, in US dollars; without it, what the site's table
    says. Raises `Refused` for no such model, for several, and where nobody says what it costs.
    """
    known = [
        model for model in catalogue().models if name in (model.model_id, f"{model.provider}/{model.model_id}")
    ]
    if not known:
        offered = ", ".join(sorted(model.model_id for model in catalogue().models))
        raise Refused(f"No model is called “{name}”. There are: {offered}.")
    if len(known) > 1:
        names = " or ".join(f"{model.provider}/{model.model_id}" for model in known)
        raise Refused(f"Several providers have “{name}”: say {names}.")
    (model,) = known
    judges = Target.objects.filter(study=None, role=Target.Role.PANEL, retired_at=None)
    judge = judges.filter(provider=model.provider, model_id=model.model_id, options=dict(model.options)).first()
    if judge and price and judge.price != price:
        judge.price = dict(price)
        judge.save(update_fields=["price"])
    return judge or add_target(
        study=None,
        role=Target.Role.PANEL,
        family=model.family,
        provider=model.provider,
        model_id=model.model_id,
        options=model.options,
        price=price,
        by=None,
    )


@transaction.atomic
def plan_scores(
    *,
    answers: Sequence[GivenAnswer],
    judges: Sequence[Target],
    way: WayToScore | None = None,
    mode: Mode = "per_dimension",
) -> GenerationRun:
    """A run that lists what of the scores wanted was never asked for; withdrawn where nothing is left.

    A judge named twice is one. The run knows everything that is wanted, so that `scored` can read it out. Raises
    `Refused` where the price of a model is not known, or the way to score is invalid (see `check_way`).
    """
    way = way or usual_way()
    check_way(way, mode)
    run = planning.plan_run(
        study=None,
        by=None,
        purpose=GenerationRun.Purpose.PANEL,
        mode=mode,
        presentation=GenerationRun.Presentation.ALONE,
        targets=list(dict.fromkeys(judges)),
        only={"given": _kept(answers), "way": asdict(way)},
    )
    planning.fill_plan(run.pk)
    run.refresh_from_db()
    return run


def _kept(answers: Sequence[GivenAnswer]) -> list[int]:
    texts = {
        answer.sha256: GivenText(
            sha256=answer.sha256, prompt_text=answer.prompt_text, response_text=answer.response_text
        )
        for answer in answers
    }
    GivenText.objects.bulk_create(texts.values(), ignore_conflicts=True, batch_size=1000)
    return list(GivenText.objects.filter(sha256__in=texts).order_by("pk").values_list("pk", flat=True))


def runs_with(run: GenerationRun, *, states: Sequence[str]) -> QuerySet[GenerationRun]:
    """The runs, `run` or earlier ones, with calls in these states about its texts, by its judges, that score in the
    same way; oldest first.
    """
    judges = run.shares.values("target")
    said = run.materials
    found = GenerationRun.objects.filter(
        study=None,
        mode=run.mode,
        template_version=run.template_version,
        calls__state__in=states,
        calls__given__in=said["only"]["given"],
        calls__target__in=judges,
    )
    same = [each.pk for each in found.distinct() if _asked_like(each.materials) == _asked_like(said)]
    return GenerationRun.objects.filter(pk__in=same).order_by("pk")


def _asked_like(materials: Mapping[str, Any]) -> tuple[Any, ...]:
    """A run from before there were ways to score asked in the usual one."""
    parts, reasons = told_parts(materials), materials.get("reasons", False)
    examples = materials.get("examples", "")
    return materials["rubric"], materials.get("approach", ""), parts, materials["perspectives"], reasons, examples


def scored(run: GenerationRun, answers: Sequence[GivenAnswer]) -> Iterator[Scored]:
    """Everything wanted of the answers, in their order: a line for each judge and perspective."""
    names = _names_of_judges(run)
    for start in range(0, len(answers), AT_ONCE):
        some = answers[start : start + AT_ONCE]
        texts = GivenText.objects.filter(sha256__in={answer.sha256 for answer in some})
        ids = dict(texts.values_list("sha256", "pk"))
        wanted: dict[int | None, dict[tuple[int, str], list[str]]] = defaultdict(lambda: defaultdict(list))
        for each in wanted_about(run, subjects(run, ids.values())):
            wanted[each.given_id][each.target_id, each.perspective].append(each.key)
        keys = [key for seats in wanted.values() for group in seats.values() for key in group]
        said = PanelScore.objects.filter(call__key__in=keys)
        rows = said.values_list("call__key", "scores", "abstained", "reasons")
        given = {key: reply for key, *reply in rows}
        for answer in some:
            for (target, perspective), group in wanted[ids[answer.sha256]].items():
                replies = [given[key] for key in group if key in given]
                scores = {name: score for values, _, _ in replies for name, score in values.items()}
                reasons = {name: reason for _, _, words in replies for name, reason in words.items()}
                is_whole = len(replies) == len(group)
                abstained = any(abstained for _, abstained, _ in replies)
                yield Scored(answer, names[target], perspective, scores if is_whole else None, abstained, reasons)


def _names_of_judges(run: GenerationRun) -> dict[int, str]:
    judges = run.shares.values_list("target", "target__provider", "target__model_id")
    named = Counter(model for _, _, model in judges)
    return {pk: model if named[model] == 1 else f"{provider}/{model}" for pk, provider, model in judges}
