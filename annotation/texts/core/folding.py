"""Words as they are meant, whatever letters, digits, spaces and spellings they are written with.

Whoever hides a word from a machine writes it with letters that look alike, with digits for letters, with spaces or
invisible characters inside, or misspells it. Here every such word becomes the plain one, and keeps its place in the
text, so that grammar is asked about one spelling only.
"""

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from annotation.texts.core.look_alikes import plain_text
from annotation.texts.core.vocabulary import MIN_CORRECTED_LETTERS, Vocabulary, shape

MAX_LETTERS: Final = 60  # of one word; what is longer is taken in parts
MAX_SPELT: Final = 120  # letters with something between them that are read as words; more are no hidden sentence
MAX_PUZZLES: Final = 1_000  # words of one text that are taken apart or spelt out

_FOREIGN_LOOK_ALIKE: Final = re.compile(r"[аеорсухіјѕһԁԛԝѵвкмнтαεικνορτυχ]", re.IGNORECASE)
_STYLED: Final = re.compile("[\uff21-\uff5a\U0001d400-\U0001d6a3\u1d00-\u1d22\u24b6-\u24e9\U0001f110-\U0001f189]")
_LETTERS_FOR_DIGITS: Final = str.maketrans("013456789@$!", "oieasgtbgasi")
_DIGITS_FOR_LETTERS: Final = str.maketrans("oilsb", "01158")

_TOKEN: Final = re.compile(
    r"\b(?:ph|d|ll|m|b)\. ?(?:phil|sc|ed|b|d|m)\b"
    r"|\b\d{1,20}(?:[.,]\d{1,20}){1,20}\b|\b[^\W\d_](?:\.[^\W\d_]){1,60}\b|"
    rf"[@$]?[^\W_]{{1,{MAX_LETTERS}}}(?:['@$!*][^\W_]{{1,{MAX_LETTERS}}}){{0,4}}(?:[@$](?![\w.]))?"
    r"|\n|[.!?…]{1,60}|[,;()\[\]–—]{1,60}|[:\"“”«»„']|--"
)
_DEGREE_POINTS: Final = re.compile(r"[. ,]")
_BETWEEN_SPELT: Final = re.compile(r"[ .\-_*/·|]{0,3}")
_BETWEEN_PARTS: Final = re.compile(r"[ \-_*.|/]?|-?\n")

_CONTRACTED: Final = {
    "'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "'d": "would", "'s": "'s",
}  # fmt: skip
_WHOLE: Final = {
    "can't": "can not", "cannot": "can not", "cant": "can not", "won't": "will not", "wont": "will not",
    "shan't": "shall not", "ain't": "am not", "im": "i am", "ive": "i have", "dont": "do not", "didnt": "did not",
    "couldnt": "could not", "wasnt": "was not", "isnt": "is not", "havent": "have not", "doesnt": "does not",
    "here's": "here is", "that's": "that is", "it's": "it is", "there's": "there is", "what's": "what is",
    "he's": "he is", "she's": "she is", "let's": "let us", "heres": "here is", "thats": "that is",
    "name's": "name is",
    "gonna": "going to", "wanna": "want to", "gotta": "got to", "cutoff": "cut off", "cutoffs": "cut off",
    "teh": "the", "dis": "this", "dat": "that", "wuz": "was", "wud": "would", "shud": "should", "cud": "could",
    "wot": "what", "wat": "what", "becuz": "because", "coz": "because", "cuz": "because", "thru": "through",
    "luv": "love", "nite": "night", "2nite": "tonight", "2day": "today", "b4": "before", "gr8": "great",
    "l8": "late", "m8": "mate", "mi": "my", "sez": "says", "nuthin": "nothing", "somethin": "something",
    "kidz": "kids", "boox": "books", "werds": "words", "wurk": "work", "wurd": "word", "tho": "though", "n": "and",
    "w/out": "without", "askd": "asked", "dun": "done", "gimme": "give me", "lemme": "let me", "kinda": "kind of",
    "asst": "assistant", "dept": "department", "univ": "university", "ppl": "people", "abt": "about",
    "msg": "message", "pls": "please", "plz": "please", "thx": "thanks", "u": "you", "ur": "your", "ya": "you",
    "wordcount": "word count",
    "self's": "self", "realtime": "real time", "pretraining": "training", "pretrained": "trained",
    "chatgtp": "chatgpt", "chatpgt": "chatgpt", "chatbots": "chatbots", "gtp": "gpt",
    "postdoctoral": "postdoc", "programme": "program", "programmes": "programs",
}  # fmt: skip


class Word(NamedTuple):
    """`text[start:end]`, which reads `folded`; a mark stands for itself. A `\\n` is the end of a paragraph."""

    folded: str
    start: int
    end: int
    is_mark: bool = False
    is_capitalised: bool = False
    is_shouted: bool = False
    is_disguised: bool = False


