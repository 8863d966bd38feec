"""Prompts under pressure: sets of them, how far each is, and one prompt's framings read and decided about."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotation.platform.views import PersonRequest, attempt, attempt_and_tell, person_posts, taken
from annotation.study.models.studies import Study
from annotation.study.views.membership import coordinated
from generation.calls.models import GenerationRun
from generation.framing.forms import AnswersForm, CheckForm, EditForm, ScoresForm, SetForm
from generation.framing.models import FramedAnswer, FramedPrompt, FramingSet
from generation.framing.selectors.framings import Framed, conditions_of, framed_prompts, texts_sha256
from generation.framing.selectors.runs import runs_of_set
from generation.framing.services import answers, reviews, runs, scores
from generation.framing.services.sets import make_set
from generation.prompts.services import pool

PURPOSES = (GenerationRun.Purpose.FRAMING, GenerationRun.Purpose.FRAMING_CHECK)
ANSWERS, SCORES = GenerationRun.Purpose.FRAMED_ANSWER, GenerationRun.Purpose.FRAMED_SCORE


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def framing_sets(request: PersonRequest, slug: str) -> HttpResponse:
    """The sets that were drawn, and the form that draws one."""
    study = coordinated(request, slug)
    form = SetForm(*(request.POST, request.FILES) if request.method == "POST" else ())
    made: list[FramingSet] = []

    def verb() -> None:
        made.append(make_set(study=study, by=request.user, **form.cleaned_data))

    if request.method == "POST" and taken(form, verb):
        return redirect("framing_set", slug, made[0].pk)
    context = {"study": study, "sets": FramingSet.objects.filter(study=study), "form": form}
    return render(request, "framing/sets.html", context, status=400 if form.is_bound else 200)


@require_safe
@login_required
@never_cache
def framing_set(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    """How far each prompt is. Who rewrites which is shown on a prompt's own page, after one's own check."""
    found = _set_of(coordinated(request, slug), pk)
    prompts = framed_prompts(found)
    context = {
        "study": found.study,
        "set": found,
        "conditions": conditions_of(found),
        "lines": [(framed, _is_told(framed, request)) for framed in prompts],
        "passed": sum(framed.standing.state == "passed" for framed in prompts),
        "following": _unchecked(prompts, request),
        "runs": runs_of_set(found),
        "answers": AnswersForm(),
        "form": ScoresForm() if FramedAnswer.objects.filter(framing__prompt__set=found).exists() else None,
        "closed": pool.closed_in(found.study),
    }
    return render(request, "framing/set.html", context)


@person_posts
def plan_framings(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    """A run that rewrites the set's prompts, checks them, or has answers scored; its page shows what it will cost.
    Or both ways to have them answered: the set's page shows what each will cost.
    """
    found = _set_of(coordinated(request, slug), pk)
    purpose = request.POST.get("purpose", "")
    if purpose == ANSWERS:
        asked = AnswersForm(request.POST)
        again = asked.is_valid() and asked.cleaned_data["again"]
        attempt(request, lambda: answers.plan_answers(framing_set=found, by=request.user, again=again))
        return redirect("framing_set", slug, pk)
    form = ScoresForm(request.POST)
    if purpose == SCORES and form.is_valid():
        run = attempt(request, lambda: scores.plan_scores(framing_set=found, by=request.user, **form.asked_for()))
    elif purpose in PURPOSES:
        run = attempt(request, lambda: runs.plan(framing_set=found, purpose=purpose, by=request.user))
    else:
        raise Http404
    return redirect("run", run.pk) if run else redirect("framing_set", slug, pk)


@require_safe
@login_required
@never_cache
def framed_prompt(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    return _prompt_page(request, _prompt_of(coordinated(request, slug), pk))


@person_posts
def check_framed(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    """Take in the person's check, and lead on to the next prompt that they have not checked."""
    prompt = _prompt_of(coordinated(request, slug), pk)
    form = CheckForm(conditions_of(prompt.set), request.POST)

    def verb() -> None:
        reviews.check_framings(
            prompt=prompt, by=request.user, verdicts=form.verdicts(), seen=form.cleaned_data["seen"]
        )

    if not taken(form, verb):
        return _prompt_page(request, prompt, check=form)
    messages.success(request, f"Kept: your check of {prompt.code}.")
    following = _unchecked(framed_prompts(prompt.set), request) if "next" in request.POST else None
    return redirect("framed_prompt", slug, following or pk)


@person_posts
def edit_framed(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    """Replace a model's words by the person's own; all checks are made anew."""
    prompt = _prompt_of(coordinated(request, slug), pk)
    form = EditForm(conditions_of(prompt.set), request.POST)
    if not taken(form, lambda: reviews.edit_framings(prompt=prompt, by=request.user, **form.asked_for)):
        return _prompt_page(request, prompt, edit=form)
    messages.success(request, "Kept: your wording counts now, and is checked anew.")
    return redirect("framed_prompt", slug, pk)


@person_posts
def ask_framed_again(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    prompt = _prompt_of(coordinated(request, slug), pk)

    def verb() -> str:
        call = reviews.ask_for_others(prompt=prompt, by=request.user)
        return f"The model is asked for other framings, in run {call.run.known_as}."

    attempt_and_tell(request, verb)
    return redirect("framed_prompt", slug, pk)


def _set_of(study: Study, pk: int) -> FramingSet:
    found = FramingSet.objects.filter(pk=pk, study=study).select_related("study").first()
    if found is None:
        raise Http404
    return found


def _prompt_of(study: Study, pk: int) -> FramedPrompt:
    prompts = FramedPrompt.objects.select_related("set__study", "prompt_version", "candidate")
    found = prompts.filter(pk=pk, set__study=study).first()
    if found is None:
        raise Http404
    return found


def _is_told(framed: Framed, request: PersonRequest) -> bool:
    """Whether the person may know what a model says and who wrote it: once they have said what they hold of it, or
    nobody needs to.
    """
    is_closed = bool(pool.closed_in(framed.prompt.set.study))
    return framed.said_by(request.user) is not None or is_closed or "person" not in framed.prompt.set.needs


def _unchecked(prompts: list[Framed], request: PersonRequest) -> int | None:
    """The first prompt whose framings wait for a check by this person."""
    waiting = (framed.id for framed in prompts if framed.texts and framed.said_by(request.user) is None)
    return next(waiting, None)


def _prompt_page(
    request: PersonRequest, prompt: FramedPrompt, *, check: CheckForm | None = None, edit: EditForm | None = None
) -> HttpResponse:
    """The model's verdicts and the rewriter are shown once the person has given theirs, or cannot any more."""
    prompts, conditions = framed_prompts(prompt.set), conditions_of(prompt.set)
    framed = next(each for each in prompts if each.id == prompt.pk)
    own = framed.said_by(request.user)
    seen = texts_sha256(framed.texts)
    form = check or CheckForm(conditions, said=own or (), seen=seen)
    context: dict[str, Any] = {
        "study": prompt.set.study,
        "set_address": reverse("framing_set", args=[prompt.set.study.slug, prompt.set_id]),
        "framed": framed,
        "shown": [(each, framed.texts[each.key], list(form.about(each.key))) for each in conditions.conditions]
        if framed.texts
        else [],
        "number": [each.id for each in prompts].index(prompt.pk) + 1,
        "of": len(prompts),
        "seen": seen,
        "form": form,
        "edit": edit or EditForm(conditions, texts=framed.texts, seen=seen),
        "closed": pool.closed_in(prompt.set.study),
        "is_told": _is_told(framed, request),
    }
    return render(request, "framing/prompt.html", context, status=400 if check or edit else 200)
