"""The writing desk: a study's writing and each of its answers, as its coordinator sees them."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from annotation.platform.services.clock import database_now
from annotation.platform.views import PersonRequest
from annotation.study.models.studies import Study
from annotation.study.views.membership import coordinated
from annotation.texts.policies import takes_texts
from annotation.writing.forms.writing_desk import ExtraMinutesForm, LateTextForm
from annotation.writing.selectors import answer_record
from annotation.writing.selectors import writing_desk as selectors
from annotation.writing.selectors.outages import proposals
from annotation.writing.selectors.process import process_record
from annotation.writing.selectors.rejected_answers import STATES, rejected_answer, rejected_answers
from annotation.writing.selectors.remarks import remarks_of
from annotation.writing.views.writing_actions import actions_for, coordinated_answer

ANSWERS_ON_A_PAGE = 100


@require_safe
@login_required
@never_cache
def desk(request: PersonRequest, slug: str) -> HttpResponse:
    """The whole study. While writing is open, htmx asks for what changes; once it is closed, for a new page."""
    study = coordinated(request, slug)
    if not request.htmx:
        return render(request, "writing/desk/writing_desk.html", _now(study) | _standing(request, study))
    if study.state != "writing":
        return HttpResponseClientRefresh()
    return render(request, "writing/desk/writing_desk.html#now", _now(study))


def _now(study: Study) -> dict[str, Any]:
    """What changes from minute to minute."""
    is_open = study.state == "writing"
    return {
        "study": study,
        "is_open": is_open,
        "late_texts": selectors.late_texts(study),
        "rejected": rejected_answers(study) if takes_texts(study) else (),
        "running": selectors.running(study, now=database_now()) if is_open else (),
    }


def _standing(request: PersonRequest, study: Study) -> dict[str, Any]:
    """What stays as it is while somebody reads it or fills it in."""
    state = request.GET.get("state", "")
    answers = selectors.answers(study, standing=state if state in STATES else "")
    page = Paginator(answers, ANSWERS_ON_A_PAGE).get_page(request.GET.get("page"))
    return {
        "outages": proposals(study),
        "states": selectors.states(study),
        "state": state,
        "page": page,
        "answers": [selectors.answer_line(answer) for answer in page],
        "extra_times": selectors.extra_times(study),
        "extra_form": ExtraMinutesForm(study),
        "remarks": remarks_of(study),
    }


@require_safe
@login_required
@never_cache
def answer(request: PersonRequest, pk: int) -> HttpResponse:
    """One answer; with its texts, and what can be done about it, while writing is open."""
    assignment = coordinated_answer(request, pk)
    context = {
        "study": assignment.study,
        "answer": answer_record.answer_page(assignment),
        "record": process_record(assignment),
        "rejected": rejected_answer(assignment) if takes_texts(assignment.study) else None,
        "actions": actions_for(assignment),
        "late_form": LateTextForm(),
    }
    return render(request, "writing/desk/writing_answer.html", context)


@require_safe
@login_required
@never_cache
def history(request: PersonRequest, pk: int) -> HttpResponse:
    """The text as it was after any save, while writing is open."""
    assignment = coordinated_answer(request, pk)
    if assignment.study.state != "writing":
        raise Http404
    save = request.GET.get("save", "")
    context = {
        "study": assignment.study,
        "answer": answer_record.answer_page(assignment),
        "version": answer_record.text_as_of(assignment, int(save) if save.isdecimal() else None),
    }
    return render(request, "writing/desk/writing_history.html", context)
