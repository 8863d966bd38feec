"""What stands around an answer without being part of it: headings, salutations, signatures, counts of words."""

import re
from collections.abc import Sequence
from typing import Final

from annotation.platform.core.text import count_words
from annotation.texts.core.blocks import ends_statement

MAX_HEADING_WORDS: Final = 10  # of a line that is no more than that, and is not marked as a heading
MAX_TITLE_WORDS: Final = 8  # of one in small letters before a colon
MAX_LETTERS_OF_SMALL_WORDS: Final = 3
MIN_WORDS_BELOW: Final = 12  # of the paragraph that such a line stands above
MAX_HEADINGS_TOGETHER: Final = 2  # a title and a subtitle; more short lines are a list
MAX_COUNT: Final = 80  # characters of a count of words behind the last sentence
MAX_SIGNATURE_WORDS: Final = 8  # of each line
MAX_SIGNATURE_LINES: Final = 5

_NUMBER: Final = r"(?: about\  | approximately\  | approx\.?\  | roughly\  | ca?\.\  | [~≈]\ ? )? \d[\d,.]{0,9}"
_COUNT: Final = rf"""
    (?: total\ | final\ )? words?\ ?count [\s:=–—-]{{0,9}} {_NUMBER} (?: \ words )?
    | (?: total | length | words ) \ ?[:=]\ ? {_NUMBER} (?: \ words )?
    | {_NUMBER} \ words (?: \ (?: in\ total | total ))?
"""
_AROUND_COUNT: Final = " \t*_#()[]{}<>~=-–—:.,;!|/\\\"'`≈"
_COUNT_LINE: Final = re.compile(_COUNT, re.IGNORECASE | re.VERBOSE)
_COUNT_AT_END: Final = re.compile(rf"\ ?[(\[] (?:{_COUNT}) \.? [)\]] \Z", re.IGNORECASE | re.VERBOSE)

_SALUTATION: Final = re.compile(
    r"(?:dear|hello|hi|greetings|good (?:morning|afternoon|evening)|to whom it may concern)\b"
    r"[^.!?:]{0,60}[,:!.]?\Z",
    re.IGNORECASE,
)
_PERSON: Final = (
    r"[A-Z][\w.'-]{0,40}"
    r"(?:,? (?:(?:de|da|van|von|der|den|di|du|la|le|bin|al|of|and|the) ){0,2}[A-Z][\w.'-]{0,40}){0,5}"
)
_FORMULA: Final = re.compile(
    r"(?i:(?:(?:with )?(?:best|kind|kindest|warm|warmest|all good|many good) (?:regards|wishes)|regards|best|cheers"
    r"|many thanks|thanks|thank you|with thanks|signed|respectfully submitted|in solidarity"
    r"|(?:thanks|thank you) for [^.!?]{1,40}|(?:yours )?(?:very )?"
    r"(?:sincerely|faithfully|truly|respectfully)|(?:respectfully|sincerely|truly) yours))"
    rf"(?:, ?{_PERSON}[.]?|[,.!:;]| ?[-–—]{{1,2}})?\Z"
)
_DASHED_NAME: Final = re.compile(rf"(?:[-–—~/]|--|(?i:signed|written by|by)(?: by)?:?) ?{_PERSON}[.]?\Z")
_NAME_AT_END: Final = re.compile(rf"(?<=[.!?\"')]) (?:[–—~]|--?) ?{_PERSON}[.]?\Z")
_INITIALS: Final = re.compile(
    r"(?:[A-Z]\.[ -]?){2,4}\Z|[A-Z][\w'-]{1,30} (?:[A-Z]\. ?){1,2}\Z|(?:[A-Z]\. ?){1,3}[A-Z][\w'-]{1,30}[.]?\Z"
)
_PLACE_OF_WORK: Final = re.compile(
    r"@|\b(?:University|Universit[àäéy]t?|College|Institute|Department|Dept|School|Faculty|Professor|Prof|Dr|PhD|Ph\.D|M\.A|MA|MSc|Esq)\b"
)
_CAPITALISED: Final = re.compile(r"[\"'(]?[A-Z0-9][\w.,'&/-]{0,60}[)\"']?\Z")
_ENDS_CLAUSE: Final = re.compile(r"""[.!?:;,。！？।؟…=]["')\]]{0,9}\Z""")
_CONVENTIONAL: Final = re.compile(
    r"(?:(?:part|section|chapter|question|answer|response|essay|point|argument|objection|reply|step|task|prompt)"
    r"(?: (?:[0-9]{1,2}|[ivx]{1,5}|one|two|three|four|five))?|introduction|background"
    r"|conclusions?|concluding remarks|discussion"
    r"|summary|overview|analysis|thesis|body|limitations|implications|counter-?arguments?|references|notes|sources|title|abstract"
    r"|final (?:thoughts|remarks)|in (?:summary|conclusion))(?: ?[:.-] ?[^.!?]{0,80})?:?\Z",
    re.IGNORECASE,
)
_ANNOUNCING: Final = frozenset(
    "i we you he she it they this that these those here there as if so thus then let is are was were be been "
    "do does did has have had can could may might must should will would ask asks asked say says said write "
    "writes wrote put puts argue argues argued claim claims claimed hold holds held note notes noted lists "
    "answers answered adds added consider suppose imagine take takes think recall remember compare example "
    "instance following follows namely first second third finally next".split()
)
_PARTICLES: Final = frozenset("de da van von der den di du la le of and the for".split())
_ONE_WORD_ANSWERS: Final = frozenset("yes no maybe perhaps neither both".split())
_FORMULA_SIGNS: Final = frozenset("=<>|{}\\")


