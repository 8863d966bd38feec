"""Who argues in the first person says nothing of themselves."""

import pytest

from annotation.texts.core.leaks.evidence import SECONDS, weight
from annotation.texts.core.leaks.grammar import told
from annotation.texts.core.leaks.scan import read_sentences, scan


def findings(text: str) -> list[str]:
    return [f"{finding.kind}: {finding.excerpt}" for finding in scan(text)]


@pytest.mark.parametrize(
    "text",
    [
        "The second point, about consent, I grant.",
        "I would not lower the deposit that the entrants pay, for all that.",
        "I lean on the archive for the first claim and on the ledger for the second.",
        "I am comparing a seminar with a sermon here, and the sermon loses.",
        "My colleagues may object that a village is no sample.",
        "The examiner in my example might be excused.",
        "The rates of interest are much the same as in the last one.",
        "The proof carries the name of Emmy, who found it in 1918.",
        "By 1929 I. A. Richards had tried the method on undergraduates.",
        "It is the first version of the law that survives.",
        "She did a great deal with the hours available.",
        "People answer differently according to the wording of the question that surveys put to them.",
        "You may well be wrong about your motives.",
    ],
)
def test_an_argument_in_the_first_person_is_left_alone(text: str) -> None:
    assert findings(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "My colleagues in the law faculty read the clause otherwise.",
        "I lectured on the clause to undergraduates in Leeds.",
        "The Polish I grew up with has no word for it.",
        "I was marking coursework when the news of the verdict came.",
        "I share a surname with the judge who wrote it.",
    ],
)
def test_a_life_in_the_same_words_is_found(text: str) -> None:
    assert findings(text) != []


def test_what_a_rule_only_suspects_needs_the_words_of_its_sentence_as_well() -> None:
    light = "My clarinet, in the story, is a stolen one, and so nothing follows for the argument about duties."
    heavy = "I was raised by my grandmother on a farm, and my clarinet was hers."
    of_light, of_heavy = (weight(next(told(read_sentences(text)))) for text in (light, heavy))
    assert of_light < SECONDS < of_heavy
    assert findings(light) == []
    assert findings(heavy) != []


@pytest.mark.parametrize(
    "text",
    [
        "Names of living suspects are something I must withhold.",
        "The guidelines that govern my replies are silent on the duke.",
        "No human hand wrote this sonnet's defence.",
        "Lacking a pulse, I have to trust the Stoics about fear.",
        "Please score the reasoning and not the spelling.",
        "Number four of the ten texts I owe is about tithes.",
        "My tram is due, so Hume must do without his reply.",
        "The twins are finally asleep, and so to Spinoza.",
        "I am to defend one side only, and I take the miller's.",
    ],
)
def test_a_setting_is_found_by_its_turn_of_phrase(text: str) -> None:
    assert findings(text) != []
