"""Once two researchers have agreed to unblind a study, who wrote what is no secret any more."""

from annotation.models.studies import Study


def is_unblinded(study: Study) -> bool:
    return study.state in ("unblinded", "released")
