"""How good and how different a study's prompts are, as counted for its coordinator, and people's comparisons."""

import re
from itertools import combinations
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from generation.calls.models import Attempt, Call
from generation.prompts.models import Candidate, PairVote, QualityVote
from generation.prompts.selectors.quality import quality_of
from generation.sources.models import Scenario
from tests.clients import signed_in
from tests.factories import a_member, a_study, coordinator_of
from tests.generation.prompts.candidates import a_pool, compared, reviewed, voted
from tests.pages import in_words

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return a_study()


@pytest.fixture
def client(study: Study) -> Client:
    return signed_in(coordinator_of(study))


def page(client: Client, study: Study, name: str, **query: Any) -> str:
    return client.get(reverse(name, args=[study.slug]), query).content.decode()


def words_of(client: Client, study: Study, name: str, **query: Any) -> str:
    return in_words(client.get(reverse(name, args=[study.slug]), query))


def by(family: str, prompts: list[Candidate]) -> list[Candidate]:
    return [prompt for prompt in prompts if prompt.bundle.target.family == family]


# -- quality -------------------------------------------------------------------------------------------------


def test_without_prompts_or_votes_the_page_says_what_comes_next(client: Client, study: Study) -> None:
    assert "No prompt has been written yet" in page(client, study, "pool_quality")
    a_pool(study)
    before = page(client, study, "pool_quality")
    assert "No model has judged a prompt yet" in before
    assert f"{reverse('study_runs', args=[study.slug])}?plan=quality" in before


def test_prompts_are_counted_by_how_many_models_pass_them(study: Study) -> None:
    prompts = a_pool(study)
    voted(by("claude", prompts), fails=("gemini",))
    voted(by("gemini", prompts), fails=("claude", "gpt"))
    quality = quality_of(study)
    # Ten each. Claude's: two passes, one of them its own; gpt's are not judged.
    assert [(row.generator, row.by_passes, row.open, dict(row.passing)) for row in quality.counts] == [
        ("claude", (0, 0, 10, 0), 0, {"all": 10, "others": 0}),
        ("gemini", (0, 10, 0, 0), 0, {"all": 0, "others": 0}),
        ("gpt", (0, 0, 0, 0), 10, {"all": 0, "others": 0}),
    ]
    assert quality.together.by_passes == (0, 10, 10, 0)
    assert (quality.together.open, quality.together.total) == (10, 30)
    assert quality.together.passing == {"all": 10, "others": 0}


def test_the_page_says_how_many_votes_are_in_and_how_many_passes_are_enough(client: Client, study: Study) -> None:
    Study.objects.filter(pk=study.pk).update(quality_passes_needed=3)
    voted(a_pool(study)[:10])
    words = words_of(client, study, "pool_quality")
    assert "30 of 90 votes are in." in words
    assert "In this study 3 or more are enough." in words
    assert "Not fully judged" in words


def test_a_prompt_is_fully_judged_once_those_voted_whom_the_study_s_scheme_asks(study: Study) -> None:
    Study.objects.filter(pk=study.pk).update(quality_voting="others")
    study.refresh_from_db()
    prompts = a_pool(study, scenarios=1)
    voted(prompts[:1])
    QualityVote.objects.filter(candidate=prompts[0], target__family="claude").delete()
    assert (quality_of(study).together.by_passes, quality_of(study).together.open) == ((0, 0, 1, 0), 14)


def test_agreement_is_told_between_models_and_with_people(client: Client, study: Study) -> None:
    prompts = a_pool(study)
    voted(prompts[:20])
    voted(prompts[20:], fails=("gpt",))
    reviewed(prompts[0], passes=True)
    reviewed(prompts[1], passes=False)
    words = words_of(client, study, "pool_quality")
    # claude and gemini pass all thirty: equal throughout, and κ says nothing. gpt agrees with them on 20 of 30.
    assert "claude and gemini 30 100.0 % undefined: one verdict throughout" in words
    assert "claude and gpt 30 66.7 % 0.00" in words
    # Models pass both prompts that people looked at, people one of them.
    assert len(re.findall(r"People and models [^0-9]*2 50\.0 % 0\.00", words)) == 2


def test_reasons_are_counted_by_who_wrote_the_prompt(study: Study) -> None:
    prompts = a_pool(study)
    voted(by("claude", prompts), fails=("gemini",))
    voted(by("gpt", prompts))
    rows = {row.reason: row.shares for row in quality_of(study).reasons}
    # One of three votes on each of claude's ten prompts fails them, for want of depth and an embedded answer.
    for reason in ("Too little depth", "Answer embedded in the question"):
        found = [(share.generator, share.number, share.votes, share.of_greatest) for share in rows[reason]]
        assert found == [("claude", 10, 30, 1), ("gpt", 0, 30, 0)]
    assert all(share.number == 0 for share in rows["Judgmental framing"])


