"""Researchers have files of ratings analysed without a study, and nobody else sees them."""

import json
import re
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from analysis.agreement.sections import AGREEMENT
from analysis.data.core.parameters import WHOLE, Parameters
from analysis.panel.sections import PANEL
from analysis.rating_files import services
from analysis.rating_files.core.looking import look_at
from analysis.rating_files.core.reading import RatingOptions, codes_in, read_tables
from analysis.rating_files.forms import ColumnsForm
from analysis.rating_files.models import RatingFile
from analysis.rating_files.policies import MAX_KEPT
from analysis.rating_files.selectors import is_being_analysed
from analysis.report.core.results_file import from_json
from analysis.trials.sections import TRIALS
from analysis.unblinded.core.full_report import analyse
from annotation.platform.core.errors import Refused
from annotation.platform.models.users import User
from annotation.study.models.participation import Role
from tests.analysis.data.core.made_workbooks import made_workbook, rows_of
from tests.analysis.rating_files.files import (
    OPTIONS,
    a_rating_file,
    an_analysed_rating_file,
    ratings_csv,
    trials_csv,
)
from tests.analysis.rating_files.panels import published_files, zipped_folder
from tests.clients import signed_in
from tests.factories import a_member, a_person, a_study, coordinator_of
from tests.pages import in_words

pytestmark = pytest.mark.django_db

EXPLAINED = {
    "column_0": "evaluator",
    "column_1": "prompt",
    "column_2": "respondent",
    "people": "people",
    "low": "1",
    "high": "10",
    "mode": "default",
    "draws": "100",
    "level": "0.95",
    "seed": "42",
}


@pytest.fixture
def researcher() -> User:
    return a_member(a_study(), Role.RESEARCHER).user


@pytest.fixture
def client(researcher: User) -> Client:
    return signed_in(researcher)


def test_a_file_is_brought_explained_analysed_read_and_downloaded(client: Client, researcher: User) -> None:
    content = b"rater,question,answer,system,clarity\n" + b"".join(
        f"{rater},Q{question},Q{question}-{system},{system},{1 + (question + place) % 10}\n".encode()
        for question in range(4)
        for place, system in enumerate(("gpt", "llama", "human"))
        for rater in ("ann", "ben")
    )
    sent = {"kind": "ratings", "file": SimpleUploadedFile("other study.csv", content)}
    brought = client.post(reverse("rating_files"), sent, follow=True)
    file = RatingFile.objects.get(owner=researcher)
    assert brought.redirect_chain == [(reverse("rating_file", args=[file.pk]), 302)]
    assert b"other study.csv" in brought.content
    assert brought.content.count(b'<option value="evaluator" selected>Rater</option>') == 1

    asked = {"mode": "default", "draws": "100", "level": "0.95", "seed": "42"}
    address = reverse("rating_file", args=[file.pk])
    assert "Nothing is doubtful." in in_words(client.post(address, {**asked, "low": "1", "high": "10"}))
    understood = client.post(address, asked)
    assert b"What it is read as" in understood.content
    assert "Nobody told the scale: taken as 1 to 6, which its scores reach from end to end," in in_words(understood)
    assert "not given: scores run from 1 to 6, and are taken to be on one from 1 to 6" in in_words(understood)
    assert "Check how this was read" in in_words(understood)
    beside = understood.content.decode().partition('id="read-as"')[2].partition("</section>")[0]
    assert re.search(r'form="explain"\s+name="analyse"\s+value="1"', beside)
    assert understood.content.count(b'id="explain"') == 1
    assert RatingFile.objects.get().asked_at is None

    assert client.post(address, {**asked, "analyse": "1"}).status_code == 302
    assert b"The analysis waits for a worker." in client.get(address).content
    services.compute(file.pk)
    page = client.get(address).content.decode()
    assert "Methods and results in words" in page
    archive = client.get(reverse("rating_file_archive", args=[file.pk])).content
    names = ZipFile(BytesIO(archive)).namelist()
    assert {"results.json", "report.tex", "figures.csv"} <= set(names)
    assert f"{address}files/figures.csv" in page


