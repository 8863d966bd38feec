"""A study's prompts while it is being designed: one at a time, and whole tables of them."""

import html
import io
import json
import re
import time
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.platform.core.errors import Refused
from annotation.platform.core.table_import import MAX_BYTES
from annotation.platform.models.audit import AuditEvent
from annotation.study.models.participation import Role
from annotation.study.models.prompts import Prompt, PromptVersion
from annotation.study.models.studies import Study
from annotation.study.selectors.prompts import latest_by_code
from annotation.study.services import prompts
from tests.clients import signed_in
from tests.factories import a_member, a_study, coordinator_of, locked

pytestmark = pytest.mark.django_db


def get(study: Study, name: str, *arguments: object, **query: str) -> str:
    client = signed_in(coordinator_of(study))
    return client.get(reverse(name, args=[study.slug, *arguments]), query).content.decode()


def post(study: Study, name: str, *arguments: object, **fields: object) -> Any:
    client = signed_in(coordinator_of(study))
    return client.post(reverse(name, args=[study.slug, *arguments]), fields, follow=True)


def codes(study: Study) -> list[str]:
    return list(Prompt.objects.filter(study=study).order_by("position").values_list("code", flat=True))


def text_of(prompt: Prompt) -> str:
    return latest_by_code(prompt.study)[prompt.code].text


class TestAdding:
    def test_adding_prompts_gives_codes_by_domain(self) -> None:
        study = a_study(prompts=0)
        for number, domain in enumerate(("HLE", "BBQ", "HLE")):
            page = post(study, "add_prompt", domain=domain, text=f"Is rule {number} fair?").content.decode()
        assert codes(study) == ["HLE_01", "BBQ_01", "HLE_02"]
        assert "Prompt HLE_02 was added." in page

    def test_adding_a_prompt_keeps_its_title_and_disciplines(self) -> None:
        study = a_study(prompts=0)
        post(
            study, "add_prompt", domain="BBQ", text="Is it fair?", title="Fair", disciplines="Law; Social  work;Law"
        )
        prompt = Prompt.objects.get()
        assert (prompt.title, prompt.disciplines) == ("Fair", ["Law", "Social work"])

    def test_a_prompt_that_cannot_be_added_is_shown_again_as_it_was_typed(self) -> None:
        study = a_study(prompts=0)
        answer = post(study, "add_prompt", domain="bbq", text="When is a long and careful rule fair?")
        page = answer.content.decode()
        assert answer.status_code == 400
        assert "Write 2 to 12 capital letters." in page
        assert "When is a long and careful rule fair?" in page
        assert not Prompt.objects.exists()

    def test_adding_prompts_takes_no_text_twice(self) -> None:
        study = a_study(prompts=0)
        for _ in range(2):
            page = post(study, "add_prompt", domain="BBQ", text="Which rule is fair?").content.decode()
        assert "Prompt BBQ_01 has this text already." in page
        assert codes(study) == ["BBQ_01"]

    def test_adding_prompts_takes_no_code_twice(self) -> None:
        study = a_study(prompts=1)
        with pytest.raises(Refused, match="code BBQ_01 already"):
            prompts.add_prompt(study=study, code="BBQ_01", domain="BBQ", text="Else?", by=coordinator_of(study))

    def test_adding_prompts_goes_on_after_one_was_removed(self) -> None:
        study = a_study(prompts=0)
        for number in range(3):
            post(study, "add_prompt", domain="BBQ", text=f"Is rule {number} fair?")
        post(study, "prompt_remove", Prompt.objects.get(code="BBQ_01").pk)
        post(study, "add_prompt", domain="BBQ", text="Is rule 4 fair?")
        assert codes(study) == ["BBQ_02", "BBQ_03", "BBQ_04"]


