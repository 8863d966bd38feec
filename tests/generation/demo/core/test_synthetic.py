"""Demonstration prose: the same everywhere, of the right length, varied, and good or bad on demand."""

import re
import tomllib
from hashlib import sha256
from itertools import combinations
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.texts.core.leaks.scan import gravest, scan
from generation.demo.core import synthetic
from generation.demo.core.synthetic import MAX_WORDS, MIN_WORDS, compose, topics_of

PROMPT = (
    "Hiring committees often claim neutrality while relying on impressions of competence. How should "
    "institutions weigh the legitimacy of professional judgement against discrimination?"
)
STOCK = tomllib.loads((synthetic.DATA / "synthetic_frames.toml").read_text(encoding="utf-8"))
FRAMES = {**STOCK["moves"], **STOCK["voices"]["scholar"]}
SLOT = re.compile(r"\{(\w+)\}")


def words_in(text: str) -> int:
    """Words as a reader counts them: Markdown's own marks are none."""
    return sum(any(sign.isalnum() for sign in token) for token in text.split())


def sentences_in(text: str) -> list[str]:
    return re.split(r"(?<=[.?])\s+", text)


def written_from(move: str) -> re.Pattern[str]:
    """Matches a sentence that any frame of the move could have produced, with or without a link before it."""
    frames = [r".+".join(map(re.escape, SLOT.split(frame)[::2])) for frame in FRAMES[move]]
    return re.compile(rf"(.+, )?({'|'.join(frames)})", re.IGNORECASE)


def five_grams(text: str) -> frozenset[tuple[str, ...]]:
    tokens = text.lower().split()
    return frozenset(zip(*(tokens[start:] for start in range(5)), strict=False))


def test_a_seed_gives_the_same_text_on_every_python() -> None:
    """A change of the stock changes the sum too, and then demonstration data made before no longer recur."""
    text = compose(PROMPT, seed="golden", quality=0.8, voice="model", markdown=True)
    assert sha256(text.encode()).hexdigest() == "65d6a665f3c5012a76c85ea52e156b963d43729c4a9c1e698ae65c273c01d0fc"


@pytest.mark.parametrize(
    "change",
    [{"seed": "b"}, {"quality": 0.2}, {"words": 300}, {"voice": "model"}, {"markdown": True}],
    ids=str,
)
def test_every_argument_changes_the_text(change: dict[str, object]) -> None:
    plain: dict[str, object] = {"seed": "a", "quality": 0.9}
    assert compose(PROMPT, **plain) != compose(PROMPT, **plain | change)  # type: ignore[arg-type]


def test_another_prompt_changes_more_of_a_text_than_its_topics() -> None:
    one = compose("What does neutrality hide?", seed="a", quality=1)
    other = compose("What does hospitality hide?", seed="a", quality=1)
    assert one.replace("neutrality", "hospitality") != other


@given(
    prompt=st.text(max_size=200),
    seed=st.text(max_size=10),
    quality=st.floats(0, 1),
    words=st.integers(MIN_WORDS, MAX_WORDS),
    voice=st.sampled_from(["scholar", "model"]),
    markdown=st.booleans(),
)
def test_any_prompt_gives_a_finished_text_of_the_right_length(
    *, prompt: str, seed: str, quality: float, words: int, voice: str, markdown: bool
) -> None:
    text = compose(prompt, seed=seed, quality=quality, words=words, voice=voice, markdown=markdown)
    marked = re.findall(r"^(?:## .*|- \*\*.*?:\*\*)", text, re.MULTILINE)  # the heading, and the list's labels
    assert words - 30 <= words_in(text) - sum(map(words_in, marked)) <= words + 30
    assert not set("{}[]") & set(text)
    paragraphs = text.split("\n\n")
    assert 4 <= len(paragraphs) - markdown <= 6
    assert all(paragraph.endswith((".", "?")) for paragraph in paragraphs[markdown:])
    assert all(sentence[0].isupper() or sentence[0] in "#*-" for sentence in sentences_in(text))


@pytest.mark.parametrize("words", [MIN_WORDS, 330, MAX_WORDS])
def test_the_length_aimed_at_is_missed_by_less_than_a_sentence(words: int) -> None:
    lengths = [words_in(compose(PROMPT, seed=str(n), quality=n / 50, words=words)) for n in range(51)]
    assert max(abs(length - words) for length in lengths) <= 20
    assert abs(mean(lengths) - words) < 4


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"quality": 1.01}, "quality must lie between 0 and 1"),
        ({"quality": float("nan")}, "quality must lie between 0 and 1"),
        ({"words": MIN_WORDS - 1}, "words must lie between 280 and 1000"),
        ({"words": MAX_WORDS + 1}, "words must lie between 280 and 1000"),
        ({"voice": "poet"}, "voice must be one of scholar, model"),
    ],
)
def test_values_outside_their_range_are_refused(change: dict[str, object], message: str) -> None:
    plain: dict[str, object] = {"seed": "a", "quality": 0.9}
    with pytest.raises(ValueError, match=message):
        compose(PROMPT, **plain | change)  # type: ignore[arg-type]


@pytest.mark.parametrize("quality", [0.0, 0.3, 0.8])
def test_400_texts_on_one_prompt_differ_from_each_other(quality: float) -> None:
    texts = [compose(PROMPT, seed=str(n), quality=quality) for n in range(400)]
    assert len(set(texts)) == 400
    # Mean Jaccard overlap of five-word sequences over a fifth of the texts, 80 * 79 / 2 = 3,160 pairs.
    grams = [five_grams(text) for text in texts[::5]]
    assert mean(len(a & b) / len(a | b) for a, b in combinations(grams, 2)) < 0.08


