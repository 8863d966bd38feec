"""Whether a prompt is about technology: of those that a model writes from one concept, at most one may be.

Read from its words, not understood: a list of whole words that hardly anybody uses of anything else. A prompt that
speaks of technology in other words is missed, and one that names it in passing is counted.
"""

import re
from typing import Final

MAX_ABOUT_TECHNOLOGY: Final = 1  # of a bundle

_WORDS: Final = (
    *("ai", "a.i.", "artificial intelligence", "machine learning", "language models?", "neural networks?"),
    *("algorithms?", "algorithmic", "algorithmically", "automated", "automation", "robots?", "robotic"),
    *("software", "computers?", "computational", "digital", "digitally", "internet", "online", "websites?"),
    *("smartphones?", "social media", "apps?", "chatbots?", "cyber\\w*", "deepfakes?"),
    *("technology", "technologies", "technological"),
)
_TECHNOLOGY: Final = re.compile(rf"(?<!\w)(?:{'|'.join(_WORDS)})(?!\w)", re.IGNORECASE)


def is_about_technology(text: str) -> bool:
    return _TECHNOLOGY.search(text) is not None
