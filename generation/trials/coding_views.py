"""What answers recommend, coded blind to condition and model."""

from collections.abc import Sequence

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotation.platform.views import PersonRequest, attempt, person_posts, taken
from annotation.study.models.studies import Study
from annotation.study.views.membership import coordinated
from generation.trials.coding_forms import CategoriesForm, CodeForm
from generation.trials.models import TrialScenario
from generation.trials.selectors.answers import shown_text
from generation.trials.selectors.coding import ToCode, coding_is_open, coding_page, own_order
from generation.trials.selectors.designs import evaluators_of
from generation.trials.selectors.progress import runs_of_coding
from generation.trials.services import coding, model_coding


@require_safe
@login_required
@never_cache
def trial_conclusions(request: PersonRequest, slug: str) -> HttpResponse:
    """How far coding is, how far coders agree, what they differ about, and each scenario's categories."""
    return _page(request, coordinated(request, slug))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def code_conclusion(request: PersonRequest, slug: str, place: int) -> HttpResponse:
    """One answer, its recommendation first. `place` is one in the coder's own order, which tells nothing."""
    study = coordinated(request, slug)
    order = own_order(study, request.user)
    shown = _at(order, place)
    scenario = shown.answer.case.scenario
    data = request.POST if request.method == "POST" else None
    form = CodeForm(scenario.categories, data, initial={"category": shown.category})

    def verb() -> None:
        coding.code(answer=shown.answer, category=form.named, by=request.user)

    if request.method == "POST" and taken(form, verb):
        following = next((each for each in own_order(study, request.user) if not each.category), None)
        if following is None:
            messages.success(request, "You have coded every answer.")
            return redirect("trial_conclusions", slug)
        return redirect("code_conclusion", slug, following.place)
    context = {
        "study": study,
        "shown": shown,
        "scenario": scenario,
        "text": shown_text(shown.answer),
        "recommendation": shown.answer.parts.get("recommendation", ""),
        "form": form,
        "of": len(order),
        "is_open": coding_is_open(study),
    }
    return render(request, "trials/code.html", context, status=400 if form.is_bound else 200)


@person_posts
def settle_conclusion(request: PersonRequest, slug: str, place: int) -> HttpResponse:
    study = coordinated(request, slug)
    answer = _at(own_order(study, request.user), place).answer
    form = CodeForm(answer.case.scenario.categories, request.POST)
    if taken(form, lambda: coding.decide(answer=answer, category=form.named, by=request.user)):
        messages.success(request, "Settled.")
        return redirect("trial_conclusions", slug)
    for errors in form.errors.values():
        messages.error(request, " ".join(map(str, errors)))
    return redirect("trial_conclusions", slug)


@person_posts
def plan_codes(request: PersonRequest, slug: str) -> HttpResponse:
    study = coordinated(request, slug)
    run = attempt(request, lambda: model_coding.plan_codes(study=study, by=request.user))
    return redirect("run", run.pk) if run else redirect("trial_conclusions", slug)


@person_posts
def set_categories(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    study = coordinated(request, slug)
    scenario = TrialScenario.objects.filter(pk=pk, study=study).select_related("study").first()
    if scenario is None:
        raise Http404
    form = CategoriesForm(scenario, request.POST)
    if taken(form, lambda: coding.set_categories(scenario=scenario, names=form.names, by=request.user)):
        messages.success(request, f"Categories of “{scenario.title}” are kept.")
        return redirect("trial_conclusions", slug)
    return _page(request, study, refused=form, of=scenario)


def _at(order: Sequence[ToCode], place: int) -> ToCode:
    found = next((each for each in order if each.place == place), None)
    if found is None:
        raise Http404("There is no such answer to code.")
    return found


def _page(
    request: PersonRequest,
    study: Study,
    *,
    refused: CategoriesForm | None = None,
    of: TrialScenario | None = None,
) -> HttpResponse:
    page = coding_page(study, request.user)
    context = {
        "study": study,
        "page": page,
        "evaluators": len(evaluators_of(study)),
        "runs": runs_of_coding(study),
        "differences": [
            (each, CodeForm(each.answer.case.scenario.categories, auto_id=f"id_{n}_%s"))
            for n, each in enumerate(page.differences)
        ],
        "category_forms": [
            (scenario, refused if refused and of == scenario else CategoriesForm(scenario))
            for scenario in TrialScenario.objects.filter(study=study)
        ],
    }
    return render(request, "trials/conclusions.html", context, status=400 if refused else 200)
