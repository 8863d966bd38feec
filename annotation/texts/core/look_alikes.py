"""Letters as they look: those of other scripts that pass for Latin ones, and characters that nobody sees.

The pairs are those of Unicode's confusables (UTS #39) that a reader takes for a Latin letter in running text.
"""

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

UNSEEN: Final = frozenset({"Cf", "Mn", "Me", "Cc"})  # categories of what has no shape of its own

_LATIN: Final = str.maketrans(
    {
        pair[0]: pair[1:]
        for pair in (
            "аa еe оo рp сc уy хx іi јj ѕs һh ԁd ԛq ԝw ѵv әa вb кk мm нh тt з3 пn гr ѡw ӏl ӡz "
            "αa βb γy εe ηn ιi κk νv οo ρp ςc τt υu χx ωw "
            "ᴀa ʙb ᴄc ᴅd ᴇe ɢg ʜh ɪi ᴊj ᴋk ʟl ᴍm ɴn ᴏo ᴘp ʀr ᴛt ᴜu ᴠv ᴡw ʏy ᴢz "
            "ɑa əa ɡg ıi ɩi łl øo đd ðd ħh ŧt ƒf þth æae œoe ßss ⍺a ℮e ∩n "
            "’' ‘' ʼ' ＇' ′'"
        ).split()
    }
)


@lru_cache(maxsize=8192)
def plain(character: str) -> str:
    """A character as the small Latin letters that it looks like; nothing for a mark or what nobody sees."""
    apart = unicodedata.normalize("NFKD", character)
    seen = "".join(one for one in apart if one == "\n" or unicodedata.category(one) not in UNSEEN)
    return seen.lower().translate(_LATIN)


def plain_text(text: str) -> tuple[str, Sequence[int]]:
    """`text` in plain letters, and for each of its characters the place in `text` that it comes from."""
    if text.isascii():
        return text.lower(), range(len(text) + 1)
    pieces: list[str] = []
    places: list[int] = []
    for at, character in enumerate(text):
        piece = character.lower() if character.isascii() else plain(character)
        if piece:
            pieces.append(piece)
            places.extend([at] * len(piece))
    places.append(len(text))
    return "".join(pieces), places
