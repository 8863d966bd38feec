import csv
import re
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from annotation.study.models.participation import Role
from annotation.study.models.prompts import Prompt
from annotation.study.models.studies import Study
from generation.prompts.models import PromptSample
from generation.prompts.services.samples import make_sample, take_sample
from tests.clients import signed_in
from tests.factories import a_member, a_study, coordinator_of
from tests.generation.prompts.candidates import a_pool, reviewed, voted
from tests.remembered import remembered

pytestmark = pytest.mark.django_db


@pytest.fixture
@remembered
def study() -> Study:
    """Prompts of two sources, all of which pass; none is the study's yet."""
    study = a_study(prompts=0)
    voted(a_pool(study, sources=("BBQ", "MSC"), scenarios=4))
    return study


@pytest.fixture
def client(study: Study) -> Client:
    return signed_in(coordinator_of(study))


def drawn(study: Study, **rule: object) -> PromptSample:
    return make_sample(study=study, by=coordinator_of(study), **{"per_source": 3, **rule})  # type: ignore[arg-type]


def address(name: str, sample: PromptSample) -> str:
    return reverse(name, args=[sample.study.slug, sample.pk])


RULE = {"per_source": "2", "seed": "7", "scheme": "all", "least_passes": "3"}


class TestPages:
    def test_a_study_without_prompts_that_pass_is_told_what_comes_first(self) -> None:
        empty = a_study("empty")
        page = signed_in(coordinator_of(empty)).get(reverse("pool_samples", args=["empty"]))
        assert "Nothing to draw from yet" in page.content.decode()
        assert "<form" not in page.content.decode().split("<h1>")[1].split("<footer")[0]

    def test_the_form_of_a_sample_proposes_what_the_design_says(self, study: Study, client: Client) -> None:
        Study.objects.filter(pk=study.pk).update(prompts_per_source=17, sampling_seed=99, quality_voting="others")
        form = client.get(reverse("pool_samples", args=[study.slug])).context["form"]
        assert {name: form[name].value() for name in form.fields} == {
            "per_source": 17,
            "seed": 99,
            "scheme": "others",
            "least_passes": 2,
        }

    def test_a_sample_is_drawn_by_the_rule_of_the_form_and_shown(self, study: Study, client: Client) -> None:
        answer = client.post(reverse("pool_samples", args=[study.slug]), RULE)
        sample = PromptSample.objects.get()
        assert answer["Location"] == address("pool_sample", sample)
        assert (sample.per_source, sample.seed, sample.scheme, sample.least_passes) == (2, 7, "all", 3)
        page = client.get(answer["Location"]).content.decode()
        for prompt in sample.prompts.select_related("candidate"):
            assert f"{prompt.code}: {prompt.candidate.label}" in page
            assert prompt.candidate.text in page
        assert "3 or more of all models pass it" in page

    @pytest.mark.parametrize(("field", "value"), [("per_source", "0"), ("seed", "-1"), ("scheme", "none")])
    def test_a_rule_of_a_sample_that_makes_no_sense_is_shown_again(
        self, study: Study, client: Client, field: str, value: str
    ) -> None:
        answer = client.post(reverse("pool_samples", args=[study.slug]), {**RULE, field: value})
        assert answer.status_code == 400
        assert list(answer.context["form"].errors) == [field]
        assert not PromptSample.objects.exists()

    def test_a_rule_of_a_sample_under_which_nothing_passes_is_refused_above_the_form(
        self, study: Study, client: Client
    ) -> None:
        answer = client.post(reverse("pool_samples", args=[study.slug]), {**RULE, "least_passes": "4"})
        assert answer.status_code == 400
        assert "No prompt passes the quality filter" in answer.content.decode()

    def test_samples_are_listed_with_the_newest_first(self, study: Study, client: Client) -> None:
        made = [drawn(study, seed=seed).pk for seed in (3, 1, 2)]
        listed = client.get(reverse("pool_samples", args=[study.slug])).context["samples"]
        assert [line.id for line in listed] == made[::-1]

    def test_what_falls_short_of_a_sample_is_said(self, study: Study, client: Client) -> None:
        sample = drawn(study, per_source=61)
        page = client.get(address("pool_sample", sample)).content.decode()
        assert "1 fewer than wanted: no other prompt passes." in page
        [before_taking] = re.findall(
            r'<details class="confirm">((?:(?!</details>).)*take.*?)</details>', page, re.DOTALL
        )
        assert "The BBQ source: 1 fewer than wanted: no other prompt passes." in before_taking
        assert "Falls short" in client.get(reverse("pool_samples", args=[study.slug])).content.decode()

    def test_a_samples_prompts_become_the_studys(self, study: Study, client: Client) -> None:
        sample = drawn(study)
        page = client.post(address("take_sample", sample), follow=True).content.decode()
        assert "The study got 6 prompts." in page
        assert Prompt.objects.filter(study=study).count() == 6
        page = client.post(address("take_sample", sample), follow=True).content.decode()
        assert "The study got 0 prompts; it had 6 of the sample already." in page
        assert address("discard_sample", sample) not in page

    def test_a_sample_with_prompts_that_fell_offers_no_taking(self, study: Study, client: Client) -> None:
        sample = drawn(study)
        reviewed(sample.prompts.get(code="MSC_02").candidate, passes=False)
        page = client.get(address("pool_sample", sample)).content.decode()
        assert "MSC_02 would not pass any more" in page
        assert address("take_sample", sample) not in page
        answer = client.post(address("take_sample", sample), follow=True)
        assert "Nothing was taken" in answer.content.decode()

    def test_a_sample_can_be_discarded_until_it_is_taken(self, study: Study, client: Client) -> None:
        sample = drawn(study)
        taken = drawn(study, seed=1)
        take_sample(sample=taken, by=coordinator_of(study))
        for each in (sample, taken):
            client.post(address("discard_sample", each))
        assert list(PromptSample.objects.all()) == [taken]

    def test_a_sample_is_found_under_its_own_study_alone(self, study: Study, client: Client) -> None:
        sample = drawn(study)
        other = a_study("other")
        for name in ("pool_sample", "study_prompts_csv"):
            assert client.get(reverse(name, args=[other.slug, sample.pk])).status_code == 404

    def test_other_members_see_neither_samples_nor_files(self, study: Study) -> None:
        sample = drawn(study)
        judge = signed_in(a_member(study, Role.JUDGE).user)
        for name in ("pool_sample", "study_prompts_csv"):
            assert judge.get(address(name, sample)).status_code == 403
        for name in ("pool_samples", "evaluation_dataset_csv"):
            assert judge.get(reverse(name, args=[study.slug])).status_code == 403


