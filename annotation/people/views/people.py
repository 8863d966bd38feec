"""How people enter: the personal link, consent, profile; and their own settings."""

from collections.abc import Callable
from functools import wraps

from allauth.account.utils import perform_login
from allauth.decorators import rate_limit
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from annotation.people.authentication import note_authentication
from annotation.people.forms.members import WithdrawalForm
from annotation.people.forms.people import AccountForm, ConsentForm, ProfileForm, SettingsForm
from annotation.people.policies import check_is_of_use
from annotation.people.selectors import own_data as selectors
from annotation.people.selectors.people import (
    about,
    consent_of,
    consent_sections,
    has_account,
    invitation_by_token,
    profile_of,
)
from annotation.people.services import members, people
from annotation.platform.core.errors import Refused
from annotation.platform.core.lifecycle import STUDY
from annotation.platform.core.phrases import with_article
from annotation.platform.views import PersonRequest, attempt, attempt_and_tell, person_posts, taken
from annotation.study.core.consent import blanks
from annotation.study.models.participation import Invitation, Participation, Profile, Role
from annotation.study.models.studies import Study
from annotation.study.policies.participation import (
    check_eligible,
    check_invitation_open,
    check_studied,
    has_consented,
    is_complete,
    is_profile_fixed,
    is_studied,
)
from annotation.study.selectors.studies import membership
from annotation.study.views.membership import own_participation
from annotation.texts.policies import takes_texts

View = Callable[..., HttpResponse]
page = require_http_methods(["GET", "HEAD", "POST"])
limited: Callable[[View], View] = rate_limit(action="signup")


def secret_address(view: View) -> View:
    """A decorator for pages whose address is a secret: no cache keeps them and no Referer header carries the path.

    The policy is `origin` and not `no-referrer`, under which browsers post forms with `Origin: null` and the
    protection against forged requests turns them away.
    """

    @never_cache
    @wraps(view)
    def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        response = view(request, *args, **kwargs)
        response["Referrer-Policy"] = "origin"
        return response

    return guarded


@secret_address
@page
@limited
@sensitive_post_parameters("password")
def invitation(request: PersonRequest, token: str) -> HttpResponse:
    """What the link offers; then accepting it, with the account it is for or with a new one."""
    offer = invitation_by_token(token)
    if offer is None:
        return render(request, "people/invitation_closed.html", status=404)
    if request.user.is_authenticated and offer.accepted_by_id == request.user.pk:
        return redirect("study", offer.study.slug)
    try:
        check_invitation_open(offer)
    except Refused as refusal:
        context = {"offer": offer, "reason": str(refusal)}
        return render(request, "people/invitation_closed.html", context, status=410)
    try:
        check_is_of_use(offer.study, Role(offer.role))
    except Refused as refusal:
        context = {"offer": offer, "reason": str(refusal), "is_late": True}
        return render(request, "people/invitation_closed.html", context, status=410)
    return _accept(request, offer) if request.user.is_authenticated else _enter(request, offer)


def _offered(offer: Invitation) -> dict[str, object]:
    return {"offer": offer, "role": with_article(offer.get_role_display().lower())}


def _accept(request: PersonRequest, offer: Invitation) -> HttpResponse:
    if request.method == "POST":
        accepted = attempt(request, lambda: people.accept_invitation(invitation=offer, user=request.user))
        if accepted:
            return redirect("study", offer.study.slug)
    return render(request, "people/invitation.html", {**_offered(offer), "fits": request.user.email == offer.email})


def _enter(request: HttpRequest, offer: Invitation) -> HttpResponse:
    """Open an account and sign in, unless the address has an account: then the person signs in first."""
    form = None
    if not has_account(offer.email):
        form = AccountForm(request.POST or None, email=offer.email, initial={"name": offer.name})
        if form.is_valid():
            answers = form.cleaned_data
            if entered := attempt(request, lambda: people.open_account(invitation=offer, **answers)):
                study = reverse("study", args=[offer.study.slug])
                response: HttpResponse = perform_login(request, entered.user, redirect_url=study)
                # The password was typed a moment ago: setting up an authenticator does not ask for it again.
                note_authentication(request)
                return response
    return render(request, "people/invitation.html", {**_offered(offer), "form": form})


@login_required
@page
def consent(request: PersonRequest, slug: str) -> HttpResponse:
    """The consent text, for everyone in the study; writers and judges agree to it here."""
    participation = _own_membership(request, slug)
    form = ConsentForm(request.POST or None, study=participation.study)
    if request.method == "POST":
        check_studied(own_participation(request, slug))
        if form.is_valid():
            shown = form.cleaned_data["text_sha256"]
            attempt(
                request,
                lambda: people.give_consent(participation=participation, text_sha256=shown, by=request.user),
            )
            return redirect("profile" if has_consented(participation) else "consent", slug)
    return _consent_page(request, participation, form)


def _own_membership(request: PersonRequest, slug: str) -> Participation:
    """What this person is or was in the study: whoever has left it still has a consent to read, and to withdraw."""
    participation = membership(request.user, slug)
    if participation is None:
        raise Http404
    return participation


