"""The templates a study's models are asked by."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from annotation.platform.views import PersonRequest, attempt_and_tell, person_posts, taken
from annotation.study.views.membership import coordinated
from generation.catalogue.core.prompt_templates import KINDS, SHIPPED
from generation.catalogue.forms import TemplateForm
from generation.catalogue.selectors.lengths import lengths_told_apart
from generation.catalogue.selectors.templates import template_of, templates_of
from generation.catalogue.services import templates


@require_safe
@login_required
def study_templates(request: PersonRequest, slug: str) -> HttpResponse:
    study = coordinated(request, slug)
    return render(request, "catalogue/templates.html", {"study": study, "templates": templates_of(study)})


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def template_edit(request: PersonRequest, slug: str, name: str) -> HttpResponse:
    """A template with every wording it had, and the form for another one."""
    study = coordinated(request, slug)
    template = template_of(study, name)
    if template is None:
        raise Http404
    present = {"text": template.current.text}
    form = TemplateForm(request.POST if request.method == "POST" else None, initial=present)

    def verb() -> None:
        templates.save_template(study=study, name=name, by=request.user, **form.cleaned_data)
        messages.success(request, "The wording is saved. Runs planned from now on use it.")

    if request.method == "POST" and taken(form, verb):
        return redirect("template_edit", slug, name)
    concerns = [found for found in lengths_told_apart(study) if found.template == name]
    context = {"study": study, "template": template, "form": form, "concerns": concerns}
    return render(request, "catalogue/template.html", context, status=400 if form.is_bound else 200)


@person_posts
def template_restore(request: PersonRequest, slug: str, name: str) -> HttpResponse:
    """Go back to the wording that comes with the site; the study's own ones stay on record."""
    study = coordinated(request, slug)
    if name not in KINDS:
        raise Http404

    def verb() -> str:
        shipped = SHIPPED[name].text
        templates.save_template(
            study=study, name=name, text=shipped, origin="As it comes with the site", by=request.user
        )
        return "The wording that comes with the site is in use again."

    attempt_and_tell(request, verb)
    return redirect("template_edit", slug, name)