def fold(text: str, vocabulary: Vocabulary) -> list[Word]:
    """The words and marks of `text` in order. Words of one contraction share their place."""
    plain, places = plain_text(text)
    is_plain = plain is text or text.isascii()
    found: list[Word] = []
    for token in _TOKEN.finditer(plain):
        piece = token[0]
        start, end = token.span()
        if not is_plain:
            start, end = places[start], places[end - 1] + 1
        first = piece[0]
        if not (first.isalnum() or first in "@$"):
            mark = _MEANT_MARK.get(first) or _strongest(piece)
            if not (found and found[-1].is_mark and found[-1].folded in ",.!?…" and mark in ",.!?…"):
                found.append(Word(mark, start, end, is_mark=True))
            continue
        written = text[start:end]
        if "." in piece or "," in piece:
            piece = _DEGREE_POINTS.sub("", piece)
        found.append(
            Word(
                piece,
                start,
                end,
                is_capitalised=written[0].isupper(),
                is_shouted=end - start > 1 and (written.isupper() or _changes_case(written)),
                is_disguised=not is_plain and _is_disguised(written),
            )
        )
    return _Reading(text, vocabulary).of(found)


_MEANT_MARK: Final = dict.fromkeys(",;()[]–—-", ",") | {mark: mark for mark in "\n:\"“”«»„'"}


def _strongest(ends: str) -> str:
    """What a run of marks that end a sentence comes to."""
    return next((mark for mark in "!?" if mark in ends), ends[0])


def _changes_case(written: str) -> bool:
    """Whether capitals and small letters take turns, as in mOcKeRy."""
    if written.islower() or written.istitle():
        return False
    cases = [letter.isupper() for letter in written[:MAX_LETTERS] if letter.isalpha()]
    return sum(one != other for one, other in pairwise(cases)) >= _MIN_CHANGES


_MIN_CHANGES: Final = 3


def _is_disguised(written: str) -> bool:
    """Whether a word is written with letters of two alphabets, set in signs, or has something invisible inside."""
    if written.isascii() or len(written) < 3:
        return False
    has_latin = re.search("[a-zA-Z]", written) is not None
    is_mixed = has_latin and len(written) > 3 and _FOREIGN_LOOK_ALIKE.search(written) is not None
    is_styled = len(_STYLED.findall(written)) > 2
    has_hidden = has_latin and any(unicodedata.category(one) == "Cf" for one in written[1:-1])
    return is_mixed or is_styled or has_hidden


