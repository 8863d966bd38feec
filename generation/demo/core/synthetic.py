"""Composes readable but artificial prose for demonstrations and tests, from a seed.

The texts follow the moves of an essay on a social question (opening, claim, distinction, evidence, case,
objection, reply, qualification, implication, conclusion) with sentence frames from `synthetic_frames.toml`.
They argue nothing and cite nobody.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

from generation.demo.core.deterministic_rng import DeterministicRng

# Lengths to aim at, in words.
MIN_WORDS, MAX_WORDS = 280, 1_000

DATA = Path(__file__).resolve().parent.parent / "data"
STOCK = tomllib.loads((DATA / "synthetic_frames.toml").read_text(encoding="utf-8"))
SLOT = re.compile(r"\{(\w+)\}")

_FIRST = ("opening", "claim", "distinction")
_LAST = ("implication", "closing")
# Middle paragraphs: the first ones as needed, the last one always, so that every text meets an objection.
_MIDDLE = (
    ("claim", "evidence", "case", "aside", "implication"),
    ("distinction", "case", "evidence", "aside"),
    ("evidence", "claim", "case", "qualification"),
    ("counter", "reply", "evidence", "qualification", "case"),
)
_WEAK_FORMS = {"opening": "weak_opening", "closing": "weak_closing"}
# A weak text keeps coming back to this many weak sentences.
_WEAK_HANDFUL = 10
_GOLDEN_RATIO = 0.6180339887498949

_WORD = re.compile(r"\b[a-z]{5,}\b")
_NOUN = re.compile(
    r"\A.+(tion|sion|ment|ness|ity|ism|ance|ence|ship|acy|hood|dom|ice|ture)s?$|\A.+(iti|aci|nci)es$"
)
_NOT_NOUN = re.compile(r"\A.+(ing|ed|ly|able|ible|ful|less|ous|ive|al|ic|ish)$")
_COMMON_WORDS = """
    about above according across after again against along already although always among another answer
    answers around because become becomes before behind being below between beyond could difference
    differences during either else enough essay even every evidence explain first found given gives
    however instance instead itself known large later least makes mention might minutes moment more
    never often other others outside paragraph paragraphs people perhaps person please prompt question
    questions quite rather requires response responses sentence sentences several shall should since
    small someone something still takes their themselves there therefore these thing things think third
    those though through toward towards under until using various versus where whether which while whole
    whose within without words would write years yourself
