import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.platform.core.text import count_words
from annotation.texts.core.normalisation import MAX_LINES, MAX_MARKS, normalise
from tests.thorough import examples

MARKS = st.sampled_from(list("ab1.,;:!?'\"“”‘’«»´`…–—―‒−‐-*_#>`~|[]()<>&\\=+•·$²½①  \n\n\t\u00a0\u200d\u202e"))
BLOCKS = st.sampled_from(
    [
        *(
            "\n- ",
            "\n1. ",
            "\n2. ",
            "\n1984. ",
            "\n# ",
            "\n---\n",
            "\n===\n",
            "\n    ",
            "```\n",
            "\n(a) ",
            "\nb) ",
            "\n> ",
        ),
        *("\n| a | b |\n|---|---|\n", "\no\t", "\n— Jane", "\nRegards,\nJ. D.", "Dear you,\n", "[1]: http://a.b\n"),
    ]
)
SCRAPS = st.sampled_from(
    [
        *(
            "**",
            "~~",
            "\\*",
            "&amp;",
            "&#42;",
            "<b>",
            "</b>",
            "<br>",
            "<li>",
            "<h1>",
            "[a](b.c)",
            "[^1]",
            ". . .",
            " -- ",
        ),
        *(
            "1990–1995",
            "(9 words)",
            " - ",
            "'tis ",
            "s' ",
            "$x$",
            "\\(",
            "\\)",
            "i) ",
            "2) ",
            "5 - 3",
            "word ",
            "is. ",
        ),
    ]
)
untidy_text = st.lists(st.one_of(MARKS, MARKS, BLOCKS, SCRAPS), max_size=40).map("".join)


def words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text)


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        # quotation marks and apostrophes
        ("“So it’s «said», ‹here›, „now“.”", "\"So it's 'said,' 'here,' 'now.'\""),
        ("He said ‘never’, and «mot» and ``so''.", 'He said "never," and "mot" and "so."'),
        ("〝one〟 and ＂two＂", '"one" and "two"'),
        ("rock ´n´ roll, 5′ 3″, don`t", "rock 'n' roll, 5' 3\", don't"),
        ("'Tis the workers’ day.", "'Tis the workers' day."),
        ("She said, 'It isn't so, we don't know.'", "She said, \"It isn't so, we don't know.\""),
        # dashes
        ("the state—which", "the state, which"),
        ("the state — which", "the state, which"),
        ("the state – which", "the state, which"),
        ("the state -- which", "the state, which"),
        ("the state---which", "the state, which"),
        ("the state - which", "the state, which"),
        ("the state -which is old- acts", "the state, which is old, acts"),
        ("the state ⸺ which", "the state, which"),
        ("Three things — a, b, and c — matter.", "Three things, a, b, and c, matter."),
        ("“Well—” she said. — Then they left.", '"Well" she said. Then they left.'),
        ("well-being, well‐being, well‑being", "well-being, well-being, well-being"),
        ("pre- and post-war, the suffix -ism", "pre- and post-war, the suffix -ism"),
        ("cost–benefit in 1990–1995, pp. 12--15, 10 – 12 %", "cost-benefit in 1990-1995, pp. 12-15, 10-12%"),
        ("at –5 or −5 degrees (–7); x − y = z", "at -5 or -5 degrees (-7); x - y = z"),
        # ellipses, spaces, signs
        ("wait…what, . . . no .... [ … ]", "wait... what, ... no... [...]"),
        ("one\u00a0two\u2003three   four\tfive", "one two three four five"),
        ("It was ,so to say,( an ) end .Then", "It was, so to say, (an) end. Then"),
        ("Really??  Yes!! :-)", "Really? Yes!"),
        ("A · B and A → B ≥ 5", "A, B and A -> B >= 5"),
        # paragraphs
        ("one\n\n\n\n two \n \n", "one\n\ntwo"),
        ("one\n\n* * *\n\n-----\n\ntwo", "one\n\ntwo"),
        ("> quoted\n> words", "quoted words"),
        ("a line\nbroken by  \nits author", "a line broken by its author"),
        ("the insti-\ntution of pre-\nand post-war", "the insti-tution of pre- and post-war"),
        # lists
        ("They are:\n\n• liberty\n• equality\n", "They are: liberty; equality."),
        ("They are:\n1) liberty,\n2) equality.", "They are: liberty; equality."),
        ("They are:\n(a) liberty\n(b) equality", "They are: liberty; equality."),
        ("They are:\nliberty\nan equal start\nkin", "They are: liberty; an equal start; kin."),
        ("They are: 1) liberty, 2) equality.", "They are: liberty, equality."),
        ("i. **Power** — who has it\nii. **Norms**: shared", "Power: who has it; Norms: shared."),
        # marks
        ("*so* **it** ***is*** ~~not~~ `here` _too_ ==yes==", "so it is not here too yes"),
        ("a [link](https://example.org) and <https://example.org>", "a link and https://example.org"),
        ("So it is.[^1]\n\n[^1]: A note.", "So it is.[1]\n\n[1] A note."),
        ("So it is.¹", "So it is.[1]"),
        ("R&amp;D &mdash; &lt;b&gt;bold&lt;/b&gt; \\*literal\\*", "R&D, bold literal"),
        ("x<sup>2</sup> and $x^2$ and x²", "x^2 and x^2 and x^2"),
        ("| a | b |\n|---|---|\n| c | d |", "a, b; c, d."),
        ("```text\nOne.\n```", "One."),
        ("", ""),
        (" \n ", ""),
    ],
)
def test_everybody_s_texts_end_in_the_same_style(typed: str, shown: str) -> None:
    assert normalise(typed) == shown