def test_comparisons_are_told_as_verdicts_on_pairs_before_and_after_they_are_analysed(
    client: Client, researcher: User
) -> None:
    content = b"prompt,model_a,model_b,rater,winner\n" + b"".join(
        f"p{prompt},gpt,llama,{rater},{'ab'[(prompt + place) % 2]}\n".encode()
        for prompt in range(4)
        for place, rater in enumerate(("ann", "ben", "cy"))
    )
    client.post(reverse("rating_files"), {"kind": "pairs", "file": SimpleUploadedFile("pairs.csv", content)})
    file = RatingFile.objects.get(owner=researcher)
    address = reverse("rating_file", args=[file.pk])
    asked = {name: EXPLAINED[name] for name in ("mode", "draws", "level", "seed")}
    before = in_words(client.post(address, asked))
    assert "Verdicts 12, by 3 raters Pairs of answers 4," in before
    assert "taken to be on one" not in before
    client.post(address, {**asked, "analyse": "1"})
    services.compute(file.pk)
    assert "12 verdicts on 4 pairs of answers by 3 raters" in in_words(client.get(address))


@pytest.mark.parametrize("kind", ["panel", "folder"])
def test_a_panels_scores_and_a_zipped_folder_are_brought_and_analysed(
    client: Client, researcher: User, kind: str
) -> None:
    # Prompts of no domain: of each domain everything would be drawn again.
    files = {path: content.replace(b"BBQ_", b"Q") for path, content in published_files().items()}
    content = zipped_folder(files) if kind == "folder" else files["study/SCRuBPanel/panel_scores.csv"]
    sent = {"kind": kind, "file": SimpleUploadedFile("brought", content)}
    assert client.post(reverse("rating_files"), sent).status_code == 302
    file = RatingFile.objects.get(owner=researcher)
    address = reverse("rating_file", args=[file.pk])
    asked = {name: EXPLAINED[name] for name in ("low", "high", "mode", "draws", "level", "seed")}
    if kind == "panel":
        asked |= {f"column_{place}": "" for place in range(7)}
    shown = client.post(address, {**asked, "people": "W-1"}).content.decode()
    assert "Replies of a panel" in shown
    assert client.post(address, {**asked, "people": "W-1", "analyse": "1"}).status_code == 302
    services.compute(file.pk)
    report = from_json(bytes(RatingFile.objects.get().results.get(name="results.json").content))
    (panel,) = report[PANEL].panel
    assert panel.is_alone == (kind == "panel")
    assert client.get(address).status_code == 200


def test_a_file_of_constitutional_trials_is_brought_explained_and_answered_in_a_sentence(
    client: Client, researcher: User
) -> None:
    sent = {"kind": "trials", "file": SimpleUploadedFile("pilot.csv", trials_csv().encode())}
    assert client.post(reverse("rating_files"), sent).status_code == 302
    file = RatingFile.objects.get(owner=researcher)
    address = reverse("rating_file", args=[file.pk])
    form = client.get(address).context["form"]
    taken = {field.label: field.initial for field in form.column_fields}
    assert taken == {
        "story": "prompt",
        "model": "respondent",
        "condition": "condition",
        "approach": "perspective",
        "judge": "evaluator",
        "integrity": "",
        "transparency": "",
        "overall": "overall",
        "status": "status",
        "conclusion": "conclusion",
    }
    asked = {field.html_name: field.initial or "" for field in form}
    asked |= {"codes": "PASS=1, FAIL=0", "draws": "100", "scales": "A=0-1, D=0-100"}
    wrong = client.post(address, {**asked, "controls": "denied", "margin": ""})
    assert wrong.status_code == 400
    assert "cannot be left empty" in wrong.content.decode()
    wrong = client.post(address, {**asked, "controls": "denied"})
    assert "No condition is called denied: no_constitution, harm" in wrong.content.decode()
    asked["controls"] = "denied_fact"
    shown = " ".join(client.post(address, asked).content.decode().split())
    assert "24, to 3 scenarios" in shown
    assert "A, from 0 to 1; D, from 0 to 100" in shown
    assert "coded for 24 answers" in shown
    assert "nobody named the dimensions: integrity and transparency" in shown.casefold()
    assert client.post(address, {**asked, "analyse": "1"}).status_code == 302
    services.compute(file.pk)
    file.refresh_from_db()
    assert file.problem == ""
    found = from_json(bytes(file.results.get(name="results.json").content))[TRIALS]
    page = client.get(address)
    assert found.verdict.sentence in page.content.decode()
    assert "ot computed by this version" not in page.content.decode(), "no other section applies"
    assert {name: page.context["form"].initial[name] for name in ("scales", "controls", "margin")} == {
        "scales": "A=0-1, D=0-100",
        "controls": "denied_fact",
        "margin": 5.0,
    }


