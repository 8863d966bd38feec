"""Reminding people of their work, as a coordinator does it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotation.coordination.core.reminders import PLACEHOLDERS
from annotation.coordination.forms.reminders import ChoiceForm, MessageForm
from annotation.coordination.models.reminders import Reminder
from annotation.coordination.selectors import reminder_history
from annotation.coordination.selectors import reminders as selectors
from annotation.coordination.services import reminders
from annotation.people.selectors.recruiting import pending
from annotation.platform.core.phrases import counted
from annotation.platform.services.clock import database_now
from annotation.platform.views import PersonRequest, attempt, person_posts
from annotation.study.models.studies import Study
from annotation.study.views.membership import coordinated

PAST_ON_A_PAGE = 50
MAX_DAYS = 365


@require_safe
@login_required
@never_cache
def overview(request: PersonRequest, slug: str) -> HttpResponse:
    """Who can be reminded, what waits to be sent, and what became of earlier reminders."""
    study = coordinated(request, slug)
    everybody, days = selectors.candidates(study), _idle_days(request)
    past = Paginator(reminder_history.past(study), PAST_ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "study": study,
        "offer": selectors.offer(everybody, now=database_now(), idle_days=days),
        "idle_days": days,
        "not_joined": pending(study).count(),
        "form": ChoiceForm(everybody),
        "waiting": reminder_history.waiting(study),
        "page": past,
        "past": [reminder_history.past_line(reminder) for reminder in past],
    }
    return render(request, "coordination/reminders.html", context)


def _idle_days(request: HttpRequest) -> int:
    days = request.GET.get("idle", "")
    return min(int(days), MAX_DAYS) if days.isdecimal() else 0


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def preview(request: PersonRequest, slug: str) -> HttpResponse:
    """The message to those who were chosen, and what each of them would get. Nothing is kept, let alone sent."""
    study = coordinated(request, slug)
    if request.method != "POST":
        return redirect("reminders", slug)  # somebody came back who had to sign in again
    everybody = selectors.candidates(study)
    if "text" in request.POST:
        form = MessageForm(study, everybody, request.POST)
    else:
        choice = ChoiceForm(everybody, request.POST)
        if not choice.is_valid():
            messages.error(request, "Choose at least one person, and a text to begin with.")
            return redirect("reminders", slug)
        form = MessageForm.beginning(study, everybody, choice.cleaned_data["people"], choice.chosen_template())
    return _previewed(request, study, form, status=200 if form.is_valid() else 400)


def _previewed(request: PersonRequest, study: Study, form: MessageForm, *, status: int) -> HttpResponse:
    context = {"study": study, "form": form, "placeholders": PLACEHOLDERS}
    return render(request, "coordination/reminders_preview.html", context, status=status)


@person_posts
def send(request: PersonRequest, slug: str) -> HttpResponse:
    """Ask for what was previewed. What cannot be taken is shown again, so that nothing is typed twice."""
    study = coordinated(request, slug)
    form = MessageForm(study, selectors.candidates(study), request.POST)
    if not form.is_valid():
        return _previewed(request, study, form, status=400)
    data = form.cleaned_data
    done = attempt(
        request,
        lambda: reminders.ask(
            study=study,
            people=data["people"],
            subject=data["subject"],
            text=data["text"],
            template=data["template"],
            due=form.due,
            by=request.user,
        ),
    )
    if done:
        when = f"Set for {timezone.localtime(form.due):%-d %B %Y, %H:%M}" if form.due else "On the way"
        number = counted(len(done.people), "reminder")
        messages.success(request, f"{when}: {number}. {reminders.in_words(done.left_out)}".strip())
    return redirect("reminders", slug)


@person_posts
def withdraw(request: PersonRequest, pk: int) -> HttpResponse:
    reminder = Reminder.objects.select_related("participation__study").filter(pk=pk).first()
    if reminder is None:
        raise Http404
    study = coordinated(request, reminder.participation.study.slug)

    def verb() -> None:
        reminders.withdraw(reminder=reminder, by=request.user)
        messages.success(request, f"The reminder to {reminder.participation.pseudonym} was withdrawn.")

    attempt(request, verb)
    return redirect("reminders", study.slug)
