"""The results page: figures by hand, reasons for what is undefined, and nothing about sources before its time."""

import re

import pytest
from django.db import connection
from django.template import Context, Template
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from analysis.core.results import Estimate
from analysis.models.ceremony import Freeze
from analysis.selectors.results import Results, results
from analysis.templatetags.figures import Footnotes
from annotation.core.errors import Refused
from annotation.models.judging import Score
from annotation.models.studies import Study
from tests.clients import signed_in
from tests.factories import a_closed_study, a_judged_study, an_unblinded_study, researchers_of

pytestmark = pytest.mark.django_db

# Every judge gives every dimension of a family-1 answer 8, of a family-2 answer 7, of a human one 5.
LEVELS = {"family-1": 8, "model": 7, "human": 5, "weak": 2}


def unblinded(judges: int = 2, *, prompts: int = 3, **parameters: object) -> Study:
    return an_unblinded_study(2, 2, judges, prompts=prompts, levels=LEVELS, **parameters)


def page_of(study: Study) -> str:
    answer = signed_in(researchers_of(study)[0]).get(reverse("results", args=[study.slug]))
    return answer.content.decode()


def rows_of(page: str, region: str) -> list[list[str]]:
    """The text of the cells of the table in the region of that name, row by row."""
    found = re.search(rf'aria-label="{region}".*?<tbody>(.*?)</tbody>', page, re.DOTALL)
    assert found, f"there is no table {region!r}"
    rows = re.findall(r"<tr>(.*?)</tr>", found[1], re.DOTALL)
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows]
    return [[" ".join(re.sub(r"<[^>]*>", " ", cell).split()) for cell in row] for row in cells]


