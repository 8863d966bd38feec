"""For supervisors and load balancers: is the process alive, can it serve?"""

from django.db import Error
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from annotation.platform.services import uptime


@require_safe
def live(_request: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "alive"})


@require_safe
def ready(_request: HttpRequest) -> JsonResponse:
    """Ready means that the database takes writes. Redis may be away: work then waits in the task table."""
    try:
        uptime.check_writes()
    except Error:
        return JsonResponse({"status": "the database takes no writes"}, status=503)
    return JsonResponse({"status": "ready"})
