"""Whether a model's verdict on two prompts depends on which of them stands first."""

from dataclasses import dataclass
from math import sqrt


@dataclass(frozen=True)
class PositionBias:
    """Verdicts of one model, by which prompt it was shown first.

    Of `written` pairs, shown in the order in which their prompts were written, it found `written_equivalent` alike,
    of `swapped` ones `swapped_equivalent`. `twice` pairs were shown in both orders: of these `gained` are alike in
    the order written alone, and `lost` in the other alone.
    """

    model: str
    written: int
    written_equivalent: int
    swapped: int
    swapped_equivalent: int
    twice: int
    gained: int
    lost: int

    @property
    def written_share(self) -> float | None:
        """The share of equivalent pairs, 0 to 1; None without any."""
        return self.written_equivalent / self.written if self.written else None

    @property
    def swapped_share(self) -> float | None:
        return self.swapped_equivalent / self.swapped if self.swapped else None

    @property
    def changed(self) -> int:
        """How many of the pairs shown twice have a verdict that depends on the order."""
        return self.gained + self.lost

    @property
    def difference(self) -> float | None:
        """The share in the order written minus the other, -1 to 1; None where either order is missing."""
        if self.written_share is None or self.swapped_share is None:
            return None
        return self.written_share - self.swapped_share

    @property
    def se(self) -> float | None:
        """The standard error of the difference.

        Of matched pairs, sqrt(g + l - (g - l)^2 / n) / n, where all were shown twice; otherwise of two samples
        taken as independent, which is too wide where some pairs are in both.
        """
        if self.difference is None:
            return None
        if self.twice == self.written == self.swapped:
            return sqrt(self.changed - (self.gained - self.lost) ** 2 / self.twice) / self.twice
        shares = ((self.written_share, self.written), (self.swapped_share, self.swapped))
        return sqrt(sum(share * (1 - share) / n for share, n in shares if share is not None))
