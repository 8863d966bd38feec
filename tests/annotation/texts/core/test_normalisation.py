import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.platform.core.text import clean, count_words
from annotation.texts.core.normalisation import MAX_MARKS, normalise

MARKS = st.sampled_from(list("ab1.,;:!?'\"“”‘’«»´…–—―‒−‐-*_#>`~|[]()<>&\\=+•  \n\n\t\u00a0"))
BLOCKS = st.sampled_from(
    ["\n- ", "\n1. ", "\n1984. ", "\n# ", "\n---\n", "\n===\n", "\n    ", "\n| a | b |\n|---|---|\n", "```\n"]
)
SCRAPS = st.sampled_from(
    [
        "**",
        "~~",
        "\\*",
        "&amp;",
        "&#42;",
        "<b>",
        "</b>",
        "<br>",
        "[a](b)",
        ". . .",
        " -- ",
        "1990–1995",
        "(9 words)",
    ]
)
untidy_text = st.lists(st.one_of(MARKS, MARKS, BLOCKS, SCRAPS), max_size=40).map("".join)


def letters_and_digits(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text)


@pytest.mark.parametrize("markdown", [False, True])
@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("“So‘ it’s «said» ‹here› „now‟", '"So\' it\'s "said" \'here\' "now"'),
        ("rock ´n´ roll, 5′ 3″", "rock 'n' roll, 5' 3\""),
        ("the state—which", "the state – which"),
        ("the state — which", "the state – which"),
        ("the state – which", "the state – which"),
        ("the state -- which", "the state – which"),
        ("the state--which", "the state – which"),
        ("the state---which", "the state – which"),
        ("the state - which", "the state – which"),
        ("the state —which", "the state – which"),
        ("well-being, well‐being, well‑being", "well-being, well-being, well-being"),
        ("cost–benefit in 1990–1995", "cost-benefit in 1990-1995"),
        ("at –5 or −5 degrees (–7)", "at -5 or -5 degrees (-7)"),
        ("wait…what, . . . no....", "wait...what, ... no...."),
        ("one\u00a0two\u2003three   four\tfive", "one two three four five"),
        ("one\u00adtwo\u200bthree", "onetwothree"),
        ("one\n\n\n\n two \n \n", "one\n\ntwo"),
        ("1984. A year to remember.", "1984. A year to remember."),
        ("one\n\n• two\n\n- three\n\n* four\n\n– five", "one\n\ntwo\n\nthree\n\nfour\n\nfive"),
        ("one\n\n* * *\n\n-----\n\ntwo", "one\n\ntwo"),
        ("", ""),
        (" \n ", ""),
    ],
)
def test_people_and_models_end_in_the_same_style(typed: str, shown: str, markdown: bool) -> None:
    assert normalise(typed, markdown=markdown) == shown


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("one line\nanother line", "one line\n\nanother line"),
        ("one\n    indented words", "one\n\nindented words"),
        ("12. A rule\n3. Another", "12. A rule\n\n3. Another"),
        ("# MeToo and *emphasis* `stay` [as](typed) <b>", "# MeToo and *emphasis* `stay` [as](typed) <b>"),
        ("Word count: 401", "Word count: 401"),
        ("Best regards, Jane", "Best regards, Jane"),
    ],
)
def test_what_people_type_is_never_read_as_markdown(typed: str, shown: str) -> None:
    assert normalise(typed, markdown=False) == shown


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        # headings
        ("# Title\n\nText.", "Text."),
        ("Title\n=====\n\nText.", "Text."),
        ("**Title**\n\nText.", "Text."),
        ("***Title:***\nText.", "Text."),
        ("**A claim worth making.**\n\nText.", "A claim worth making.\n\nText."),
        ("A sentence that is kept.\n---\nText.", "A sentence that is kept.\n\nText."),
        ("#MeToo changed this.", "#MeToo changed this."),
        # lists
        ("1. **Power**: who has it\n2. Norms", "Power: who has it\n\nNorms"),
        ("- one\n  - nested\n- two", "one\n\nnested\n\ntwo"),
        ("• one\n• two", "one\n\ntwo"),
        ("1984) was a novel.", "1984) was a novel."),
        ("* 1984.", "1984."),
        # marks within a line
        ("*so* **it** ***is*** ~~not~~ `here`", "so it is not here"),
        ("Bürger*innen und Leser*innen, 2*3*4", "Bürger*innen und Leser*innen, 2*3*4"),
        ("snake_case_word", "snake_case_word"),
        ("a [link](https://example.org) and <https://example.org>", "a link and https://example.org"),
        ("![the alternative](picture.png)", "the alternative"),
        ("[Note]: this", "[Note]: this"),
        ("R&amp;D &mdash; &lt;b&gt;bold&lt;/b&gt; \\*literal\\*", "R&D – bold literal"),
        ("x <sup>2</sup> one<br>two <think>no</think>", "x 2 one two <think>no</think>"),
        ("if a <b and c> d", "if a <b and c> d"),
        ('<p class="x">one</p>', "one"),
        # blocks
        ("a line\nbroken by  \nits author", "a line broken by its author"),
        ("> quoted\n> words", "quoted words"),
        ("    indented words", "indented words"),
        ("```text\none\n\ntwo\n```", "one\n\ntwo"),
        ("| a | b |\n|---|---|\n| c | |", "a, b\n\nc"),
        ("one\n\n***\n\ntwo", "one\n\ntwo"),
    ],
)
def test_markdown_becomes_plain_paragraphs(written: str, shown: str) -> None:
    assert normalise(written, markdown=True) == shown