class TestChanging:
    def test_changing_a_prompt_makes_another_wording_and_keeps_the_one_before(self) -> None:
        study = a_study(prompts=1)
        prompt = Prompt.objects.get()
        before = text_of(prompt)
        page = post(
            study, "prompt_edit", prompt.pk, text="Is it just?", title="Just", reason="W-0001 misread it."
        ).content.decode()
        assert text_of(prompt) == "Is it just?"
        assert [(version.number, version.text, version.reason) for version in prompt.versions.all()] == [
            (1, before, ""),
            (2, "Is it just?", "W-0001 misread it."),
        ]
        for shown in (before, "Is it just?", "“W-0001 misread it.”", 'value="Just"'):
            assert shown in page, shown

    def test_changing_only_the_title_of_a_prompt_makes_no_other_wording(self) -> None:
        study = a_study(prompts=1)
        prompt = Prompt.objects.get()
        for _ in range(2):
            post(study, "prompt_edit", prompt.pk, text=text_of(prompt), title="Towns", disciplines="Law")
        prompt.refresh_from_db()
        assert (prompt.title, prompt.disciplines, prompt.versions.count()) == ("Towns", ["Law"], 1)
        assert AuditEvent.objects.filter(verb="prompt.changed").count() == 1  # the second time nothing is new

    def test_changing_a_prompt_to_another_ones_text_is_refused_and_to_a_text_nobody_has_any_more_is_not(
        self,
    ) -> None:
        study = a_study(prompts=2)
        first, second = Prompt.objects.order_by("position")
        before = text_of(first)
        answer = post(study, "prompt_edit", second.pk, text=before)
        assert answer.status_code == 400
        assert f"Prompt {first.code} has this text already." in answer.content.decode()
        post(study, "prompt_edit", first.pk, text="Is it just?")
        post(study, "prompt_edit", second.pk, text=before)
        assert (text_of(first), text_of(second)) == ("Is it just?", before)


class TestRemoving:
    def test_removing_a_prompt_takes_every_wording_along(self) -> None:
        study = a_study(prompts=2)
        first, second = Prompt.objects.order_by("position")
        post(study, "prompt_edit", first.pk, text="Is it just?")
        page = post(study, "prompt_remove", first.pk).content.decode()
        assert f"Prompt {first.code} was removed." in page
        assert codes(study) == [second.code]
        assert PromptVersion.objects.count() == 1

    def test_removing_a_prompt_is_confirmed_first(self) -> None:
        study = a_study(prompts=1)
        page = get(study, "prompt_edit", Prompt.objects.get().pk)
        assert "This cannot be undone." in page
        assert reverse("prompt_remove", args=[study.slug, Prompt.objects.get().pk]) in page


class TestLockedDesign:
    def test_a_locked_design_keeps_its_prompts_as_they_are(self) -> None:
        study = locked(a_study())
        prompt = Prompt.objects.order_by("position")[0]
        text, before = text_of(prompt), codes(study)
        for name, arguments, fields in (
            ("add_prompt", (), {"domain": "BBQ", "text": "Else?"}),
            ("prompt_edit", (prompt.pk,), {"text": "Else?"}),
            ("prompt_remove", (prompt.pk,), {}),
            ("prompts_import", (), {"source": "domain,text\nBBQ,Else?", "import": "yes"}),
        ):
            post(study, name, *arguments, **fields)
        assert (text_of(prompt), codes(study)) == (text, before)

    def test_a_locked_design_offers_no_change_of_prompts(self) -> None:
        study = locked(a_study())
        pages = [get(study, name) for name in ("study_prompts", "prompts_import")]
        pages.append(get(study, "prompt_edit", Prompt.objects.all()[0].pk))
        for page in pages:
            assert "locked" in page
            assert "<form" not in page.partition('id="main"')[2].replace('<form class="form-row" method="get"', "")


