"""What answers recommend is coded by people who see neither condition nor model."""

import pytest
from django.urls import reverse

from analysis.data.core.study_trials import trials_in
from analysis.trials.core.conclusions import coders_kappa
from analysis.unblinded.selectors.study_tables import study_tables
from annotation.platform.core.coding import NO_CATEGORY, counted_as
from annotation.platform.core.errors import Refused
from annotation.study.models.participation import Role
from generation.trials.core.coding import known_category
from generation.trials.models import ConclusionCode, TrialScenario
from generation.trials.selectors.coding import coding_page, own_order
from generation.trials.services import coding
from tests.clients import signed_in
from tests.factories import a_member, a_person, closed, coordinator_of, unblinded
from tests.generation.trials.trials import MODELS, judged_study

pytestmark = pytest.mark.django_db


def test_what_coders_agree_on_or_somebody_settled_counts() -> None:
    assert counted_as(["go", "go"]) == counted_as(["go"]) == "go"
    assert counted_as(["go", "stay"]) == counted_as([]) == ""
    assert counted_as(["go", "stay"], "stay") == "stay"
    assert counted_as(["go", "go"], "stay") == "go", "coders who came to agree leave nothing to settle"
    assert counted_as([NO_CATEGORY, NO_CATEGORY]) == counted_as([NO_CATEGORY, "go"]) == "", "it is no conclusion"
    assert known_category("  run  IT ", ["Run it"]) == "Run it"


def test_two_code_blind_find_categories_settle_what_differs_and_the_analysis_takes_that() -> None:
    study = judged_study()
    first, second = coordinator_of(study), a_person("Cem Coder")
    a_member(study, Role.COORDINATOR, second)
    order = own_order(study, first)
    assert len(order) == 12  # without positive controls
    # Each coder has an order of their own, in which places tell no condition.
    assert [each.answer.pk for each in order] != [each.answer.pk for each in own_order(study, second)]
    scenario = TrialScenario.objects.filter(pk=order[0].answer.case.scenario_id).get()
    coding.set_categories(scenario=scenario, names=["Go ahead", "go  ahead", "Wait"], by=first)
    client = signed_in(first)
    page = client.get(reverse("code_conclusion", args=[study.slug, 1])).content.decode()
    shown = order[0].answer
    [told, *rest] = page.split("What it recommends")[1].split("The whole answer")
    assert shown.parts["recommendation"] in told  # before all that may argue for it
    assert rest
    assert shown.condition not in page
    assert not any(model in page for model in MODELS)
    posted = client.post(reverse("code_conclusion", args=[study.slug, 1]), {"another": "ask the  CREW"})
    assert posted["Location"] == reverse("code_conclusion", args=[study.slug, 2])
    assert client.post(reverse("code_conclusion", args=[study.slug, 2]), {}).status_code == 400
    scenario.refresh_from_db()
    assert scenario.categories == ["Go ahead", "Wait", "ask the CREW"]
    for number, each in enumerate(order):
        coding.code(answer=each.answer, category="Wait" if number % 2 else "Go ahead", by=first)
        coding.code(answer=each.answer, category="Wait" if number % 2 or number == 4 else "go ahead", by=second)
    with pytest.raises(Refused, match="has to stay"):
        coding.set_categories(scenario=scenario, names=["Wait"], by=first)
    with pytest.raises(Refused, match="do not differ"):
        coding.decide(answer=order[0].answer, category="Wait", by=first)
    found = coding_page(study, first)
    assert (found.left, found.counted, len(found.differences)) == (0, 11, 1)
    [agreement] = found.agreements
    assert agreement.found.n == 12
    assert agreement.found.kappa == pytest.approx(1 - (1 / 12) / (1 / 2))  # p_o 11/12, p_e (6·5 + 6·7)/144 = 1/2
    assert "0.83" in client.get(reverse("trial_conclusions", args=[study.slug])).content.decode()
    client.post(reverse("settle_conclusion", args=[study.slug, order[4].place]), {"category": "Go ahead"})
    assert coding_page(study, first).counted == 12
    address, keeps = reverse("trial_conclusions", args=[study.slug]), "Keep the categories of"
    assert keeps in client.get(address).content.decode()
    study = unblinded(closed(study))
    assert keeps not in client.get(address).content.decode()  # it would be refused
    with pytest.raises(Refused, match="until the study is unblinded"):
        coding.code(answer=order[0].answer, category="Wait", by=first)
    tables = study_tables(study)
    assert len(tables.trial_conclusions) == 25
    assert ConclusionCode.objects.count() == 25
    answers = tables.trial_answers.rename(columns={"answer_id": "answer"})
    codes: dict[str, dict[str, str]] = {}
    for answer, coder, code in tables.trial_conclusions.itertuples(index=False):
        if coder != "settled":
            codes.setdefault(answer, {})[coder] = code
    assert coders_kappa(answers, codes).value == pytest.approx(5 / 6)
    assert trials_in(tables) is None  # nobody scored anything
