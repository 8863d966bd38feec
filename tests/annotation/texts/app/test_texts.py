"""Texts in quarantine: what a coordinator sees of them, and clears, edits or rejects."""

import re
from typing import Any, get_args

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.assignment.services import assembling
from annotation.platform.core.errors import Refused
from annotation.platform.core.limits import ANSWER_CHARACTERS
from annotation.platform.models.audit import AuditEvent
from annotation.study.models.participation import Role
from annotation.study.models.prompts import Prompt
from annotation.study.models.responses import Response
from annotation.study.models.studies import Study
from annotation.texts.core.leaks.signs import Kind
from annotation.texts.models.provenance import Arm, Stimulus, TextEdit
from annotation.texts.selectors.quarantine import IN_WORDS, quarantined_text, waiting_texts
from annotation.texts.services import intake
from tests.clients import signed_in
from tests.factories import (
    GIVEAWAY,
    a_judging_study,
    a_member,
    a_quarantined_text,
    a_writing_study,
    an_assembling_study,
    assignments_of,
    coordinator_of,
    written,
)

pytestmark = pytest.mark.django_db

EDITED = "Towns differ.\n\nI take no sides.\n\nIt is all a matter of habit."


def client_of(study: Study) -> Client:
    return signed_in(coordinator_of(study))


def page_of(study: Study) -> str:
    return client_of(study).get(reverse("texts", args=[study.slug])).content.decode()


def edit(text: Stimulus, words: str = EDITED, **options: Any) -> TextEdit:
    by = coordinator_of(text.study)
    return intake.edit(stimulus=text, text=words, reason="It named its model.", by=by, **options)


def post_edit(text: Stimulus, /, **fields: str) -> Any:
    return client_of(text.study).post(reverse("edit_text", args=[text.pk]), fields, follow=True)


class TestThePage:
    def test_the_page_of_texts_marks_what_was_found_and_loses_nothing_of_the_text(self) -> None:
        study = an_assembling_study()
        a_quarantined_text(study)
        [text] = map(quarantined_text, waiting_texts(study))
        assert "".join(passage.text for passage in text.passages) == GIVEAWAY
        marked = {passage.text: passage.finding for passage in text.passages if passage.finding}
        assert marked == {
            "As an AI language model": "says that it is a model",
            "Claude": "name of a model or its maker",
            "of": "stops before its end",
        }
        assert [(found.quote, found.severity_in_words) for found in text.findings] == [
            ("As an AI language model", "Surely leaks"),
            ("Claude", "Probably leaks"),
            ("of", "Probably leaks"),
        ]

    def test_the_page_of_texts_begins_with_what_surely_leaks(self) -> None:
        study = an_assembling_study()
        first, last = Prompt.objects.filter(study=study)[:2]
        perhaps = a_quarantined_text(study, "It was said by Claude, long before this was written.", prompt=first)
        surely = a_quarantined_text(study, "As an AI language model, I take no sides.", prompt=last)
        assert list(waiting_texts(study)) == [surely, perhaps]
        page = page_of(study)
        assert page.index("Surely leaks") < page.index("Perhaps leaks")

    def test_a_finding_from_before_severities_is_shown_last_with_its_kind_in_words(self) -> None:
        study = an_assembling_study()
        old = a_quarantined_text(study)
        flags = [{"kind": "markup", "start": 0, "end": 5, "excerpt": "Towns"}]
        Stimulus.objects.filter(pk=old.pk).update(flags=flags, leak_severity=0)
        newer = a_quarantined_text(study)
        assert list(waiting_texts(study)) == [newer, old]
        old.refresh_from_db()
        [found] = quarantined_text(old).findings
        assert (found.meaning, found.severity_in_words) == ("left-over markup", "Perhaps leaks")

    def test_the_page_of_texts_has_words_for_whatever_the_scan_can_find(self) -> None:
        assert IN_WORDS.keys() == set(get_args(Kind))

    def test_the_page_of_texts_lists_every_finding_and_leads_to_its_mark(self) -> None:
        study = an_assembling_study()
        a_quarantined_text(study)
        page = page_of(study)
        marks = re.findall(r'<mark id="([^"]+)"', page)
        assert len(marks) == 3
        assert sorted(re.findall(r'<a href="#(at-[^"]+)"', page)) == sorted(marks)
        assert "[name of a model or its maker: </span>Claude<span" in page, "told also to those who hear the page"

    def test_the_page_of_texts_does_not_tell_whose_a_text_is(self) -> None:
        study = a_writing_study()
        first, second = assignments_of(study)
        writer = first.participation
        written(first, f"Fairness begins at home.\n\n{writer.user.name} said so long ago.")
        page = page_of(study)
        assert "the writer’s name" in page
        assert writer.pseudonym not in page
        assert writer.user.email not in page
        assert second.prompt.code not in page

    @pytest.mark.parametrize("arm", [Arm.HUMAN, Arm.WEAK])
    def test_the_page_of_texts_is_the_same_whatever_the_text_is_for(self, arm: Arm) -> None:
        articles = []
        for slug, each in (("one", Arm.MODEL), ("two", arm)):
            study = an_assembling_study(slug, prompts=1)
            text = a_quarantined_text(study, arm=each)
            [article] = re.findall(r"<article.*</article>", page_of(study), re.DOTALL)
            articles.append(re.sub(rf'{text.pk}|value="\w{{64}}"', "", article))
        assert articles[0] == articles[1]

    def test_the_page_of_texts_asks_as_often_for_many_texts_as_for_one(self) -> None:
        study = an_assembling_study()
        client, address = client_of(study), reverse("texts", args=[study.slug])
        counts = []
        for number in (1, 5):
            for _ in range(number):
                a_quarantined_text(study)
            with CaptureQueriesContext(connection) as queries:
                client.get(address)
            counts.append(len(queries))
        assert counts[0] == counts[1]

    def test_the_page_of_texts_shows_twenty_texts_at_a_time(self) -> None:
        study = an_assembling_study()
        for _ in range(21):
            a_quarantined_text(study)
        page = client_of(study).get(reverse("texts", args=[study.slug]), {"page": 2}).content.decode()
        assert page.count("<article") == 1
        assert "text 21 of 21" in page

    def test_the_page_of_texts_without_any_says_what_will_come(self) -> None:
        assert "Nothing is in quarantine" in page_of(an_assembling_study())

    def test_the_page_of_texts_shows_markup_in_a_text_as_text(self) -> None:
        study = an_assembling_study()
        a_quarantined_text(study, "Towns differ. <script>alert(1)</script> So do rules.")
        assert "<script>alert" not in page_of(study)