def test_only_a_coordinator_changes_prompts_whatever_page_asks() -> None:
    study = a_study(prompts=1)
    prompt, researcher = Prompt.objects.get(), a_member(study, Role.RESEARCHER).user
    for verb in (
        lambda: prompts.add_prompt(study=study, code="A", domain="BBQ", text="Else?", by=researcher),
        lambda: prompts.add_prompt_in_domain(study=study, domain="BBQ", text="Else?", by=researcher),
        lambda: prompts.change_prompt(prompt=prompt, text="Else?", title="", disciplines=(), by=researcher),
        lambda: prompts.remove_prompt(prompt=prompt, by=researcher),
        lambda: prompts.import_prompts(study=study, lines=[], by=researcher),
    ):
        with pytest.raises(PermissionDenied):
            verb()
    assert PromptVersion.objects.count() == 1


class TestList:
    def test_the_list_of_prompts_shows_every_prompt_by_domain_and_those_that_are_looked_for(self) -> None:
        study = a_study(prompts=4)  # BBQ_01, HLE_02, MSC_03, BBQ_04
        post(study, "prompt_edit", Prompt.objects.get(code="HLE_02").pk, text="Is silence <b>consent</b>?")
        assert re.findall(r">(\w{3}_\d\d)<", get(study, "study_prompts")) == [
            "BBQ_01",
            "BBQ_04",
            "HLE_02",
            "MSC_03",
        ]
        assert re.findall(r">(\w{3}_\d\d)<", get(study, "study_prompts", domain="BBQ")) == ["BBQ_01", "BBQ_04"]
        page = get(study, "study_prompts", words="SILENCE")
        assert re.findall(r">(\w{3}_\d\d)<", page) == ["HLE_02"]
        assert "Is silence &lt;b&gt;consent&lt;/b&gt;?" in page
        assert "No prompt matches." in get(study, "study_prompts", words="3 towns")  # an earlier wording

    def test_the_list_of_prompts_stays_fast_and_asks_no_more_with_a_thousand_prompts(self) -> None:
        study = a_study(prompts=0)
        few = CaptureQueriesContext(connection)
        many = CaptureQueriesContext(connection)
        lines = [f"BBQ,Is rule {number} fair?" for number in range(1000)]
        post(study, "prompts_import", **{"source": "\n".join(["domain,text", *lines[:2]]), "import": "yes"})
        with few:
            get(study, "study_prompts")
        post(study, "prompts_import", **{"source": "\n".join(["domain,text", *lines]), "import": "yes"})
        started = time.perf_counter()
        with many:
            page = get(study, "study_prompts", page="20", words="rule")
        assert "951–1000 of 1000" in page
        assert len(many) == len(few)
        assert time.perf_counter() - started < 1  # some 0.1 s on an idle machine