@pytest.mark.parametrize(
    "text",
    [
        "1984. A year to remember.",
        "10. That is how many there were.",
        "A. Smith wrote it, and V. Putin read it.",
        "In 1990-1995 the 20-year-old paid 3.5 million, or 1,200,000.",
        "The variables x_1 and snake_case_name, as in [1] and [2, 3].",
        "Bürger*innen, 2*3*4, 5 * 3 = 15 and *p < .05.",
        "If x < 3 and y > 2, then 2019 - 40 years is 1979.",
        "[sic] he wrote, [as they are](really).",
        "Fill in the ____ yourself; C:\\new\\table is a path.",
        "O'Neill, D'Arcy and the tenants' union; it's $5 to $10.",
        "Visit https://example.org/a_b-c?d=1,2 or write to a_b@example.org.",
        "#MeToo changed this, R&D did not.",
        "می\u200cخواهم و کتاب\u200cها.",
        "क्\u200dष और श्री।",
        "שלום, בית־ספר.",
        "漢字かな交じり文。",
        "Việt Nam, Ångström, naïve, ﷺ.",
        "x <think>no</think> y",
    ],
)
def test_content_stays_as_it_is(text: str) -> None:
    assert normalise(text) == text


PROSE = "A rule that everybody may follow is not yet a rule that everybody had a part in making."


@pytest.mark.parametrize(
    "heading",
    [
        *(
            "# On Rules",
            "## 1. On Rules ##",
            "On Rules\n========",
            "On Rules\n--------",
            "**On Rules**",
            "***On Rules:***",
        ),
        *(
            "__On Rules__",
            "<h2>On Rules</h2>",
            "On Rules",
            "ON RULES",
            "ON RULES.",
            "1. ON RULES:",
            "1. On Rules",
            "II. On Rules",
            "On Rules:",
            "🚀 On Rules",
        ),
        *("Introduction:", "Dear reviewers,", "Word count: 17", "(17 words)", "**Word count:** approximately 17"),
    ],
)
def test_headings_salutations_and_counts_go_however_they_are_set(heading: str) -> None:
    assert normalise(f"{heading}\n\n{PROSE}") == PROSE


@pytest.mark.parametrize(
    "ending",
    [
        *(
            "— Jane Doe",
            "--Jane",
            "Best regards,\nJane Doe",
            "Sincerely,\n\nJane Doe, PhD",
            "Yours truly",
            "– *Claude*",
        ),
        *("J. D.", "Jane D.", "Jane Doe\nUniversity of Somewhere", "*Jane Doe*", "(Word count: 398)", "~400 words"),
        *("*[Word Count: approximately 400 words]*", "Total word count – 398", "Words: 401", "---", "#"),
    ],
)
def test_signatures_and_counts_at_the_end_go(ending: str) -> None:
    assert normalise(f"{PROSE}\n\n{ending}") == PROSE


@pytest.mark.parametrize(
    "paragraph",
    [
        *(
            "The essay had 400 words.",
            "In other words: 3 things matter.",
            "Best wishes do not change institutions.",
        ),
        *("Sincerely held beliefs deserve respect.", "And yet it moves, as he is said to have said.", "Yes."),
    ],
)
def test_a_sentence_that_only_resembles_what_stands_around_a_text_stays(paragraph: str) -> None:
    assert normalise(f"{PROSE}\n\n{paragraph}") == f"{PROSE}\n\n{paragraph}"


def test_a_text_of_which_nothing_would_be_left_keeps_its_words() -> None:
    assert normalise("# On Rules") == "On Rules"
    assert normalise("(398 words)") == "(398 words)"


