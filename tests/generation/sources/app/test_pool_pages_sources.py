"""Sources on their pages: what each step removed, what is left, drawing on them, and bringing one along."""

import csv
import hashlib
import io
import json
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from generation.sources.forms import sources as forms
from generation.sources.models import RemovedItem, Scenario, Source, StudySource
from generation.sources.views.pending_uploads import pending_upload
from tests.clients import signed_in
from tests.factories import a_member, a_study, coordinator_of
from tests.generation.prompts.candidates import a_pool, a_source
from tests.generation.sources.bbq_items import bbq_item
from tests.pages import in_words

pytestmark = pytest.mark.django_db

CALLED = {"name": "Harbour questions", "slug": "harbour", "code": "HAR", "licence": "", "shape": "question"}


@pytest.fixture
def study() -> Study:
    return a_study()


@pytest.fixture
def client(study: Study) -> Client:
    return signed_in(coordinator_of(study))


def a_reduced_source() -> Source:
    """Three items removed by two rules of its second step; two are left."""
    source = a_source()
    source.funnel = [
        {"name": "all items", "kept": 5, "removed": 0, "rules": {}, "admitted": {}},
        {"name": "no trivia", "kept": 2, "removed": 3, "rules": {"a date": 1, "a name": 2}, "admitted": {}},
    ]
    source.save()
    RemovedItem.objects.bulk_create(
        RemovedItem(source=source, step=1, rule=rule, key=key, text=text)
        for rule, key, text in (
            ("a name", "i1", "Who wrote the Élégie?"),
            ("a date", "i2", "When was it written?"),
            ("a name", "i3", "Who is it about?"),
        )
    )
    return source


class TestASource:
    def test_the_page_of_a_source_shows_its_funnel_with_counts_by_rule(self, study: Study, client: Client) -> None:
        source = a_reduced_source()
        answer = client.get(reverse("source", args=[study.slug, source.slug]))
        words = in_words(answer)
        assert "From 5 items to 2 scenarios all items 5 no trivia 2 3 removed" in words
        assert "By rule a name 2 a date 1" in words
        removed = reverse("source_removed", args=[study.slug, source.slug, 1])
        assert f'href="{removed}?rule=a%20name"' in answer.content.decode()

    def test_the_page_of_a_source_shows_what_is_left_by_stratum_and_words(
        self, study: Study, client: Client
    ) -> None:
        source = a_source(scenarios=4)
        address = reverse("source", args=[study.slug, source.slug])
        everything = in_words(client.get(address))
        assert all(f"bbq-00{number}" in everything for number in (1, 2, 3, 4))
        second = in_words(client.get(address, {"stratum": "Stratum 2"}))
        assert "bbq-002" in second
        assert "bbq-001" not in second
        found = in_words(client.get(address, {"words": "CONTEXT of scenario 3"}))
        assert "bbq-003" in found
        assert "bbq-002" not in found

    def test_the_page_of_a_source_lists_scenarios_as_the_file_had_them_with_the_items_they_are(
        self, study: Study, client: Client
    ) -> None:
        source = a_source(scenarios=0)
        Scenario.objects.bulk_create(
            Scenario(source=source, key=f"Age-{number}", stratum="Age", payload={"example_id": 40 + number})
            for number in (1, 2, 10)
        )
        page = in_words(client.get(reverse("source", args=[study.slug, source.slug])))
        assert "Age-1 Age, example_id 41 Age-2 Age, example_id 42 Age-10 Age, example_id 50" in page

    @pytest.mark.parametrize("short_name", ["add", "use"])
    def test_a_source_has_its_page_whatever_it_is_called(
        self, study: Study, client: Client, short_name: str
    ) -> None:
        a_source()
        Source.objects.update(slug=short_name)
        answer = client.get(reverse("source", args=[study.slug, short_name]))
        assert "The BBQ source" in in_words(answer)
        assert "no-store" in answer["Cache-Control"]

    def test_a_source_that_is_not_there_is_not_found(self, study: Study, client: Client) -> None:
        assert client.get(reverse("source", args=[study.slug, "nothing"])).status_code == 404


