"""The calls of a run, and what became of one of them."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.platform.views import PersonRequest, attempt_and_tell, person_posts
from generation.calls.core.lifecycles import CALL
from generation.calls.models import Call
from generation.calls.selectors.calls import call_page, calls_of, outcomes_of
from generation.calls.services import asking_once_more
from generation.calls.services.purposes import purpose_of
from generation.calls.views.runs import coordinated_run


@require_safe
@login_required
@never_cache
def run_calls(request: PersonRequest, pk: int) -> HttpResponse:
    """A page of the run's calls: all of them, those in a state, or those with an attempt that ended so."""
    run = coordinated_run(request, pk)
    state, outcome, after = (request.GET.get(name, "") for name in ("state", "outcome", "after"))
    outcomes = outcomes_of(run)
    state = state if state in CALL.states else ""
    outcome = outcome if outcome in outcomes else ""
    context = {
        "study": run.study,
        "run": run,
        "states": CALL.states,
        "outcomes": outcomes,
        "state": state,
        "outcome": outcome,
        "page": calls_of(run, state=state, outcome=outcome, after=int(after) if after.isdecimal() else 0),
    }
    return render(request, "calls/calls.html", context)


@require_safe
@login_required
@never_cache
def call(request: PersonRequest, pk: int) -> HttpResponse:
    """One call with every attempt at it."""
    found = _coordinated_call(request, pk)
    run = found.run
    context = {
        "study": run.study,
        "run": run,
        "call": call_page(found, prompts=purpose_of(run).prompts(found), said=purpose_of(run).said(found)),
        "may_be_asked_once_more": asking_once_more.may_be_asked_once_more(found),
    }
    return render(request, "calls/call.html", context)


@person_posts
def ask_once_more(request: PersonRequest, pk: int) -> HttpResponse:
    """Ask the call once more, and all that carry its reply; on to the new call."""
    old = _coordinated_call(request, pk)
    instead: list[Call] = []

    def ask() -> str:
        instead.append(asking_once_more.ask_once_more(call=old, by=request.user))
        return "It is asked once more, as this call."

    attempt_and_tell(request, ask)
    return redirect("call", instead[0].pk if instead else pk)


def _coordinated_call(request: PersonRequest, pk: int) -> Call:
    calls = Call.objects.select_related(
        "run__study",
        "target",
        "prompt_version__prompt",
        "scenario__source",
        "candidate__bundle__scenario__source",
    )
    found = calls.filter(pk=pk).first()
    if found is None:
        raise Http404
    found.run = coordinated_run(request, found.run_id)
    return found
