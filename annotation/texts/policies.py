"""How long texts may still enter a study or be decided about."""

from annotation.study.models.studies import Study
from annotation.study.policies.unblinding import is_unblinded
from annotation.texts.models.provenance import Arm


def takes_texts(study: Study) -> bool:
    """Whether texts may enter, from the locked design until judging opens: after that, what judges see is fixed."""
    return study.state in ("writing", "assembling")


def takes_text(study: Study, arm: Arm) -> bool:
    """An answer that no judge will see may come until the study is released, any other while it `takes_texts`."""
    if arm == Arm.MAXIMUM:
        return study.state not in ("design", "released")
    return takes_texts(study)


def shows_edits(study: Study) -> bool:
    """Whether edits are shown: as long as texts are decided about, and again once the study is unblinded."""
    return takes_texts(study) or is_unblinded(study)
