"""What is found wrong with a request before any leaves: faults that a provider would refuse each time."""

from collections.abc import Collection

from generation.providers.base import Request


def check_effort(request: Request, known: Collection[str]) -> None:
    """Raise `ValueError` for an effort, if one is given, that is not among the `known` ones."""
    if request.effort and request.effort not in known:
        raise ValueError(f"it knows no effort “{request.effort}”, but {', '.join(known)}")


def check_temperature(request: Request, *, is_taken: bool, most: float = 2.0) -> None:
    """Raise `ValueError` for a temperature, if one is set, where none `is_taken`, or outside 0 to `most`."""
    if request.temperature is None:
        return
    if not is_taken:
        raise ValueError(f"it takes no temperature with the effort “{request.effort}”")
    if not 0 <= request.temperature <= most:
        raise ValueError(f"its temperatures are 0 to {most:g}, not {request.temperature:g}")


def check_cap(request: Request, *, least: int, why: str = "") -> None:
    """Raise `ValueError` for an output cap of fewer than `least` tokens."""
    if request.max_output_tokens < least:
        raise ValueError(f"its output cap is at least {least}{why}, not {request.max_output_tokens}")