class TestUnblinded:
    def test_scores_are_means_of_the_ratings_with_their_standard_error(self) -> None:
        # 3 prompts × 2 judges × one answer of each family and two by humans, without any spread.
        assert rows_of(page_of(unblinded()), "Scores by source and dimension") == [
            ["family-1", *["8.00 ± 0.00"] * 6, "6"],
            ["family-2", *["7.00 ± 0.00"] * 6, "6"],
            ["humans", *["5.00 ± 0.00"] * 6, "12"],
        ]

    def test_ranks_share_places_as_mid_ranks_and_leave_them_as_competition_ranks(self) -> None:
        # 40, 35, 25, 25: ranks 1, 2, 3, 3, and mid-ranks 1, 2, 3.5, 3.5.
        assert rows_of(page_of(unblinded()), "Ranks by source") == [
            ["family-1", "1.00 ± 0.00", "1.00 ± 0.00", "1.0", "6"],
            ["family-2", "2.00 ± 0.00", "2.00 ± 0.00", "2.0", "6"],
            ["humans", "3.50 ± 0.00", "3.00 ± 0.00", "3.0", "12"],
        ]

    def test_every_model_answer_meets_every_human_one_of_the_same_judgment(self) -> None:
        # 2 × 2 pairs in each of 6 judgments. Where family-2 scores as humans do, half of the pairs tie.
        study = an_unblinded_study(2, 2, 2, levels={**LEVELS, "family-2": 5})
        page = page_of(study)
        assert rows_of(page, "Pairs of answers") == [
            ["higher", "12", "50.0 %"],
            ["equal", "12", "50.0 %"],
            ["lower", "0", "0.0 %"],
        ]
        assert "75.0 %" in page  # the preference, a tie as half a win

    def test_a_first_place_shared_with_a_human_counts_in_full_and_in_part(self) -> None:
        # Every answer scores the same: four firsts, two of them by models.
        study = an_unblinded_study(2, 2, 2, levels={"human": 6, "model": 6, "weak": 2})
        first = results(study).outcomes.first  # type: ignore[union-attr]
        assert (first.any_first.value, first.fractional.value) == (1, 0.5)

    def test_agreement_where_all_judges_saw_the_same_set(self) -> None:
        # Ranks 1, 2, 3, 3 twice. Plain: rank sums 2, 4, 6, 6, S = 11, W = 12·11 / (4·60) = 0.55; mid-ranks agree.
        page = page_of(unblinded(human_sets="fixed"))
        plain, corrected, common, tau = rows_of(page, "Agreement over prompts")
        assert plain == ["Kendall’s W, plain", "0.550", "0.550", "0.000", "0.000", "3", "none"]
        assert corrected[1:3] == common[1:3] == tau[1:3] == ["1.000", "1.000"]
        assert [row[-1] for row in rows_of(page, "Agreement by prompt")] == ["100.0 %"] * 3

    def test_agreement_over_rotated_sets_is_undefined_with_the_reason_except_over_common_answers(self) -> None:
        page = page_of(unblinded())
        plain, corrected, common, _ = rows_of(page, "Agreement over prompts")
        for row in (plain, corrected):
            assert row[1] == "– undefined, note a"
            assert row[5:] == ["0", "3: the judges did not rank the same objects"]
        assert common[1] == "1.000"
        assert "Undefined: the judges did not rank the same objects." in page

    def test_agreement_of_one_judge_is_undefined_with_the_reason(self) -> None:
        page = page_of(unblinded(judges=1))
        assert "Undefined: fewer than two judges." in page
        assert all(row[1].startswith("–") for row in rows_of(page, "Agreement over prompts"))

    @pytest.mark.parametrize(("prompts", "few"), [(2, True), (3, False)])
    def test_agreement_says_when_it_rests_on_few_prompts(self, prompts: int, few: bool) -> None:
        assert ("rest on 2 prompts only" in page_of(unblinded(prompts=prompts))) == few

    def test_calibration_items_are_left_out(self) -> None:
        study = unblinded(prompts=5, quality_floor_prompts=1, source_attribution_prompts=1)
        found = results(study)
        assert (found.prompts, found.judgments) == (5, 10)
        assert found.agreement.overall.n_prompts == 3
        assert "calibration items left out" in page_of(study)

    def test_agreement_is_split_by_domain(self) -> None:
        assert [row[:2] for row in rows_of(page_of(unblinded(prompts=4)), "Agreement by domain")] == [
            ["BBQ", "2"],
            ["HLE", "1"],
            ["MSC", "1"],
        ]

    def test_figures_tell_models_and_humans_apart_by_shape(self) -> None:
        page = page_of(unblinded())
        figures = re.findall(r'<svg class="chart".*?aria-labelledby="([^"]*)"(.*?)</figure>', page, re.DOTALL)
        shapes = {ids.split()[0]: (body.count("<circle"), body.count("chart-diamond")) for ids, body in figures}
        assert shapes["score-card-title"] == (
            2 * 6,
            6,
        )  # two models and the humans, in five dimensions and their mean
        assert shapes["rank-plot-title"] == (2, 1)
        assert shapes["w-by-prompt-title"] == (3, 0)

    def test_figures_have_names_and_descriptions(self) -> None:
        page = page_of(unblinded())
        for ids in re.findall(r'role="img"[^>]*aria-labelledby="([^"]*)"', page, re.DOTALL):
            assert all(f'id="{name}"' in page for name in ids.split())

    def test_offers_the_data_and_shows_their_hash(self) -> None:
        study = unblinded()
        page = page_of(study)
        assert reverse("judgments_csv", args=[study.slug]) in page
        assert Freeze.objects.get(study=study).sha256 in page
        assert "the hash is still the same" in page

    def test_warns_where_the_data_are_no_longer_those_that_were_frozen(self) -> None:
        study = unblinded()
        score = Score.objects.order_by("pk")[0]
        Score.objects.filter(pk=score.pk).update(value=1)
        page = page_of(study)
        assert "These are not the data that were frozen." in page
        assert "the hash is still the same" not in page

    def test_asks_as_often_for_a_large_study_as_for_a_small_one(self) -> None:
        counts = []
        for slug, prompts, judges in (("small", 1, 1), ("large", 6, 4)):
            study = unblinded(judges, slug=slug, prompts=prompts)
            with CaptureQueriesContext(connection) as queries:
                results(study)
            counts.append(len(queries))
        assert counts[0] == counts[1]

    def test_needs_no_style_attribute(self) -> None:
        assert not re.search(r"<[^>]*\sstyle=", page_of(unblinded()))


