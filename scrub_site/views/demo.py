"""What a visitor of a demonstration may do and nobody else: be anybody with one click, read everybody's mail."""

from collections.abc import Callable
from functools import wraps

from allauth.account.utils import get_next_redirect_url
from django.conf import settings
from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.people.authentication import note_authentication
from annotation.people.selectors.people import demo_people
from annotation.platform.models.users import User
from scrub_site.sent_mail import mails

View = Callable[..., HttpResponse]


def demo_only(view: View) -> View:
    """Outside demo mode there is no such page."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if not settings.DEMO_MODE:
            raise Http404("This is not a demonstration.")
        return view(request, *args, **kwargs)

    return guarded


@demo_only
@require_safe
def people(request: HttpRequest) -> HttpResponse:
    return render(request, "demo/people.html", {"groups": demo_people()})


@demo_only
@require_POST
def sign_in(request: HttpRequest, pk: int) -> HttpResponse:
    """Be a demonstration person, without password or code. Real accounts are not to be had this way."""
    person = get_object_or_404(User, pk=pk, is_demo=True, is_active=True)
    login(request, person, backend=settings.AUTHENTICATION_BACKENDS[0])
    note_authentication(request)
    return redirect(get_next_redirect_url(request) or "home")


@demo_only
@require_safe
@never_cache
def mail(request: HttpRequest) -> HttpResponse:
    return render(request, "demo/mail.html", {"mails": mails(settings.MAIL_OUTBOX_DIR)})