def without_surroundings(paragraphs: Sequence[str]) -> list[str]:
    """The paragraphs but for counts of words, salutation and signature; all where nothing else would be left."""
    left = [text for text in map(_without_count, paragraphs) if text]
    left = _without_signature(left)
    if len(left) > 1 and count_words(left[0]) <= MAX_SIGNATURE_WORDS and _SALUTATION.match(left[0]):
        left = left[1:]
    return left or list(paragraphs)


def are_headings(paragraphs: Sequence[str]) -> list[bool]:
    """Whether each paragraph is a heading that nothing marks as one but its brevity and its place.

    It has at most `MAX_HEADING_WORDS`, begins with a capital and ends with no sign; a paragraph of prose follows,
    and nothing that announces it comes before. Where more than `MAX_HEADINGS_TOGETHER` such lines follow each
    other, none is.
    """
    found = [False] * len(paragraphs)
    together = 0
    for number in range(len(paragraphs) - 1, -1, -1):
        text, below = paragraphs[number], paragraphs[number + 1] if number + 1 < len(paragraphs) else ""
        above = paragraphs[number - 1] if number else ""
        is_announced = above.endswith((":", ",")) and not seems_heading(above)
        stands_above = together > 0 or len(below.split()) >= MIN_WORDS_BELOW
        if stands_above and below and not is_announced and seems_heading(text):
            together += 1
            found[number] = together <= MAX_HEADINGS_TOGETHER
            if together > MAX_HEADINGS_TOGETHER:
                found[number : number + together] = [False] * together
        else:
            together = 0
    return found


def seems_heading(text: str) -> bool:
    """Whether a line is short, begins with a capital or digit and ends without a sign; or shouts; or is usual."""
    words = text.split()
    if _is_shouted(words) or (text.endswith(":") and _is_title(words)):
        return True
    if (
        len(words) <= MAX_HEADING_WORDS
        and _CONVENTIONAL.match(text)
        and (len(words) <= 4 or not ends_statement(text))
    ):
        return True
    return (
        0 < len(words) <= MAX_HEADING_WORDS
        and _is_capital(text.lstrip("([")[:1])
        and not _ENDS_CLAUSE.search(text)
        and text.casefold() not in _ONE_WORD_ANSWERS
        and not _FORMULA_SIGNS & set(text)
    )


def _is_shouted(words: Sequence[str]) -> bool:
    """Whether two to a few words, one of them long, are all in capitals, whatever sign but ? or ! they end with."""
    return (
        1 < len(words) <= MAX_HEADING_WORDS
        and words[-1][-1:] not in "?!\"'"
        and any(len(word.strip(".:,")) > MAX_LETTERS_OF_SMALL_WORDS for word in words)
        and all(word.isupper() or not any(map(str.isalpha, word)) for word in words)
    )


def _is_title(words: Sequence[str]) -> bool:
    """Whether words before a colon are a title: the great ones capitalised, or a few that announce nothing."""
    if len(words) > MAX_HEADING_WORDS or not _is_capital(words[0][:1]):
        return False
    great = [word for word in words[1:] if len(word) > MAX_LETTERS_OF_SMALL_WORDS]
    if great and all(_is_capital(word.lstrip("\"'(")[:1]) for word in great):
        return True
    return len(words) <= MAX_TITLE_WORDS and not _ANNOUNCING & {word.strip(",:").casefold() for word in words}


def _is_capital(character: str) -> bool:
    return character.isupper() or character.isdigit()


def _without_count(paragraph: str) -> str:
    if _COUNT_LINE.fullmatch(paragraph.strip(_AROUND_COUNT)):
        return ""
    end = len(paragraph)
    while count := _COUNT_AT_END.search(paragraph, max(0, end - MAX_COUNT), end):
        end = count.start()
    return paragraph[:end].rstrip()


def _without_signature(paragraphs: list[str]) -> list[str]:
    """Drop a formula or a name, and what of a signature stands below it, from the end of an answer."""
    if len(paragraphs) < 2:
        return [_NAME_AT_END.sub("", text) for text in paragraphs]
    first = len(paragraphs)
    while first > 1 and len(paragraphs) - first < MAX_SIGNATURE_LINES and _is_short(paragraphs[first - 1]):
        first -= 1
    for start in range(first, len(paragraphs)):
        if _opens_signature(paragraphs, start):
            return paragraphs[:start]
    return [*paragraphs[:-1], _NAME_AT_END.sub("", paragraphs[-1])]


def _is_short(text: str) -> bool:
    return len(text.split()) <= MAX_SIGNATURE_WORDS and (
        not ends_statement(text) or any(sign.match(text) for sign in (_FORMULA, _DASHED_NAME, _INITIALS))
    )


def _opens_signature(paragraphs: Sequence[str], start: int) -> bool:
    text = paragraphs[start]
    if _FORMULA.match(text) or _DASHED_NAME.match(text):
        return True
    if not ends_statement(paragraphs[start - 1]):
        return False
    if _INITIALS.match(text):
        return True
    below = paragraphs[start:]
    return (len(below) <= 2 or any(map(_PLACE_OF_WORK.search, below))) and _is_name(text)


def _is_name(text: str) -> bool:
    """Whether there are no other words than capitalised ones and particles between them."""
    words = text.split()
    return (
        len(words) <= 6
        and not _ENDS_CLAUSE.search(text)
        and words[-1] not in _PARTICLES
        and text.casefold() not in _ONE_WORD_ANSWERS
        and all(word in _PARTICLES or "@" in word or _CAPITALISED.match(word) for word in words)
        and words[0] not in _PARTICLES
    )
