"""The design of a study: its parameters by section, what they ask for, its rubric, and what becomes of it."""

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from annotation.design.forms import (
    CloneForm,
    ConsentBlanksForm,
    CountsForm,
    RubricFileForm,
    SectionForm,
    StandardRubricForm,
    as_typed,
)
from annotation.design.selectors import design as selectors
from annotation.design.selectors.workload import workload_of
from annotation.design.services import protocol
from annotation.people.forms.people import ProfileForm
from annotation.people.selectors.people import consent_sections
from annotation.platform.core.phrases import counted
from annotation.platform.views import PersonRequest, attempt, person_posts, taken
from annotation.study.core.parameters import Section, labels_of, sections_of
from annotation.study.core.presets import PRESETS
from annotation.study.forms.coordination import NewStudyForm
from annotation.study.models.studies import Study
from annotation.study.policies.design import can_change
from annotation.study.policies.roles import can_administer, check_may_create_studies
from annotation.study.selectors.consents import consent_is_of_another_work
from annotation.study.selectors.rubrics import rubric_by_hash, standard_rubrics
from annotation.study.selectors.studies import participation_in
from annotation.study.views.membership import coordinated


@require_safe
@login_required
def overview(request: PersonRequest, slug: str) -> HttpResponse:
    """What is to be decided, with what differs from the protocol the study follows, and the ways to change it."""
    study = coordinated(request, slug)
    context = {
        "study": study,
        "sections": selectors.used_sections(study),
        "rubric": rubric_by_hash(study.rubric_id),
        "rubric_fixed": selectors.rubric_fixed(study),
        "rubric_open_until": selectors.open_until("rubric_id"),
        "presets": Study.Preset.choices if can_change(study, "preset") else (),
        "sha256": selectors.design_sha256(study),
        "clone_form": CloneForm(study),
    }
    return render(request, "design/overview.html", context | _preview(study, request.GET))


def _preview(
    study: Study, data: Any, typed: Sequence[SectionForm] = (), *, form_id: str = "counts"
) -> dict[str, Any]:
    """What the study asks for, with the numbers of prompts and people in `data` and with what was typed."""
    draft, unread = as_typed(study, typed)
    form = CountsForm(draft, data, form_id=form_id)
    return {
        "counts_form": form,
        "draft": draft,
        "unread": unread,
        "workload": workload_of(draft, form.counts),
    }


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def section(request: PersonRequest, slug: str, key: str) -> HttpResponse:
    """One section: changed and saved, or, without a script, looked at with what was typed."""
    study = coordinated(request, slug)
    chosen, behind = _section(study, key), iter(sections_of(study.preset))
    following = next(behind, None) if chosen in behind else None
    posted = request.method == "POST"
    form = SectionForm(chosen, study, request.POST if posted else None)
    looks = "preview" in request.POST
    if posted and not looks and taken(form, lambda: _save(request, study, form)):
        return redirect("design_section", slug, following.key if following and "go_on" in request.POST else key)
    context = {
        "study": study,
        "section": selectors.section_lines(study, chosen),
        "form": form,
        "design_sections": sections_of(study.preset),
        "following": following,
        **_preview(
            study,
            request.POST or request.GET,
            [form] if posted else [],
            form_id="section-form" if form.fields else "counts",
        ),
    }
    return render(request, "design/section.html", context, status=400 if posted and not looks else 200)


def _section(study: Study, key: str) -> Section:
    for section in sections_of(study.preset):
        if section.key == key:
            return section
    raise Http404


def _save(request: PersonRequest, study: Study, form: SectionForm) -> None:
    own = {name: value for name, value in form.cleaned_data.items() if name not in form.merged}
    try:
        changed = protocol.change_section(
            study=study, section=form.section, changes=own, loaded=form.loaded, by=request.user
        )
    finally:
        form.loaded = selectors.section_opened(study, form.section)  # whoever saves again has read what differs
    labels = labels_of(study.preset)
    said = ", ".join(labels[name] for name in changed)
    kept = ", ".join(labels[name] for name in form.merged)
    others = f" Somebody else has changed {kept} meanwhile: that stays." if kept else ""
    messages.success(
        request, (f"Saved: {said}." if changed else "Saved. Nothing is different from before.") + others
    )


@require_safe
@login_required
def preview(request: PersonRequest, slug: str) -> HttpResponse:
    """What the study would ask for with the values in the address; `section` names each section they belong to."""
    study = coordinated(request, slug)
    typed = [SectionForm(_section(study, key), study, request.GET) for key in request.GET.getlist("section")]
    template = "design/_workload.html" if request.htmx else "design/preview.html"
    return render(request, template, {"study": study, **_preview(study, request.GET, typed)})


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def fill_in(request: PersonRequest, slug: str, preset: str) -> HttpResponse:
    """What a preset would change, and changing it."""
    study = coordinated(request, slug)
    if preset not in PRESETS:
        raise Http404
    label = Study.Preset(preset).label.lower()
    if request.method == "POST":
        shown = request.POST.get("shown", "")
        changed = attempt(
            request, lambda: protocol.fill_in(study=study, preset=preset, shown=shown, by=request.user)
        )
        if changed is None:
            return redirect("design_fill_in", slug, preset)
        said = counted(len(set(changed) - {"preset", "consent_version"}), "parameter")
        messages.success(request, f"Filled in as in the {label}: {said} changed.")
        return redirect("study_design", slug)
    context = {
        "study": study,
        "preset": preset,
        "label": label,
        "changes": selectors.preset_changes(study, preset),
        "shown": selectors.preset_sha256(study, preset),
        "keeps_other_consent": consent_is_of_another_work(study, preset),
        "can_fill_in": can_change(study, "preset"),
    }
    return render(request, "design/fill_in.html", context)


