"""Quotations looked up in a document, and concepts that say all they have to."""

from collections import Counter
from dataclasses import replace
from operator import eq

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.platform.core.errors import Refused
from generation.sources.core.concepts import (
    AROUND,
    Concept,
    Document,
    Miss,
    Quote,
    QuotesNotFound,
    check_keys_differ,
    check_quote,
    checked_concept,
    checked_document,
    passage_of,
    scenario_of,
)

CHARTER = """1. Whoever keeps the well keeps the peace – and “peace” is
nobody's property.

2. The keeper may refuse water to no one; the keeper may, however,
   ask what it is for. A refusal is told to the neighbours' council."""


class TestAQuotation:
    @pytest.mark.parametrize(
        "quote",
        [
            "keeps the well",
            "keeps the peace – and “peace” is\nnobody's property",
            'keeps  the peace - and "peace" is nobody’s property.',
            "and \u00bbpeace\u00ab is",
            "peace \u2212 and",
            "the keeper may, however,\u00a0ask what it is for.",
        ],
    )
    def test_a_quotation_is_found_whatever_quotes_dashes_and_spaces_it_is_typed_with(self, quote: str) -> None:
        assert check_quote(quote, CHARTER).is_found

    @pytest.mark.parametrize(
        "quote",
        [
            "Keeps the well",  # another case
            "keeps the wells",
            "keeps the well keeps peace",  # a word is missing and nothing says so
            "ell keeps the peace",  # begins within a word
            "Whoever keeps the we",  # ends within one
        ],
    )
    def test_a_quotation_is_not_found_where_anything_else_differs(self, quote: str) -> None:
        assert not check_quote(quote, CHARTER).is_found

    @pytest.mark.parametrize("mark", ["[…]", "[...]", "[ … ]", "[. . .]"])
    def test_a_quotation_may_leave_words_out_where_it_says_so(self, mark: str) -> None:
        assert check_quote(f"The keeper may refuse water to no one {mark} ask what it is for.", CHARTER).is_found

    def test_a_quotation_has_its_parts_in_the_order_of_the_document(self) -> None:
        assert check_quote("keeps the well […] keeps the peace", CHARTER).is_found
        assert not check_quote("keeps the peace […] keeps the well", CHARTER).is_found

    def test_a_quotation_does_not_count_one_place_twice(self) -> None:
        """The document has “the keeper may” once in this case, and once with a capital letter."""
        assert not check_quote("the keeper may […] the keeper may", CHARTER).is_found

    @pytest.mark.parametrize("quote", ["", "  ", "[…]", "“”", "the well […]", "[…] the well", "the […] – […] well"])
    def test_a_quotation_without_a_word_in_each_part_is_never_found(self, quote: str) -> None:
        assert not check_quote(quote, CHARTER).is_found

    def test_a_quotation_that_is_not_found_comes_with_the_passage_that_has_most_of_its_words(self) -> None:
        # “keeper may refuse water to no” shares four of six words, each in its place; no other passage does so.
        check = check_quote("keepers may refuse water to nobody", CHARTER)
        assert (check.is_found, check.nearest) == (False, "keeper may refuse water to no")
        assert check_quote("zebra keeps the well", CHARTER).nearest == "Whoever keeps the well"
        assert check_quote("whoever keeps the zebra", CHARTER).nearest == "Whoever keeps the well"

    @given(
        st.lists(st.sampled_from("abcdef"), max_size=12),
        st.lists(st.sampled_from("abcgh"), min_size=1, max_size=5),
    )
    def test_what_is_nearest_to_a_quotation_is_what_comparing_every_passage_finds(
        self, document: list[str], part: list[str]
    ) -> None:
        nearest, most = "", (0, 0)
        for end in range(1, len(document) + 1):
            passage = document[max(0, end - len(part)) : end]
            alike = (Counter(passage) & Counter(part)).total()
            in_place = sum(map(eq, passage, part))
            if alike and (alike, in_place) > most:
                most = (alike, in_place)
                start = max(0, end - len(part))
                nearest = " ".join(document[start : start + len(part)])
        check = check_quote(" ".join(part), " ".join(document))
        assert check.is_found or check.nearest == nearest

    def test_a_quotation_that_leaves_words_out_is_told_of_the_part_that_is_missing(self) -> None:
        check = check_quote("Whoever keeps the well […] ask what it was for", CHARTER)
        assert check.nearest == "ask what it is for"

    def test_a_quotation_of_which_no_word_is_there_has_nothing_near(self) -> None:
        assert check_quote("zebra crossings", CHARTER).nearest == ""

    @given(st.data())
    def test_a_quotation_copied_from_a_document_at_word_boundaries_is_found(self, data: st.DataObject) -> None:
        words = data.draw(st.lists(st.sampled_from("the well keeper's – “peace” may, not. It".split()), min_size=3))
        first = data.draw(st.integers(0, len(words) - 1))
        last = data.draw(st.integers(first, len(words) - 1))
        quote = data.draw(st.sampled_from([" ", "\n", "  "])).join(words[first : last + 1])
        is_something = any(map(str.isalnum, quote))
        assert check_quote(quote, " ".join(words)).is_found == is_something