def test_the_report_is_the_one_that_the_command_gives() -> None:
    file = an_analysed_rating_file()
    content = bytes(file.results.get(name="results.json").content)
    read = read_tables(ratings_csv(), OPTIONS)
    expected = analyse(read.tables, parameters=Parameters(draws=100, scale=read.scale))
    assert from_json(content)[AGREEMENT][WHOLE].summary == expected[AGREEMENT][WHOLE].summary
    assert json.loads(content)["parameters"]["scale"] == [1.0, 10.0]


def test_doubts_are_shown_before_anything_is_computed(client: Client, researcher: User) -> None:
    file = a_rating_file(by=researcher)
    shown = client.post(reverse("rating_file", args=[file.pk]), EXPLAINED | {"column_2": "unit"}).content.decode()
    assert "Row 2, column fluency: 1 decimal comma read as a point" in shown
    assert RatingFile.objects.get().asked_at is None


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"low": "", "high": "10"}, "Give both ends of the scale, or neither."),
        ({"low": "10", "high": "1"}, "The highest rating lies above the lowest."),
        ({"codes": "PASS"}, "does not give numbers as in PASS=1,FAIL=0"),
        ({"column_0": "ignored"}, "no column is known to name the rater (evaluator)"),
        ({"rubric": "not = a rubric"}, "rubric"),
        ({"draws": "1"}, "” has to be "),
    ],
)
def test_impossible_choices_for_a_file_are_named_and_no_analysis_is_asked_for(
    client: Client, researcher: User, wrong: dict[str, str], words: str
) -> None:
    file = a_rating_file(by=researcher)
    answer = client.post(
        reverse("rating_file", args=[file.pk]), EXPLAINED | {"column_2": "unit", "analyse": "1"} | wrong
    )
    assert answer.status_code == 400
    assert words in answer.content.decode()
    assert RatingFile.objects.get().asked_at is None


def test_what_words_count_as_is_proposed_and_stays_as_somebody_has_changed_it(
    client: Client, researcher: User
) -> None:
    content = "rater,question,answer,clarity\n" + "".join(
        f"{rater},Q1,a{place},{word}\n"
        for rater in ("ann", "ben")
        for place, word in enumerate(("Agree", "Disagree", "Strongly agree"))
    )
    file = a_rating_file(by=researcher, content=content.encode())
    address = reverse("rating_file", args=[file.pk])
    proposed = "Strongly disagree=1,Disagree=2,Neutral=3,Agree=4,Strongly agree=5"
    page = client.get(address)
    assert f'value="{proposed}"' in page.content.decode()
    assert "Proposed by the words of the file" in page.content.decode()
    asked = {field.html_name: field.initial or "" for field in page.context["form"]} | {"draws": "100"}
    assert "Scale 1 to 5" in in_words(client.post(address, asked))
    client.post(address, {**asked, "codes": "Disagree=1, Agree=2, Strongly agree=3", "analyse": "1"})
    services.compute(file.pk)
    kept = client.get(address).context["form"].initial["codes"]
    assert codes_in(kept) == {"Disagree": 1, "Agree": 2, "Strongly agree": 3}


