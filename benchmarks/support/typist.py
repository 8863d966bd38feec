"""A simulated typist: bursts of words, pauses to think, and now and then a change to earlier text."""

import random

from annotation.writing.core.activity import Event

# With characters of one to four bytes, and of one and two UTF-16 units.
WORDS = (
    "the a of and that is not who may by rule town well law custom because although whether people share water "
    "reason habit price patience agree object naïve “fair” über façade common 𝛼-rule don't 1990–1995 often"
).split()
# Together about 40 words a minute, more than most people compose.
SECONDS_A_WORD = 1.0
WORDS_A_BURST = (3, 30)
SECONDS_TO_THINK = (1.0, 15.0)


def an_opening(words: int, numbers: random.Random) -> str:
    """Text of so many words, for somebody who is in the middle of their answer."""
    return " ".join(numbers.choice(WORDS) for _ in range(words))


class Typist:
    """A text that grows with the clock. Times are seconds on the caller's clock; nothing happens by itself."""

    def __init__(self, numbers: random.Random, text: str, now: float) -> None:
        self.text = text
        self.changed_at = now
        self.activity: list[Event] = []
        self._numbers = numbers
        self._started = self._next = now
        self._begin_burst()

    def until(self, now: float) -> None:
        """Write everything that is due by `now`."""
        while self._next <= now:
            self._write_word()
            self.changed_at = self._next
            self._next += SECONDS_A_WORD
            self._left -= 1
            if not self._left:
                self._end_burst()
                self._next += self._numbers.uniform(*SECONDS_TO_THINK)
                self._begin_burst()

    def _begin_burst(self) -> None:
        self._burst_began, self._typed, self._deleted = self._next, 0, 0
        self._left = self._numbers.randint(*WORDS_A_BURST)

    def _end_burst(self) -> None:
        at, duration = self._burst_began - self._started, self._next - self._burst_began
        self.activity.append(["burst", int(1000 * at), int(1000 * duration), self._typed, self._deleted])

    def _write_word(self) -> None:
        """Eight words of ten are added at the end; one takes the place of the last, one goes in somewhere."""
        chance, word = self._numbers.random(), self._numbers.choice(WORDS)
        at = len(self.text)
        if chance < 0.1:
            at = max(self.text.rfind(" "), 0)
            self._deleted += len(self.text) - at
            self.text = self.text[:at]
        elif chance < 0.2:
            at = self.text.find(" ", self._numbers.randrange(len(self.text) + 1))
            at = at if at >= 0 else len(self.text)
        gap = "\n\n" if self._numbers.random() < 0.02 else " "
        self.text = f"{self.text[:at]}{gap}{word}{self.text[at:]}"
        self._typed += len(gap) + len(word)
