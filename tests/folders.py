"""Where the project's files are, whatever folder a test is in."""

from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).resolve().parents[1]
VECTORS: Final = PROJECT / "tests" / "vectors"
# Real data, beside the project where there are any.
SHARED_DATA: Final = PROJECT.parent / "shared" / "data"
