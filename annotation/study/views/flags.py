"""The page on which writers and judges point something out; each room brings what it is about."""

from collections.abc import Sequence

from django.http import HttpResponse
from django.shortcuts import render

from annotation.platform.core.errors import Refused
from annotation.platform.views import PersonRequest, asked_for, taken
from annotation.study.forms.flags import FlagForm
from annotation.study.models.participation import Participation
from annotation.study.policies.flags import check_may_flag
from annotation.study.selectors.flags import own_flags
from annotation.study.services import flags


def flag_page(
    request: PersonRequest,
    participation: Participation,
    prompt_version: int,
    *,
    answers: Sequence[tuple[str, str]] = (),
    about: str,
    address: str,
) -> HttpResponse:
    """The form, and once it is sent what was said.

    `answers` are letters with their texts, which must not be quoted. `about` and `address` lead back to the room.
    """
    data, labels = request.POST if request.method == "POST" else None, [label for label, _ in answers]
    form, obstacle = FlagForm(data, labels=labels, about=asked_for(request, "about")), ""
    try:
        check_may_flag(participation)
    except Refused as refusal:
        obstacle = str(refusal)

    def verb() -> None:
        flags.raise_flag(
            participation=participation,
            prompt_version=prompt_version,
            texts=[text for _, text in answers],
            by=request.user,
            **form.said,
        )

    is_sent = form.is_bound and not obstacle and taken(form, verb)
    context = {
        "study": participation.study,
        "form": form,
        "obstacle": obstacle,
        "is_sent": is_sent,
        "own": own_flags(participation, prompt_version),
        "about": about,
        "address": address,
    }
    return render(request, "study/flag.html", context, status=400 if form.is_bound and not is_sent else 200)