class TestFiles:
    def test_the_samples_file_has_its_prompts_under_their_codes(self, study: Study, client: Client) -> None:
        sample = drawn(study)
        answer = client.get(address("study_prompts_csv", sample))
        assert answer["Content-Disposition"] == 'attachment; filename="study_prompts.csv"'
        lines = csv.DictReader(answer.content.decode().splitlines())
        assert [line["prompt_id"] for line in lines] == [
            prompt.code for prompt in sample.prompts.order_by("position")
        ]

    def test_the_data_set_follows_the_studys_rule_or_the_one_in_the_address(self, client: Client) -> None:
        study = a_study("second", prompts=0)
        pool = a_pool(study, sources=("HLE",), scenarios=1)
        voted(pool[:4], fails=["gpt"])
        voted(pool[4:], fails=["gemini", "gpt"])
        where = reverse("evaluation_dataset_csv", args=[study.slug])
        # 4 of the 15 have two passes, all have one; and only those that gpt wrote could be passed by all others
        for query, prompts in (({}, 4), ({"least_passes": "1"}, 15), ({"scheme": "others"}, 0)):
            answer = client.get(where, query)
            assert len(answer.content.decode().splitlines()) == 1 + prompts

    @pytest.mark.parametrize(
        ("field", "value"), [("least_passes", "0"), ("least_passes", "9" * 5000), ("scheme", "nobody")]
    )
    def test_a_rule_for_the_data_set_that_makes_no_sense_is_shown_again(
        self, study: Study, client: Client, field: str, value: str
    ) -> None:
        answer = client.get(reverse("evaluation_dataset_csv", args=[study.slug]), {field: value})
        assert answer.status_code == 400
        assert list(answer.context["dataset_form"].errors) == [field]
        assert not answer.context["form"].is_bound
        assert re.search(r'<details class="disclosure"\s+open>\s*<summary>Download', answer.content.decode())

    def test_a_review_stands_beside_the_votes_in_the_data_set(self, study: Study, client: Client) -> None:
        sample = drawn(study)
        first, second, *_ = sample.prompts.order_by("position")
        reviewed(first.candidate, passes=True)
        reviewed(second.candidate, passes=False)
        lines = csv.DictReader(client.get(address("study_prompts_csv", sample)).content.decode().splitlines())
        assert [line["review"] for line in lines] == ["pass", "fail", "", "", "", ""]
        dataset = client.get(reverse("evaluation_dataset_csv", args=[study.slug])).content.decode()
        assert len(dataset.splitlines()) == 1 + 120 - 1

    def test_the_command_writes_the_files_that_the_pages_offer(
        self, study: Study, client: Client, tmp_path: Path
    ) -> None:
        taken, newest = drawn(study), drawn(study, seed=1, least_passes=3)
        folder = tmp_path / "new"
        call_command("export_prompts", study.slug, out=folder, stdout=StringIO())
        assert (folder / "study_prompts.csv").read_bytes() == client.get(
            address("study_prompts_csv", newest)
        ).content
        dataset = client.get(reverse("evaluation_dataset_csv", args=[study.slug]), {"least_passes": "3"})
        assert (folder / "evaluation_dataset.csv").read_bytes() == dataset.content
        take_sample(sample=taken, by=coordinator_of(study))
        call_command("export_prompts", study.slug, out=folder, stdout=StringIO())
        assert (folder / "study_prompts.csv").read_bytes() == client.get(
            address("study_prompts_csv", taken)
        ).content
        call_command("export_prompts", study.slug, out=folder, sample=newest.pk, stdout=StringIO())
        assert (folder / "study_prompts.csv").read_bytes() == client.get(
            address("study_prompts_csv", newest)
        ).content
        assert sorted(path.name for path in folder.iterdir()) == ["evaluation_dataset.csv", "study_prompts.csv"]

    def test_the_command_says_what_is_not_there(self, study: Study, tmp_path: Path) -> None:
        for given, said in (
            (["nowhere"], "There is no study “nowhere”."),
            ([study.slug], "No sample is drawn yet."),
            ([study.slug, "--sample", "0"], "There is no such sample."),
        ):
            with pytest.raises(CommandError, match=said):
                call_command("export_prompts", *given, "--out", str(tmp_path))
        assert list(tmp_path.iterdir()) == []
