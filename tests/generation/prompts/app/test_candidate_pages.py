"""The list of prompts written from sources, what it can be narrowed by, and the page of each with a review."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from generation.prompts.models import Candidate, QualityVote
from generation.sources.models import Scenario, Source
from tests.clients import signed_in
from tests.factories import a_member, a_person, a_study, coordinator_of
from tests.generation.prompts.candidates import a_pool, reviewed, voted
from tests.pages import without_markup

pytestmark = pytest.mark.django_db

SOUND = {"depth": "yes", "open_endedness": "yes", "generalisation": "yes", "reason": "Well put."}


@pytest.fixture
def study() -> Study:
    return a_study()


@pytest.fixture
def pool(study: Study) -> list[Candidate]:
    """Two sources with two scenarios of two strata, three generators, five prompts each: 60.

    Of claude's twenty prompts five are passed by everybody and five by gpt alone; ten are not judged. Of the other
    forty, gemini fails all.
    """
    prompts = a_pool(study, sources=("BBQ", "HLE"))
    by_claude = [prompt for prompt in prompts if prompt.bundle.target.family == "claude"]
    voted(by_claude[:5])
    voted(by_claude[5:10], fails=("claude", "gemini"))
    voted([prompt for prompt in prompts if prompt not in by_claude], fails=("gemini",))
    return prompts


@pytest.fixture
def client(study: Study) -> Client:
    return signed_in(coordinator_of(study))


def listing(client: Client, study: Study, **query: Any) -> str:
    return client.get(reverse("candidates", args=[study.slug]), query).content.decode()


def page_of(client: Client, prompt: Candidate, **query: Any) -> str:
    return client.get(address(prompt), query).content.decode()


def address(prompt: Candidate, name: str = "candidate") -> str:
    return reverse(name, args=[prompt.bundle.study.slug, prompt.pk])


def options(page: str, facet: str) -> dict[str, str]:
    """What a select offers: its values, with their words and counts."""
    [select] = re.findall(rf'<select id="{facet}".*?</select>', page, re.DOTALL)
    return dict(re.findall(r'<option value="(\w*)"[^>]*>([^<]+)</option>', select))


def total(page: str) -> int:
    [number] = re.findall(r"<h2>(\d+) prompts?</h2>", page)
    return int(number)


def test_a_study_without_prompts_says_what_comes_next(client: Client, study: Study) -> None:
    page = listing(client, study)
    assert "No prompt has been written yet" in page
    assert reverse("pool", args=[study.slug]) in page


def test_every_prompt_is_listed_a_page_at_a_time(client: Client, study: Study, pool: list[Candidate]) -> None:
    first, last = listing(client, study), listing(client, study, page=3)
    assert total(first) == 60
    shown = [len(set(re.findall(r"/candidates/(\d+)/\?*\"", page))) for page in (first, last)]
    assert shown == [25, 10]
    assert "1–25 of 60" in first


def test_each_filter_counts_its_values(client: Client, study: Study, pool: list[Candidate]) -> None:
    page = listing(client, study)
    assert options(page, "source") == {"": "All (60)", "bbq": "The BBQ source (30)", "hle": "The HLE source (30)"}
    # Two models of three pass gemini's and gpt's forty; of claude's five pass, five fail, ten wait for votes.
    verdicts = {"": "All (60)", "passes": "Passes (45)", "fails": "Fails (5)", "open": "Votes are missing (10)"}
    assert options(page, "verdict") == verdicts
    numbers = {"3": "3 (5)", "2": "2 (40)", "1": "1 (5)"}
    assert options(page, "passes") == {"": "All (60)", "open": "Not fully judged (10)", **numbers}
    assert total(listing(client, study, passes="open")) == 10


def test_a_filter_counts_what_the_others_leave(client: Client, study: Study, pool: list[Candidate]) -> None:
    page = listing(client, study, source="bbq", verdict="passes")
    # BBQ: claude's first five and the twenty of the two others.
    assert total(page) == 25
    assert options(page, "source") == {"": "All (45)", "bbq": "The BBQ source (25)", "hle": "The HLE source (20)"}
    assert options(page, "verdict") == {"": "All (30)", "passes": "Passes (25)", "fails": "Fails (5)"}


def test_under_the_other_scheme_only_the_others_count(client: Client, study: Study, pool: list[Candidate]) -> None:
    # Gemini's twenty are passed by both others, gpt's twenty failed by gemini, claude's five passed by both.
    verdicts = {"": "All (60)", "passes": "Passes (25)", "fails": "Fails (25)", "open": "Votes are missing (10)"}
    assert options(listing(client, study, scheme="others"), "verdict") == verdicts


def test_the_studys_own_scheme_is_chosen_at_first(pool: list[Candidate], client: Client, study: Study) -> None:
    Study.objects.filter(pk=study.pk).update(quality_voting="others")
    assert options(listing(client, study), "verdict")["passes"] == "Passes (25)"


def test_words_are_found_in_text_and_label(client: Client, study: Study, pool: list[Candidate]) -> None:
    assert total(listing(client, study, words="REASON 3 STILL COUNTS")) == 12
    assert total(listing(client, study, words="hle-002, gpt")) == 5
    assert "No prompt matches" in listing(client, study, words="zebra")


@pytest.mark.parametrize("query", [{"source": "none"}, {"passes": "many"}, {"review": "none", "words": "\0"}])
def test_what_the_address_asks_for_may_be_anything(
    client: Client, study: Study, pool: list[Candidate], query: dict[str, str]
) -> None:
    assert client.get(reverse("candidates", args=[study.slug]), query).status_code == 200


def test_a_prompt_that_a_person_fails_passes_no_more(client: Client, study: Study, pool: list[Candidate]) -> None:
    reviewed(pool[0], passes=False)
    reviewed(pool[1], passes=True)
    page = listing(client, study)
    assert options(page, "verdict")["passes"] == "Passes (44)"
    reviews = {
        "": "All (60)",
        "none": "Not by a person (58)",
        "passes": "Passed by people (1)",
        "fails": "Failed by a person (1)",
    }
    assert options(page, "review") == reviews


def test_the_page_of_a_prompt_tells_all_of_it(client: Client, study: Study, pool: list[Candidate]) -> None:
    prompt = pool[2]
    page = without_markup(page_of(client, prompt))
    assert prompt.text in page
    assert "Context of scenario 1." in page
    assert "Reasoning of kind 3." in page
    assert "First I weigh the scene." in page
    assert all(other.label in page for other in pool[:5])
    assert "3 of 60" in page


def test_a_quotation_names_its_document_and_the_place_in_it(client: Client, study: Study) -> None:
    [prompt, *_] = a_pool(study, sources=("MSC",))
    quotes = [
        {"text": "Debts bind heirs.", "document": "The Code of Ur", "citation": "§ 12"},
        {"text": "Heirs may refuse.", "document": "The Code of Ur", "citation": ""},
    ]
    source = prompt.bundle.scenario.source
    Source.objects.filter(pk=source.pk).update(shape="concept")
    Scenario.objects.filter(source=source).update(payload={"concept": "Debt", "quotes": quotes})
    words = without_markup(page_of(client, prompt))
    assert "Debts bind heirs. The Code of Ur, § 12 Heirs may refuse. The Code of Ur" in words


def test_every_vote_is_there_with_its_reasons(client: Client, study: Study, pool: list[Candidate]) -> None:
    by_claude = [prompt for prompt in pool if prompt.bundle.target.family == "claude"]
    page = without_markup(page_of(client, by_claude[5]))
    assert page.count("Fails it") == 2
    assert page.count("Too little depth") == 2
    # Once for each vote, and once in the form.
    assert page.count("Answer embedded in the question") == 3
    assert "demo-claude, which wrote it" in page


def test_what_others_say_is_folded_away_until_the_person_has_reviewed(
    client: Client, study: Study, pool: list[Candidate]
) -> None:
    """Neither the verdict nor any vote of a person or model is in sight, even of the prompts written together."""
    reviewed(pool[0], passes=False, by=a_person("Rita Reader"))
    folded = re.compile(
        r'<details class="disclosure"\s*>\s*<summary>\s*What people and models say: better .*</details>', re.DOTALL
    )
    before = page_of(client, pool[0])
    assert folded.search(before)
    in_sight = without_markup(folded.sub("", before))
    assert "claude, prompt 1" in in_sight
    assert not re.search(r"of 3 votes|Passes|Fails|Failed by|Rita", in_sight)
    client.post(address(pool[0], "review_candidate"), SOUND | {"depth": "perhaps"})
    assert folded.search(page_of(client, pool[0]))

    client.post(address(pool[0], "review_candidate"), SOUND)
    after = page_of(client, pool[0])
    assert not folded.search(after)
    assert "Fails 3 of 3 votes Failed by a person claude, prompt 1" in without_markup(after)
    assert without_markup(after).count("Passes") > 1


def test_where_no_review_is_taken_any_more_all_is_told(client: Client, study: Study, pool: list[Candidate]) -> None:
    Study.objects.filter(pk=study.pk).update(state="released")
    assert "Passes 3 of 3 votes" in without_markup(page_of(client, pool[0]))


def test_the_way_back_leads_to_the_page_of_the_list_that_the_prompt_is_on(
    client: Client, study: Study, pool: list[Candidate]
) -> None:
    # Of the thirty prompts of BBQ 25 are on the first page.
    of_bbq = [prompt for prompt in pool if prompt.bundle.scenario.source.code == "BBQ"]
    where = reverse("candidates", args=[study.slug])
    listed = re.findall(rf"{where}(\d+)/", listing(client, study, source="bbq", page=2))
    last = next(prompt for prompt in of_bbq if prompt.pk == int(listed[-1]))
    assert f'href="{where}?source=bbq&amp;page=2"' in page_of(client, last, source="bbq")
    assert f'href="{where}?source=bbq&amp;page=1"' in page_of(client, pool[0], source="bbq")
    assert f'href="{where}?source=hle"' in page_of(client, pool[0], source="hle")


def test_neighbours_are_those_of_the_list_it_was_opened_from(
    client: Client, study: Study, pool: list[Candidate]
) -> None:
    of_hle = [prompt for prompt in pool if prompt.bundle.scenario.source.code == "HLE"]
    page = page_of(client, of_hle[0], source="hle", verdict="passes")
    assert "1 of 20" not in page
    page = page_of(client, of_hle[5], source="hle", verdict="passes")
    assert "1 of 20" in page
    assert f'href="{address(of_hle[6])}?source=hle&amp;verdict=passes"' in page


def test_a_review_is_kept_and_leads_to_the_next_unreviewed(
    client: Client, study: Study, pool: list[Candidate]
) -> None:
    reviewed(pool[1], passes=True)
    response = client.post(f"{address(pool[0], 'review_candidate')}?source=bbq", SOUND | {"next": ""})
    assert response.headers["Location"] == f"{address(pool[2])}?source=bbq#id_depth_0"
    vote = QualityVote.objects.get(candidate=pool[0], reviewer=coordinator_of(study))
    assert (vote.passes, vote.reason) == (True, "Well put.")


def test_the_next_unreviewed_is_looked_for_from_the_beginning_again(
    client: Client, study: Study, pool: list[Candidate]
) -> None:
    response = client.post(address(pool[-1], "review_candidate"), SOUND | {"next": ""})
    assert response.headers["Location"] == f"{address(pool[0])}#id_depth_0"


def test_after_the_last_prompt_the_person_is_told(client: Client, study: Study, pool: list[Candidate]) -> None:
    response = client.post(
        f"{address(pool[0], 'review_candidate')}?words=bbq-001, claude&review=passes",
        SOUND | {"next": ""},
        follow=True,
    )
    assert response.redirect_chain[0][0].startswith(address(pool[0]))
    assert "That was the last one of this list" in response.content.decode()


def test_a_review_can_be_changed_and_fails_a_prompt(client: Client, study: Study, pool: list[Candidate]) -> None:
    client.post(address(pool[0], "review_candidate"), SOUND)
    changed = SOUND | {"depth": "no", "rejections": ["meta_reference"]}
    response = client.post(address(pool[0], "review_candidate"), changed)
    assert response.headers["Location"] == address(pool[0])
    vote = QualityVote.objects.get(candidate=pool[0], reviewer=coordinator_of(study))
    assert (vote.passes, vote.depth, vote.rejections) == (False, False, ["meta_reference"])
    page = page_of(client, pool[0])
    assert re.search(r'name="depth" value="no"[^>]*checked', page)
    assert re.search(r'name="rejections" value="meta_reference"[^>]*checked', page)


def test_a_review_that_leaves_a_criterion_open_is_not_kept(
    client: Client, study: Study, pool: list[Candidate]
) -> None:
    response = client.post(address(pool[0], "review_candidate"), {"depth": "yes", "reason": "Half done."})
    assert response.status_code == 400
    page = response.content.decode()
    assert "Nothing was saved." in page
    assert "Half done." in page
    assert re.search(r'name="depth" value="yes"[^>]*checked', page)
    assert not QualityVote.objects.filter(reviewer__isnull=False).exists()


def test_a_released_study_takes_no_more_reviews(client: Client, study: Study, pool: list[Candidate]) -> None:
    Study.objects.filter(pk=study.pk).update(state="released")
    assert "The study is released" in page_of(client, pool[0])
    assert "Keep it" not in page_of(client, pool[0])
    assert client.post(address(pool[0], "review_candidate"), SOUND).status_code == 400
    assert not QualityVote.objects.filter(reviewer__isnull=False).exists()


def test_prompts_of_another_study_and_other_members_are_kept_out(
    client: Client, study: Study, pool: list[Candidate]
) -> None:
    other = a_study("other")
    assert client.get(reverse("candidate", args=[other.slug, pool[0].pk])).status_code == 404
    judge = signed_in(a_member(study, Role.JUDGE).user)
    assert judge.get(reverse("candidates", args=[study.slug])).status_code == 403
    assert judge.get(address(pool[0])).status_code == 403
    assert judge.post(address(pool[0], "review_candidate"), SOUND).status_code == 403


def test_the_list_takes_no_more_statements_for_more_prompts(
    client: Client, study: Study, pool: list[Candidate], django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(12):
        listing(client, study, source="bbq")
    with django_assert_max_num_queries(18):
        page_of(client, pool[0])
