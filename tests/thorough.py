"""How many examples a property is tried with: all of them where the environment has THOROUGH=1, else a third."""

import os
from typing import Final

from hypothesis import settings

IS_THOROUGH: Final = os.environ.get("THOROUGH") == "1"
_SHARE: Final = 3


def examples(most: int) -> settings:
    return settings(max_examples=most if IS_THOROUGH else -(-most // _SHARE))
