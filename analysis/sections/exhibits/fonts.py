"""The font of pictures: the letters of DejaVu Sans that need no shaping, Latin, Greek, Cyrillic, and signs.

A PDF holds the letters that it uses. To take them out of the whole font, with its rules for scripts whose letters
change with their neighbours, takes longer than all the rest of a picture; out of this one it takes next to nothing.
"""

import os
from functools import cache
from pathlib import Path
from typing import Final

import matplotlib
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from matplotlib.font_manager import fontManager

WHOLE_FACE: Final = "DejaVu Sans"  # comes with the library: every machine draws the same
FACE: Final = f"{WHOLE_FACE} alone"
NEIGHBOURS: Final = ("GDEF", "GPOS", "GSUB", "MATH", "kern", "FFTM")  # tables; the last is the maker's alone
LETTERS: Final = (*range(0x20, 0x530), *range(0x1E00, 0x2270))


@cache
def make_face_known() -> None:
    """Let pictures be drawn in `FACE`; made once on a machine, where matplotlib keeps what it can make again."""
    path = Path(matplotlib.get_cachedir()) / f"exhibits-{matplotlib.__version__}.ttf"
    if not path.exists():
        _make(path)
    fontManager.addfont(str(path))


def _make(path: Path) -> None:
    font = TTFont(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf", recalcTimestamp=False)
    for table in NEIGHBOURS:
        del font[table]
    subsetter = Subsetter(Options(hinting=False))
    subsetter.populate(unicodes=LETTERS)
    subsetter.subset(font)
    font["name"].setName(FACE, 1, 3, 1, 0x409)
    unfinished = path.with_suffix(f".{os.getpid()}")
    font.save(unfinished)
    unfinished.replace(path)
