"""Health, for supervisors and load balancers: is the process alive, can it serve?"""

from pathlib import Path
from typing import Final

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core import signing
from django.db import Error
from django.http import Http404, HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from annotation.platform.services import uptime
from scrub_site.database.migration_check import missing
from scrub_site.watching.site_check import SALT, VALID

# Once the database has this version's migrations it is not asked for them again.
_IS_MIGRATED: Final[list[bool]] = []


@require_safe
def live(_request: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "alive"})


@require_safe
def ready(_request: HttpRequest) -> JsonResponse:
    """Ready means that the database takes writes, and is of this version. Redis may be away: work then waits in the
    task table.

    Who is about to be replaced says that it is not, so that a proxy asks another one before this one ends.
    """
    if settings.DRAIN_FILE and Path(settings.DRAIN_FILE).exists():
        return JsonResponse({"status": "is being replaced"}, status=503)
    try:
        if not _IS_MIGRATED:
            if missing():
                return JsonResponse({"status": "the database is not of this version: prepare_database"}, status=503)
            _IS_MIGRATED.append(True)
        uptime.check_writes()
    except Error:
        return JsonResponse({"status": "the database takes no writes"}, status=503)
    return JsonResponse({"status": "ready"})


@require_safe
def proxy(request: HttpRequest) -> JsonResponse:
    """How a request arrived, for `check_site`, which signs its question; for anybody else there is no such page."""
    try:
        signing.loads(request.GET.get("question", ""), salt=SALT, max_age=VALID)
    except signing.BadSignature:
        raise Http404 from None
    noted = [part for part in request.headers.get("X-Forwarded-For", "").split(",") if part.strip()]
    address = get_adapter().get_client_ip(request)
    return JsonResponse({"is_secure": request.is_secure(), "noted": len(noted), "address": address})