STEWARDSHIP = Concept(
    name="Stewardship",
    interpretation="Care for what is shared, without owning it.",
    quotes=(Quote("Whoever keeps the well keeps the peace", "Charter", "1"),),
    theme="Shared goods",
)
TEXTS = {"Charter": CHARTER}


class TestAConcept:
    def test_a_concept_becomes_a_scenario_that_is_a_stratum_of_its_own(self) -> None:
        scenario = scenario_of(replace(STEWARDSHIP, name="Care & Stewardship"))
        assert (scenario.key, scenario.stratum) == ("care-stewardship", "Care & Stewardship")
        assert scenario.payload == {
            "theme": "Shared goods",
            "concept": "Care & Stewardship",
            "interpretation": "Care for what is shared, without owning it.",
            "quotes": [{"text": "Whoever keeps the well keeps the peace", "document": "Charter", "citation": "1"}],
        }

    def test_a_concept_is_cleaned(self) -> None:
        quote = Quote(" Whoever keeps the well ", " Charter ", " 1,\n a ")
        untidy = Concept(" Steward\u00adship ", " Care. ", (quote,), "Shared \n goods")
        assert checked_concept(untidy, TEXTS) == Concept(
            "Stewardship", "Care.", (Quote("Whoever keeps the well", "Charter", "1, a"),), "Shared goods"
        )

    @pytest.mark.parametrize(
        ("changes", "why"),
        [
            ({"name": " – "}, "A concept needs a name"),
            ({"name": "x" * 81}, "has 81 characters, and 80 at most"),
            ({"theme": "x" * 81}, "The theme .* has 81 characters"),
            ({"interpretation": " "}, "“Stewardship” needs an interpretation"),
            ({"quotes": ()}, "“Stewardship” needs at least one quotation"),
            ({"quotes": (Quote("the well", "Bylaws"),)}, "quotes “Bylaws”, and there is no document of that title"),
        ],
    )
    def test_a_concept_that_says_too_little_is_refused(self, changes: dict[str, object], why: str) -> None:
        with pytest.raises(Refused, match=why):
            checked_concept(replace(STEWARDSHIP, **changes), TEXTS)  # type: ignore[arg-type]

    def test_a_concept_is_refused_with_every_quotation_that_cannot_be_found(self) -> None:
        wrong = [Quote("keeps the wells", "Charter"), Quote("zebra", "Charter")]
        with pytest.raises(QuotesNotFound) as caught:
            checked_concept(replace(STEWARDSHIP, quotes=(wrong[0], *STEWARDSHIP.quotes, wrong[1])), TEXTS)
        assert caught.value.misses == (Miss(wrong[0], "keeps the well"), Miss(wrong[1], ""))
        assert str(caught.value) == (
            "Stewardship: “keeps the wells” is not in “Charter”; what comes nearest there is “keeps the well”. "
            "“zebra” is not in “Charter”."
        )

    def test_a_concept_has_a_name_that_differs_from_others_in_more_than_case_and_punctuation(self) -> None:
        scenarios = [scenario_of(replace(STEWARDSHIP, name=name)) for name in ("Fair play", "Fair-Play")]
        check_keys_differ(scenarios[:1])
        with pytest.raises(Refused, match="Two concepts are called alike: “Fair play” and “Fair-Play”"):
            check_keys_differ(scenarios)


class TestADocument:
    def test_a_document_is_cleaned_and_keeps_its_lines(self) -> None:
        assert checked_document(Document(" The\ncharter ", " Vol. 1 ", "\na\r\nb\n")) == Document(
            "The charter", "Vol. 1", "a\nb"
        )

    @pytest.mark.parametrize(
        ("document", "why"),
        [
            (Document("", "c", "t"), "A document needs a title"),
            (Document("d", " ", "t"), "“d” needs a citation"),
            (Document("d", "c", "\n"), "“d” holds no text"),
            (Document("d" * 121, "c", "t"), "has 121 characters, and 120 at most"),
            (Document("d", "c" * 301, "t"), "has 301 characters, and 300 at most"),
        ],
    )
    def test_a_document_that_says_too_little_is_refused(self, document: Document, why: str) -> None:
        with pytest.raises(Refused, match=why):
            checked_document(document)


@pytest.mark.parametrize(
    ("quote", "words"),
    [
        ("keeps the well", "keeps the  well"),
        ("the well - and the peace", "the  well –\nand the peace"),
        ("Whoever […] peace", "Whoever keeps the  well –\nand the peace"),
        ("told.", "told."),
    ],
)
def test_a_quotation_is_shown_where_it_stands_as_it_is_written_there(quote: str, words: str) -> None:
    text = "Whoever keeps the  well –\nand the peace. A refusal is told."
    passage = passage_of(quote, text)
    assert passage
    assert passage.words == words
    assert passage.before + passage.words + passage.after == text


def test_around_a_quotation_whole_words_are_shown_and_what_is_left_out_is_marked() -> None:
    passage = passage_of("the well", f"{'before ' * 100}the well{' after' * 100}")
    assert passage
    assert passage.before.startswith("… before before")
    assert passage.after.endswith("after after …")
    assert len(passage.before + passage.after) <= 2 * (AROUND + 2)


def test_a_quotation_that_is_not_there_has_no_place() -> None:
    assert passage_of("keeps the wells", "Whoever keeps the well") is None
    assert passage_of("…", "Whoever keeps the well …") is None
