"""Templates of requests to models: versioned files, known by name and content hash."""

from dataclasses import dataclass
from pathlib import Path

from annotation.core.text import sha256_hex

FOLDER = Path(__file__).resolve().parent.parent / "prompt_templates"


@dataclass(frozen=True)
class PromptTemplate:
    name: str
    text: str

    @property
    def version(self) -> str:
        """Name and the first twelve hex digits of the text's SHA-256."""
        return f"{self.name}:{sha256_hex(self.text)[:12]}"

    def fill(self, **values: object) -> str:
        """The request's text. Raises `KeyError` for a placeholder without a value."""
        return self.text.format(**values).strip()


def load(name: str) -> PromptTemplate:
    """A template by file name without its ending. Raises `FileNotFoundError` for an unknown one."""
    return PromptTemplate(name, (FOLDER / f"{name}.txt").read_text(encoding="utf-8"))


ANSWER = load("answer-1")
WEAK_ANSWER = load("weak_answer-1")