class _Reading:
    """One text being read: what is spelt out, broken, misspelt or run together becomes words."""

    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        self.text, self.vocabulary, self.puzzles = text, vocabulary, MAX_PUZZLES
        self.known: dict[str, tuple[str, ...]] = {}

    def of(self, tokens: list[Word]) -> list[Word]:
        whole = self._unbroken(self._spelt_out(tokens))
        found: list[Word] = []
        for token in whole:
            is_ai = token.folded in ("al", "41", "4i", "a1") and found and found[-1].folded == "an"
            found.extend([token._replace(folded="ai")] if is_ai else self._words(token))
        return found

    def _spelt_out(self, tokens: list[Word]) -> list[Word]:
        """The tokens with letters that stand one by one as the words they spell."""
        found: list[Word] = []
        at, count = 0, len(tokens)
        while at < count:
            end = at + 1
            if len(tokens[at].folded) == 1 and not tokens[at].is_mark:
                while end < count and self._is_spelt_on(tokens[end - 1], tokens[end]):
                    end += 1
            spelt = end
            while spelt > at + 2 and (tokens[spelt - 1].is_mark or tokens[spelt - 1].folded.isdigit()):
                spelt -= 1  # a version, or the end of the sentence
            found.extend(self._spelt(tokens[at:spelt]) if end > at + 1 else tokens[at:end])
            found.extend(tokens[spelt:end])  # not to be tried again: digits by themselves spell nothing
            at = end
        return found

    def _is_spelt_on(self, one: Word, other: Word) -> bool:
        if len(other.folded) != 1 or other.start - one.end > 3 or (one.is_mark and other.is_mark):
            return False
        if one.is_mark or other.is_mark:
            return "." in (one.folded, other.folded)
        return _BETWEEN_SPELT.fullmatch(self.text, one.end, other.start) is not None

    def _spelt(self, run: list[Word]) -> list[Word]:
        """Letters one by one, as the words that they spell."""
        letters = "".join(word.folded for word in run if not word.is_mark)
        if len(letters) < 2 or letters.isdigit():
            return run
        if len(letters) > MAX_SPELT:
            return [word._replace(is_disguised=True) for word in run]
        letters = letters.translate(_LETTERS_FOR_DIGITS) if not letters.isdigit() else letters
        start, end = run[0].start, run[-1].end
        if len(letters) <= 3:
            short = letters in _SHORT_SPELT or (len(letters) == 3 and letters in self.vocabulary.words)
            return [Word(letters, start, end, is_capitalised=run[0].is_capitalised)] if short else run
        if not self.puzzles:
            return run
        self.puzzles -= 1
        parts = self.vocabulary.parts(letters)
        if not any(len(part) > 3 for part in parts) and "ai" not in parts:
            is_hidden = len(letters) >= _HIDDEN_FROM and len(set(letters)) > 4
            return [run[0]._replace(end=end, is_disguised=True)] if is_hidden else run
        return [Word(part, start, end, is_disguised=True) for part in parts]

    def _unbroken(self, tokens: list[Word]) -> list[Word]:
        """Keys that are broken in two, as one word."""
        found: list[Word] = []
        for token in tokens:
            before = found[-1] if found else None
            whole = self._whole(before, token) if before is not None else None
            if whole is None:
                found.append(token)
            else:
                found[-1] = whole
        return found

    def _whole(self, one: Word, other: Word) -> Word | None:
        """Two parts as the word that they are, unless they are words themselves and the whole is no key."""
        letters = one.folded + other.folded
        if one.is_mark or other.is_mark or len(letters) < 5 or letters not in self.vocabulary.words:
            return None
        unknown = (one.folded not in self.vocabulary.words) + (other.folded not in self.vocabulary.words)
        if letters not in self.vocabulary.keys and not unknown:
            return None
        if _BETWEEN_PARTS.fullmatch(self.text, one.end, other.start) is None:
            return None
        is_disguised = unknown == 2 and len(letters) > 5 and other.start > one.end and self.text[one.end] == " "
        return Word(letters, one.start, other.end, is_capitalised=one.is_capitalised, is_disguised=is_disguised)

    def _words(self, token: Word) -> Iterator[Word]:
        if token.is_mark or (token.folded in self.vocabulary.words and token.folded not in _WHOLE):
            yield token
            return
        parts = self.known.get(token.folded)
        if parts is None:
            parts = self.known[token.folded] = self._meant(token.folded)
        is_disguised = (
            token.is_disguised
            or (token.folded.isalpha() and len(token.folded) >= _RUN_TOGETHER)
            or (
                not token.folded.replace("'", "").isalpha()
                and "".join(parts).isalpha()
                and any(part in self.vocabulary.keys for part in parts)
            )
        )
        for part in parts:
            yield Word(
                part,
                token.start,
                token.end,
                is_capitalised=token.is_capitalised,
                is_shouted=token.is_shouted,
                is_disguised=is_disguised,
            )

    def _meant(self, word: str) -> tuple[str, ...]:
        if word in _WHOLE:
            return tuple(_WHOLE[word].split())
        if "'" in word:
            head, _, tail = word.rpartition("'")
            if tail == "t" and head.endswith("n"):
                return (head[:-1], "not")
            if "'" + tail in _CONTRACTED:
                return (*self._meant(head), _CONTRACTED["'" + tail])
            return (word,)
        if word.isalpha():
            return self._letters_meant(word)
        return self._with_digits(word)

    def _starred(self, word: str) -> tuple[str, ...]:
        """A word with a star for one of its letters."""
        if len(word) > 3 and word.count("*") == 1:
            for letter in _LETTERS:
                if word.replace("*", letter) in self.vocabulary.words:
                    return (word.replace("*", letter),)
        return (word,)

    def _letters_meant(self, word: str) -> tuple[str, ...]:
        words, puzzle = self.vocabulary.words, len(word) >= MIN_CORRECTED_LETTERS - 1 and self.puzzles > 0
        if word in words or not puzzle or not word.isascii():
            return (word,)
        corrected = self.vocabulary.shapes.get(shape(word)) or self.vocabulary.corrected(word)
        if corrected:
            return (corrected,)
        if len(word) >= 8:
            self.puzzles -= 1
            parts = self.vocabulary.parts(word)
            keys = [part for part in parts if part in self.vocabulary.keys and len(part) > 3]
            longest = sum(len(part) for part in parts if len(part) > 3)
            if (
                len(keys) > 1
                and longest >= 0.6 * len(word)
                and all(len(part) > 1 or part in "ai" for part in parts)
            ):
                return parts
        return (word,)

    def _with_digits(self, word: str) -> tuple[str, ...]:  # noqa: PLR0911  (a table)
        """A word with digits in it: digits for letters, letters for digits, or a number and its unit."""
        words = self.vocabulary.words
        if "*" in word:
            return self._starred(word)
        letters = word.translate(_LETTERS_FOR_DIGITS)
        for meant in (letters, letters.replace("i", "l") if "1" in word else letters, word.translate(_ONE_AS_L)):
            if not word.isdigit() and meant in words:
                return (meant,)
        number = word.translate(_DIGITS_FOR_LETTERS)
        if number.isdigit() and word[0].isdigit():
            return (number,)
        unit = word.lstrip("0123456789")
        if unit != word and len(unit) > 2 and unit in words:
            return (word[: -len(unit)], unit)
        head = word.rstrip("0123456789")
        if head != word and len(head) > 2 and head in words:
            return (head, word[len(head) :])
        if not word.isdigit() and letters.isascii() and letters.isalpha() and len(letters) > 4:
            return self._letters_meant(letters) if self._letters_meant(letters) != (letters,) else (word,)
        return (word,)


_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_RUN_TOGETHER: Final = 35  # letters, more than any word of the language has
_HIDDEN_FROM: Final = 8  # letters one by one that are no list of letters any more
_ONE_AS_L: Final = str.maketrans("013456789@$!", "oleasgtbgasi")
_SHORT_SPELT: Final = frozenset("ai gpt llm phd".split())
