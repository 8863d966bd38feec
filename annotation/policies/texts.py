"""While texts may still enter a study or be decided about."""

from annotation.models.studies import Study


def takes_texts(study: Study) -> bool:
    """From the locked design until judging opens: after that, what judges see is fixed."""
    return study.state in ("writing", "assembling")
