"""Answers as coders see them, without condition and model, and how far coders agree."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from django.db.models import QuerySet

from annotation.platform.core.blinding import seeded_order
from annotation.platform.core.category_agreement import Concordance, cohen
from annotation.platform.core.coding import BY_MODEL, SETTLED, coders_differ, counted_as
from annotation.platform.core.model_names import told_apart
from annotation.platform.models.users import User
from annotation.study.models.studies import Study
from annotation.texts.models.seeds import StudySeed
from generation.trials.models import CaseAnswer, ConclusionCode, ModelConclusion, TrialScenario
from generation.trials.selectors.answers import standing


@dataclass(frozen=True)
class ToCode:
    """An answer at its `place` in a coder's own order, from 1, and what they took it to be; "" for nothing yet."""

    place: int
    answer: CaseAnswer
    category: str


@dataclass(frozen=True)
class CodedScenario:
    """How many answers to a scenario there are, and how many of them were coded by one or more, by two or more."""

    scenario: TrialScenario
    answers: int
    coded_once: int
    coded_twice: int


@dataclass(frozen=True)
class Agreement:
    """Agreement of two coders: people are numbered in the order of their first codes, models have their names."""

    first: str
    second: str
    found: Concordance


@dataclass(frozen=True)
class Difference:
    """An answer that coders take for different things, at its `place` in the order of whoever looks. `settled` is
    what was decided; "" for nothing yet.
    """

    place: int
    answer: CaseAnswer
    categories: tuple[str, ...]
    settled: str


@dataclass(frozen=True)
class CodingPage:
    """`left` are answers that the person has not coded; `counted` have a conclusion that the analysis takes."""

    scenarios: tuple[CodedScenario, ...]
    answers: int
    left: int
    next_place: int | None
    counted: int
    agreements: tuple[Agreement, ...]
    differences: tuple[Difference, ...]
    is_open: bool


def coding_is_open(study: Study) -> bool:
    return study.state in ("writing", "assembling", "judging", "closed")


def answers_to_code(study: Study) -> "QuerySet[CaseAnswer]":
    """Answers that are there and stand; no positive controls."""
    found = standing(study).filter(call__isnull=False, is_control=False)
    return found.select_related("case__scenario", "case__prompt__study", "response")


def own_order(study: Study, coder: User) -> list[ToCode]:
    """Scenario by scenario; within one in an order of the coder's own, which tells neither condition nor model."""
    seed = StudySeed.objects.filter(study=study).values_list("seed", flat=True).first()
    answers = {str(answer.pk): answer for answer in answers_to_code(study)}
    if seed is None or not answers:
        return []
    drawn = seeded_order(bytes(seed), "conclusions", str(coder.pk), items=sorted(answers))
    said = dict(
        ConclusionCode.objects.filter(answer__in=answers.values(), coder=coder, is_settled=False).values_list(
            "answer", "category"
        )
    )
    ordered = sorted((answers[key] for key in drawn), key=lambda answer: answer.case.scenario.position)
    return [ToCode(place, answer, said.get(answer.pk, "")) for place, answer in enumerate(ordered, start=1)]


def coding_page(study: Study, coder: User) -> CodingPage:
    order = own_order(study, coder)
    codes, settled = _codes(study)
    coders = sorted({coder for said in codes.values() for coder in said})
    # A category is one within its scenario, as in the report.
    scenarios_of = {each.answer.pk: each.answer.case.scenario_id for each in order}
    left = [each for each in order if not each.category]
    by_scenario: dict[int, list[int]] = defaultdict(list)
    for each in order:
        by_scenario[each.answer.case.scenario_id].append(len(codes.get(each.answer.pk, {})))
    scenarios = TrialScenario.objects.filter(pk__in=by_scenario)
    return CodingPage(
        scenarios=tuple(
            CodedScenario(
                each,
                len(by_scenario[each.pk]),
                sum(number >= 1 for number in by_scenario[each.pk]),
                sum(number >= 2 for number in by_scenario[each.pk]),
            )
            for each in scenarios
        ),
        answers=len(order),
        left=len(left),
        next_place=left[0].place if left else None,
        counted=_counted(codes, settled),
        agreements=tuple(
            Agreement(
                one,
                other,
                cohen(
                    ((scenarios_of[pk], said[one]), (scenarios_of[pk], said[other]))
                    for pk, said in codes.items()
                    if one in said and other in said
                ),
            )
            for one, other in combinations(coders, 2)
        ),
        differences=tuple(_differences(order, codes, settled)),
        is_open=coding_is_open(study),
    )


def conclusions_there(study: Study) -> tuple[int, int]:
    """How many answers have a conclusion that the analysis takes, and how many answers there are to code."""
    codes, settled = _codes(study)
    return _counted(codes, settled), answers_to_code(study).count()


def conclusion_rows(study: Study) -> Iterator[tuple[int, str, str]]:
    """Answer, coder (a person by number, a model by name, or “settled”) and category, in a fixed order."""
    coders = _numbered(study)
    answers = answers_to_code(study)
    for row in ConclusionCode.objects.filter(answer__in=answers):
        yield row.answer_id, SETTLED if row.is_settled else f"coder {coders[row.coder_id]}", row.category
    by_models = list(
        ModelConclusion.objects.filter(answer__in=answers).select_related("call__target").order_by("answer", "pk")
    )
    names = told_apart(
        {row.call.target_id: (row.call.target.family, row.call.target.model_id) for row in by_models}
    )
    newest = {(row.answer_id, row.call.target_id): row.category for row in by_models}
    yield from ((answer, f"{BY_MODEL}{names[target]}", category) for (answer, target), category in newest.items())


def codes_of(answer: CaseAnswer) -> list[str]:
    """What coders, people and models, take it to recommend, without what was settled."""
    newest = {row.call.target_id: row.category for row in answer.model_codes.select_related("call").order_by("pk")}
    return [*answer.codes.filter(is_settled=False).values_list("category", flat=True), *newest.values()]


def _codes(study: Study) -> tuple[dict[int, dict[str, str]], dict[int, str]]:
    """What each coder said of each answer, and what was settled."""
    codes: dict[int, dict[str, str]] = {}
    settled = {}
    for answer, coder, category in conclusion_rows(study):
        if coder == SETTLED:
            settled[answer] = category
        else:
            codes.setdefault(answer, {})[coder] = category
    return codes, settled


def _counted(codes: dict[int, dict[str, str]], settled: dict[int, str]) -> int:
    """How many answers have a conclusion that the analysis takes."""
    return sum(bool(counted_as(said.values(), settled.get(answer, ""))) for answer, said in codes.items())


def _numbered(study: Study) -> dict[int, int]:
    rows = ConclusionCode.objects.filter(answer__case__prompt__study=study, is_settled=False).order_by("pk")
    return {coder: number for number, coder in enumerate(dict.fromkeys(rows.values_list("coder", flat=True)), 1)}


def _differences(
    order: list[ToCode], codes: dict[int, dict[str, str]], settled: dict[int, str]
) -> Iterator[Difference]:
    """Whoever codes, or may still be needed as a second person who does, is not told what others say of an answer
    before they have coded it themselves.
    """
    has_begun = any(each.category for each in order)
    for each in order:
        said = codes.get(each.answer.pk, {})
        people = sum(not coder.startswith(BY_MODEL) for coder in said)
        if not each.category and (has_begun or people < 2):
            continue
        if coders_differ(said.values()):
            categories = tuple(sorted(set(said.values())))
            yield Difference(each.place, each.answer, categories, settled.get(each.answer.pk, ""))