def _consent_page(
    request: PersonRequest,
    participation: Participation,
    form: ConsentForm,
    *,
    withdrawal: WithdrawalForm | None = None,
) -> HttpResponse:
    """The page; with a withdrawal that could not be taken, if any."""
    study = participation.study
    context = {
        "study": study,
        "sections": consent_sections(study.consent_text),
        "is_whole": not blanks(study.consent_text),
        "asked": is_studied(participation),
        "writes": participation.role == Role.WRITER,
        "has_left": participation.left_at is not None,
        "given": consent_of(participation),
        "form": form,
        "withdrawal": withdrawal or WithdrawalForm(),
        "texts_leave": study.state == STUDY.initial or takes_texts(study),
    }
    return render(request, "people/consent.html", context, status=400 if withdrawal else 200)


@person_posts
def withdraw_consent(request: PersonRequest, slug: str) -> HttpResponse:
    participation = _own_membership(request, slug)
    check_studied(participation)
    form = WithdrawalForm(request.POST)
    if not taken(form, lambda: members.withdraw_consent(participation=participation, by=request.user)):
        consent_form = ConsentForm(study=participation.study)
        return _consent_page(request, participation, consent_form, withdrawal=form)
    return redirect("consent", slug)


@person_posts
def decline(request: PersonRequest, slug: str) -> HttpResponse:
    """Whoever has agreed to nothing yet takes no part; the page of all their studies says so."""
    participation = _own_membership(request, slug)
    check_studied(participation)

    def verb() -> str:
        people.decline(participation=participation, by=request.user)
        return f"You take no part in “{participation.study.title}”. The coordinator sees that you have declined."

    return redirect("home") if attempt_and_tell(request, verb) else redirect("consent", slug)


@login_required
@require_safe
def consent_text(request: PersonRequest, slug: str) -> HttpResponse:
    """The consent text to keep: the very bytes whose hash is recorded with a person's agreement."""
    study = _own_membership(request, slug).study
    name = slugify(f"consent {study.slug} version {study.consent_version}")
    return HttpResponse(
        study.consent_text,
        content_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}.txt"'},
    )


@login_required
@require_safe
@never_cache
def own_data(request: PersonRequest, slug: str) -> HttpResponse:
    """What the study holds of a writer or judge: consent, receipts, answers; also after they have left."""
    participation = _own_membership(request, slug)
    check_studied(participation)
    context = {
        "study": participation.study,
        "data": selectors.own_data(participation),
        "is_judge": participation.role == Role.JUDGE,
        "coordinators": about(participation).coordinators,
    }
    return render(request, "people/own_data.html", context)


@login_required
@require_safe
@never_cache
def own_data_file(request: PersonRequest, slug: str) -> HttpResponse:
    """The person's own data as a JSON file."""
    participation = _own_membership(request, slug)
    check_studied(participation)
    name = f"{slug}-{participation.pseudonym}.json"
    return JsonResponse(
        selectors.own_data(participation).as_json,
        json_dumps_params={"indent": 2, "ensure_ascii": False},
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@login_required
@page
def profile(request: PersonRequest, slug: str) -> HttpResponse:
    """The intake form. Answers that do not meet the study's rule are kept, and the page says what is missing."""
    participation = own_participation(request, slug)
    check_studied(participation)
    study = participation.study
    if not has_consented(participation):
        return redirect("consent", slug)
    saved = profile_of(participation)
    form = ProfileForm(request.POST or None, study=study, profile=saved)
    if not form.fields:
        return redirect("study", slug)
    if taken(
        form,
        lambda: people.complete_profile(participation=participation, answers=form.answers(), by=request.user),
    ):
        if _shortfall(study, profile_of(participation)):
            return redirect("profile", slug)
        messages.success(request, "Your profile is saved.")
        return redirect("study", slug)
    context = {
        "study": study,
        "form": form,
        "saved": saved,
        "is_fixed": is_profile_fixed(study),
        "lacks_answers": saved is not None and not is_complete(study, saved),
        "shortfall": _shortfall(study, saved),
    }
    return render(request, "people/profile.html", context)


def _shortfall(study: Study, saved: Profile | None) -> str:
    """Why the saved profile does not meet the study's rule; empty where it does, or answers are missing."""
    try:
        if saved and is_complete(study, saved):
            check_eligible(study, saved)
    except Refused as refusal:
        return str(refusal)
    return ""


@login_required
@page
def person_settings(request: PersonRequest) -> HttpResponse:
    person = request.user
    form = SettingsForm(request.POST or None, initial={"name": person.name, "time_zone": person.time_zone})
    if form.is_valid():
        people.change_settings(user=person, by=person, **form.cleaned_data)
        messages.success(request, "Your settings are saved.")
        return redirect("person_settings")
    return render(request, "people/settings.html", {"form": form})


@login_required
@require_safe
@never_cache
def signed_in(request: PersonRequest) -> HttpResponse:
    """Where a sign-in in a frame ends: tells the page around it who is here now."""
    return render(request, "people/signed_in.html")