class TestADecision:
    @pytest.mark.parametrize(("verb", "state"), [("clear", "admitted"), ("reject", "rejected")])
    def test_a_decision_about_a_text_is_kept_with_its_reason(self, verb: str, state: str) -> None:
        study = an_assembling_study()
        text = a_quarantined_text(study)
        fields = {"verb": verb, "reason": "It quotes a chat."}
        client_of(study).post(reverse("decide_text", args=[text.pk]), fields)
        text.refresh_from_db()
        assert text.state == state
        event = AuditEvent.objects.get(verb=f"text.{verb}")
        assert (event.actor, event.detail) == (coordinator_of(study), {"reason": "It quotes a chat."})

    @pytest.mark.parametrize(
        "fields", [{}, {"verb": "clear"}, {"reason": "Fine."}, {"verb": "burn", "reason": "Hm."}]
    )
    def test_a_decision_about_a_text_changes_nothing_without_a_verb_and_a_reason(
        self, fields: dict[str, str]
    ) -> None:
        study = an_assembling_study()
        text = a_quarantined_text(study)
        answer = client_of(study).post(reverse("decide_text", args=[text.pk]), fields)
        assert answer.status_code == 400
        text.refresh_from_db()
        assert text.state == "quarantined"
        page = answer.content.decode()
        assert ("Say why, so that" in page) is ("reason" not in fields)
        assert ("Choose whether judges may see" in page) is (fields.get("verb") != "clear")
        assert fields.get("reason", "") + "</textarea>" in page

    def test_a_decision_that_cannot_be_taken_is_shown_again_on_the_text_s_own_page(self) -> None:
        study = an_assembling_study()
        for _ in range(21):
            a_quarantined_text(study)
        last, reason = list(waiting_texts(study))[20], "It quotes a chat. " * 30
        fields = {"verb": "reject", "reason": reason}
        page = client_of(study).post(reverse("decide_text", args=[last.pk]), fields).content.decode()
        assert "“Reason” can have at most 400 characters" in page
        assert reason in page
        assert page.count("<article") == 1
        assert f'href="{reverse("texts", args=[study.slug])}?page=1"' in page

    def test_a_decision_about_a_text_may_have_a_reason_of_four_hundred_characters_with_its_line_ends(self) -> None:
        text = a_quarantined_text(an_assembling_study())
        reason = "\n".join(["It quotes a chat. "] * 20 + ["x" * 19])  # 20 × (18 + 1) + 19 = 399, browsers send 419
        fields = {"verb": "reject", "reason": reason.replace("\n", "\r\n")}
        client_of(text.study).post(reverse("decide_text", args=[text.pk]), fields)
        assert AuditEvent.objects.get(verb="text.reject").detail == {"reason": reason}

    def test_a_decision_about_a_text_is_offered_no_more_once_judging_is_open(self) -> None:
        study = an_assembling_study()
        a_member(study, Role.JUDGE)
        assembling.open_judging(study=study, by=coordinator_of(study), reason="Made for a test.")
        text = Stimulus.objects.filter(study=study)[0]
        Stimulus.objects.filter(pk=text.pk).update(state="quarantined")
        client = client_of(study)
        assert "Reason" not in client.get(reverse("texts", args=[study.slug])).content.decode()
        assert client.get(reverse("edit_text", args=[text.pk])).status_code == 404
        answer = client.post(
            reverse("decide_text", args=[text.pk]), {"verb": "clear", "reason": "Fine."}, follow=True
        )
        assert "only until judging opens" in answer.content.decode()

    def test_a_decision_about_a_text_is_awaited_before_judging_opens(self) -> None:
        study = an_assembling_study()
        a_member(study, Role.JUDGE)
        text = a_quarantined_text(study)
        with pytest.raises(Refused, match="1 text in quarantine"):
            assembling.open_judging(study=study, by=coordinator_of(study), reason="Made for a test.")
        edit(text)
        assert assembling.open_judging(study=study, by=coordinator_of(study), reason="Made for a test.") == 2


