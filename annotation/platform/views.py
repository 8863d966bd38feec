"""What views share."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar
from urllib.parse import urlsplit

from django import forms
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import cache_control
from django_htmx.middleware import HtmxDetails

from annotation.platform.core.errors import Refused
from annotation.platform.core.text import clean
from annotation.platform.models.users import User

Result = TypeVar("Result")

# For texts and scores: they stay out of every cache, the browser's own included.
never_stored = cache_control(private=True, no_store=True)


class PersonRequest(HttpRequest):
    """A request of somebody signed in, as `login_required` and the middleware leave it."""

    user: User
    htmx: HtmxDetails


def asked_for(request: HttpRequest, name: str) -> str:
    """What the address says of `name`, cleaned as stored texts are: it may hold what no text of theirs can."""
    return clean(request.GET.get(name, "")).strip()


def is_framed(request: HttpRequest) -> bool:
    """Whether the answer will stand in a frame, as far as the browser says so: some do not."""
    return request.headers.get("Sec-Fetch-Dest") == "iframe"


def person_posts(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A decorator for an address that does something and shows nothing: only what somebody signed in posts is
    taken.

    Whose session has ended signs in and comes back to the page they were on, where nothing has changed.
    """

    @wraps(view)
    def posted(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"], render_to_string("405.html", request=request))
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        return redirect_to_login(page_before(request))

    return posted


def page_before(request: HttpRequest) -> str:
    """The path of the page that the request was sent from; home where that is not one of ours."""
    sender = request.headers.get("Referer", "")
    if url_has_allowed_host_and_scheme(sender, request.get_host(), require_https=request.is_secure()):
        return urlsplit(sender).path
    return reverse("home")


def attempt(request: HttpRequest, verb: Callable[[], Result]) -> Result | None:
    """Call a service; a refusal becomes a message for the person, and `None`."""
    try:
        return verb()
    except Refused as refusal:
        messages.error(request, str(refusal))
        return None


def attempt_and_tell(request: HttpRequest, verb: Callable[[], str]) -> bool:
    """Whether a service did something: what `verb` says of it, or the refusal, becomes a message for the person.

    Where there was nothing to do, `verb` says nothing.
    """
    done = attempt(request, verb)
    if done:
        messages.success(request, done)
    return bool(done)


def taken(form: forms.Form, verb: Callable[[], object]) -> bool:
    """Whether the form is filled in well and `verb` takes what it says; a refusal is shown at the field that it is
    about, or above the form. Shown again, the form has the focus where the first fault is.
    """
    if form.is_valid():
        try:
            verb()
        except Refused as refusal:
            form.add_error(refusal.field if refusal.field in form.fields else None, str(refusal))
        else:
            return True
    at_fault = [field for name, field in form.fields.items() if name in form.errors]
    if at_fault and not form.non_field_errors():
        at_fault[0].widget.attrs["autofocus"] = True
    return False
