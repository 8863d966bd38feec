"""What an analysis is asked to do."""

from dataclasses import dataclass
from typing import Final, Literal

Mode = Literal["default", "paper"]


WHOLE: Final = ""  # the scope of everything, beside the domains


@dataclass(frozen=True, slots=True)
class Parameters:
    """What an analysis was asked to do.

    `default` ranks answers anew from their scores, within each judgment; `paper` takes the ranks as they were
    given. Intervals are at `level`; `seed` starts every resample. `scale` has the ends of the rubric's scale; if
    not given, they are the rubric's own or inferred from the scores, and no interval keeps to what is inferred.
    `counts_abstentions`: scores of answers that a judge model found not to take up the question enter the panel's
    means.
    """

    mode: Mode = "default"
    draws: int = 2000
    level: float = 0.95
    seed: int = 42
    scale: tuple[float, float] | None = None
    counts_abstentions: bool = False


DEFAULTS: Final = Parameters()
