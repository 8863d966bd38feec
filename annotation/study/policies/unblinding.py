"""Once two researchers have agreed to unblind a study, who wrote what is no secret any more."""

from django.core.exceptions import PermissionDenied

from annotation.study.models.studies import Study


def is_unblinded(study: Study) -> bool:
    return study.state in ("unblinded", "released")


def check_unblinded(study: Study) -> None:
    if not is_unblinded(study):
        raise PermissionDenied(
            "This study is still blinded: sources are known only after two researchers have unblinded it."
        )