"""
_COMMON = frozenset(_COMMON_WORDS.split())
_FALLBACK_TOPICS = ("social judgement", "everyday authority", "shared norms")


@dataclass(frozen=True, slots=True)
class _Sentence:
    move: str
    text: str

    @property
    def words(self) -> int:
        return len(self.text.split())


def compose(
    prompt: str,
    *,
    seed: str,
    quality: float,
    words: int = 380,
    voice: str = "scholar",
    markdown: bool = False,
) -> str:
    """A text of 4 to 6 paragraphs that takes its topics from the prompt.

    The same arguments give the same text on every Python: all draws come from SHA-256 of seed, voice and prompt.
    `quality` (0 to 1) is the share of sentences that argue; the others are vague and soon repeat themselves. A
    sentence's place that argues at one quality argues at every higher one. `words` (280 to 1,000) is the length
    aimed at, missed by less than a sentence. `voice` is "scholar" or "model". `markdown` adds a heading, bold
    type and one bullet list, and their few words. Raises ValueError for a value outside these ranges.
    """
    if not 0 <= quality <= 1:
        raise ValueError(f"quality must lie between 0 and 1, not {quality}")
    if not MIN_WORDS <= words <= MAX_WORDS:
        raise ValueError(f"words must lie between {MIN_WORDS} and {MAX_WORDS}, not {words}")
    if voice not in STOCK["voices"]:
        raise ValueError(f"voice must be one of {', '.join(STOCK['voices'])}, not {voice!r}")
    topics = topics_of(prompt)
    writer = _Writer(DeterministicRng("\x1f".join((seed, voice, prompt))), _pools(topics, voice), quality)
    paragraphs = _paragraphs(writer, words)
    if markdown:
        return _as_markdown(writer.fill("heading"), paragraphs, topics)
    return "\n\n".join(map(_joined, paragraphs))


def topics_of(prompt: str) -> tuple[str, ...]:
    """Up to six words of the prompt that can stand as a noun, most frequent first; at least two, from stock.

    Only words written in small letters count, which leaves out names. Endings decide: abstract nouns first,
    and words that are not plainly verbs, adverbs or adjectives where those are too few.
    """
    counts = Counter(word for word in _WORD.findall(prompt) if word not in _COMMON)
    ranked = [word for word, _ in counts.most_common()]
    nouns = [word for word in ranked if _NOUN.match(word)]
    likely = [word for word in ranked if word not in nouns and not _NOT_NOUN.match(word)]
    found = nouns if len(nouns) >= 2 else [*nouns, *likely]
    return tuple(found[:6]) if len(found) >= 2 else (*found, *_FALLBACK_TOPICS)


class _Writer:
    """Draws frames and fragments, each pool without repetition until it is used up."""

    def __init__(self, rng: DeterministicRng, pools: Mapping[str, Sequence[str]], quality: float) -> None:
        self._rng = rng
        self._pools = dict(pools)
        self._decks: dict[str, list[str]] = {}
        self._quality = quality
        self._position = rng.randbelow(1000) / 1000
        handful = [self.draw("weak") for _ in range(_WEAK_HANDFUL)]
        self._pools["weak"], self._decks["weak"] = handful, []

    def draw(self, pool: str) -> str:
        deck = self._decks.get(pool)
        if not deck:
            deck = self._decks[pool] = list(self._pools[pool])
        return deck.pop(self._rng.randbelow(len(deck)))

    def fill(self, pool: str, opener: str = "") -> str:
        """A frame of the pool, after the opener if there is one, with filled slots and a capital letter."""
        text = opener + SLOT.sub(lambda slot: self.draw(slot[1]), self.draw(pool))
        return text[0].upper() + text[1:]

    def write(self, move: str, opener: str = "") -> _Sentence:
        """The next sentence. Multiples of the golden ratio spread the sound ones evenly at any quality."""
        self._position = (self._position + _GOLDEN_RATIO) % 1
        if self._position >= self._quality:
            move = _WEAK_FORMS.get(move, "weak")
        return _Sentence(move, self.fill(move, opener))

    def plan(self) -> list[tuple[str, ...]]:
        """The moves of two to four middle paragraphs."""
        return [*_MIDDLE[: 1 + self._rng.randbelow(3)], _MIDDLE[-1]]


def _pools(topics: tuple[str, ...], voice: str) -> dict[str, Sequence[str]]:
    slots = {name: [text for text in texts if text not in topics] for name, texts in STOCK["slots"].items()}
    frames = {**STOCK["moves"], **STOCK["voices"][voice], "heading": STOCK["marks"]["heading"]}
    return {**slots, **frames, "topic": topics}


def _paragraphs(writer: _Writer, words: int) -> list[list[_Sentence]]:
    """First and last paragraph whole, then a sentence to each middle one in turn until the length is met."""
    first = [writer.write(move) for move in _FIRST]
    last = [writer.write(move) for move in _LAST]
    missing = words - sum(sentence.words for sentence in first + last)
    plan = writer.plan()
    middle: list[list[_Sentence]] = [[] for _ in plan]
    for paragraph, moves in cycle(zip(middle, map(cycle, plan), strict=True)):
        sentence = writer.write(next(moves), opener="" if paragraph else writer.draw("link"))
        if sentence.words > 2 * missing:
            break
        paragraph.append(sentence)
        missing -= sentence.words
    return [first, *middle, last]


def _joined(paragraph: list[_Sentence]) -> str:
    return " ".join(sentence.text for sentence in paragraph)


def _as_markdown(heading: str, paragraphs: list[list[_Sentence]], topics: tuple[str, ...]) -> str:
    """A heading, the first topic in bold, and the second paragraph as a list whose items name their move."""
    first, second, *others = paragraphs
    named = re.compile("|".join(map(re.escape, topics)), re.IGNORECASE)
    labels = STOCK["marks"]["labels"]
    return "\n\n".join(
        (
            f"## {heading}",
            named.sub(r"**\g<0>**", _joined(first), count=1),
            "\n".join(f"- **{labels[sentence.move]}:** {sentence.text}" for sentence in second),
            *map(_joined, others),
        )
    )
