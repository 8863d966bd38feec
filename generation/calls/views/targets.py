"""The models a study works with."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from annotation.platform.views import PersonRequest, attempt_and_tell, person_posts, taken
from annotation.study.models.studies import Study
from annotation.study.views.membership import coordinated
from generation.calls.selectors.targets import retired_targets_of, targets_of
from generation.calls.services import targets_in_use
from generation.catalogue.forms import KnownModelForm, TargetForm, of_known, of_target
from generation.catalogue.models import Target
from generation.catalogue.services import targets
from generation.providers.catalogue import catalogue
from generation.providers.core.catalogue import Endpoint
from generation.providers.core.prices import Price
from generation.providers.keys import has_key

IN_AUDITS: Final[Mapping[str, str]] = {
    Target.Role.ANSWERS: "Answers questions",
    Target.Role.PROMPTS: "Puts questions into other words",
    Target.Role.PANEL: "Marks answers",
}


@dataclass(frozen=True)
class TargetRow:
    """A model with what the site knows of it: its provider, and what it costs today (`None`: nobody said so).

    `missing_keys` has the provider where it asks for a key and none is set; `options` is as JSON.
    """

    target: Target
    provider: str
    price: Price | None
    missing_keys: list[Endpoint]
    options: str


@require_safe
@login_required
def study_models(request: PersonRequest, slug: str) -> HttpResponse:
    study = coordinated(request, slug)
    rows = [_row(target) for target in targets_of(study)]
    context = {
        "study": study,
        "roles": [(role, label, [row for row in rows if row.target.role == role]) for role, label in _roles(study)],
        "retired": [_row(target) for target in retired_targets_of(study)],
    }
    return render(request, "calls/models.html", context)


def _roles(study: Study) -> list[tuple[str, str]]:
    """The roles of models in the study: an audit of benchmarks has no prompts and no texts."""
    return list(IN_AUDITS.items() if study.audits_benchmarks else Target.Role.choices)


def _form(study: Study, data: Any = None, *, initial: Mapping[str, Any] | None = None) -> TargetForm:
    form = TargetForm(_roles(study), data, initial=initial)
    if study.audits_benchmarks:
        del form.fields["weak_temperature"]  # no answer of an audit is deliberately weak
    return form


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def target_add(request: PersonRequest, slug: str) -> HttpResponse:
    """The form for one more model; filled in from the catalogue where one of its models is chosen."""
    study = coordinated(request, slug)
    if request.method != "POST":
        known = KnownModelForm(request.GET if "known" in request.GET else None)
        model = known.model if known.is_bound else None
        role = request.GET.get("role", Target.Role.ANSWERS)
        names = targets_of(study).filter(role=role).values_list("family", flat=True)
        initial = {"role": role, **(of_known(model, names=set(names)) if model else {})}
        context = {"study": study, "known": known, "form": _form(study, initial=initial)}
        return render(request, "calls/target.html", context)
    form = _form(study, request.POST)

    def verb() -> None:
        target = targets.add_target(study=study, by=request.user, **form.fields_of_target)
        messages.success(request, f"{target.family} was added.")

    if taken(form, verb):
        return redirect("study_models", slug)
    context = {"study": study, "known": KnownModelForm(), "form": form}
    return render(request, "calls/target.html", context, status=400)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def target_change(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    """A model that no plan contains yet, to be configured anew; any other is shown as it is."""
    study = coordinated(request, slug)
    target = _target(study, pk)
    form = _form(study, request.POST if request.method == "POST" else None, initial=of_target(target))
    del form.fields["role"]

    def verb() -> None:
        targets_in_use.change_target(target=target, by=request.user, **form.fields_of_target)
        messages.success(request, f"{target.family} is saved.")

    if request.method == "POST" and taken(form, verb):
        return redirect("study_models", slug)
    context = {
        "study": study,
        "row": _row(target),
        "form": form if form.is_bound or not (target.retired_at or targets_in_use.is_used(target)) else None,
    }
    return render(request, "calls/target.html", context, status=400 if form.is_bound else 200)


@person_posts
def target_retire(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    target = _target(coordinated(request, slug), pk)

    def verb() -> str:
        targets_in_use.retire_target(target=target, by=request.user)
        return f"{target.family} is retired: it is not asked any more."

    attempt_and_tell(request, verb)
    return redirect("study_models", slug)


def missing_keys(providers: Iterable[str]) -> list[Endpoint]:
    """The providers, by name, that ask for a key and have none."""
    endpoints = catalogue().endpoints
    asked = [endpoints[name] for name in sorted(set(providers)) if name in endpoints]
    return [endpoint for endpoint in asked if not has_key(endpoint)]


def _target(study: Study, pk: int) -> Target:
    target = Target.objects.filter(study=study, pk=pk).select_related("study", "retired_by").first()
    if target is None:
        raise Http404
    return target


def _row(target: Target) -> TargetRow:
    endpoint = catalogue().endpoints.get(target.provider)
    return TargetRow(
        target=target,
        provider=endpoint.label if endpoint else target.provider,
        price=targets.price_of(target) if endpoint else None,
        missing_keys=missing_keys([target.provider]),
        options=json.dumps(target.options, ensure_ascii=False) if target.options else "",
    )
