"""What views share."""

from collections.abc import Callable
from typing import TypeVar

from django.contrib import messages
from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from annotation.core.errors import Refused
from annotation.models.people import User

Result = TypeVar("Result")


class PersonRequest(HttpRequest):
    """A request of somebody signed in, as `login_required` and the middleware leave it."""

    user: User
    htmx: HtmxDetails


def attempt(request: HttpRequest, verb: Callable[[], Result]) -> Result | None:
    """Call a service; a refusal becomes a message for the person, and `None`."""
    try:
        return verb()
    except Refused as refusal:
        messages.error(request, str(refusal))
        return None
