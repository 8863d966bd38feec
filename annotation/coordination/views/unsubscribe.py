"""Unsubscribing from reminders, and subscribing again: by the link in each mail, or in one's settings."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from annotation.coordination.selectors.reminders import own_choices, participation_by_stop_token
from annotation.coordination.services import reminders
from annotation.people.views.people import secret_address
from annotation.platform.views import PersonRequest, person_posts
from annotation.study.models.participation import Participation
from annotation.study.policies.participation import check_studied
from annotation.study.views.membership import own_participation


@csrf_exempt  # mail programs post without a page (RFC 8058), and only who has the signed link can forge it
@secret_address
@require_http_methods(["GET", "HEAD", "POST"])
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """A page with a button; what is posted stops reminders, unless it says that they are wanted again.

    It is answered with a page and not a redirect, which mail programs do not follow.
    """
    participation = participation_by_stop_token(token)
    if participation is None:
        return render(request, "coordination/reminders_stop.html", status=404)
    if request.method == "POST":
        reminders.choose(participation=participation, wanted=_is_wanted(request), by=None)
        participation.refresh_from_db(fields=["reminders_off_at"])
    return render(request, "coordination/reminders_stop.html", {"participation": participation})


@require_safe
@login_required
@never_cache
def own(request: PersonRequest) -> HttpResponse:
    """The page for somebody signed in, for each of their studies."""
    return render(request, "coordination/own_reminders.html", {"studies": own_choices(request.user)})


@person_posts
def choose(request: PersonRequest, slug: str) -> HttpResponse:
    participation = own_participation(request, slug)
    check_studied(participation)
    wanted = _is_wanted(request)
    reminders.choose(participation=participation, wanted=wanted, by=request.user)
    messages.success(request, _said(participation, wanted=wanted))
    return redirect("reminders_own")


def _is_wanted(request: HttpRequest) -> bool:
    return request.POST.get("reminders") == "on"


def _said(participation: Participation, *, wanted: bool) -> str:
    study = participation.study.title
    return f"You may get reminders of “{study}” again." if wanted else f"You get no more reminders of “{study}”."