def test_quality_raises_evidence_and_cases_and_lowers_repetition() -> None:
    evidence, case = written_from("evidence"), written_from("case")
    supported: list[float] = []
    fresh: list[float] = []
    for quality in (0.0, 0.25, 0.5, 0.75, 1.0):
        essays = [sentences_in(compose(PROMPT, seed=str(n), quality=quality)) for n in range(60)]
        supported.append(mean(sum(bool(evidence.match(s) or case.match(s)) for s in essay) for essay in essays))
        starts = [[" ".join(sentence.split()[:4]) for sentence in essay] for essay in essays]
        fresh.append(mean(len(set(opening)) / len(opening) for opening in starts))
    assert supported[0] == 0
    assert supported[-1] > 3
    assert supported == sorted(set(supported))
    assert fresh[0] < 0.6
    assert fresh[-1] > 0.95
    assert fresh[0] < fresh[1] < fresh[2] <= fresh[3] <= fresh[4]


@pytest.mark.parametrize("move", ["counter", "evidence", "distinction"])
def test_the_best_texts_always_hold_every_kind_of_argument(move: str) -> None:
    for seed in range(60):
        essay = sentences_in(compose(PROMPT, seed=str(seed), quality=1))
        assert any(written_from(move).match(sentence) for sentence in essay)


def test_a_text_speaks_of_what_its_prompt_asks() -> None:
    for seed in range(40):
        text = compose(PROMPT, seed=str(seed), quality=seed / 39).lower()
        assert any(topic in text for topic in topics_of(PROMPT))


@pytest.mark.parametrize(
    ("prompt", "topics"),
    [
        # Abstract nouns in the order of frequency, then of appearance; "question" is never a topic.
        (
            "Is the question of legitimacy one of hospitality or of legitimacy?",
            ("legitimacy", "hospitality"),
        ),
        # Names and sentence openings are written with capitals and left out.
        ("Fairness and Islam: what do communities owe their institutions?", ("communities", "institutions")),
        # Too few abstract nouns: other words that are not verbs, adverbs or adjectives.
        ("Who was not comfortable using the phone near my grandson?", ("phone", "grandson")),
        ("", ("social judgement", "everyday authority", "shared norms")),
        ("WHO IS IT?", ("social judgement", "everyday authority", "shared norms")),
        ("Is it a phone?", ("phone", "social judgement", "everyday authority", "shared norms")),
    ],
)
def test_topics_are_the_nouns_of_the_prompt(prompt: str, topics: tuple[str, ...]) -> None:
    assert topics_of(prompt) == topics


def test_markdown_adds_a_heading_bold_type_and_a_list_and_nothing_else() -> None:
    plain = compose(PROMPT, seed="a", quality=0.6, voice="model")
    marked = compose(PROMPT, seed="a", quality=0.6, voice="model", markdown=True)
    heading, first, listed, *others = marked.split("\n\n")
    assert re.fullmatch(r"## \S.+", heading)
    assert re.search(r"\*\*\w+\*\*", first)
    assert all(re.match(r"- \*\*[A-Z][a-z]+:\*\* [A-Z]", line) for line in listed.split("\n"))
    unmarked = [first.replace("**", ""), " ".join(re.split(r"\n?- \*\*\w+:\*\* ", listed)[1:]), *others]
    assert "\n\n".join(unmarked) == plain


def test_plain_texts_carry_no_markdown() -> None:
    assert not any(set("*#`_") & set(compose(PROMPT, seed=str(n), quality=1, voice="model")) for n in range(50))


ALL_FRAMES = [
    (move, frame)
    for table in (STOCK["moves"], *STOCK["voices"].values())
    for move, frames in table.items()
    if move != "link"
    for frame in frames
]


def test_the_stock_is_rich_and_never_says_the_same_twice() -> None:
    frames = [frame for _, frame in ALL_FRAMES]
    assert len(frames) == len(set(frames)) > 200
    assert not STOCK["slots"].keys() & {move for move, _ in ALL_FRAMES}
    for voice in STOCK["voices"].values():
        assert voice.keys() == {"opening", "closing", "aside", "link"}


@pytest.mark.parametrize(("move", "frame"), ALL_FRAMES, ids=lambda value: value[:40])
def test_every_frame_is_one_sentence_with_known_slots(move: str, frame: str) -> None:
    slots = SLOT.findall(frame)
    assert set(slots) <= STOCK["slots"].keys() | {"topic"}
    assert len(slots) == len(set(slots))
    assert frame.endswith((".", "?"))
    assert not re.search(r"[.?!] ", frame)
    assert frame[0].islower() or frame[0] == "{" or frame.startswith("I ")
    assert not re.search(r"\b(a|an) \{topic\}", frame)
    assert "opening" not in move or "{topic}" in frame


@pytest.mark.parametrize("link", ["", *STOCK["voices"]["model"]["link"]])
def test_no_sentence_of_the_demonstration_is_held_whatever_leads_into_it(link: str) -> None:
    plain = [frame for frames in STOCK["moves"].values() for frame in frames if "{" not in frame]
    assert len(plain) > 10
    assert [frame for frame in plain if gravest(scan(f"{link}{frame}".capitalize())) > 1] == []