class TestAnEdit:
    def test_an_edit_lets_the_new_words_in_and_keeps_the_old_ones_with_the_reason(self) -> None:
        text = a_quarantined_text(an_assembling_study())
        kept = edit(text, EDITED.replace("\n\n", "\r\n\r\n"))
        assert (kept.number, kept.before, kept.after, kept.reason) == (1, GIVEAWAY, EDITED, "It named its model.")
        response = Response.objects.get(pk=text.pk)
        assert response.text == EDITED
        assert response.word_count == 13  # 2 + 4 + 7
        text.refresh_from_db()
        assert (text.state, text.flags) == ("admitted", [])
        event = AuditEvent.objects.get(verb="text.edit")
        assert event.actor == kept.edited_by == coordinator_of(text.study)
        assert event.detail["reason"] == "It named its model."
        assert event.detail["sha256_before"] != event.detail["sha256_after"]

    def test_an_edit_comes_in_the_one_style_of_all_texts(self) -> None:
        text = a_quarantined_text(an_assembling_study())
        assert edit(text, "Towns “differ”—so do rules.").after == 'Towns "differ," so do rules.'

    @pytest.mark.parametrize(
        ("words", "why"),
        [
            (GIVEAWAY, "Nothing was changed"),
            (GIVEAWAY.replace("\n\n", "\r\n\r\n\r\n"), "Nothing was changed"),
            (" – ", "Nothing is left"),
            (GIVEAWAY.replace("Claude would.", ""), "still finds “As an AI language model”, “of”"),
        ],
    )
    def test_an_edit_is_refused_where_nothing_is_changed_or_left_or_something_is_still_found(
        self, words: str, why: str
    ) -> None:
        text = a_quarantined_text(an_assembling_study())
        with pytest.raises(Refused, match=why):
            edit(text, words)
        text.refresh_from_db()
        assert text.state == "quarantined"
        assert Response.objects.get(pk=text.pk).text == GIVEAWAY
        assert not TextEdit.objects.exists()

    def test_an_edit_may_leave_what_gives_nothing_away(self) -> None:
        text = a_quarantined_text(an_assembling_study())
        edit(text, GIVEAWAY.replace("As an AI language model, ", ""), is_rest_harmless=True)
        text.refresh_from_db()
        assert [flag["kind"] for flag in text.flags] == ["model_name", "truncated"]

    def test_an_edit_looks_again_for_the_author_s_name(self) -> None:
        study = an_assembling_study()
        text = a_quarantined_text(study, "I am Rose Will. Towns differ.", names=["Rose Will"])
        with pytest.raises(Refused, match="“Rose Will”"):
            edit(text, "I am, as I said, Rose Will. Towns differ.")

    @pytest.mark.parametrize("state", ["admitted", "rejected", "withdrawn"])
    def test_an_edit_is_for_texts_in_quarantine_alone(self, state: str) -> None:
        text = a_quarantined_text(an_assembling_study())
        Stimulus.objects.filter(pk=text.pk).update(state=state)
        with pytest.raises(Refused, match="applies only when it is “quarantined”"):
            edit(text)
        assert client_of(text.study).get(reverse("edit_text", args=[text.pk])).status_code == 404

    @pytest.mark.parametrize("button", ["keep", "show"])
    def test_an_edit_of_a_text_decided_about_meanwhile_gives_the_words_back_and_nothing_else(
        self, button: str
    ) -> None:
        text = a_quarantined_text(an_assembling_study())
        Stimulus.objects.filter(pk=text.pk).update(state="rejected")
        answer = post_edit(text, text="My own words.", reason="It named its model.", **{button: ""})
        assert answer.status_code == 400
        page = answer.content.decode()
        assert "This text was decided about while you edited it" in page
        assert "My own words.</textarea>" in page
        assert "It named its model.</textarea>" in page
        assert "As an AI language model" not in page
        assert not TextEdit.objects.exists()

    def test_an_edit_is_made_on_a_page_that_first_shows_what_changes(self) -> None:
        text = a_quarantined_text(an_assembling_study())
        page = client_of(text.study).get(reverse("edit_text", args=[text.pk])).content.decode()
        assert "What changes" not in page
        shown = post_edit(text, text=EDITED + " Says Grok.", reason="Half a reason", show="").content.decode()
        assert "<del>As an AI language model, </del>" in shown
        assert "<ins>habit. Says Grok.</ins>" in shown
        assert "“Grok”: name of a model or its maker" in shown
        assert "Half a reason" in shown
        assert not TextEdit.objects.exists()
        kept = post_edit(text, text=EDITED, reason="It named its model.", keep="")
        assert kept.redirect_chain == [(reverse("texts", args=[text.study.slug]), 302)]
        assert TextEdit.objects.get(response=text.pk).after == EDITED

    @pytest.mark.parametrize(
        ("fields", "why"),
        [
            ({"text": EDITED}, "Say why, so that"),
            ({"text": "", "reason": "Hm."}, "cannot be left empty"),
            ({"text": EDITED + " Says Grok.", "reason": "Hm."}, "still finds “Grok”"),
        ],
    )
    def test_an_edit_that_cannot_be_taken_is_shown_again(self, fields: dict[str, str], why: str) -> None:
        text = a_quarantined_text(an_assembling_study())
        answer = post_edit(text, keep="", **fields)
        assert answer.status_code == 400
        page = answer.content.decode()
        assert why in page
        assert fields["text"].split("\n")[0] in page
        assert not TextEdit.objects.exists()

    def test_an_edit_can_be_read_side_by_side_until_judging_opens(self) -> None:
        study = an_assembling_study()
        a_member(study, Role.JUDGE)
        text = a_quarantined_text(study)
        edit(text)
        address = reverse("edited_text", args=[text.pk])
        assert address in page_of(study)
        page = client_of(study).get(address).content.decode()
        assert "<del>As an AI language model, </del>" in page
        assert "<ins>habit.</ins>" in page
        assert "It named its model." in page
        assembling.open_judging(study=study, by=coordinator_of(study), reason="Made for a test.")
        assert address not in page_of(study)
        assert client_of(study).get(address).status_code == 404

    def test_an_edit_is_not_shown_of_a_text_whose_writer_withdrew(self) -> None:
        text = a_quarantined_text(an_assembling_study())
        edit(text)
        Stimulus.objects.filter(pk=text.pk).update(state="withdrawn")
        address = reverse("edited_text", args=[text.pk])
        assert address not in page_of(text.study)
        assert client_of(text.study).get(address).status_code == 404


def test_of_a_study_in_judging_texts_are_not_quarantined_any_more() -> None:
    study = a_judging_study(1, 1, 1, prompts=1)
    with pytest.raises(Refused, match="No text can enter"):
        a_quarantined_text(study)


class TestLength:
    def test_an_edit_longer_than_any_answer_is_refused_in_the_form(self) -> None:
        text = a_quarantined_text(an_assembling_study())
        answer = post_edit(text, text="a" * (ANSWER_CHARACTERS + 1), reason="It named its model.", keep="yes")
        assert answer.status_code == 400
        assert "can have at most 30000 characters" in answer.content.decode()
        assert not TextEdit.objects.exists()

    def test_a_models_text_longer_than_any_answer_does_not_enter(self) -> None:
        study = an_assembling_study()
        long = "a " * (ANSWER_CHARACTERS // 2) + "b"
        with pytest.raises(Refused, match="An answer has at most 30,000 characters; this one has 30,001"):
            intake.admit(
                study=study, prompt=study.prompts.all()[0], text=long, arm=Arm.MODEL, source_code="demo", by=None
            )
        assert not Response.objects.filter(text__startswith="a a").exists()
