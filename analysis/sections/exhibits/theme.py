"""How pictures look: the colours of the site's pages, light and dark, letters, and the marks of who made what."""

from dataclasses import dataclass
from typing import Any, Final

from matplotlib.typing import RcKeyType

from analysis.data.core.judgment_frame import HUMAN
from analysis.sections.exhibits.fonts import FACES

INK: Final = "#27231d"
SOFT: Final = "#5e574b"
EDGE: Final = "#857c6c"
LINE: Final = "#e0d8c9"
ON_DEEP: Final = "#ffffff"
BLUE, ORANGE, GREEN, PURPLE, OLIVE, GREY = "#2675c5", "#ba6802", "#005033", "#5d084c", "#4f4904", "#858585"
RAMP: Final = ("#eef1f2", "#cfdde8", "#a3c1d8", "#3f77a6", "#1b4a72")
BELOW_AND_ABOVE: Final = ("#9a3f06", "#f0b583", "#f9e3cf", "#f4f1ea", "#d7e6f2", "#9cc3e2", "#14568c")
DEEP: Final = frozenset({RAMP[3], RAMP[4], BELOW_AND_ABOVE[0], BELOW_AND_ABOVE[6]})
IN_THE_DARK: Final = {
    INK: "#ebe5d9",
    SOFT: "#b5ad9e",
    EDGE: "#8b8272",
    LINE: "#3b3730",
    ON_DEEP: "#10202d",
    **dict(
        zip(
            (BLUE, ORANGE, GREEN, PURPLE, OLIVE, GREY),
            ("#4fbefe", "#f7904d", "#519275", "#ab67a4", "#fadc9f", "#beccd0"),
            strict=True,
        )
    ),
    **dict(zip(RAMP, ("#262a2d", "#29404f", "#2f5a78", "#7db2dc", "#b9dbf5"), strict=True)),
    **dict(
        zip(
            BELOW_AND_ABOVE,
            ("#f2a15f", "#80451c", "#46301f", "#2c2924", "#24384a", "#2a5c86", "#8cc4f0"),
            strict=True,
        )
    ),
}

STYLE: Final[dict[RcKeyType, Any]] = {
    "font.family": list(FACES),
    "font.size": 8.5,
    "axes.labelsize": 8.5,
    "axes.titlesize": 8.5,
    "axes.edgecolor": EDGE,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.labelcolor": INK,
    "axes.facecolor": "none",
    "text.color": INK,
    "text.parse_math": False,  # a dollar sign in a name is one
    "xtick.color": EDGE,
    "ytick.color": EDGE,
    "xtick.labelcolor": SOFT,
    "ytick.labelcolor": SOFT,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "grid.color": LINE,
    "grid.linewidth": 0.6,
    "hatch.linewidth": 0.7,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "lines.solid_capstyle": "butt",
    "svg.fonttype": "none",
    "svg.hashsalt": "exhibits",
    "pdf.fonttype": 42,
}


@dataclass(frozen=True, slots=True)
class Maker:
    """Who made what a mark stands for: its name in the legend, colour and shape."""

    name: str
    colour: str
    marker: str


PEOPLE: Final = Maker("People", ORANGE, "o")
MODELS: Final = Maker("Models", BLUE, "s")
NOBODY: Final = Maker("", INK, "D")


def maker_of(source: str) -> Maker:
    """The maker of a source as outcomes name it: people, or a model's family."""
    return PEOPLE if source == HUMAN else MODELS
