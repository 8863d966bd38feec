"""What somebody sees where the site cannot answer: for a moment, or because of a fault."""

import secrets
import sys
from typing import Final

from django.db import InterfaceError, InternalError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.defaults import server_error

from annotation.platform.views import page_before

AWAY: Final = (OperationalError, InterfaceError)
# The whole transaction is undone, as above: a server that takes no writes.
READ_ONLY: Final = "25006"
SOONEST, LATEST = 4, 12  # seconds; by chance, so that many who wait do not come back at once


def site_error(request: HttpRequest) -> HttpResponse:
    """The answer where something was raised. While the database is away, full or crowded, it asks for a moment.

    What was sent is undone as a whole: no clock has begun by it. The page comes back by itself, and after something
    that was sent, to the page that it was sent from.
    """
    error = sys.exc_info()[1]
    if not _is_away(error):
        return server_error(request)
    seconds = SOONEST + secrets.randbelow(LATEST - SOONEST + 1)
    is_read = request.method in ("GET", "HEAD")
    address = request.get_full_path() if is_read else page_before(request) or reverse("home")
    context = {"seconds": seconds, "address": address, "is_read": is_read}
    response = render(None, "503.html", context, status=503)
    response["Retry-After"] = str(seconds)
    return response


def _is_away(error: BaseException | None) -> bool:
    cause = getattr(error, "__cause__", None)
    return isinstance(error, AWAY) or (
        isinstance(error, InternalError) and getattr(cause, "sqlstate", None) == READ_ONLY
    )