def test_how_a_file_is_analysed_is_folded_away_until_somebody_asks_otherwise() -> None:
    columns = ("rater", "answer", "clarity")
    assert ColumnsForm(columns, "ratings").is_usual
    usual, other = (
        ColumnsForm.filled(columns, "ratings", RatingOptions(), Parameters(draws=draws)) for draws in (2000, 500)
    )
    assert usual.is_usual
    assert not other.is_usual


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"a,b\n1\n", "1 cells under 2 columns"),
        (b"\xff\xfe\x00", "not CSV in UTF-8"),
        (b"a,b\n", "row 2: there is none"),
    ],
)
def test_a_file_that_is_no_table_is_refused_at_its_field_and_not_kept(
    client: Client, content: bytes, words: str
) -> None:
    answer = client.post(
        reverse("rating_files"), {"kind": "ratings", "file": SimpleUploadedFile("file.csv", content)}
    )
    assert answer.status_code == 400
    assert words in answer.content.decode()
    assert not RatingFile.objects.exists()


def test_a_workbook_is_brought_and_explained_as_the_plain_file_that_holds_the_same(
    client: Client, researcher: User
) -> None:
    rows = [tuple(line.replace("8,5", "8.5").split(";")) for line in ratings_csv().decode().splitlines()]
    client.force_login(researcher)
    upload = SimpleUploadedFile("ratings.xlsx", made_workbook(rows_of(*rows)))
    assert client.post(reverse("rating_files"), {"kind": "ratings", "file": upload}).status_code == 302
    file = RatingFile.objects.get()
    assert file.look["columns"] == ["worker", "story", "system", "fluency", "coherence"]
    assert file.look["rows"] == 36
    shown = client.post(reverse("rating_file", args=[file.pk]), EXPLAINED | {"column_2": "unit"}).content.decode()
    assert "1 rating read as none (failed)" in shown
    broken = SimpleUploadedFile("ratings.xlsx", made_workbook("<sheetData><row>"))
    answer = client.post(reverse("rating_files"), {"kind": "ratings", "file": broken})
    assert answer.status_code == 400
    assert "the file is no workbook that can be read" in answer.content.decode()


@pytest.mark.parametrize("signs", ["_xD800_", "_x0000_", "_xFFFF_", "_x0001_"])
@pytest.mark.parametrize("is_name", [True, False])
def test_a_workbook_with_a_sign_that_no_text_has_is_told_where_it_is_on_the_page(
    client: Client, signs: str, is_name: bool
) -> None:
    rows = (("rater", "answer", "depth", "note"), ("r", "a", "3", "n"), ("s", "a", "4", "n"))
    name, cell = (f"note{signs}", "n") if is_name else ("note", f"n{signs}")
    sheet = rows_of(*((*row[:3], name if row is rows[0] else cell) for row in rows))
    upload = SimpleUploadedFile("ratings.xlsx", made_workbook(sheet))
    answer = client.post(reverse("rating_files"), {"kind": "ratings", "file": upload})
    if is_name:
        assert answer.status_code == 400
        assert "row 1, column D: it has a sign that no text has" in answer.content.decode()
        return
    address = reverse("rating_file", args=[RatingFile.objects.get().pk])
    asked = {"mode": "default", "draws": "100", "level": "0.95", "seed": "42"}
    refused = client.post(address, asked)
    assert refused.status_code == 400
    assert "row 2, column D: it has a sign that no text has" in in_words(refused)
    assert client.post(address, {**asked, "column_3": "ignored"}).status_code == 200


