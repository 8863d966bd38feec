"""Models and benchmarks: how they are asked, what that takes, and what they answered."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotation.benchmarks.core.marks import ANSWER
from annotation.benchmarks.models.benchmarks import Benchmark
from annotation.benchmarks.models.rulings import Subset
from annotation.benchmarks.selectors.marks import mark_progress
from annotation.platform.core.phrases import counted
from annotation.platform.views import PersonRequest, attempt, attempt_and_tell, person_posts, taken
from annotation.study.models.studies import Study
from annotation.study.views.membership import coordinated
from generation.benchmarks.forms import (
    AskingForm,
    ModelMarksForm,
    PeopleForm,
    PredictionsForm,
    RephrasedForm,
    RephrasingsForm,
)
from generation.benchmarks.models import Prediction
from generation.benchmarks.selectors.predictions import predictions_csv
from generation.benchmarks.selectors.progress import answered_lines, runs_of
from generation.benchmarks.selectors.wordings import rules_of
from generation.benchmarks.services import people_marks, rules
from generation.benchmarks.services.missed import draw_missed
from generation.benchmarks.services.model_marks import plan_model_marks
from generation.benchmarks.services.predictions import closed_for_models, plan_predictions
from generation.benchmarks.services.rephrasings import plan_rephrasings
from generation.calls.models import GenerationRun

RULES = ("says_one_word", "output_tokens", "temperature")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def benchmark_models(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    """How models are asked a benchmark's questions, how far they are, and runs with what each takes."""
    study = coordinated(request, slug)
    benchmark = _benchmark(study, pk)
    asked = rules_of(benchmark)
    initial = {name: getattr(asked, name) for name in RULES}
    form = AskingForm(request.POST) if request.method == "POST" else AskingForm(initial=initial)

    def verb() -> None:
        rules.set_asking_rules(benchmark=benchmark, by=request.user, **form.cleaned_data)

    if request.method == "POST" and taken(form, verb):
        messages.success(request, "Kept.")
        return redirect("benchmark_models", slug, pk)
    has_subsets = Subset.objects.filter(benchmark=benchmark).exists()
    subset = {"subset": "cleaned" if has_subsets else "original"}
    context: dict[str, Any] = {
        "study": study,
        "benchmark": benchmark,
        "form": form,
        "plan_form": PredictionsForm(),
        "rephrasings_form": RephrasingsForm(initial=subset, auto_id="rephrasings_%s"),
        "rephrased_form": RephrasedForm(initial=subset, auto_id="rephrased_%s"),
        "marks_form": ModelMarksForm(auto_id="marks_%s"),
        "answers_form": PeopleForm(initial={"share": 100}, auto_id="answers_%s"),
        "checks_form": PeopleForm(initial={"share": people_marks.CHECKED}, auto_id="checks_%s"),
        "closed": closed_for_models(study),
        "is_over": study.state in ("closed", "unblinded"),
        "is_fixed": Prediction.objects.filter(wording__question__story__benchmark=benchmark).exists(),
        "has_subsets": has_subsets,
        "lines": answered_lines(benchmark),
        "marks": mark_progress(benchmark),
        "runs": runs_of(benchmark),
    }
    return render(request, "benchmarks/models.html", context, status=400 if form.is_bound else 200)


def _plans(form_class: type[forms.Form], plan: Callable[..., GenerationRun]) -> Callable[..., HttpResponse]:
    """A view that plans a run by a form's fields and shows what it takes."""

    @person_posts
    def view(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
        benchmark = _benchmark(coordinated(request, slug), pk)
        form = form_class(request.POST)
        if not form.is_valid():
            raise Http404
        run = attempt(request, lambda: plan(benchmark=benchmark, by=request.user, **form.cleaned_data))
        return redirect("run", run.pk) if run else redirect("benchmark_models", slug, pk)

    return view


def _plan_rephrased(**how: Any) -> GenerationRun:
    return plan_predictions(rephrased=True, **how)


predictions = _plans(PredictionsForm, plan_predictions)
rephrasings = _plans(RephrasingsForm, plan_rephrasings)
rephrased = _plans(RephrasedForm, _plan_rephrased)
model_marks = _plans(ModelMarksForm, plan_model_marks)


@person_posts
def give_out(request: PersonRequest, slug: str, pk: int, kind: str) -> HttpResponse:
    """Have people mark answers, or check rephrasings."""
    benchmark = _benchmark(coordinated(request, slug), pk)
    form = PeopleForm(request.POST)
    if not form.is_valid():
        raise Http404
    give = people_marks.give_answers_to_mark if kind == ANSWER else people_marks.give_rephrasings_to_check

    def verb() -> str:
        number = give(benchmark=benchmark, by=request.user, **form.cleaned_data)
        return f"Given out: {counted(number, 'mark')}."

    attempt_and_tell(request, verb)
    return redirect("benchmark_models", slug, pk)


@person_posts
def draw(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    """Draw the questions that are reviewed: what models missed, and a sample of the rest."""
    benchmark = _benchmark(coordinated(request, slug), pk)

    def verb() -> str:
        return f"{counted(draw_missed(benchmark=benchmark, by=request.user), 'question')} drawn for review."

    attempt_and_tell(request, verb)
    return redirect("benchmark", slug, pk)


@require_safe
@login_required
@never_cache
def prediction_file(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    """What models answered, as `analyse_audit` reads it."""
    benchmark = _benchmark(coordinated(request, slug), pk)
    return HttpResponse(
        predictions_csv(benchmark),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{slug}-{pk}-predictions.csv"'},
    )


def _benchmark(study: Study, pk: int) -> Benchmark:
    found = Benchmark.objects.filter(study=study, pk=pk).select_related("study").first()
    if found is None:
        raise Http404
    return found