class TestImporting:
    CSV = 'Question;Domain;Code;Discipline\nIs it fair?;BBQ;;Law\n"Just; or not?";HLE;HLE_07;"Law; History"\n'

    def test_importing_prompts_says_first_what_would_be_imported_and_imports_nothing(self) -> None:
        study = a_study(prompts=0)
        answer = post(study, "prompts_import", source=self.CSV)
        page = answer.content.decode()
        assert answer.status_code == 200
        assert "2 prompts to be added." in page
        for column, field in (
            ("Question", "text"),
            ("Domain", "domain"),
            ("Code", "code"),
            ("Discipline", "disciplines"),
        ):
            select = re.search(rf'<select name="column-{field}".*?</select>', page, re.DOTALL)
            assert select
            assert f'<option value="{column}" selected>' in select[0], field
        assert codes(study) == []
        # It is looked at under an address that a browser can go back to until it is imported.
        address = answer.redirect_chain[-1][0]
        client = signed_in(coordinator_of(study))
        assert "2 prompts to be added." in client.get(address).content.decode()
        other = client.get(address.replace("table=", "table=x"))
        assert "That table is kept no longer" in other.content.decode()
        client.post(address, {"source": self.CSV, "import": "yes"})
        assert len(codes(study)) == 2
        assert "That table is kept no longer" in client.get(address).content.decode()

    def test_importing_prompts_from_a_file_takes_all_of_it_at_once(self) -> None:
        study = a_study(prompts=0)
        file = io.BytesIO(b"\xef\xbb\xbf" + self.CSV.encode())
        file.name = "prompts.csv"
        page = post(study, "prompts_import", **{"file": file, "import": "yes"}).content.decode()
        assert "2 prompts imported." in page
        first, second = Prompt.objects.order_by("position")
        assert (first.code, first.domain, first.disciplines, text_of(first)) == (
            "BBQ_01",
            "BBQ",
            ["Law"],
            "Is it fair?",
        )
        assert (second.code, second.disciplines, text_of(second)) == ("HLE_07", ["Law", "History"], "Just; or not?")
        assert AuditEvent.objects.get(verb="prompts.imported").detail == {"codes": ["BBQ_01", "HLE_07"]}

    def test_importing_prompts_follows_the_columns_that_were_chosen(self) -> None:
        study = a_study(prompts=0)
        columns = {"column-text": "b", "column-domain": "a", "column-title": "b", "import": "yes"}
        post(study, "prompts_import", source="a\tb\nBBQ\tIs it fair?", **columns)
        assert (Prompt.objects.get().title, text_of(Prompt.objects.get())) == ("Is it fair?", "Is it fair?")

    def test_importing_prompts_asks_for_columns_that_it_cannot_guess(self) -> None:
        study = a_study(prompts=0)
        answer = post(study, "prompts_import", **{"source": "a,b\nBBQ,Is it fair?", "import": "yes"})
        assert answer.status_code == 400
        assert answer.content.decode().count("Choose the column that holds it.") == 2
        assert codes(study) == []

    def test_importing_prompts_notices_a_chosen_column_that_is_gone(self) -> None:
        study = a_study(prompts=0)
        columns = {"column-text": "text", "column-domain": "where", "import": "yes"}
        page = post(study, "prompts_import", source="text,domain\nFair?,BBQ", **columns).content.decode()
        assert "There is no column “where” any more." in page
        assert codes(study) == []

    def test_importing_prompts_takes_none_while_one_line_is_wrong_and_keeps_the_table(self) -> None:
        study = a_study(prompts=1)
        taken = text_of(Prompt.objects.get())
        lines = ("BBQ;Is it fair?;", "bbq;Is it just?;", f"HLE;{taken};X1", "HLE;Is it fair?;", "MSC;;", "HLE;a")
        source = "\n".join(["domain;text;code", *lines])
        answer = post(study, "prompts_import", **{"source": source, "import": "yes"})
        page = re.sub(r"<[^>]+>", "", answer.content.decode())
        assert answer.status_code == 400
        assert "?table=" in answer.redirect_chain[-1][0]  # going back to it sends nothing again
        for problem in (
            "Line 3: the domain must be 2 to 12 capital letters",
            "Line 4: the text is that of prompt BBQ_01 of the study",
            "Line 5: the text is that of line 2",
            "Line 6: nothing is given for the text",
            "Line 7: 2 cells, where the first line names 3 columns",
        ):
            assert problem in page, problem
        assert source in page
        assert codes(study) == ["BBQ_01"]

    def test_importing_the_corrected_table_of_prompts_adds_what_is_not_there_yet(self) -> None:
        study = a_study(prompts=0)
        source = "domain,text\nBBQ,Is it fair?\nHLE,Is it just?"
        for _ in range(2):
            post(study, "prompts_import", **{"source": source, "import": "yes"})
        page = post(study, "prompts_import", source=f"{source}\nHLE,Is it good?").content.decode()
        assert "1 prompt to be added; 2 lines passed over, as the study has that text." in page
        post(study, "prompts_import", **{"source": f"{source}\nHLE,Is it good?", "import": "yes"})
        assert codes(study) == ["BBQ_01", "HLE_01", "HLE_02"]

    @pytest.mark.parametrize(
        ("content", "fault"),
        [
            (b"", "There is nothing in it."),
            (b"domain,text\nBBQ,Is it fair?\nlower,What is owed?", "lower,What is owed?</div>"),
            (b"PK\x03\x04\x87\xe4\x00", "save the table as “CSV UTF-8”"),
            (b"x" * (MAX_BYTES + 1), "larger than 500 kB"),
            (b"text,Text\na,b", "Two columns have the name “Text”."),
            (b"domain,text", "nothing below them"),
            (b'{"text": "a"\n', "Line 1</a>: this is not one JSON object"),
            (b'"domain,text\nBBQ,a', "does not end with one"),
        ],
    )
    def test_importing_prompts_says_of_a_file_that_cannot_be_read_why(self, content: bytes, fault: str) -> None:
        study = a_study(prompts=0)
        file = io.BytesIO(content)
        file.name = "prompts.csv"
        answer = post(study, "prompts_import", **{"file": file, "import": "yes"})
        assert answer.status_code == 400
        assert fault in answer.content.decode().replace("&quot;", '"')
        assert codes(study) == []

    def test_importing_prompts_of_another_encoding_shows_the_lines_first_and_then_takes_them(self) -> None:
        study = a_study(prompts=0)
        file = io.BytesIO("domain,text\nBBQ,Für wen?\nHLE,Fair?".encode("cp1252"))
        file.name = "prompts.csv"
        page = post(study, "prompts_import", **{"file": file, "import": "yes"}).content.decode()
        assert codes(study) == []
        assert "It was read as Windows-1252 (Latin-1)" in page
        assert "<td>BBQ,Für wen?</td>" in page
        assert "<td>HLE,Fair?</td>" not in page
        kept = html.unescape(re.search(r"<textarea[^>]*>\s*(domain[^<]*)", page)[1])  # type: ignore[index]
        post(study, "prompts_import", **{"source": kept, "import": "yes"})
        assert [version.text for version in latest_by_code(study).values()] == ["Für wen?", "Fair?"]

    def test_importing_prompts_asks_for_a_table_where_none_was_given(self) -> None:
        answer = post(a_study(), "prompts_import", source=" \n")
        assert answer.status_code == 400
        assert "Choose a file, or paste the table." in answer.content.decode()

    def test_importing_prompts_takes_json_lines(self) -> None:
        study = a_study(prompts=0)
        lines = [
            {"prompt": "Is it fair?\n\nTo whom?", "domain": "BBQ", "topics": ["Law", "History"]},
            {"prompt": "Is it <script>just</script>?", "domain": "HLE"},
        ]
        source = "\n".join(map(json.dumps, lines))
        page = post(study, "prompts_import", **{"source": source, "import": "yes"}).content.decode()
        assert "&lt;script&gt;just" in page
        assert text_of(Prompt.objects.get(domain="BBQ")) == "Is it fair?\n\nTo whom?"
        assert Prompt.objects.get(domain="BBQ").disciplines == ["Law", "History"]

    def test_importing_prompts_takes_a_thousand_prompts_in_a_few_statements(self) -> None:
        study = a_study(prompts=0)
        rows = "\n".join(f"BBQ,Is rule {number} fair?" for number in range(1000))
        with CaptureQueriesContext(connection) as queries:
            post(study, "prompts_import", **{"source": f"domain,text\n{rows}", "import": "yes"})
        assert Prompt.objects.count() == PromptVersion.objects.count() == 1000
        assert codes(study)[-1] == "BBQ_1000"
        assert len(queries) < 60

    def test_importing_prompts_stays_within_what_a_study_can_hold(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(prompts, "MAX_PROMPTS", 2)
        study = a_study(prompts=2)
        page = post(study, "prompts_import", **{"source": "domain,text\nBBQ,Is it fair?", "import": "yes"})
        assert "2 prompts at most" in page.content.decode()
        assert Prompt.objects.count() == 2
