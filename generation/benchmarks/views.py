"""Models and benchmarks: how they are asked, what that takes, and what they answered."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotation.benchmarks.models.benchmarks import Benchmark
from annotation.benchmarks.models.rulings import Subset
from annotation.platform.views import PersonRequest, attempt, person_posts, taken
from annotation.study.models.studies import Study
from annotation.study.views.membership import coordinated
from generation.benchmarks.forms import AskingForm, PredictionsForm
from generation.benchmarks.models import Prediction
from generation.benchmarks.selectors.predictions import predictions_csv
from generation.benchmarks.selectors.progress import answered_lines, runs_of
from generation.benchmarks.selectors.wordings import rules_of
from generation.benchmarks.services import predictions, rules

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
    context: dict[str, Any] = {
        "study": study,
        "benchmark": benchmark,
        "form": form,
        "plan_form": PredictionsForm(),
        "closed": predictions.closed_for_models(study),
        "is_fixed": Prediction.objects.filter(wording__question__story__benchmark=benchmark).exists(),
        "has_subsets": Subset.objects.filter(benchmark=benchmark).exists(),
        "lines": answered_lines(benchmark),
        "runs": runs_of(benchmark),
    }
    return render(request, "benchmarks/models.html", context, status=400 if form.is_bound else 200)


@person_posts
def plan_predictions(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    benchmark = _benchmark(coordinated(request, slug), pk)
    form = PredictionsForm(request.POST)
    if not form.is_valid():
        raise Http404
    run = attempt(
        request,
        lambda: predictions.plan_predictions(benchmark=benchmark, by=request.user, **form.cleaned_data),
    )
    return redirect("run", run.pk) if run else redirect("benchmark_models", slug, pk)


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
