"""A study's prompts, for its coordinator: all of them, one of them, and a table of them."""

from collections.abc import Sequence

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from annotation.platform.core.lifecycle import STUDY
from annotation.platform.core.phrases import counted
from annotation.platform.core.table_import import Examined, ParsedRow
from annotation.platform.models.users import User
from annotation.platform.views import PersonRequest, asked_for, attempt_and_tell, person_posts, taken
from annotation.study.core.prompt_import import NewPrompt, examine
from annotation.study.forms.prompts import FIELDS, PromptChangeForm, PromptForm
from annotation.study.models.prompts import Prompt
from annotation.study.models.studies import Study
from annotation.study.selectors import prompts as selectors
from annotation.study.services import prompts
from annotation.study.views.imports import Import, import_page
from annotation.study.views.membership import coordinated

PROMPTS_ON_A_PAGE = 50


@require_safe
@login_required
def study_prompts(request: PersonRequest, slug: str) -> HttpResponse:
    """Every prompt by domain, or those of one domain or with some words; while the study is designed, one more."""
    study = coordinated(request, slug)
    domain, words = asked_for(request, "domain"), asked_for(request, "words")
    found = selectors.prompts(study, domain=domain, words=words)
    page = Paginator(found, PROMPTS_ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "study": study,
        "domains": selectors.domain_sizes(study),
        "domain": domain,
        "words": words,
        "page": page,
        "form": PromptForm() if study.state == STUDY.initial else None,
    }
    return render(request, "study/prompts.html", context)


@person_posts
def add_prompt(request: PersonRequest, slug: str) -> HttpResponse:
    """Add a prompt. What cannot be taken is shown again, so that nothing is typed twice."""
    study = coordinated(request, slug)
    form = PromptForm(request.POST)

    def verb() -> None:
        prompt = prompts.add_prompt_in_domain(study=study, by=request.user, **form.cleaned_data)
        messages.success(request, f"Prompt {prompt.code} was added.")

    if not taken(form, verb):
        page = {"study": study, "form": form, "title": "Add a prompt", "action": "Add the prompt"}
        return render(request, "components/form.html", page, status=400)
    return redirect("study_prompts", slug)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def prompt_edit(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    """A prompt with every wording it had; while the study is designed, the form that changes it."""
    study = coordinated(request, slug)
    prompt = _prompt(study, pk)
    wordings = selectors.wordings_of(prompt)
    present = {"text": wordings[0].text, "title": prompt.title, "disciplines": prompt.disciplines}
    form = PromptChangeForm(request.POST if request.method == "POST" else None, initial=present)

    def verb() -> None:
        prompts.change_prompt(prompt=prompt, by=request.user, **form.cleaned_data)
        messages.success(request, f"Prompt {prompt.code} is saved.")

    if request.method == "POST" and taken(form, verb):
        return redirect("prompt_edit", slug, pk)
    context = {
        "study": study,
        "prompt": prompt,
        "wordings": wordings,
        "form": form if study.state == STUDY.initial else None,
    }
    return render(request, "study/prompt.html", context, status=400 if form.is_bound else 200)


@person_posts
def prompt_remove(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    study = coordinated(request, slug)
    prompt = _prompt(study, pk)

    def verb() -> str:
        prompts.remove_prompt(prompt=prompt, by=request.user)
        return f"Prompt {prompt.code} was removed."

    attempt_and_tell(request, verb)
    return redirect("study_prompts", slug)


def _prompt(study: Study, pk: int) -> Prompt:
    prompt = Prompt.objects.filter(study=study, pk=pk).select_related("study").first()
    if prompt is None:
        raise Http404
    return prompt


# -- a table of prompts --------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def prompts_import(request: PersonRequest, slug: str) -> HttpResponse:
    return import_page(request, coordinated(request, slug), OF_PROMPTS)


def _summary(examined: Examined[NewPrompt]) -> str:
    there = f"; {counted(examined.known, 'line')} passed over, as the study has that text" if examined.known else ""
    return f"{counted(len(examined.found), 'prompt')} to be added{there}."


def _keep(study: Study, lines: Sequence[ParsedRow], by: User, _message: str) -> str:
    imported = prompts.import_prompts(study=study, lines=lines, by=by)
    return f"{counted(len(imported.found), 'prompt')} imported."


OF_PROMPTS = Import(
    template="study/prompts_import.html",
    leads_to="study_prompts",
    examples=("examples/prompts.csv", "examples/prompts.jsonl"),
    fields=FIELDS,
    examine=lambda study, lines: examine(lines, wordings=selectors.present_texts(study)),
    summary=_summary,
    keep=_keep,
)
