"""Finds the name of a text's author in it: whole, in parts, by initials, and in letters that only look alike.

    Jane Mary Doe-Smith   →   Jane Doe-Smith · J. M. Doe-Smith · Doe-Smith, J. · Doe-Smith · JANE DOE · Ｊａne Dоe ·
    J. D.

A surname alone counts where it is no ordinary word and no name that half the literature has; a given name alone
only where somebody introduces themselves; initials alone only where a text is signed.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Final, Literal, NamedTuple

from annotation.texts.core.look_alikes import UNSEEN, plain_text

MAX_FOUND: Final = 100
MAX_PARTS: Final = 8  # of a name; what is longer is not one
MAX_UNSEEN: Final = 8  # characters between two letters of a name that nobody sees
MIN_DISTINCTIVE: Final = 4  # letters of a surname that is looked for alone

How = Literal["name", "surname", "initials", "introduction", "signature"]


@dataclass(frozen=True)
class NameFound:
    """`text[start:end]` is somebody's name; `how` says which part of it."""

    start: int
    end: int
    how: How


class _Token(NamedTuple):
    """A run of letters, folded; where it stands in the text, and whether it begins with a capital there."""

    letters: str
    start: int
    end: int
    is_capital: bool


_SPELT_OUT: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
_APOSTROPHES: Final = "'’‘ʼ`´"
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_BETWEEN_PARTS: Final = re.compile(r"[\s.,_·*-]{1,4}|[\s.,*]{0,3}[-‐‑–]{1,2}\s{0,2}")
_AFTER_SURNAME: Final = re.compile(r",?[\s.]{1,3}")
_CHINESE_OR_JAPANESE: Final = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af]")
_INTRODUCING: Final = re.compile(
    r"(?:\bI(?:'m| am)|\b[Mm]y name(?:'s| is)|\b[Cc]all me|\b[Ss]igned,?"
    r"|\b(?:[Ww]ritten|[Aa]nswered|[Ss]ubmitted) by|[-–—~])[ ]?\Z"
)
_PARTICLES: Final = frozenset(
    "de da das dos del della di du van von der den ter ten zu la le el al bin ibn ben af av y e".split()
)
_TITLES: Final = frozenset("dr prof professor mr mrs ms mx sir dame phd md ma msc ba jr sr ii iii iv esq".split())
_ORDINARY_WORDS: Final = frozenset(
    "able abbot archer baker banks barber bell best bird bishop black blue bond book booth bow bridge bright "
    "brook brooks brown burns bush butcher butler carpenter carter case chance chase church clark clay cook "
    "cooper cross dale dawn day dean drew duke east english faith farmer field fish fisher flower ford forest "
    "foster fountain fox france freeman french frost gold good grace grand grant gray green grey hall hand "
    "hardy hart heath hill holiday holland hood hope house hunt hunter ireland judge just justice king knight "
    "lake lamb land lane law lawless lee light little long love low major march mark marsh marshall mason may "
    "means mercer miles mill miller moon moore moral more north page paine park parks paris parsons past "
    "pearl penny pike poole pope porter post potter pound power powers price prince public reader reason rice "
    "rich rivers rock rose royal rule sage sands savage shepherd short silver singer small smart snow speaker "
    "spring stark steel stern stone storm strange street strong summer summers swan sweet temple tanner "
    "taylor tower towns turner vale virtue walker wall ward waters way weaver weeks wells west wheeler white "
    "will wills winter wise wolf wood woods worth wright young".split()
)
_IN_HALF_THE_LITERATURE: Final = frozenset(
    "adams allen anderson arendt aristotle bacon beck becker bell berger berlin bourdieu brown butler chen "
    "clark cohen coleman collins crenshaw darwin davis dewey douglas durkheim dworkin edwards evans foucault "
    "fraser freud garcia geertz giddens goffman gramsci habermas hall harris hayek hegel hobbes hume jackson "
    "james johnson jones kant keynes khan kim kuhn lee lewis locke lopez luther machiavelli martin martinez "
    "marx mead merton mill miller mitchell moore morgan nguyen nussbaum ostrom parsons patel plato popper "
    "putnam rawls roberts robinson rodriguez rousseau said sartre scott sen simmel singer singh smith "
    "socrates taylor thomas thompson tocqueville wang weber white williams wilson wolf wright young zhang".split()
)


def author_names(text: str, names: Iterable[str]) -> tuple[NameFound, ...]:
    """Return where one of the `names` stands in `text`, in order, none within another; at most `MAX_FOUND`.

    Case, diacritics, invisible characters and letters of other scripts that look like Latin ones make no
    difference. A name with a digit, such as a model's, is found as it is written and not in parts.
    """
    tokens = list(_tokens(text))
    found: set[NameFound] = set()
    for name in names:
        if any(map(str.isdigit, name)):
            found.update(islice(_as_written(text, name), MAX_FOUND))
        elif _CHINESE_OR_JAPANESE.search(name):
            found.update(islice(_without_spaces(text, name), MAX_FOUND))
        else:
            for spelling in _spellings(name):
                found.update(islice(_of_person(text, tokens, spelling), MAX_FOUND))
    return tuple(islice(_outermost(found), MAX_FOUND))


