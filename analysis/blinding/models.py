"""What was frozen, when collection was closed, of that which tells who wrote what."""

from analysis.frozen.models import CanonicalTable


class SealedTable(CanonicalTable):
    """One that nobody is shown before the study is unblinded; its hash tells nothing without the seed."""