def test_what_did_not_become_prompts_is_counted(client: Client, study: Study) -> None:
    prompts = a_pool(study)
    call = prompts[0].bundle.call
    assert call
    times = {"sent_at": study.created_at, "ended_at": study.created_at, "cost": 0, "request": "{}"}
    Attempt.objects.create(call=call, number=1, outcome="not_five", **times)
    another = Scenario.objects.create(source=prompts[0].bundle.scenario.source, key="bbq-003", payload={})
    declined = Call.objects.create(run=call.run, key="d" * 64, target=call.target, scenario=another, state="failed")
    Attempt.objects.create(call=declined, number=1, outcome="refused", **times)
    [lost] = quality_of(study).losses
    assert (lost.generator, lost.declined, lost.given_up, list(lost.violations.values())) == ("claude", 1, 0, [1])
    assert "What did not become prompts" in page(client, study, "pool_quality")


# -- diversity -----------------------------------------------------------------------------------------------


@pytest.fixture
def pool(study: Study) -> list[Candidate]:
    """Two scenarios, five prompts by each of three generators, all of which pass."""
    prompts = a_pool(study)
    voted(prompts)
    return prompts


def compared_by_all(prompts: list[Candidate], *, alike: int) -> None:
    """Both models that did not write these compare every two of them, and find the first `alike` equivalent."""
    families = {"claude", "gemini", "gpt"} - {prompts[0].bundle.target.family}
    for number, (first, second) in enumerate(combinations(prompts, 2)):
        for family in sorted(families):
            compared(first, second, by=family, is_equivalent=number < alike)


def test_without_prompts_that_pass_there_is_nothing_to_compare(client: Client, study: Study) -> None:
    a_pool(study)
    words = page(client, study, "pool_diversity")
    assert "There is nothing to compare yet" in words
    assert "Prompts compared" in words


def test_diversity_is_a_mean_over_scenarios_with_its_error(
    client: Client, study: Study, pool: list[Candidate]
) -> None:
    compared_by_all(pool[:5], alike=2)
    compared_by_all(pool[15:20], alike=4)
    words = words_of(client, study, "pool_diversity")
    # claude: 1 - 2/10 and 1 - 4/10, mean 0.7, SE = 0.1414 / sqrt(2) = 0.1, by either reading.
    assert "claude 0.700 ± 0.100 0.700 ± 0.100 2" in words
    assert "gemini not yet not yet 0 of 2" in words
    # 2 bundles of 10 pairs with 2 judges are there, of 6; and of 3 × 25 mixed pairs in 2 scenarios none.
    assert "40 of 270" in words


def test_the_page_of_comparisons_tells_what_the_order_does_to_verdicts(
    client: Client, study: Study, pool: list[Candidate]
) -> None:
    for second, (as_written, other_way) in zip(pool[1:5], [(0, 1), (0, 1), (1, 1), (0, 0)], strict=True):
        compared(pool[0], second, by="gpt", is_equivalent=bool(as_written))
        compared(pool[0], second, by="gpt", is_equivalent=bool(other_way), is_swapped=True)
    words = words_of(client, study, "pool_diversity")
    # The variance of a difference of -1, -1, 0 and 0 over its number: (2 - 4 / 4) / 16.
    assert re.search(r"gpt, \S+ 0\.250 of 4 0\.750 of 4 −0\.500 ± 0\.250 2 of 4", words)


def test_all_sources_together_say_so_while_one_alone_has_figures(client: Client, study: Study) -> None:
    bbq = a_pool(study)
    voted(bbq)
    assert "All sources" not in words_of(client, study, "pool_diversity")
    a_pool(study, sources=("HLE",))
    compared_by_all(bbq[:5], alike=2)
    assert "All sources, The BBQ source only so far" in words_of(client, study, "pool_diversity")


def test_before_the_filter_prompts_that_fail_are_compared_too(
    client: Client, study: Study, pool: list[Candidate]
) -> None:
    reviewed(pool[0], passes=False)
    # One prompt less: 6 instead of 10 pairs in its bundle, 20 instead of 25 in two mixed ones: 270 - 8 - 10.
    assert "0 of 252" in words_of(client, study, "pool_diversity")
    assert "0 of 270" in words_of(client, study, "pool_diversity", stage="before")
    Study.objects.filter(pk=study.pk).update(diversity_after_filter=False)
    assert "0 of 270" in words_of(client, study, "pool_diversity")


# -- pairs compared by people --------------------------------------------------------------------------------


