"""People in the demonstration's trials: two judge every case, and two code what answers recommend."""

from annotation.judging.models.judging import BlindedSlot, JudgingItem
from annotation.judging.services import guessing, judging, scoring
from annotation.judging.services.guessing import Guessed
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from generation.demo.core.deterministic_rng import chance
from generation.demo.core.synthetic_trials import framework_of, points_of
from generation.trials.core.conditions import SHIPPED_CONDITIONS
from generation.trials.models import CaseAnswer, TrialScenario
from generation.trials.selectors.coding import answers_to_code, coding_page
from generation.trials.services import coding
from scrub_site.demo import cast

JUDGES = ("Amara Nwosu", "Jonas Brandt")
SECOND_CODER = "Ruth Adeyemi"
DO_IT, DO_NOT = "It should be done", "It should not be done"


def take_part(study: Study) -> None:
    """Have people take part: those who judge, and a second coordinator, who codes."""
    cast.member(study, SECOND_CODER, Role.COORDINATOR, pseudonym="C-RUTH")
    for name, pseudonym in zip(JUDGES, ("J-AMAR", "J-JONA"), strict=True):
        cast.member(study, name, Role.JUDGE, pseudonym=pseudonym)


def judge(study: Study) -> None:
    """Every item: points that follow what a text says, and a little of who judges."""
    items = JudgingItem.objects.filter(study=study).select_related("participation__user", "study", "prompt_version")
    for item in items.order_by("participation", "position"):
        user = item.participation.user
        scores = {}
        for slot in BlindedSlot.objects.filter(item=item).select_related("response"):
            found = points_of(item.prompt_version.text, slot.response.text)
            scores[slot.pk] = {
                name: min(max(round(value + 14 * chance(user.name, name, slot.response.text) - 7), 0), 100)
                for name, value in found.items()
            }
        judging.open_item(item=item, by=user)
        scoring.save(item_id=item.pk, given=scoring.Given.of_scores(study.rubric_id, scores), by=user)
        judging.submit_item(item_id=item.pk, by=user)
    for item in items.filter(asks_guess=True):
        slots = BlindedSlot.objects.filter(item=item).select_related("response")
        guessing.guess(
            item_id=item.pk,
            guesses={slot.pk: _guess(item.participation.user.name, slot.response.text) for slot in slots},
            by=item.participation.user,
        )


def _guess(judge: str, text: str) -> Guessed:
    """The framework whose value a text names, not always; where it names none, often that there was none."""
    named = framework_of(text)
    if chance(judge, "unsure", text) < 0.25:
        return Guessed("unknown")
    others = [each.key for each in SHIPPED_CONDITIONS.conditions]
    slips = chance(judge, "guess", text) < 0.3
    drawn = others[int(chance(judge, "another", text) * len(others))]
    return Guessed(drawn if slips else named or SHIPPED_CONDITIONS.baseline.key, 2 if slips else 4)


def code(study: Study) -> None:
    """Have conclusions coded by two, who differ about a few answers."""
    first, second = cast.person(cast.COORDINATOR), cast.person(SECOND_CODER)
    for scenario in TrialScenario.objects.filter(study=study):
        coding.set_categories(scenario=scenario, names=(DO_IT, DO_NOT), by=first)
    for answer in answers_to_code(study):
        coding.code(answer=answer, category=_recommended(answer), by=first)
        slips = chance("slip", answer.text) < 0.06
        coding.code(answer=answer, category=DO_NOT if slips else _recommended(answer), by=second)


def decide(study: Study) -> None:
    """What coders, people or models, differ about."""
    first = cast.person(cast.COORDINATOR)
    for each in coding_page(study, first).differences:
        coding.decide(answer=each.answer, category=_recommended(each.answer), by=first)


def _recommended(answer: CaseAnswer) -> str:
    return DO_IT if answer.parts["recommendation"].startswith("Yes") else DO_NOT
