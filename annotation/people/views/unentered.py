"""What administrators do with studies that nobody has entered; the administration page shows them."""

from collections.abc import Callable

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from annotation.people.forms.recruiting import CoordinatorForm
from annotation.people.services import unentered
from annotation.platform.views import PersonRequest, attempt_and_tell, person_posts, taken
from annotation.study.models.studies import Study
from annotation.study.policies.roles import can_administer


@person_posts
def invite_coordinator(request: PersonRequest, slug: str) -> HttpResponse:
    study = _administered(request, slug)
    form = CoordinatorForm(request.POST)
    if not taken(form, lambda: unentered.invite_coordinator(study=study, by=request.user, **form.cleaned_data)):
        page = {"study": study, "form": form}
        return render(request, "people/unentered_invite.html", page, status=400)
    messages.success(request, f"An invitation to {form.cleaned_data['email']} is being mailed.")
    return redirect("administration")


@person_posts
def send_again(request: PersonRequest, slug: str) -> HttpResponse:
    return _act(request, slug, unentered.send_again, "The invitation is being mailed again, with another link.")


@person_posts
def withdraw(request: PersonRequest, slug: str) -> HttpResponse:
    return _act(request, slug, unentered.withdraw_all, "The invitation is withdrawn. Its link leads nowhere.")


@person_posts
def remove(request: PersonRequest, slug: str) -> HttpResponse:
    return _act(request, slug, unentered.remove, "The study is removed, and its short name is free.")


def _act(request: PersonRequest, slug: str, verb: Callable[..., None], done: str) -> HttpResponse:
    study = _administered(request, slug)

    def told() -> str:
        verb(study=study, by=request.user)
        return done

    attempt_and_tell(request, told)
    return redirect("administration")


def _administered(request: PersonRequest, slug: str) -> Study:
    if not can_administer(request.user):
        raise Http404
    return get_object_or_404(Study, slug=slug, removed_at__isnull=True)
