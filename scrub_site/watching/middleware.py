"""What is noted of every request: an id, one line in the log, and how long it took; and who reads the figures."""

import logging
import time
import uuid
from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound
from django.utils.crypto import constant_time_compare

from scrub_site.watching import metrics
from scrub_site.watching.logs import request_id, without_secrets

log = logging.getLogger("request")
METRICS_PATH: Final = "/metrics"
HEALTH: Final = "/health/"

Answerer = Callable[[HttpRequest], HttpResponse]


class RequestMiddleware:
    """Gives each request an id, which its lines in the log have and its answer tells, and notes how it went."""

    def __init__(self, get_response: Answerer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        token, began = request_id.set(uuid.uuid4().hex[:16]), time.perf_counter()
        try:
            response = self.get_response(request)
            seconds = time.perf_counter() - began
            self._note(request, response.status_code, seconds)
            response["X-Request-ID"] = request_id.get()
        finally:
            request_id.reset(token)
        return response

    def _note(self, request: HttpRequest, status: int, seconds: float) -> None:
        route = request.resolver_match.url_name if request.resolver_match else None
        metrics.note_request(route or "", request.method or "", status, seconds)
        path = without_secrets(request.path)
        log.log(
            logging.DEBUG if path.startswith(HEALTH) else logging.INFO,
            "%s %s %s",
            request.method,
            path,
            status,
            extra={
                "method": request.method,
                "path": path,
                "status": status,
                "milliseconds": round(seconds * 1000),
            },
        )


class MetricsMiddleware:
    """Answers Prometheus, which shows a token; for anybody else there is no such page.

    It stands above whatever looks at the host: each of several web servers is asked at an address of its own.
    """

    def __init__(self, get_response: Answerer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path != METRICS_PATH:
            return self.get_response(request)
        if not _may_read(request):
            return HttpResponseNotFound("There is no such page.", content_type="text/plain")
        return HttpResponse(metrics.exposition(), content_type=metrics.CONTENT_TYPE)


def _may_read(request: HttpRequest) -> bool:
    token = settings.METRICS_TOKEN
    shown = request.headers.get("Authorization", "").removeprefix("Bearer ")
    return bool(token) and request.method == "GET" and constant_time_compare(shown, token)