class TestRanking:
    """A study whose judges rank directly has no scores to show."""

    def test_scores_are_undefined_and_ranks_are_not(self, a_ranking_study: Study) -> None:
        page = page_of(a_ranking_study)
        assert "Undefined: needs at least 1 value, has 0." in page
        assert "undefined: needs at least 1 value, has 0" in page  # in its lane of the figure
        assert [row[1] for row in rows_of(page, "Ranks by source")] == ["1.00 ± 0.00", "2.00 ± 0.00", "3.50 ± 0.00"]

    @pytest.fixture
    def a_ranking_study(self) -> Study:
        study = unblinded()
        Score.objects.filter(slot__item__study=study).delete()
        return study


class TestMasked:
    def test_shows_agreement_and_says_why_there_is_nothing_else(self) -> None:
        study = a_closed_study(2, 2, 2, levels=LEVELS)
        page = page_of(study)
        assert "Sources are masked." in page
        assert rows_of(page, "Agreement over prompts")[2][1] == "1.000"
        assert results(study).outcomes is None

    def test_names_no_source(self) -> None:
        study = a_closed_study(2, 2, 2, levels=LEVELS, quality_floor_prompts=1)
        page = page_of(study)
        assert not re.search("family-|weak", page)
        assert "Scores by source" not in page
        assert reverse("judgments_csv", args=[study.slug]) not in page

    def test_counts_every_item_since_kinds_are_masked_too(self) -> None:
        study = a_closed_study(2, 2, 2, levels=LEVELS, prompts=4, quality_floor_prompts=1)
        assert results(study).agreement.overall.n_prompts == 4
        assert "calibration items left out" not in page_of(study)


class TestTooEarly:
    def test_leads_back_and_says_when(self) -> None:
        study = a_judged_study(1, 1, 1)
        with pytest.raises(Refused, match="once the study is closed"):
            results(study)
        answer = signed_in(researchers_of(study)[0]).get(reverse("results", args=[study.slug]), follow=True)
        assert answer.redirect_chain[-1][0] == reverse("study", args=[study.slug])
        assert "once the study is closed" in answer.content.decode()


class TestCells:
    @staticmethod
    def rendered(text: str, **context: object) -> str:
        return Template("{% load figures %}" + text).render(Context(context))

    def test_a_value_is_rounded_and_has_a_true_minus(self) -> None:
        estimate = Estimate("tau", -0.12345, 10)
        assert self.rendered("{% figure e notes %}", e=estimate, notes=Footnotes()) == "−0.123"
        assert self.rendered("{% figure e notes 1 %}", e=estimate, notes=Footnotes()) == "−0.1"
        assert self.rendered("{% percentage e notes %}", e=Estimate("share", 0.5, 2), notes=Footnotes()) == "50.0 %"

    def test_zero_is_a_value(self) -> None:
        assert self.rendered("{% figure e notes %}", e=Estimate("w", 0.0, 2), notes=Footnotes()) == "0.000"

    def test_each_reason_has_one_letter(self) -> None:
        notes = Footnotes()
        reasons = ("fewer than two judges", "all ratings are equal", "fewer than two judges")
        cells = [
            self.rendered("{% figure e notes %}", e=Estimate("w", None, 0, reason=reason), notes=notes)
            for reason in reasons
        ]
        assert [re.findall("<sup>(.)</sup>", cell) for cell in cells] == [["a"], ["b"], ["a"]]
        assert list(notes) == [("a", "fewer than two judges"), ("b", "all ratings are equal")]

    def test_no_reason_no_note(self) -> None:
        assert not Footnotes()


def test_results_are_the_same_twice() -> None:
    study = unblinded()
    one, again = results(study), results(study)
    assert isinstance(one, Results)
    assert one.agreement == again.agreement
    assert one.outcomes == again.outcomes
