"""The models a study asks and the words it asks them by, as its coordinator configures them: by the pages alone."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.study.models.studies import Study
from generation.catalogue.core.prompt_templates import KINDS, SHIPPED
from generation.catalogue.models import StudyTemplate, Target
from generation.providers.catalogue import known_model
from tests.clients import signed_in
from tests.factories import a_study, coordinator_of
from tests.generation.calls.model_runs import a_locked_study, a_target, planned
from tests.pages import without_markup

pytestmark = pytest.mark.django_db

DEMO = {"role": "answers", "family": "aurora", "provider": "demo", "model_id": "demo-large"}


@pytest.fixture
def study() -> Study:
    return a_study()


def client_of(study: Study) -> Client:
    return signed_in(coordinator_of(study))


def page(study: Study, name: str, *keys: object, **query: str) -> str:
    return client_of(study).get(reverse(name, args=[study.slug, *keys]), query).content.decode()


def post(study: Study, name: str, *keys: object, **fields: Any) -> Any:
    return client_of(study).post(reverse(name, args=[study.slug, *keys]), fields, follow=True)


class TestAModel:
    def test_a_model_is_added_and_listed_with_what_it_costs(self, study: Study) -> None:
        answer = post(study, "target_add", **DEMO, price_input="2.5", price_output="10")
        words = without_markup(answer.content.decode())
        assert "aurora was added." in words
        assert (
            "aurora demo-large Demonstration, without any model the study’s being told 2.5 read 10 written" in words
        )

    def test_a_model_takes_the_price_table_s_prices_where_none_are_given(self, study: Study) -> None:
        post(study, "target_add", **DEMO)
        known = known_model("demo", "demo-large")
        assert known
        assert Target.objects.get().price is None
        assert f"{known.prices[0].input} read {known.prices[0].output} written" in without_markup(
            page(study, "study_models")
        )

    def test_a_model_of_the_catalogue_fills_in_the_form(self, study: Study) -> None:
        form = page(study, "target_add", role="panel", known="demo demo-failing")
        assert re.search(r'name="family"\s+value="dropout"', form)
        assert re.search(r'value="demo" selected', form)
        assert "fail_every" in form
        assert re.search(r'value="panel"[^>]*checked', form)
        assert not Target.objects.exists()

    def test_a_model_of_the_catalogue_comes_under_a_name_that_is_free_in_its_role(self, study: Study) -> None:
        for family in ("dropout", "dropout-2"):
            a_target(study, family, role="panel")
        for role, name in (("panel", "dropout-3"), ("answers", "dropout")):
            form = page(study, "target_add", role=role, known="demo demo-failing")
            assert re.search(rf'name="family"\s+value="{name}"', form)

    def test_a_model_of_the_price_table_comes_with_what_the_table_says(self, study: Study) -> None:
        known = known_model("demo", "demo-large")
        assert known
        words = without_markup(page(study, "target_add", known="demo demo-large"))
        assert f"Empty: what the site’s price table says, ${known.prices[0].input}." in words
        assert f"Empty: what the site’s price table says, ${known.prices[0].output}." in words

    def test_a_price_of_the_table_says_when_and_where_it_was_read(self, study: Study) -> None:
        words = without_markup(page(study, "target_add", known="anthropic claude-opus-5"))
        assert "$5, read on its provider’s page on 21 November 2026." in words
        assert "in a secondary source" in without_markup(page(study, "target_add", known="openai gpt-5.4"))

    def test_a_model_that_the_price_table_does_not_know_is_asked_for_its_price(self, study: Study) -> None:
        unheard_of = DEMO | {"provider": "openai", "model_id": "unheard-of", "effort": ""}
        answer = post(study, "target_add", **unheard_of)
        words = without_markup(answer.content.decode())
        assert words.count("The site’s price table does not know this model, so its price is needed.") == 2
        assert list(answer.context["form"].errors) == ["price_input"]
        assert not Target.objects.exists()
        post(study, "target_add", **(unheard_of | {"price_input": "2", "price_output": "9"}))
        assert Target.objects.get().price == {"input": "2", "output": "9"}

    @pytest.mark.parametrize(
        ("effort", "options", "says"),
        [
            ("maximal", '{"effort_field": "reasoning_effort"}', "it knows no effort “maximal”"),
            ("high", "{}", "This model is told no effort: leave it empty"),
        ],
    )
    def test_an_effort_that_would_be_refused_or_not_be_sent_is_told_at_its_field(
        self, study: Study, effort: str, options: str, says: str
    ) -> None:
        own = DEMO | {"provider": "vllm", "model_id": "open-1", "effort": effort, "options": options}
        answer = post(study, "target_add", **own)
        assert list(answer.context["form"].errors) == ["effort"]
        assert says in answer.content.decode()

    @pytest.mark.parametrize(
        ("fields", "field"), [({"options": '{"no such": 1}'}, "options"), ({"family": "claude"}, "family")]
    )
    def test_a_model_that_the_service_refuses_is_told_at_the_field(
        self, study: Study, fields: dict[str, str], field: str
    ) -> None:
        a_target(study, "claude")
        answer = post(study, "target_add", **(DEMO | fields))
        assert list(answer.context["form"].errors) == [field]

    def test_a_model_that_no_catalogue_has_leaves_the_form_empty(self, study: Study) -> None:
        form = page(study, "target_add", known="demo nonsense")
        assert re.search(r'<input type="text" name="model_id"(?![^>]*value=)', form)

    @pytest.mark.parametrize(
        ("fields", "says"),
        [
            ({"family": ""}, "“Name” cannot be left empty."),
            ({"price_input": "2"}, "Give both prices or none."),
            ({"options": "[1]"}, "Write an object"),
            ({"options": '{"no such": 1}'}, "no such"),
            ({"provider": "http://evil.example"}, "is not one of the available choices"),
            ({"weak_temperature": "3"}, "has to be 2 or less"),
        ],
    )
    def test_a_model_that_cannot_be_asked_comes_back_as_it_was_filled_in(
        self, study: Study, fields: dict[str, str], says: str
    ) -> None:
        answer = post(study, "target_add", **(DEMO | {"effort": "brisk"} | fields))
        assert answer.status_code == 400
        assert says in answer.content.decode()
        assert 'value="brisk"' in answer.content.decode()
        assert not Target.objects.exists()

    def test_a_model_is_configured_anew_until_a_plan_contains_it(self, study: Study) -> None:
        target = a_target(study, "claude")
        answer = post(study, "target_change", target.pk, **(DEMO | {"family": "claude", "effort": "high"}))
        assert "claude is saved." in answer.content.decode()
        target.refresh_from_db()
        assert (target.model_id, target.effort, target.role) == ("demo-large", "high", "answers")

    def test_a_model_of_a_plan_stays_as_it_is(self) -> None:
        study = a_locked_study()
        planned(study)
        target = Target.objects.get(family="claude")
        assert "This model is part of a plan, so it stays as it is." in without_markup(
            page(study, "target_change", target.pk)
        )
        assert 'name="model_id"' not in page(study, "target_change", target.pk)
        answer = post(study, "target_change", target.pk, **(DEMO | {"family": "other", "effort": "brisk"}))
        assert answer.status_code == 400
        assert "is part of a plan and stays as it is" in answer.content.decode()
        assert 'value="brisk"' in answer.content.decode()
        target.refresh_from_db()
        assert target.family == "claude"

    def test_a_model_is_retired_after_a_warning_and_listed_as_such(self, study: Study) -> None:
        target = a_target(study, "claude")
        assert "This cannot be undone." in without_markup(page(study, "target_change", target.pk))
        words = without_markup(post(study, "target_retire", target.pk).content.decode())
        assert "claude is retired: it is not asked any more." in words
        assert "Retired Not asked any more. What they answered stays. claude" in words
        assert "Retire the model" not in page(study, "target_change", target.pk)

    def test_a_model_of_another_study_is_not_found(self, study: Study) -> None:
        target = a_target(a_study("other"), "claude")
        assert client_of(study).get(reverse("target_change", args=[study.slug, target.pk])).status_code == 404
        assert post(study, "target_retire", target.pk).status_code == 404

    def test_a_model_that_writes_prompts_has_a_part_of_the_page(self, study: Study) -> None:
        a_target(study, "gpt", role="prompts", weak_temperature=None)
        words = without_markup(page(study, "study_models"))
        assert "Each writes prompts from the scenarios of the study’s sources" in words
        assert words.count("gpt demo-gpt") == 1

    def test_a_model_of_the_panel_is_named_after_its_family(self, study: Study) -> None:
        assert "whether the panel favours answers of its own family" in without_markup(page(study, "target_add"))

    def test_a_model_shows_its_options_as_json(self) -> None:
        study = a_locked_study(of_targets={"options": {"delay_seconds": 0.5}})
        planned(study)
        words = without_markup(page(study, "target_change", Target.objects.get(family="gpt").pk))
        assert "Options {&quot;delay_seconds&quot;: 0.5}" in words


class TestAMissingKey:
    def test_a_missing_key_is_named_by_its_variable(self, study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("OPENAI_API_KEY", raising=False)
        a_target(study, "gpt", provider="openai", model_id="gpt-6-sol")
        words = without_markup(page(study, "study_models"))
        assert "No key is set for OpenAI. Ask whoever runs the site to set OPENAI_API_KEY ." in words

    def test_a_key_is_not_mentioned_as_missing_once_it_is_there_and_is_on_no_page(
        self, study: Study, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-quetzal-4711-0815")
        target = a_target(study, "gpt", provider="openai", model_id="gpt-6-sol")
        pages = [
            page(study, "study_models"),
            page(study, "study_runs"),
            page(study, "target_change", target.pk),
            page(study, "target_add"),
        ]
        assert "No key is set" not in pages[0]
        assert not [text for text in pages if "quetzal" in text]

    def test_a_missing_key_does_not_matter_where_none_is_asked_for(self, study: Study) -> None:
        a_target(study, "claude")
        assert "No key is set" not in page(study, "study_models")


class TestATemplate:
    def test_a_template_is_listed_as_it_comes_with_the_site(self, study: Study) -> None:
        words = without_markup(page(study, "study_templates"))
        assert words.count("as it comes with the site") == len(KINDS)
        assert SHIPPED["answer"].version in words

    def test_a_template_shows_its_words_and_what_is_put_in(self, study: Study) -> None:
        form = page(study, "template_edit", "answer")
        assert SHIPPED["answer"].text.strip() in form
        assert "{prompt} Needed the prompt, as writers see it" in without_markup(form)

    def test_a_template_is_worded_anew_with_its_origin_and_can_go_back(self, study: Study) -> None:
        answer = post(
            study, "template_edit", "answer", text="Reply to this: {prompt}", origin="Appendix C of the paper"
        )
        words = without_markup(answer.content.decode())
        assert "The wording is saved. Runs planned from now on use it." in words
        assert "Number 1, Appendix C of the paper (in use)" in words
        assert "the study’s own, number 1 Appendix C of the paper" in without_markup(page(study, "study_templates"))

        words = without_markup(post(study, "template_restore", "answer").content.decode())
        assert "The wording that comes with the site is in use again." in words
        assert "Use the wording that comes with the site" not in words
        assert StudyTemplate.objects.count() == 2

    def test_a_template_that_lacks_what_it_needs_comes_back_as_it_was_typed(self, study: Study) -> None:
        answer = post(study, "template_edit", "answer", text="Reply at once.", origin="Myself")
        assert answer.status_code == 400
        assert "The template lacks {prompt}" in answer.content.decode()
        assert "Reply at once." in answer.content.decode()
        assert not StudyTemplate.objects.exists()

    def test_a_template_shows_markup_as_text(self, study: Study) -> None:
        post(study, "template_edit", "answer", text="<script>alert(1)</script> {prompt}", origin="<b>me</b>")
        shown = page(study, "template_edit", "answer")
        assert "<script>alert" not in shown
        assert "<b>me" not in shown

    def test_a_template_of_an_unknown_name_is_not_found(self, study: Study) -> None:
        for name, method in (("template_edit", "get"), ("template_restore", "post")):
            answer = getattr(client_of(study), method)(reverse(name, args=[study.slug, "nonsense"]))
            assert answer.status_code == 404
