"""Constitutional trials: scenarios, conditions with what they will take, and evaluators' approaches."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.platform.core.phrases import counted
from annotation.platform.views import PersonRequest, attempt, attempt_and_tell, person_posts, taken
from annotation.study.models.studies import Study
from annotation.study.selectors.rubrics import rubric_by_hash
from annotation.study.views.membership import coordinated
from generation.trials.core.scenarios import EXAMPLES
from generation.trials.forms import AnswersForm, DesignForm, ScenarioFileForm, ScenarioForm, ScoresForm
from generation.trials.models import TrialScenario
from generation.trials.selectors.designs import approaches_of, conditions_of, design_of, has_trials
from generation.trials.selectors.progress import progress_of, runs_of_trials
from generation.trials.services import answers, designs, scores
from generation.trials.services.loads import load_of

SETTINGS = ("turn", "models_per_new", "models_per_known", "seed", "margin", "smallest_effect")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def trial_scenarios(request: PersonRequest, slug: str) -> HttpResponse:
    """The study's scenarios, and the forms that add some."""
    study = coordinated(request, slug)
    form = ScenarioForm(request.POST if request.method == "POST" else None)

    def verb() -> None:
        designs.add_scenarios(study=study, new=[form.scenario], by=request.user)

    if request.method == "POST" and taken(form, verb):
        messages.success(request, f"Added: {form.scenario.title}.")
        return redirect("trial_scenarios", slug)
    return _scenarios_page(request, study, form=form)


@person_posts
def import_scenarios(request: PersonRequest, slug: str) -> HttpResponse:
    study = coordinated(request, slug)
    form = ScenarioFileForm(request.POST, request.FILES)
    counts: list[tuple[int, int]] = []

    def verb() -> None:
        counts.append(designs.add_scenarios(study=study, new=form.scenarios, by=request.user))

    if not taken(form, verb):
        return _scenarios_page(request, study, file_form=form)
    messages.success(request, _added(*counts[0]))
    return redirect("trial_scenarios", slug)


@person_posts
def take_examples(request: PersonRequest, slug: str) -> HttpResponse:
    """The scenarios that come with the site."""
    study = coordinated(request, slug)
    attempt_and_tell(request, lambda: _added(*designs.add_scenarios(study=study, new=EXAMPLES, by=request.user)))
    return redirect("trial_scenarios", slug)


@person_posts
def prepare_validation(request: PersonRequest, slug: str) -> HttpResponse:
    """The validation protocol in one step."""
    study = coordinated(request, slug)

    def verb() -> str:
        number = designs.prepare_validation(study=study, by=request.user)
        return f"The validation is prepared: {counted(number, 'case')}. Below is what it takes."

    return redirect("trial_conditions" if attempt_and_tell(request, verb) else "trial_scenarios", slug)


@person_posts
def remove_scenario(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    scenario = TrialScenario.objects.filter(pk=pk, study=coordinated(request, slug)).select_related("study").first()
    if scenario is None:
        raise Http404
    title = scenario.title

    def verb() -> str:
        designs.remove_scenario(scenario=scenario, by=request.user)
        return f"Removed: {title}."

    attempt_and_tell(request, verb)
    return redirect("trial_scenarios", slug)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def trial_conditions(request: PersonRequest, slug: str) -> HttpResponse:
    """The conditions, the settings that are fixed with the design, and what all of it will take."""
    study = coordinated(request, slug)
    design = design_of(study)
    initial = {name: getattr(design, name) for name in SETTINGS}
    form = DesignForm(request.POST, request.FILES) if request.method == "POST" else DesignForm(initial=initial)

    def verb() -> None:
        designs.change_design(study=study, by=request.user, **form.asked_for())

    if request.method == "POST" and taken(form, verb):
        messages.success(request, "Kept.")
        return redirect("trial_conditions", slug)
    context: dict[str, Any] = {
        "study": study,
        "design": design,
        "conditions": conditions_of(design),
        "form": form,
        "load": load_of(study),
        "has_cases": has_trials(study),
    }
    return render(request, "trials/conditions.html", context, status=400 if form.is_bound else 200)


@person_posts
def make_cases(request: PersonRequest, slug: str) -> HttpResponse:
    study = coordinated(request, slug)
    attempt_and_tell(
        request, lambda: f"There are {counted(designs.make_cases(study=study, by=request.user), 'case')} now."
    )
    return redirect("trial_conditions", slug)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def trial_approaches(request: PersonRequest, slug: str) -> HttpResponse:
    """How far answers and evaluations are, by approach. No score is shown before the study is unblinded."""
    study = coordinated(request, slug)
    approaches = approaches_of(rubric_by_hash(study.rubric_id))
    form = ScoresForm(approaches, request.POST if request.method == "POST" else None)

    def verb() -> None:
        scores.plan_scores(study=study, by=request.user, **form.cleaned_data)

    if request.method == "POST" and taken(form, verb):
        messages.success(request, "Planned: each run shows what it will cost before it is started.")
        return redirect("trial_approaches", slug)
    context = {
        "study": study,
        "form": form,
        "answers_form": AnswersForm(),
        "answers_closed": answers.why_closed(study),
        "scores_closed": scores.why_closed(study),
        "progress": progress_of(study),
        "runs": runs_of_trials(study),
        "has_cases": has_trials(study),
    }
    return render(request, "trials/approaches.html", context, status=400 if form.is_bound else 200)


@person_posts
def plan_answers(request: PersonRequest, slug: str) -> HttpResponse:
    study = coordinated(request, slug)
    form = AnswersForm(request.POST)
    if not form.is_valid():
        raise Http404
    run = attempt(
        request, lambda: answers.plan_answers(study=study, by=request.user, repeats=form.cleaned_data["repeats"])
    )
    return redirect("run", run.pk) if run else redirect("trial_approaches", slug)


def _scenarios_page(
    request: PersonRequest,
    study: Study,
    *,
    form: ScenarioForm | None = None,
    file_form: ScenarioFileForm | None = None,
) -> HttpResponse:
    form, file_form = form or ScenarioForm(), file_form or ScenarioFileForm()
    context = {
        "study": study,
        "scenarios": TrialScenario.objects.filter(study=study),
        "has_cases": has_trials(study),
        "form": form,
        "file_form": file_form,
        "is_open": study.state == "design",
    }
    status = 400 if form.is_bound or file_form.is_bound else 200
    return render(request, "trials/scenarios.html", context, status=status)


def _added(added: int, known: int) -> str:
    if not added:
        return "All of these are there already."
    return f"Added: {counted(added, 'scenario')}." + (f" {known} were there already." if known else "")
