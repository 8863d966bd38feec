"""How long, in words."""

MINUTE, HOUR, DAY = 60, 3600, 86400


def in_words(seconds: float) -> str:
    """A length of time in its two largest units, such as "45 s", "2 min 15 s", "1 h 5 min" or "3 d 4 h".

    Parts of a second are left out, and from ten minutes on seconds are. What is negative counts as nothing.
    """
    whole = max(0, int(seconds))
    if whole >= DAY:
        return _two(whole // DAY, "d", whole % DAY // HOUR, "h")
    if whole >= HOUR:
        return _two(whole // HOUR, "h", whole % HOUR // MINUTE, "min")
    if whole >= 10 * MINUTE:
        return f"{whole // MINUTE} min"
    if whole >= MINUTE:
        return _two(whole // MINUTE, "min", whole % MINUTE, "s")
    return f"{whole} s"


def _two(larger: int, unit: str, smaller: int, smaller_unit: str) -> str:
    return f"{larger} {unit} {smaller} {smaller_unit}" if smaller else f"{larger} {unit}"