class TestWhatAStepRemoved:
    @pytest.mark.parametrize(
        ("asked", "keys"),
        [
            ({}, ["i1", "i2", "i3"]),
            ({"rule": "a name"}, ["i1", "i3"]),
            ({"rule": "no rule of it"}, ["i1", "i2", "i3"]),
            ({"words": "WRITTEN"}, ["i2"]),
            ({"words": "éléGIE"}, ["i1"]),
            ({"words": "I3"}, ["i3"]),
            ({"words": "who", "rule": "a date"}, []),
            ({"words": "100%"}, []),
        ],
    )
    def test_what_a_step_removed_is_found_by_rule_and_words(
        self, study: Study, client: Client, asked: dict[str, str], keys: list[str]
    ) -> None:
        source = a_reduced_source()
        answer = client.get(reverse("source_removed", args=[study.slug, source.slug, 1]), asked)
        assert re.findall(r'<th scope="row">(i\d)</th>', answer.content.decode()) == keys

    def test_the_page_of_what_a_step_removed_says_what_represents_an_item(
        self, study: Study, client: Client
    ) -> None:
        source = a_source()
        source.funnel.append({"name": "one per question", "kept": 2, "removed": 2, "rules": {}})
        source.save()
        for key, scenario in (("Age 5", "bbq-001"), ("Age 7", "bbq-002")):
            RemovedItem.objects.create(
                source=source, step=1, rule=f"represented by {scenario}", key=key, text="Who is it?"
            )
        address = reverse("source_removed", args=[study.slug, source.slug, 1])
        assert "Age 5 represented by bbq-001 Who is it?" in in_words(client.get(address))
        found = in_words(client.get(address, {"words": "represented by bbq-002"}))
        assert "Age 7" in found
        assert "Age 5" not in found

    def test_what_a_step_removed_comes_by_pages(self, study: Study, client: Client) -> None:
        source = a_reduced_source()
        RemovedItem.objects.bulk_create(
            RemovedItem(source=source, step=1, key=f"more-{number:03}", text="Where?") for number in range(60)
        )
        answer = client.get(reverse("source_removed", args=[study.slug, source.slug, 1]), {"page": 2})
        assert "51–63 of 63" in in_words(answer)
        assert "more-059" in in_words(answer)

    @pytest.mark.parametrize("number", [0, 2])
    def test_no_page_shows_what_was_removed_by_a_step_that_removes_nothing(
        self, study: Study, client: Client, number: int
    ) -> None:
        source = a_reduced_source()
        assert client.get(reverse("source_removed", args=[study.slug, source.slug, number])).status_code == 404


class TestDrawing:
    def test_drawing_on_a_source_of_the_site_begins_and_ends(self, study: Study, client: Client) -> None:
        source = a_source()
        assert "Other sources of this site" in in_words(client.get(reverse("pool_sources", args=[study.slug])))
        client.post(reverse("source_use", args=[study.slug]), {"source": source.slug})
        assert StudySource.objects.filter(study=study, source=source).exists()
        answer = client.post(reverse("source_drop", args=[study.slug, source.slug]), follow=True)
        assert "does not draw on The BBQ source any more" in in_words(answer)
        assert not StudySource.objects.filter(study=study).exists()

    def test_drawing_on_a_source_goes_on_once_prompts_were_written(self, study: Study, client: Client) -> None:
        a_pool(study)
        source = Source.objects.get()
        drop = reverse("source_drop", args=[study.slug, source.slug])
        assert drop not in client.get(reverse("source", args=[study.slug, source.slug])).content.decode()
        page = in_words(client.get(reverse("source", args=[study.slug, source.slug])))
        assert "A run of this study has prompts written from it." in page
        assert "the source stays" in in_words(client.post(drop, follow=True))


def a_file(name: str, *lines: object) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, "\n".join(map(json.dumps, lines)).encode())


def a_table(*rows: tuple[str, ...], name: str = "questions.csv") -> SimpleUploadedFile:
    written = io.StringIO()
    csv.writer(written).writerows(rows)
    return SimpleUploadedFile(name, written.getvalue().encode())