def _outermost(found: Iterable[NameFound]) -> Iterator[NameFound]:
    end = -1
    for one in sorted(found, key=lambda one: (one.start, -one.end, one.how)):
        if one.end > end:
            yield one
            end = one.end


def _tokens(text: str) -> Iterator[_Token]:
    """Runs of letters; apostrophes within them and characters that nobody sees are no end of a run."""
    start = end = -1
    for run in _LETTERS.finditer(text):
        if start >= 0 and not _goes_on(text, end, run):
            yield _token(text, start, end)
            start = -1
        if start < 0:
            start = run.start()
        end = run.end()
    if start >= 0:
        yield _token(text, start, end)


def _token(text: str, start: int, end: int) -> _Token:
    run = text[start:end]
    letters = (
        run if run.isascii() and run.isalpha() else "".join(filter(str.isalpha, unicodedata.normalize("NFC", run)))
    )
    return _Token(plain_text(letters)[0], start, end, run[0].isupper() or run[0].istitle())


def _goes_on(text: str, end: int, run: re.Match[str]) -> bool:
    """Whether a run of letters belongs to the one before it; in a genitive or in `I'm` it does not."""
    between = text[end : min(run.start(), end + MAX_UNSEEN + 1)]
    if between in {" ", "\n"}:  # as nearly always: looking at each character takes long
        return False
    if len(between) > MAX_UNSEEN:
        return False
    if between in _APOSTROPHES:
        return len(run[0]) > 1
    return all(unicodedata.category(character) in UNSEEN for character in between) and "\n" not in between


@dataclass(frozen=True)
class _Name:
    """Given names and the parts of a surname, folded."""

    given: tuple[str, ...]
    surname: tuple[str, ...]

    @property
    def core(self) -> str:
        """A distinctive surname without the particles before it; empty where there are none."""
        *particles, last = self.surname
        is_distinctive = bool(particles) and _PARTICLES.issuperset(particles) and _is_distinctive(last)
        return last if is_distinctive else ""

    @property
    def is_surname_distinctive(self) -> bool:
        if len(self.surname) > 1:
            return sum(map(len, self.surname)) >= MIN_DISTINCTIVE
        return _is_distinctive(self.surname[0])


def _is_distinctive(word: str) -> bool:
    return len(word) >= MIN_DISTINCTIVE and word not in _ORDINARY_WORDS and word not in _IN_HALF_THE_LITERATURE


def _spellings(name: str) -> Iterator[_Name]:
    """The name as it is, and with ä as ae and so on, where that is another one; titles are no part of it."""
    spelt = dict.fromkeys((name, name.lower().translate(_SPELT_OUT)))
    for number, spelling in enumerate(spelt):
        if number and [*_tokens(spelling)] == [*_tokens(name.lower())]:
            continue
        if parsed := _parsed(spelling):
            yield parsed


def _parsed(name: str) -> _Name | None:
    """`Doe, Jane` and `Jane Doe`; particles and what a hyphen joins belong to the surname."""
    last, comma, first = name.partition(",")
    ordered = f"{first} {last}" if comma and first.strip() else last
    words = [[token.letters for token in _tokens(word) if token.letters] for word in ordered.split()]
    words = [word for word in words if word and not (len(word) == 1 and word[0] in _TITLES)][:MAX_PARTS]
    if not words:
        return None
    first_of_surname = len(words) - 1
    if comma and first.strip():
        first_of_surname = len(first.split())
    while first_of_surname > 1 and words[first_of_surname - 1][0] in _PARTICLES:
        first_of_surname -= 1
    given = tuple(part for word in words[:first_of_surname] for part in word)
    surname = tuple(part for word in words[first_of_surname:] for part in word)
    return _Name(given, surname) if surname else None


def _of_person(text: str, tokens: Sequence[_Token], name: _Name) -> Iterator[NameFound]:
    core, given, first_of_surname = name.core, frozenset(name.given), name.surname[0]
    surnames = {first_of_surname, f"{first_of_surname}s", "".join(name.surname)}
    wanted, longest = _initials(name), len(name.given) + 1
    first_letters = {letters[0] for letters in wanted}
    for number, token in enumerate(tokens):
        letters = token.letters
        if letters in surnames and (token.is_capital or len(letters) > 1):
            yield from _around_surname(text, tokens, number, name)
        elif not token.is_capital or not letters:
            continue
        elif letters == core:
            if not _is_part(text, tokens, number, name):
                yield NameFound(token.start, token.end, "surname")
        elif letters in given:
            if _INTRODUCING.search(text[max(0, token.start - 20) : token.start]):
                yield NameFound(token.start, token.end, "introduction")
        elif len(letters) <= longest and letters[0] in first_letters:
            yield from _signed(text, tokens, number, wanted)


def _initials(name: _Name) -> frozenset[str]:
    """The first letters of all names, and of the first and the last."""
    letters = [part[0] for part in (*name.given, name.surname[-1 if len(name.surname) == 1 else 0])]
    return frozenset({"".join(letters), letters[0] + letters[-1]}) if len(letters) > 1 else frozenset()


