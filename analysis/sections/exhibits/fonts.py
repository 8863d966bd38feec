"""The fonts of pictures: parts of DejaVu Sans, each of which has what most texts lack that the one before has.

A PDF holds the letters that it uses. To take them out of the whole font, with its rules for scripts whose letters
change with their neighbours, takes longer than all the rest of a picture; out of a small one, next to nothing.
"""

import os
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

import matplotlib
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from matplotlib.font_manager import fontManager

WHOLE_FACE: Final = "DejaVu Sans"  # comes with the library: every machine draws the same
# The letters of most European languages and what formulas need; then all Latin, Greek and Cyrillic ones, and signs.
LETTERS: Final = {
    f"{WHOLE_FACE} common": (
        *range(0x20, 0x180),
        *range(0x370, 0x400),
        *range(0x2010, 0x2040),
        *range(0x2190, 0x2194),
        *range(0x2200, 0x2270),
    ),
    f"{WHOLE_FACE} alone": (*range(0x20, 0x530), *range(0x1E00, 0x2270)),
}
FACES: Final = (*LETTERS, WHOLE_FACE)
NEIGHBOURS: Final = ("GDEF", "GPOS", "GSUB", "MATH", "kern", "FFTM")  # tables; the last is the maker's alone


@cache
def make_faces_known() -> None:
    """Let pictures be drawn in `FACES`; made once on a machine, where matplotlib keeps what it can make again."""
    for face, letters in LETTERS.items():
        made_from = sha256(f"{matplotlib.__version__} {letters} {NEIGHBOURS}".encode()).hexdigest()[:12]
        path = Path(matplotlib.get_cachedir()) / f"{face.replace(' ', '-')}-{made_from}.ttf"
        if not path.exists():
            _make(face, path)
        fontManager.addfont(str(path))


def _make(face: str, path: Path) -> None:
    font = TTFont(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf", recalcTimestamp=False)
    for table in NEIGHBOURS:
        del font[table]
    subsetter = Subsetter(Options(hinting=False, glyph_names=True))  # who reads it need not make names up
    subsetter.populate(unicodes=LETTERS[face])
    subsetter.subset(font)
    font["name"].setName(face, 1, 3, 1, 0x409)
    unfinished = path.with_suffix(f".{os.getpid()}")
    font.save(unfinished)
    unfinished.replace(path)