class TestBringingAlong:
    def add(self, study: Study, client: Client, kind: str, **fields: Any) -> Any:
        return client.post(reverse("source_add", args=[study.slug]) + f"?kind={kind}", fields, follow=True)

    def test_bringing_a_source_along_begins_with_the_kind(self, study: Study, client: Client) -> None:
        page = client.get(reverse("source_add", args=[study.slug])).content.decode()
        assert [kind for kind in Source.Kind.values if f'href="?kind={kind}"' in page] == Source.Kind.values
        form = client.get(reverse("source_add", args=[study.slug]), {"kind": "bbq"}).content.decode()
        assert 'value="CC BY 4.0, Parrish et al. 2022"' in form

    def test_bringing_a_source_along_reads_several_files_and_draws_on_what_they_hold(
        self, study: Study, client: Client
    ) -> None:
        files = [
            a_file("Age.jsonl", bbq_item(1), bbq_item(2, context_condition="disambig")),
            a_file("Religion.jsonl", bbq_item(1, category="Religion")),
        ]
        answer = self.add(study, client, "bbq", name="BBQ", slug="bbq", code="BBQ", uploads=files)
        assert "From 3 items to 2 scenarios" in in_words(answer)
        source = StudySource.objects.get(study=study).source
        assert [file["name"] for file in source.files] == ["Age.jsonl", "Religion.jsonl"]
        assert source.imported_by == coordinator_of(study)

    def test_bringing_a_source_along_names_the_file_and_the_line_of_a_fault_and_keeps_nothing(
        self, study: Study, client: Client
    ) -> None:
        files = [a_file("Age.jsonl", bbq_item(1)), a_file("SES.jsonl", bbq_item(1, category="SES"), {"context": 1})]
        answer = self.add(study, client, "bbq", name="BBQ", slug="bbq", code="BBQ", uploads=files)
        assert answer.status_code == 400
        assert "SES.jsonl, line 2: missing: " in in_words(answer)
        assert not Source.objects.exists()

    def test_bringing_a_source_along_keeps_nothing_that_the_study_cannot_draw_on(
        self, study: Study, client: Client
    ) -> None:
        a_pool(study)  # of a source with the code BBQ
        fields = {"name": "BBQ again", "slug": "bbq-again", "code": "BBQ"}
        answer = self.add(study, client, "bbq", **fields, uploads=[a_file("Age.jsonl", bbq_item(1))])
        assert "has the code BBQ as well" in in_words(answer)
        assert not Source.objects.filter(slug="bbq-again").exists()

    def test_bringing_a_source_along_tells_whoever_starts_the_same_list_that_it_was_there(
        self, study: Study, client: Client
    ) -> None:
        named = {"name": "Ours", "slug": "ours", "code": "OUR"}
        assert "Ours is read in" in in_words(self.add(study, client, "concepts", **named))
        assert "The same Ours was on this site already." in in_words(self.add(study, client, "concepts", **named))
        other = self.add(study, client, "concepts", **named | {"name": "Theirs"})
        assert other.status_code == 400
        assert "stored already with the name “Ours”" in in_words(other)

    def test_bringing_a_source_along_wants_files_of_the_kind_but_none_for_concepts(
        self, study: Study, client: Client
    ) -> None:
        assert "Choose a file." in in_words(self.add(study, client, "hle", name="H", slug="h", code="HLE"))
        wrong = self.add(study, client, "hle", name="H", slug="h", code="HLE", uploads=[a_file("a.pdf")])
        assert "The submitted file is empty." in in_words(wrong)
        self.add(study, client, "concepts", name="Our concepts", slug="ours", code="OUR")
        assert Source.objects.get().kind == "concepts"

    def test_bringing_a_source_along_takes_no_more_at_once_than_a_server_can_read(
        self, study: Study, client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(forms, "MAX_MEGABYTES", 0)
        answer = self.add(
            study, client, "bbq", name="BBQ", slug="bbq", code="BBQ", uploads=[a_file("Age.jsonl", bbq_item(1))]
        )
        assert "import_source" in in_words(answer)


class TestATable:
    """A table waits on the server while its columns are chosen: it need not be sent again."""

    ROWS = (("nr", "frage", "fach"), ("1", "Is a promise to a crowd a promise?", "Ethics"), ("2", "When?", "Law"))
    CHOSEN = {"column-question": "frage", "column-key": "nr", "column-stratum": "fach", "column-subject": ""}

    @pytest.fixture
    def send(self, study: Study, client: Client) -> Any:
        address = reverse("source_add", args=[study.slug]) + "?kind=table"
        return lambda **fields: client.post(address, CALLED | fields, follow=True)

    def held(self, answer: Any) -> str:
        found = re.search(r'name="held" value="([^"]+)"', answer.content.decode())
        assert found
        return found[1]

    def test_a_table_is_shown_as_it_is_until_its_columns_are_chosen(self, send: Any) -> None:
        answer = send(uploads=a_table(*self.ROWS))
        assert answer.status_code == 400
        assert "Line nr frage fach 2 1 Is a promise to a crowd a promise? Ethics" in in_words(answer)
        assert "Choose the column that holds it." in in_words(answer)
        assert "Another file (optional) To be read instead" in in_words(answer)

    def test_a_table_is_checked_and_then_imported_with_its_mapping(self, send: Any, study: Study) -> None:
        held = self.held(send(uploads=a_table(*self.ROWS)))
        checked = send(held=held, **self.CHOSEN)
        assert checked.status_code == 200
        assert "Scenarios: 2. Strata that samples are spread over: 2." in in_words(checked)
        assert not Source.objects.exists()
        page = in_words(send(held=held, **{"import": "yes"}, **self.CHOSEN))
        assert "Columns Question: frage Key: nr Stratum: fach" in page
        source = StudySource.objects.get(study=study).source
        assert source.mapping == {"question": "frage", "key": "nr", "stratum": "fach"}
        assert [one.stratum for one in Scenario.objects.order_by("key")] == ["Ethics", "Law"]
        content = a_table(*self.ROWS).read()
        assert pending_upload(held, by=coordinator_of(study)) is None
        assert source.files == [{"name": "questions.csv", "sha256": hashlib.sha256(content).hexdigest()}]

    def test_a_table_is_not_imported_while_a_line_is_wrong(self, send: Any) -> None:
        rows = (*self.ROWS, ("2", "Why?", "Law"), ("4", "", "Law"))
        held = self.held(send(uploads=a_table(*rows)))
        answer = send(held=held, **{"import": "yes"}, **self.CHOSEN)
        assert "Line 4: the key “2” is in line 3 already" in in_words(answer)
        assert "Line 5: nothing is given for the question" in in_words(answer)
        assert not Source.objects.exists()

    def test_a_table_is_checked_again_rather_than_imported_by_the_enter_key(self, send: Any) -> None:
        held = self.held(send(uploads=a_table(*self.ROWS)))
        page = send(held=held, **self.CHOSEN).content.decode()
        assert "not renamed or removed" in page
        assert page.index("Check again") < page.index("Import the table")  # the first button is the form's own

    def test_a_table_keeps_the_columns_for_a_corrected_file(self, send: Any, study: Study) -> None:
        held = self.held(send(uploads=a_table(*self.ROWS[:1], ("1", "", ""))))
        answer = send(held=held, uploads=a_table(*self.ROWS), **self.CHOSEN)
        assert answer.status_code == 200
        assert self.held(answer) != held
        assert pending_upload(held, by=coordinator_of(study)) is None
        assert '<option value="fach" selected>' in answer.content.decode()

    def test_columns_of_a_table_are_guessed_by_their_names(self, send: Any) -> None:
        answer = send(uploads=a_table(("id", "Question", "category"), ("1", "Why?", "Law")))
        assert answer.status_code == 200
        assert re.findall(r'<option value="(\w+)" selected>', answer.content.decode()) == [
            "Question",
            "id",
            "category",
        ]

    def test_a_table_is_asked_for_again_where_it_waited_too_long_or_is_somebody_else_s(
        self, send: Any, study: Study
    ) -> None:
        held = self.held(send(uploads=a_table(*self.ROWS)))
        assert "Choose a file." in in_words(send(held="waited too long", **self.CHOSEN))
        other = a_member(study, Role.COORDINATOR).user
        address = reverse("source_add", args=[study.slug]) + "?kind=table"
        assert "Choose a file." in in_words(signed_in(other).post(address, CALLED | self.CHOSEN | {"held": held}))

    def test_a_table_that_is_none_says_why(self, send: Any) -> None:
        answer = send(uploads=SimpleUploadedFile("a.csv", b"\xff\xfe,a\n"))
        assert "is not UTF-8 text" in in_words(answer)
        answer = send(uploads=SimpleUploadedFile("a.csv", b"a,a\n1,2\n"))
        assert "Two columns have the name “a”." in in_words(answer)
