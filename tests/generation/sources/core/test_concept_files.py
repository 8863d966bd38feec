"""Lists of concepts and the documents they quote, as files."""

import pytest

from annotation.platform.core.errors import Refused
from annotation.platform.core.line_files import BrokenFile
from generation.sources.core.concept_files import read_concepts
from generation.sources.core.concepts import Document

CHARTER = b"Whoever keeps the well keeps the peace. A refusal is told to the council.\n"
TOML = """
[[documents]]
file = "charter.txt"
title = "The well charter"
citation = "Well charter of Aldermoor"

[[concepts]]
theme = "Shared goods"
name = "Stewardship"
interpretation = "Care for what is shared."

[[concepts.quotes]]
text = "keeps the well"
document = "The well charter"
citation = "1"

[[concepts.quotes]]
text = "told to the council"
document = "The well charter"
"""
ROWS = """theme,name,interpretation,quote,document,citation
Shared goods,Stewardship,Care for what is shared.,keeps the well,charter,1
,Candour,Saying why.,A refusal is told,charter,2
,Stewardship,,keeps the peace,charter,
"""


def problems(**files: bytes) -> list[str]:
    with pytest.raises(BrokenFile) as caught:
        read_concepts({name.replace("_", "."): data for name, data in files.items()})
    return [f"{caught.value.file}: {problem}" for problem in caught.value.problems]


def test_toml_gives_concepts_and_says_what_a_document_is_called() -> None:
    reduction, documents = read_concepts({"charter.txt": CHARTER, "concepts.toml": TOML.encode()})
    assert documents == (Document("The well charter", "Well charter of Aldermoor", CHARTER.decode().strip()),)
    [scenario] = reduction.scenarios
    assert (scenario.key, scenario.payload["theme"]) == ("stewardship", "Shared goods")
    assert scenario.payload["quotes"] == [
        {"text": "keeps the well", "document": "The well charter", "citation": "1"},
        {"text": "told to the council", "document": "The well charter", "citation": ""},
    ]
    assert [(step.name, step.kept) for step in reduction.steps] == [("all concepts", 1)]


def test_a_table_has_a_row_for_each_quotation_of_a_document_called_as_its_file() -> None:
    reduction, documents = read_concepts({"charter.txt": CHARTER, "concepts.csv": ROWS.encode()})
    assert [(one.title, one.citation) for one in documents] == [("charter", "charter")]
    stewardship, candour = reduction.scenarios
    assert (stewardship.stratum, candour.stratum) == ("Stewardship", "Candour")
    assert stewardship.payload == {
        "theme": "Shared goods",
        "concept": "Stewardship",
        "interpretation": "Care for what is shared.",
        "quotes": [
            {"text": "keeps the well", "document": "charter", "citation": "1"},
            {"text": "keeps the peace", "document": "charter", "citation": ""},
        ],
    }


def test_no_concepts_at_all_give_an_empty_list_that_can_be_added_to() -> None:
    reduction, documents = read_concepts({})
    assert (reduction.scenarios, [step.kept for step in reduction.steps], documents) == ((), [0], ())


def test_concepts_whose_quotations_are_not_there_are_all_named() -> None:
    rows = ROWS.replace("keeps the well", "keeps a well").replace("refusal is told", "refusal is sung")
    found = problems(charter_txt=CHARTER, concepts_csv=rows.encode())
    assert found == [
        "concepts.csv: Stewardship: “keeps a well” is not in “charter”; what comes nearest there is “keeps the "
        "well”.",
        "concepts.csv: Candour: “A refusal is sung” is not in “charter”; what comes nearest there is “A refusal is "
        "told”.",
    ]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (("charter.txt", "bylaws.txt"), "the document “bylaws.txt” did not come along"),
        (("name =", "title ="), "concepts.0.name is missing"),
        (("name =", "title ="), "concepts.0.title is not known here"),
        (("[[concepts]]", "[[concepts]"), "line 7"),
        (('citation = "Well charter of Aldermoor"', ""), "documents.0.citation is missing"),
    ],
)
def test_faults_of_a_toml_are_told_by_where_they_are(change: tuple[str, str], why: str) -> None:
    [problem] = problems(charter_txt=CHARTER, concepts_toml=TOML.replace(*change).encode())
    assert problem.startswith("concepts.toml: ")
    assert why in problem


def test_faults_of_a_table_are_told_by_their_lines() -> None:
    rows = ROWS.replace(",Candour,", ",,").replace("keeps the peace", "")
    assert problems(charter_txt=CHARTER, concepts_csv=rows.encode()) == [
        "concepts.csv: line 3: nothing is given for the name",
        "concepts.csv: line 4: nothing is given for the quotation",
    ]


def test_a_document_that_cannot_be_read_is_named() -> None:
    assert problems(charter_txt=b"Keeps\nthe caf\xe9") == [
        "charter.txt: line 2: this is not UTF-8 text. Read as Windows-1252 (Latin-1) it says “the café”"
    ]
    assert problems(charter_txt=b"%PDF-1.7") == [
        "charter.txt: this is a PDF, not a text. Save its words as plain text in UTF-8"
    ]
    assert problems(charter_txt=b" \n") == ["charter.txt: “charter” holds no text."]


def test_two_documents_cannot_have_one_title() -> None:
    with pytest.raises(Refused, match="Two documents are called “charter”"):
        read_concepts({"charter.txt": CHARTER, "charter.md": CHARTER})


@pytest.mark.parametrize(
    ("toml", "told"),
    [
        (b"a." * 20_000 + b"a = 1", "Line 1: a key has more than 8 names with dots between them."),
        (b"concepts = " + b"[" * 5_000, "Line 1: brackets stand in brackets more than 12 deep."),
        (b"concepts = " + b"9" * 199_000, "Line 1: a number has more than 15 digits."),
    ],
)
def test_a_list_of_which_more_is_to_be_read_than_can_be_is_refused(toml: bytes, told: str) -> None:
    assert problems(concepts_toml=toml) == [f"concepts.toml: {told}"]


def test_a_document_or_a_quotation_that_is_too_long_to_look_things_up_in_is_refused() -> None:
    assert problems(charter_txt=b"a " * 100_001) == ["charter.txt: a document has at most 200 kB"]
    long = TOML.replace("keeps the well", "keeps the well " * 400)
    [problem] = problems(charter_txt=CHARTER, concepts_toml=long.encode())
    assert "and 5,000 at most can be looked up" in problem