@pytest.mark.parametrize(
    "unseen",
    [
        *map(chr, (0xAD, 0x61C, 0x180E, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070))),
        *map(chr, (0x34F, 0xFE0F, 0xFEFF, 0xFFF9, 0xE0001, 0xE0041, 0xE0100, 0xE000, 0x115F)),
    ],
    ids=lambda character: f"U+{ord(character):04X}",
)
def test_nothing_that_nobody_sees_gets_through(unseen: str) -> None:
    assert normalise(f"one{unseen} two. Th{unseen}ree") == "one two. Three"


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("ﬁnd ﬂow ＡＢＣ（１２） 𝐛𝐨𝐥𝐝 ⅔ 2½ Ⅳ", "find flow ABC(12) bold 2/3 2 1/2 IV"),
        ("10⁻³ m², H₂O, x₁, χ², 19ᵗʰ", "10^-3 m^2, H2O, x_1, χ^2, 19th"),
        ("one 🙂 two 👍🏽, three 👨\u200d👩\u200d👧!", "one two, three!"),
        ("one ① two ❷", "one (1) two (2)"),
        ("Z̸͇̝̬̦̳͚͍a", "Z̸͇̝̬̦̳͚͍a"),
    ],
)
def test_letters_and_signs_of_other_shapes_become_those_that_people_type(typed: str, shown: str) -> None:
    assert normalise(typed) == shown


def test_lines_wrapped_anywhere_are_the_paragraphs_they_were() -> None:
    wrapped = "A rule that everybody may follow is not yet\na rule that everybody had a part in\nmaking, is it?"
    assert normalise(f"{wrapped}\n\n{wrapped}") == f"{wrapped}\n\n{wrapped}".replace("\n\n", "\0").replace(
        "\n", " "
    ).replace("\0", "\n\n")
    assert normalise(f"{PROSE}\n{PROSE}\n{PROSE}") == "\n\n".join([PROSE] * 3)
    assert normalise(f"\t{PROSE}\n\t{PROSE}") == f"{PROSE}\n\n{PROSE}"


@examples(300)
@given(untidy_text)
def test_normalising_twice_changes_nothing_more(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once


sentences = st.lists(
    st.lists(
        st.sampled_from(
            ["power", "is", "1984", "cost–benefit", "“norm”", "state—which", "don’t", "x_1", "a – b", "(so)"]
        ),
        min_size=12,
        max_size=30,
    )
    .map(" ".join)
    .map("So {}.".format),
    min_size=1,
)


PROSE = "The point of this is that nobody who is asked for a reason may answer with another one."


@pytest.mark.parametrize(
    "opening",
    [
        *("David Hume and G. E. Moore deny that.", "In Brown v. Board of Education the Court held so."),
        *("Both Kant and St. Augustine hold it.", "In A Theory of Justice, J. Rawls argues so."),
        *("John Stuart Mill vs. Kant is an old quarrel.", "I am not a Kantian.", "So did Kant.", "God is Love."),
        *(
            "As Kant put it.",
            "But not for Kant.",
            "What did Kant say?",
            "Der Mensch ist das Maß.",
            "I DO NOT AGREE.",
        ),
        "I am no Kantian. I am no Humean. I am no Marxist. I am no Stoic. I am no Thomist.",
    ],
)
def test_a_paragraph_keeps_its_first_words_whatever_names_and_stops_are_in_them(opening: str) -> None:
    assert normalise(f"{opening} {PROSE}\n\n{PROSE}") == f"{opening} {PROSE}\n\n{PROSE}"


@pytest.mark.parametrize(
    "text",
    [
        "Problems stem from bias, and in STEM fields they stay.",
        "It is nice that NICE recommends it, and weird that WEIRD samples are used.",
        "An AND gate and a NOT gate do not differ, and P AND Q is a conjunction.",
        "He takes a neither-nor position here.",
    ],
)
def test_abbreviations_operators_and_compounds_stay_as_they_are(text: str) -> None:
    assert normalise(text) == text


@examples(150)
@given(sentences, st.sampled_from(["\n\n", "\n", "\n\n\n", " \n\n\t"]))
def test_of_prose_every_word_stays_in_its_order(paragraphs: list[str], between: str) -> None:
    typed = between.join(paragraphs)
    assert words(normalise(typed)) == words(typed)


@examples(150)
@given(untidy_text)
def test_paragraphs_are_separated_by_one_blank_line_and_words_by_one_space(text: str) -> None:
    shown = normalise(text)
    for paragraph in shown.split("\n\n") if shown else ():
        assert paragraph == " ".join(paragraph.split())
        assert paragraph
        assert not set(paragraph) & set("“”‘’«»„…—―−‐\u200b\u202e")


@pytest.mark.parametrize("levels", [1, 2, 20])
def test_entities_within_entities_become_what_they_stand_for(levels: int) -> None:
    assert normalise("R&" + "amp;" * levels + "D") == "R&D"


@pytest.mark.parametrize(
    "text",
    ["*a* " * MAX_MARKS, "It ends." + "\n\n— Jane Doe" * 800, "a\n" * (2 * MAX_LINES), "[[" * 100 + "- 1. > " * 90],
    ids=["more marks than prose has", "more signatures", "more lines", "marks in marks"],
)
def test_text_that_is_no_prose_is_normalised_for_good_all_the_same(text: str) -> None:
    left = normalise(text)
    assert left
    assert normalise(left) == left


def test_the_words_that_count_are_those_that_are_shown() -> None:
    assert count_words(normalise("**Title**\n\n- one\n- two – three\n\n(3 words)")) == 3