def _is_part(text: str, tokens: Sequence[_Token], number: int, name: _Name) -> bool:
    """Whether the particles that belong to it stand before it, so that it is found with them."""
    first = number + 1 - len(name.surname)
    return first >= 0 and _end_of_parts(text, tokens, first, name.surname) is not None


def _begins_with(surname: Sequence[str], token: _Token) -> bool:
    """Whether a surname of several parts is written as one."""
    return len(surname) > 1 and token.letters == "".join(surname)


def _around_surname(text: str, tokens: Sequence[_Token], number: int, name: _Name) -> Iterator[NameFound]:
    """The name that has its surname here: with given names or initials before or behind it, or alone."""
    last = (
        number if _begins_with(name.surname, tokens[number]) else _end_of_parts(text, tokens, number, name.surname)
    )
    if last is None:
        return
    first, end = number, last
    is_capital = any(token.is_capital for token in tokens[number : last + 1])
    while (
        first
        and number - first < MAX_PARTS
        and _is_given(tokens[first - 1], name)
        and _joins(text, tokens[first - 1], tokens[first])
    ):
        first -= 1
    if first == number:
        while end + 1 < len(tokens) and end - last < MAX_PARTS and _is_given(tokens[end + 1], name):
            if not (tokens[end + 1].is_capital and is_capital and _follows(text, tokens[end], tokens[end + 1])):
                break
            end += 1
    parts = [*tokens[first:number], *tokens[last + 1 : end + 1]]
    span = tokens[first].start, tokens[end].end
    if any(len(token.letters) > 1 and token.letters in name.given for token in parts):
        if is_capital or any(token.is_capital for token in parts) or name.is_surname_distinctive:
            yield NameFound(*span, "name")
    elif parts and is_capital and all(token.is_capital for token in parts):
        yield NameFound(*span, "initials")
    elif is_capital and (name.is_surname_distinctive or not name.given):
        yield NameFound(tokens[number].start, tokens[last].end, "surname")


def _end_of_parts(text: str, tokens: Sequence[_Token], number: int, parts: Sequence[str]) -> int | None:
    """The token with which the last of the parts ends, where all follow from this one on."""
    last = number + len(parts) - 1
    if last >= len(tokens):
        return None
    there = tokens[number : last + 1]
    same = all(token.letters in (part, f"{part}s") for token, part in zip(there, parts, strict=True))
    joined = all(_joins(text, one, other) for one, other in pairwise(there))
    return last if same and joined else None


def _is_given(token: _Token, name: _Name) -> bool:
    """Whether it is one of the given names, an initial of one, or several initials in one."""
    if token.letters in name.given:
        return True
    initials = "".join(part[0] for part in name.given)
    return bool(token.letters) and token.is_capital and token.letters in (*initials, initials)


def _joins(text: str, one: _Token, other: _Token) -> bool:
    return bool(_BETWEEN_PARTS.fullmatch(text, one.end, other.start))


def _follows(text: str, one: _Token, other: _Token) -> bool:
    return bool(_AFTER_SURNAME.fullmatch(text, one.end, other.start))


def _signed(text: str, tokens: Sequence[_Token], number: int, wanted: frozenset[str]) -> Iterator[NameFound]:
    """Initials of the whole name where a paragraph ends, or where somebody says that they sign."""
    spelt, longest = "", max(map(len, wanted))
    for last in range(number, min(number + MAX_PARTS, len(tokens))):
        if not tokens[last].is_capital or (last > number and not _joins(text, tokens[last - 1], tokens[last])):
            return
        spelt += tokens[last].letters
        end = tokens[last].end
        if spelt in wanted and _is_signature(text, tokens[number].start, end):
            yield NameFound(tokens[number].start, end + text.startswith(".", end), "signature")
            return
        if len(spelt) >= longest:
            return


def _is_signature(text: str, start: int, end: int) -> bool:
    behind = text[end : end + 4]
    before = text[max(0, start - 20) : start]
    ends = behind.strip(" .*_)]") == "" or behind.lstrip(" .*_)]").startswith("\n")
    opens = not before.strip(" *_([") or before.rstrip(" *_([").endswith(("\n", ".", "!", "?", "-", "–", "—", '"'))
    return ends and (opens or bool(_INTRODUCING.search(before)))


def _as_written(text: str, name: str) -> Iterator[NameFound]:
    parts = list(map(re.escape, name.split()))
    if parts:
        for found in re.finditer(r"(?<!\w)" + r"\s{1,9}".join(parts) + r"(?!\w)", text, re.IGNORECASE):
            yield NameFound(found.start(), found.end(), "name")


def _without_spaces(text: str, name: str) -> Iterator[NameFound]:
    wanted = "".join(name.split())
    place = text.find(wanted) if len(wanted) > 1 else -1
    while place >= 0:
        yield NameFound(place, place + len(wanted), "name")
        place = text.find(wanted, place + len(wanted))
