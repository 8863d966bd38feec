"""Files of answers under pressure are analysed on the page, as the command analyses them."""

from io import StringIO
from pathlib import Path

import pandas as pd
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from analysis.framing.sections import FRAMING
from analysis.rating_files import services
from analysis.rating_files.core.reading import RatingOptions, read_tables
from analysis.rating_files.models import RatingFile
from analysis.report.core.results_file import from_json
from annotation.platform.models.users import User
from annotation.study.models.participation import Role
from tests.analysis.rating_files.files import PRESSURE, a_rating_file, pressure_csv
from tests.clients import signed_in
from tests.factories import a_member, a_study
from tests.pages import in_words

pytestmark = pytest.mark.django_db

ASKED = {"mode": "default", "draws": "100", "level": "0.95", "seed": "42"}
RESPONDENTS = ", ".join(
    f"{model}-{condition}={model}:{condition}" for model in ("claude", "gpt") for condition in PRESSURE
)


@pytest.fixture
def researcher() -> User:
    return a_member(a_study(), Role.RESEARCHER).user


@pytest.fixture
def client(researcher: User) -> Client:
    return signed_in(researcher)


def test_answers_under_pressure_are_brought_explained_analysed_and_told_as_by_the_command(
    client: Client, researcher: User, tmp_path: Path
) -> None:
    content = pressure_csv().encode()
    sent = {"kind": "framings", "file": SimpleUploadedFile("pressure.csv", content)}
    assert client.post(reverse("rating_files"), sent).status_code == 302
    file = RatingFile.objects.get(owner=researcher)
    address = reverse("rating_file", args=[file.pk])
    form = client.get(address).context["form"]
    assert [field.initial for field in form.column_fields] == [
        *("unit", "respondent", "prompt", "condition", "evaluator", "perspective", "", "", "abstained"),
    ]
    asked = {field.html_name: field.initial or "" for field in form} | {"draws": "100", "low": "1", "high": "10"}
    assert "Condition that is the prompt itself" in {field.label for field in form}
    wrong = client.post(address, {**asked, "baseline": "calm"})
    assert "no answer is said to be given under &#x27;calm&#x27;" in wrong.content.decode()
    shown = in_words(client.post(address, asked))
    assert "160, by one, two from 2 perspectives" in shown
    assert "the prompt itself, with 40 replies; agree, with 40 replies; disagree, with 40" in shown
    assert "Abstentions 1, left out and counted" in shown
    assert "Ranks none" not in shown
    assert client.post(address, {**asked, "analyse": "1"}).status_code == 302
    services.compute(file.pk)
    file.refresh_from_db()
    assert file.problem == ""
    page = client.get(address)
    assert "160 replies of a panel about 40 answers to 5 prompts" in in_words(page)
    (tmp_path / "pressure.csv").write_bytes(content)
    given = ("--framings", str(tmp_path / "pressure.csv"), "--scale", "1-10", "--draws", "100")
    call_command("analyse", *given, "--out", str(tmp_path / "out"), stdout=StringIO())
    own, theirs = (
        from_json(each)
        for each in (
            bytes(file.results.get(name="results.json").content),
            (tmp_path / "out" / "results.json").read_bytes(),
        )
    )
    (found,) = own[FRAMING].experiments
    assert found.replies == 160
    assert own[FRAMING] == theirs[FRAMING]
    assert own.data == theirs.data


@pytest.mark.parametrize(
    "said",
    [
        {"cuts": "response_id={prompt}/{respondent}/{condition}"},
        {"cuts": "response_id={prompt}/{}", "respondents": RESPONDENTS},
    ],
)
def test_conditions_that_identifiers_tell_are_told_on_the_page_too(
    client: Client, researcher: User, said: dict[str, str]
) -> None:
    table = pd.read_csv(StringIO(pressure_csv()))
    if "respondents" in said:
        table["respondent_id"] += "-" + table["condition"]
    else:
        table = table.drop(columns="respondent_id")
    content = table.drop(columns=["prompt_id", "condition"]).to_csv(index=False).encode()
    file = a_rating_file(by=researcher, content=content, kind="framings")
    address = reverse("rating_file", args=[file.pk])
    asked = ASKED
    refused = client.post(address, {**asked, "cuts": "response_id=(?P<prompt>(a+)+)/.*"})
    assert "Regular expressions are for the command" in refused.content.decode()
    shown = in_words(client.post(address, {**asked, **said}))
    assert "the prompt itself, with 40 replies; agree, with 40" in shown
    client.post(address, {**asked, **said, "analyse": "1"})
    services.compute(file.pk)
    page = client.get(address)
    filled = page.context["form"].initial
    assert {name: set(filled[name].split(", ")) for name in said} == {
        name: set(each.split(", ")) for name, each in said.items()
    }


@pytest.mark.parametrize("kind", ["panel", "ratings"])
def test_answers_under_pressure_brought_as_something_else_are_read_as_what_they_are_at_a_click(
    client: Client, researcher: User, kind: str
) -> None:
    file = a_rating_file(by=researcher, content=pressure_csv().encode(), kind=kind)
    address = reverse("rating_file", args=[file.pk])
    assert "Read it as answers under pressure" in client.get(address).content.decode()
    taken = client.post(address, {"take_for": "framings"}, follow=True).content.decode()
    assert "is now read as answers under pressure." in taken
    assert "take_for" not in taken


def test_a_panels_replies_that_enter_no_agreement_are_counted_in_a_doubt() -> None:
    read = read_tables(pressure_csv().encode(), RatingOptions(scale=(1, 10)), "panel")
    doubts = " ".join(map(str, read.doubts))
    assert "asked for as 'baseline' alone, 40 of 160" in doubts
    assert "bring the file as answers under pressure (--framings)" in doubts