@pytest.mark.parametrize(
    "ending",
    [
        "\n\n(Word count: 398)",
        "\n\n**Word count:** 1,398",
        "\n*[Word Count: approximately 400 words]*",
        "\n\nTotal word count – 398",
        "\n\nWords: 401",
        "\n\n(398 words)",
        "\n\n~400 words",
        " (398 words)",
        " [Word count: 398]",
    ],
)
def test_a_models_word_count_goes(ending: str) -> None:
    assert normalise("It ends here." + ending, markdown=True) == "It ends here."


@pytest.mark.parametrize(
    "ending",
    [
        "The essay had 400 words.",
        "In other words: 3 things matter.",
        "He wrote 400 words (a record).",
        "Word counts differ.",
    ],
)
def test_a_sentence_about_words_stays(ending: str) -> None:
    assert normalise("First.\n\n" + ending, markdown=True) == "First.\n\n" + ending


@pytest.mark.parametrize(
    "ending",
    ["— Jane Doe", "--Jane", "Best regards,\nJane Doe", "Sincerely,\n\nJane Doe, PhD", "Yours truly", "– *Claude*"],
)
def test_a_closing_signature_goes(ending: str) -> None:
    assert normalise("It ends here.\n\n" + ending, markdown=True) == "It ends here."


@pytest.mark.parametrize(
    "ending",
    [
        "Best wishes do not change institutions.",
        "- liberty\n- equality",
        "Sincerely held beliefs deserve respect.",
        "— and yet it moves, as he is said to have said.",
    ],
)
def test_a_last_paragraph_that_only_resembles_a_signature_stays(ending: str) -> None:
    shown = normalise("It goes on.\n\n" + ending, markdown=True)
    assert letters_and_digits(shown) == letters_and_digits("It goes on. " + ending)


@pytest.mark.parametrize("markdown", [False, True])
@settings(max_examples=150, deadline=None)
@given(text=untidy_text)
def test_normalising_twice_changes_nothing_more(text: str, markdown: bool) -> None:
    once = normalise(text, markdown=markdown)
    assert normalise(once, markdown=markdown) == once


@settings(max_examples=150, deadline=None)
@given(untidy_text)
def test_a_models_text_once_plain_is_the_same_to_whoever_edits_it(text: str) -> None:
    plain = normalise(text, markdown=True)
    assert normalise(plain, markdown=False) == plain


@settings(max_examples=150, deadline=None)
@given(untidy_text)
def test_peoples_words_stay_all_there_and_in_order(text: str) -> None:
    assert letters_and_digits(normalise(text, markdown=False)) == letters_and_digits(clean(text))


