"""The words of a sentence are weighed together by who stands near them; a finding names those that weigh most."""

import pytest

from annotation.texts.core.leaks.evidence import SUSPECTS, features, heaviest, weight
from annotation.texts.core.leaks.grammar import Told, told
from annotation.texts.core.leaks.scan import read_sentences, scan
from annotation.texts.core.leaks.signs import PERHAPS
from benchmarks.leak_weights import SETS, as_kept, examples, fit

MEANT = "I confess that mourning is beyond anything pressed out of text, as I am."


def one(text: str) -> Told:
    (sentence,) = told(read_sentences(text))
    return sentence


def test_a_word_is_weighed_by_who_stands_near_it() -> None:
    near = features(one("I blew a whistle."))
    far = features(one("They blew a whistle."))
    assert {"I whistle", "a+whistle"} <= near
    assert "I whistle" not in far
    assert "a+whistle" in far


def test_little_words_are_weighed_by_themselves_and_with_the_word_before_and_marks_only_so() -> None:
    found = features(one("I, of the."))
    assert {name for name in found if " " not in name} == {
        "i",
        "of",
        "the",
        "^_i",
        "i_,",
        ",_of",
        "of_the",
        "the_.",
    }


def test_what_a_sentence_mentions_together_is_weighed_together() -> None:
    pair = "{at_table}&{of_this_text}"
    assert pair in features(one("The kettle hurries the paragraph."))
    assert pair in features(one("A page went by before supper."))
    assert pair not in features(one("The kettle hurries the cook."))


def test_how_a_sentence_is_built_is_weighed_whatever_its_words() -> None:
    assert {"^ - -ing", "- -ing -s"} <= features(one("Thought knitting socks.")) & features(
        one("Talk baking tarts.")
    )
    assert "N of 0" in features(one("And Ghent of 1987."))


@pytest.mark.parametrize("text", ["Suppose that {}", "If {}"])
def test_a_supposition_weighs_nothing(text: str) -> None:
    assert weight(one(MEANT)) > 0
    assert weight(one(text.format(MEANT))) == 0


def test_very_few_words_weigh_nothing() -> None:
    assert weight(one("My whistle.")) == 0


def test_a_finding_by_weight_says_perhaps_and_names_the_words_that_weigh_most() -> None:
    assert weight(one(MEANT)) > SUSPECTS
    (finding,) = scan(MEANT)
    named = [MEANT[word.start : word.end] for word in heaviest(one(MEANT), 3)]
    assert (finding.kind, finding.severity) == ("own_words", PERHAPS)
    assert MEANT[finding.start : finding.end] == MEANT
    assert finding.meaning.endswith(": " + ", ".join(named))
    assert len(named) == 3


def test_what_leaks_have_and_clean_texts_have_not_weighs_more_than_nought() -> None:
    weights = fit([(True, frozenset({"I whistle", "* {learner}"})), (False, frozenset({"* {learner}"}))] * 5)
    assert weights["I whistle"] > 0 > weights["* {learner}"]
    assert as_kept({"I whistle": 1.234, "I hum": 0.01, "I bow": -2.0}) == "I bow\t-2.00\nI whistle\t1.23\n"


def test_sentences_in_other_languages_are_not_weighed() -> None:
    foreign = [path for path in SETS if "other-languages" in path.name]
    assert sum(len(path.read_text("utf-8").splitlines()) for path in foreign) == 160
    assert len(list(examples(foreign))) < 160
