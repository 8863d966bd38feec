"""Samples of prompts, and the files they are published in."""

from typing import cast

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotation.platform.core.lifecycle import STUDY
from annotation.platform.core.phrases import counted
from annotation.platform.views import PersonRequest, attempt_and_tell, person_posts, taken
from annotation.study.models.studies import Study
from annotation.study.views.membership import coordinated
from generation.prompts.core.prompt_files import EVALUATION_DATASET, STUDY_PROMPTS
from generation.prompts.core.quality import Scheme
from generation.prompts.forms.samples import FilterRuleForm, SampleForm
from generation.prompts.models import PromptSample
from generation.prompts.selectors import prompt_files
from generation.prompts.selectors import samples as selectors
from generation.prompts.services import samples as services

DATASET_FIELDS = "dataset-%s"


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def samples(request: PersonRequest, slug: str) -> HttpResponse:
    """The samples that were drawn, and the form that draws one."""
    study = coordinated(request, slug)
    form = SampleForm(study, request.POST if request.method == "POST" else None)
    made: list[PromptSample] = []

    def verb() -> None:
        made.append(services.make_sample(study=study, by=request.user, **form.cleaned_data))

    if request.method == "POST" and taken(form, verb):
        return redirect("pool_sample", slug, made[0].pk)
    return _samples_page(request, study, form, FilterRuleForm(study, auto_id=DATASET_FIELDS))


def _samples_page(
    request: PersonRequest, study: Study, form: SampleForm, dataset_form: FilterRuleForm
) -> HttpResponse:
    is_shown_again = form.is_bound or dataset_form.is_bound
    context = {
        "study": study,
        "passing": selectors.passing_by_the_studys_rule(study),
        "samples": selectors.samples_of(study),
        "form": form,
        "dataset_form": dataset_form,
        "is_shown_again": is_shown_again,
    }
    return render(request, "prompts/samples/samples.html", context, status=400 if is_shown_again else 200)


@require_safe
@login_required
@never_cache
def sample(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    """What was drawn, from what, and what fell short."""
    found = _sample(request, slug, pk)
    context = {
        "study": found.study,
        "sample": selectors.sample_page(found),
        "is_designing": found.study.state == STUDY.initial,
    }
    return render(request, "prompts/samples/sample.html", context)


@person_posts
def take(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    """Make its prompts the study's."""
    found = _sample(request, slug, pk)

    def verb() -> str:
        done = services.take_sample(sample=found, by=request.user)
        there = f"; it had {done.known} of the sample already" if done.known else ""
        return f"The study got {counted(done.added, 'prompt')}{there}."

    attempt_and_tell(request, verb)
    return redirect("pool_sample", slug, pk)


@person_posts
def discard(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    found = _sample(request, slug, pk)

    def verb() -> str:
        services.discard_sample(sample=found, by=request.user)
        return f"Sample {pk} was discarded."

    if attempt_and_tell(request, verb):
        return redirect("pool_samples", slug)
    return redirect("pool_sample", slug, pk)


# -- files ---------------------------------------------------------------------------------------------------


@require_safe
@login_required
@never_cache
def study_prompts(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    return _file(STUDY_PROMPTS, prompt_files.study_prompts_csv(_sample(request, slug, pk)))


@require_safe
@login_required
@never_cache
def evaluation_dataset(request: PersonRequest, slug: str) -> HttpResponse:
    """Every prompt that passes by the rule in the address, or else by the study's; a rule that makes no sense is
    shown again.
    """
    study = coordinated(request, slug)
    asked = {**FilterRuleForm(study).initial, **request.GET.dict()}
    rule = FilterRuleForm(study, asked, auto_id=DATASET_FIELDS)
    if not rule.is_valid():
        return _samples_page(request, study, SampleForm(study), rule)
    scheme, least_passes = cast(Scheme, rule.cleaned_data["scheme"]), rule.cleaned_data["least_passes"]
    content = prompt_files.evaluation_dataset_csv(study, scheme=scheme, least_passes=least_passes)
    return _file(EVALUATION_DATASET, content)


def _file(name: str, content: bytes) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type="text/csv; charset=utf-8", headers=headers)


def _sample(request: PersonRequest, slug: str, pk: int) -> PromptSample:
    study = coordinated(request, slug)
    found = PromptSample.objects.filter(study=study, pk=pk).select_related("study", "made_by", "taken_by").first()
    if found is None:
        raise Http404
    return found
