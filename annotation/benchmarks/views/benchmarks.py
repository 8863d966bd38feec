"""Benchmarks of a study, for its coordinator: brought in, looked through, taken out."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from annotation.benchmarks.core.drawing import REVIEWED
from annotation.benchmarks.core.findings import KINDS
from annotation.benchmarks.core.layouts import LAYOUTS
from annotation.benchmarks.forms.benchmarks import BenchmarkForm, RulesForm
from annotation.benchmarks.models.benchmarks import Benchmark
from annotation.benchmarks.providers.reading import read_apart
from annotation.benchmarks.selectors import benchmarks as selectors
from annotation.benchmarks.selectors.progress import audit_progress, drawn_counts, left_behind
from annotation.benchmarks.selectors.rulings import subsets_of
from annotation.benchmarks.services import benchmarks as services
from annotation.benchmarks.services import giving_out
from annotation.platform.core.errors import Refused
from annotation.platform.core.lifecycle import STUDY
from annotation.platform.core.line_files import BrokenFile
from annotation.platform.core.phrases import counted
from annotation.platform.views import PersonRequest, asked_for, attempt_and_tell, person_posts, taken
from annotation.study.models.studies import Study
from annotation.study.views.membership import coordinated

QUESTIONS_ON_A_PAGE = 50
PROBLEMS_SHOWN = 20


@require_safe
@login_required
def benchmarks(request: PersonRequest, slug: str) -> HttpResponse:
    study = coordinated(request, slug)
    context = {
        "study": study,
        "benchmarks": selectors.benchmarks(study),
        "layouts": LAYOUTS.values() if study.state == STUDY.initial else (),
        "left_behind": left_behind(study) if study.state == "judging" else "",
    }
    return render(request, "benchmarks/benchmarks.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def benchmark_add(request: PersonRequest, slug: str, layout: str) -> HttpResponse:
    """The files of a layout. What is wrong with them is shown by line, and nothing of them is kept."""
    study = coordinated(request, slug)
    if layout not in LAYOUTS:
        raise Http404
    is_posted = request.method == "POST"
    form = BenchmarkForm(LAYOUTS[layout], *((request.POST, request.FILES) if is_posted else ()))
    added: list[Benchmark] = []
    problems: list[str] = []

    def verb() -> None:
        try:
            contents = read_apart(**form.files_given())
            name = form.cleaned_data["name"]
            added.append(services.add_benchmark(study=study, name=name, contents=contents, by=request.user))
        except BrokenFile as fault:
            problems.extend(map(str, fault.problems))
            raise

    if is_posted and taken(form, verb):
        [benchmark] = added
        line = next(line for line in selectors.benchmarks(study) if line.pk == benchmark.pk)
        stories = f"{line.stories:,} stor{'y' if line.stories == 1 else 'ies'}"
        sizes = f"{counted(line.questions, 'question')} about {stories}"
        messages.success(request, f"{benchmark.name} was read: {sizes}, {counted(line.findings, 'finding')}.")
        return redirect("benchmark", slug, benchmark.pk)
    context = {
        "study": study,
        "layout": LAYOUTS[layout],
        "examples": [f"examples/{name}" for name in LAYOUTS[layout].examples],
        "form": form,
        "problems": problems[:PROBLEMS_SHOWN],
        "more_problems": counted(more, "more problem") if (more := len(problems) - PROBLEMS_SHOWN) > 0 else "",
    }
    return render(request, "benchmarks/add.html", context, status=400 if is_posted else 200)


@require_safe
@login_required
def benchmark(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    """What is in a benchmark, what was found in it by rule, and its questions: all, or some."""
    study = coordinated(request, slug)
    found = _benchmark(study, pk)
    asked = {name: asked_for(request, name) for name in ("finding", "kind", "words")}
    page = Paginator(selectors.questions(found, **asked), QUESTIONS_ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "study": study,
        "benchmark": found,
        "layout": LAYOUTS[found.layout],
        "line": next(line for line in selectors.benchmarks(study) if line.pk == pk),
        "counts": selectors.counts(found),
        "ways_to_name": selectors.ways_to_name(found),
        "findings": selectors.finding_counts(found),
        "page": page,
        **asked,
        "can_remove": study.state == STUDY.initial,
        "reviewed": REVIEWED,
        "drawn": drawn_counts(found),
        "audit": audit_progress(found),
        "subsets": subsets_of(found),
    }
    return render(request, "benchmarks/benchmark.html", context)


@require_safe
@login_required
def benchmark_story(request: PersonRequest, slug: str, pk: int, number: int) -> HttpResponse:
    study = coordinated(request, slug)
    found = _benchmark(study, pk)
    story = selectors.story(found, number)
    if story is None:
        raise Http404
    before, after = selectors.neighbours(found, number)
    context = {"study": study, "benchmark": found, "story": story, "before": before, "after": after, "kinds": KINDS}
    return render(request, "benchmarks/story.html", context)


@person_posts
def benchmark_remove(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    study = coordinated(request, slug)
    found = _benchmark(study, pk)

    def verb() -> str:
        services.remove_benchmark(benchmark=found, by=request.user)
        return f"{found.name} was removed."

    attempt_and_tell(request, verb)
    return redirect("benchmarks", slug)


@person_posts
def benchmark_rules(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    """How its questions are annotated."""
    study = coordinated(request, slug)
    found = _benchmark(study, pk)
    form = RulesForm(request.POST)

    def verb() -> str:
        if not form.is_valid():
            raise Refused("A share is between 0 and 100 per cent, and a sample has one per cent at least.")
        services.set_rules(benchmark=found, **form.cleaned_data, by=request.user)
        return "Saved."

    attempt_and_tell(request, verb)
    return redirect("benchmark", slug, found.pk)


@person_posts
def benchmarks_pass_on(request: PersonRequest, slug: str) -> HttpResponse:
    """Give to others what those who have left did not finish."""
    study = coordinated(request, slug)
    attempt_and_tell(
        request, lambda: f"Given to others: {counted(giving_out.pass_on(study=study, by=request.user), 'piece')}."
    )
    return redirect("benchmarks", slug)


def _benchmark(study: Study, pk: int) -> Benchmark:
    found = Benchmark.objects.filter(study=study, pk=pk).select_related("study", "added_by").first()
    if found is None:
        raise Http404
    return found
