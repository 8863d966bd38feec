"""Per-request rules about the signed-in person."""

import zoneinfo
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

Handler = Callable[[HttpRequest], HttpResponse]


class SecondFactorMiddleware:
    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)


class PersonTimeZoneMiddleware:
    """Times are shown in the signed-in person's zone."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        zone = getattr(request.user, "time_zone", None)
        with timezone.override(zoneinfo.ZoneInfo(zone) if zone else None):
            return self.get_response(request)
