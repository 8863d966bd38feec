"""What views share."""

from collections.abc import Callable
from typing import TypeVar

from django.contrib import messages
from django.http import HttpRequest

from annotation.core.errors import Refused

Result = TypeVar("Result")


def attempt(request: HttpRequest, verb: Callable[[], Result]) -> Result | None:
    """Call a service; a refusal becomes a message for the person, and `None`."""
    try:
        return verb()
    except Refused as refusal:
        messages.error(request, str(refusal))
        return None