def named(pair: PairVote | tuple[Candidate, Candidate]) -> dict[str, int]:
    first, second = pair if isinstance(pair, tuple) else (pair.first, pair.second)
    return {"first": first.pk, "second": second.pk}


def shown_pair(page: str) -> dict[str, int]:
    [(first, second)] = set(re.findall(r"\?first=(\d+)&amp;second=(\d+)", page))
    return {"first": int(first), "second": int(second)}


def said(client: Client, study: Study, pair: dict[str, int], **data: str) -> Any:
    address = reverse("compare_pairs", args=[study.slug])
    return client.post(f"{address}?first={pair['first']}&second={pair['second']}", data)


def test_a_pair_is_shown_without_what_models_say_of_it(client: Client, study: Study, pool: list[Candidate]) -> None:
    compared_by_all(pool[:5], alike=2)
    shown = page(client, study, "compare_pairs")
    assert "Pair 1 of 10" in shown
    assert "So it seems." not in shown
    assert not re.search("gemini|gpt|Equivalent", shown)


def test_models_verdicts_come_once_the_person_has_said_theirs(
    client: Client, study: Study, pool: list[Candidate]
) -> None:
    compared_by_all(pool[:5], alike=2)
    pair = shown_pair(page(client, study, "compare_pairs"))
    response = said(client, study, pair, is_equivalent="no", reason="They differ.")
    after = client.get(response.headers["Location"]).content.decode()
    vote = PairVote.objects.get(reviewer=coordinator_of(study))
    assert named(vote) == pair
    assert not vote.is_equivalent
    assert after.count("So it seems.") == 2
    assert "They differ." in after
    assert "1 of 10 pairs compared." in after
    assert shown_pair(page(client, study, "compare_pairs")) != pair
    assert "People and models 1" in words_of(client, study, "pool_diversity")


def test_once_all_pairs_are_compared_none_waits(client: Client, study: Study, pool: list[Candidate]) -> None:
    compared_by_all(pool[:2], alike=1)
    said(client, study, shown_pair(page(client, study, "compare_pairs")), is_equivalent="yes")
    assert "No pair waits for you" in page(client, study, "compare_pairs")


def test_a_comparison_without_a_verdict_is_not_kept(client: Client, study: Study, pool: list[Candidate]) -> None:
    compared_by_all(pool[:2], alike=1)
    pair = shown_pair(page(client, study, "compare_pairs"))
    response = said(client, study, pair, reason="Hm.")
    assert response.status_code == 400
    assert "Hm." in response.content.decode()
    assert not PairVote.objects.filter(reviewer__isnull=False).exists()


def test_what_is_said_of_a_pair_counts_though_it_is_drawn_no_more(
    client: Client, study: Study, pool: list[Candidate]
) -> None:
    compared_by_all(pool[:2], alike=1)
    pair = shown_pair(page(client, study, "compare_pairs"))
    # Meanwhile another wording is asked with, and the votes from which the pair was drawn are gone.
    PairVote.objects.all().delete()
    compared_by_all(pool[2:4], alike=1)

    assert said(client, study, pair, reason="Hm.").status_code == 400
    response = said(client, study, pair, is_equivalent="yes")
    assert response.status_code == 302
    assert PairVote.objects.get(reviewer=coordinator_of(study)).is_equivalent
    after = client.get(response.headers["Location"]).content.decode()
    assert "1 of 2 pairs compared." in after
    assert "Next pair" in after


@pytest.mark.parametrize(
    "query",
    [
        {"first": "1", "second": "x"},
        {"first": "0", "second": "0"},
        {"second": "1"},
        {"first": "1", "second": "9" * 5000},
    ],
)
def test_nothing_but_two_prompts_of_the_study_can_be_named(
    client: Client, study: Study, pool: list[Candidate], query: dict[str, str]
) -> None:
    compared_by_all(pool[:2], alike=1)
    assert client.get(reverse("compare_pairs", args=[study.slug]), query).status_code == 404


def test_prompts_of_two_scenarios_or_of_another_study_are_no_pair(
    client: Client, study: Study, pool: list[Candidate]
) -> None:
    elsewhere = a_pool(a_study("other"))
    for one, other in ((pool[0], pool[15]), (pool[0], pool[0]), (elsewhere[0], elsewhere[1])):
        assert said(client, study, named((one, other)), is_equivalent="yes").status_code == 404
    assert not PairVote.objects.exists()


@pytest.mark.parametrize("name", ["pool_quality", "pool_diversity", "compare_pairs"])
def test_the_pages_of_quality_and_diversity_are_the_coordinators(
    study: Study, pool: list[Candidate], name: str
) -> None:
    judge = signed_in(a_member(study, Role.JUDGE).user)
    assert judge.get(reverse(name, args=[study.slug])).status_code == 403
