"""For supervisors and load balancers: is the process alive, can it serve?"""

from django.db import Error, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe


@require_safe
def live(_request: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "alive"})


@require_safe
def ready(_request: HttpRequest) -> JsonResponse:
    """Ready means the database answers. Redis may be away: work then waits in the task table."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error:
        return JsonResponse({"status": "no database"}, status=503)
    return JsonResponse({"status": "ready"})