def test_comparisons_brought_as_ratings_are_read_as_comparisons_at_a_click(client: Client) -> None:
    content = b"model_a,model_b,judge,winner\ngpt,llama,ann,model_a\nllama,gpt,ben,tie\n"
    client.post(reverse("rating_files"), {"kind": "ratings", "file": SimpleUploadedFile("arena.csv", content)})
    file = RatingFile.objects.get()
    at = reverse("rating_file", args=[file.pk])
    assert 'value="pairs">Read it as comparisons' in client.get(at).content.decode()
    refused = client.post(at, {"take_for": "trials"}, follow=True)
    assert "not taken for one of that kind" in refused.content.decode()
    taken = client.post(at, {"take_for": "pairs"}, follow=True).content.decode()
    assert "“arena.csv” is now read as comparisons." in taken
    assert "take_for" not in taken
    file.refresh_from_db()
    assert file.kind == "pairs"


def test_a_file_that_can_no_longer_be_read_so_says_why(researcher: User) -> None:
    file = a_rating_file(by=researcher)
    unsaid = RatingOptions(ignored=("worker",))
    services.ask_for_analysis(file=file, options=unsaid, parameters=Parameters(draws=100), by=researcher)
    services.compute(file.pk)
    file.refresh_from_db()
    assert file.problem.startswith(
        "The file cannot be read so: row 1: no column is known to name the rater (evaluator); say which does: "
        "“story”, “system”, “fluency”, “coherence”. If columns such as “fluency” and “coherence” have"
    )
    assert not is_being_analysed(file)


def test_analysed_otherwise_the_earlier_report_is_kept_no_longer() -> None:
    file = an_analysed_rating_file()
    researcher = file.owner
    services.ask_for_analysis(file=file, options=OPTIONS, parameters=Parameters(draws=100, seed=7), by=researcher)
    assert not file.results.exists()
    with pytest.raises(Refused, match="is being analysed"):
        services.ask_for_analysis(file=file, options=OPTIONS, parameters=Parameters(draws=100), by=researcher)
    with pytest.raises(Refused, match="Remove it when that is done"):
        services.remove(file=file, by=researcher)
    services.compute(file.pk)
    services.compute(file.pk)  # is harmless
    assert file.results.filter(name="results.json").count() == 1


def test_what_was_asked_for_otherwise_meanwhile_keeps_nothing_of_the_work_before(researcher: User) -> None:
    file = a_rating_file(by=researcher)
    services.ask_for_analysis(file=file, options=OPTIONS, parameters=Parameters(draws=100), by=researcher)
    begun = RatingFile.objects.get()
    RatingFile.objects.update(asked_at=None)
    services._keep(begun, {"results.json": b"{}"})
    assert not file.results.exists()


def test_removed_a_file_is_gone_with_its_report() -> None:
    file = an_analysed_rating_file()
    assert signed_in(file.owner).post(reverse("rating_file_remove", args=[file.pk])).status_code == 302
    assert not RatingFile.objects.exists()


def test_another_researcher_finds_no_such_file() -> None:
    file = an_analysed_rating_file()
    other = signed_in(a_member(a_study(slug="another"), Role.RESEARCHER, a_person("Other Researcher")).user)
    for name, args in (
        ("rating_file", [file.pk]),
        ("rating_file_result", [file.pk, "results.json"]),
        ("rating_file_archive", [file.pk]),
    ):
        assert other.get(reverse(name, args=args)).status_code == 404
    assert other.post(reverse("rating_file_remove", args=[file.pk])).status_code == 404


def test_administrators_may_upload_a_file_of_ratings_and_coordinators_may_not() -> None:
    administrator = a_person("Ada Administrator", is_staff=True)
    assert a_rating_file(by=administrator).owner == administrator
    with pytest.raises(PermissionDenied):
        a_rating_file(by=coordinator_of(a_study()))


def test_so_many_files_are_kept_and_no_more(researcher: User) -> None:
    content = b"a,b\n1,2\n"
    for _ in range(MAX_KEPT):
        a_rating_file(by=researcher, content=content)
    with pytest.raises(Refused, match="Remove one that you need no more"):
        services.bring(name="more.csv", kind="ratings", content=content, look=look_at(content), by=researcher)