@settings(max_examples=150, deadline=None)
@given(untidy_text)
def test_peoples_words_number_the_same_before_and_after(text: str) -> None:
    assert count_words(normalise(text, markdown=False)) == count_words(clean(text))


sentences = st.lists(
    st.lists(st.sampled_from(["Power", "is", "1984", "cost–benefit", "“norm”", "state—which", "don’t"]), min_size=1)
    .map(" ".join)
    .map("{}.".format),
    min_size=1,
)


@settings(max_examples=100, deadline=None)
@given(sentences.map("\n\n".join))
def test_prose_without_marks_reads_the_same_from_people_and_models(text: str) -> None:
    assert normalise(text, markdown=True) == normalise(text, markdown=False)


# What scholars type that Markdown has another meaning for. Each ends its paragraph like a sentence.
TYPED = st.sampled_from(
    [
        "1984. A year that became a warning.",
        "2024 was worse. 1848. Then 1968!",
        "10. That is how many there were.",
        "12) The twelfth clause binds nobody.",
        "#MeToo changed the debate.",
        "The 5 * 3 = 15 votes and the 2*2*2 others.",
        "Bürger*innen and snake_case_names stay.",
        "[sic] he wrote, [as they are] (really).",
        "If x < 3 and y > 2, nothing follows.",
        "- and yet they agreed, as it were.",
        "The law [1] says so; see [Note]: this.",
        "R&D at AT&T, or Q&A & so on.",
        "Fill in the ____ yourself.",
        "Wait... what? -- No: 'never'!",
        "A dash - like this - or this—that.",
        "C:\\new\\table is a path.",
        "~ 400 people came, ~ 300 left.",
        "In my years of teaching: 400 words, no more.",
        "He said: 'Sincerely yours' and left the room, alone.",
        "=== is no word, nor is +++ one.",
        "    Indented words are prose.",
    ]
)
typed_prose = st.lists(TYPED, min_size=1, max_size=6)


@settings(max_examples=150, deadline=None)
@given(typed_prose.map("\n".join))
def test_what_scholars_type_keeps_every_word_also_where_markdown_means_something_by_it(text: str) -> None:
    assert letters_and_digits(normalise(text, markdown=False)) == letters_and_digits(text)


@settings(max_examples=150, deadline=None)
@given(st.lists(TYPED.filter(lambda line: line[0].isalpha()), min_size=1, max_size=6).map("\n\n".join))
def test_models_that_write_such_prose_keep_every_word_too(text: str) -> None:
    assert letters_and_digits(normalise(text, markdown=True)) == letters_and_digits(text)


@pytest.mark.parametrize("markdown", [False, True])
@settings(max_examples=100, deadline=None)
@given(year=st.integers(100, 9999), before=typed_prose)
def test_a_paragraph_that_opens_with_a_year_keeps_it(year: int, before: list[str], markdown: bool) -> None:
    shown = normalise("\n\n".join([*before, f"{year}. A year to remember."]), markdown=markdown)
    assert shown.endswith(f"{year}. A year to remember.")


@settings(max_examples=150, deadline=None)
@given(untidy_text, st.booleans())
def test_paragraphs_are_separated_by_one_blank_line_and_words_by_one_space(text: str, markdown: bool) -> None:
    shown = normalise(text, markdown=markdown)
    for paragraph in shown.split("\n\n") if shown else ():
        assert paragraph == " ".join(paragraph.split())
        assert paragraph
        assert not set(paragraph) & set("“”‘’«»„…—―−‐")


@pytest.mark.parametrize("levels", [1, 2, 20])
def test_entities_within_entities_become_what_they_stand_for(levels: int) -> None:
    assert normalise("R&" + "amp;" * levels + "D", markdown=True) == "R&D"


@pytest.mark.parametrize(
    "text",
    ["So &" + "amp;" * 20_000 + " it is", "*a* " * MAX_MARKS, "It ends." + "\n\n— Jane Doe" * 800],
    ids=["hidden too deeply", "more marks than prose has", "more signatures than prose has"],
)
def test_a_models_text_that_is_no_prose_keeps_marks_for_the_leak_scan_to_find(text: str) -> None:
    left = normalise(text, markdown=True)
    assert left
    assert normalise(left, markdown=False) == left
