"""What writers and judges have pointed out, for the coordinator."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.coordination.selectors.flags import with_places
from annotation.platform.views import PersonRequest, attempt, person_posts
from annotation.study.forms.flags import SettleForm
from annotation.study.models.flags import Flag
from annotation.study.selectors.flags import flags_dealt_with, waiting_flags
from annotation.study.services import flags as services
from annotation.study.views.membership import coordinated


@require_safe
@login_required
@never_cache
def flags(request: PersonRequest, slug: str) -> HttpResponse:
    study = coordinated(request, slug)
    context = {
        "study": study,
        "waiting": with_places(waiting_flags(study)),
        "settled": with_places(flags_dealt_with(study)),
    }
    return render(request, "coordination/flags.html", context)


@person_posts
def settle(request: PersonRequest, pk: int) -> HttpResponse:
    flag = Flag.objects.filter(pk=pk).select_related("study").first()
    if flag is None:
        raise Http404
    coordinated(request, flag.study.slug)
    form = SettleForm(request.POST)
    note = form.cleaned_data["note"] if form.is_valid() else request.POST.get("note", "")[:1000]
    is_settled = attempt(request, lambda: services.deal_with(flag=flag, note=note, by=request.user))
    if is_settled:
        messages.success(request, "The flag is dealt with, and stands below with what you noted.")
    elif is_settled is not None:
        messages.warning(request, "This flag had been dealt with already. What was noted then stands below.")
    return redirect("flags", flag.study.slug)
