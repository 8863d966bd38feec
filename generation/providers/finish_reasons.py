"""Why replies ended, in words that all wire formats share."""

from generation.providers.base import Outcome, Reply


def clean(text: str) -> Reply:
    """The model says that it is done."""
    if text.strip():
        return Reply(Outcome.OK, text)
    return Reply(Outcome.EMPTY, detail="The model ended without a text.")


def cut_off(text: str, why: str = "The tokens allowed were used up.") -> Reply:
    return Reply(Outcome.TRUNCATED, text, detail=why)


def declined(text: str, category: str = "") -> Reply:
    """The model's own words stay in the body: they may tell what it was asked."""
    return Reply(Outcome.REFUSED, text, detail=f"The model declined ({category or 'no category given'}).")


def withheld(text: str, words: str = "no reason given") -> Reply:
    return Reply(Outcome.FILTERED, text, detail=f"The provider withheld the text: {words}")


def odd(text: str, reason: object) -> Reply:
    """An end that is not known for a clean one, so that its text cannot be relied upon."""
    return Reply(Outcome.ODD, text, detail=f"The reply ended for an unusual reason: {reason or 'none given'}.")