# -- rubric, consent and profile ---------------------------------------------------------------------------------


@require_safe
@login_required
def rubric(request: PersonRequest, slug: str) -> HttpResponse:
    """The study's rubric, or with `standard` one that comes with the site, and the way to choose another."""
    return _rubric_page(request, coordinated(request, slug), RubricFileForm())


def _rubric_page(request: PersonRequest, study: Study, form: RubricFileForm, status: int = 200) -> HttpResponse:
    looked_at = request.GET.get("standard", "")
    standard = standard_rubrics()
    own = rubric_by_hash(study.rubric_id)
    context = {
        "study": study,
        "design_sections": sections_of(study.preset),
        "rubric": standard[looked_at].rubric if looked_at in standard else own,
        "own": own,
        "looked_at": looked_at if looked_at in standard else "",
        "standard": {name: file.rubric for name, file in standard.items()},
        "fixed": selectors.rubric_fixed(study),
        "form": form,
    }
    return render(request, "design/rubric.html", context, status=status)


@person_posts
def choose_rubric(request: PersonRequest, slug: str) -> HttpResponse:
    """Take a standard rubric, or the file that was uploaded. What is wrong with a file is said by its keys."""
    study = coordinated(request, slug)
    form: StandardRubricForm | RubricFileForm
    form = StandardRubricForm(request.POST) if "standard" in request.POST else RubricFileForm(None, request.FILES)
    if taken(form, lambda: protocol.choose_rubric(study=study, toml=form.toml, by=request.user)):
        messages.success(request, f"The study’s rubric is “{rubric_by_hash(study.rubric_id).title}”.")
        return redirect("rubric_preview", slug)
    return _rubric_page(request, study, form if isinstance(form, RubricFileForm) else RubricFileForm(), status=400)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def participants(request: PersonRequest, slug: str) -> HttpResponse:
    """Consent and profile as writers and judges find them; blanks of the consent text are filled in here."""
    study = coordinated(request, slug)
    filling = ConsentBlanksForm(study, request.POST if request.method == "POST" else None)
    if request.method == "POST" and taken(filling, lambda: _fill_consent(request, study, filling)):
        return redirect("participants_preview", slug)
    context = {
        "study": study,
        "filling": filling if filling.blanks and can_change(study, "consent_text") else None,
        "design_sections": sections_of(study.preset),
        "sections": consent_sections(study.consent_text),
        "form": ProfileForm(study=study),
    }
    return render(request, "design/participants.html", context, status=400 if filling.errors else 200)


def _fill_consent(request: PersonRequest, study: Study, form: ConsentBlanksForm) -> None:
    left = protocol.fill_consent(
        study=study,
        said=form.said,
        unneeded=form.unneeded,
        loaded=request.POST.get("loaded", ""),
        by=request.user,
    )
    still = f" Still open: {', '.join(left)}." if left else " It is complete."
    messages.success(request, f"The consent text has version {study.consent_version} now.{still}")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new_study(request: PersonRequest) -> HttpResponse:
    """A new study of a coordinator's own, where the site lets them, without an administrator."""
    check_may_create_studies(request.user)
    form = NewStudyForm(request.POST if request.method == "POST" else None)
    if form.is_bound and taken(form, lambda: protocol.start_study(by=request.user, **form.cleaned_data)):
        messages.success(request, "The study is set up. Its page says what comes next.")
        return redirect("study", form.cleaned_data["slug"])
    return render(request, "design/new_study.html", {"form": form}, status=400 if form.is_bound else 200)


# -- the study as a whole ----------------------------------------------------------------------------------------


@person_posts
def clone(request: PersonRequest, slug: str) -> HttpResponse:
    """Make a new study of the same design. What cannot be taken is shown again, so that nothing is typed twice."""
    study = coordinated(request, slug)
    form = CloneForm(study, request.POST)

    def verb() -> None:
        copy = protocol.clone_study(study=study, by=request.user, **form.cleaned_data)
        messages.success(request, f"“{copy.title}” is set up, and you coordinate it. Nobody else is in it yet.")

    if not taken(form, verb):
        page = {"study": study, "form": form, "title": "Clone the study", "action": "Clone"}
        return render(request, "components/form.html", page, status=400)
    return redirect("study_design", form.cleaned_data["slug"])


@person_posts
def archive(request: PersonRequest, slug: str) -> HttpResponse:
    return _put(request, slug, protocol.archive, "The study is archived: it is at the end of the lists, folded.")


@person_posts
def bring_back(request: PersonRequest, slug: str) -> HttpResponse:
    return _put(request, slug, protocol.bring_back, "The study is back in the lists.")


def _put(request: PersonRequest, slug: str, verb: Callable[..., None], done: str) -> HttpResponse:
    """Act for the study's coordinator, who stays in its design, or for administrators, who see none from inside."""
    if own := participation_in(request.user, slug):
        study, after = own.study, redirect("study_design", slug)
    elif can_administer(request.user):
        study, after = get_object_or_404(Study, slug=slug), redirect("administration")
    else:
        raise Http404
    verb(study=study, by=request.user)
    messages.success(request, done)
    return after


@person_posts
def show_publicly(request: PersonRequest, slug: str) -> HttpResponse:
    """Switch the study's public page on or off."""
    study, is_public = coordinated(request, slug), request.POST.get("is_public") == "yes"
    protocol.show_publicly(study=study, is_public=is_public, by=request.user)
    messages.success(request, f"The public page is {'on' if is_public else 'off'}.")
    return redirect("study_design", slug)
