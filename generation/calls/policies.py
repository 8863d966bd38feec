"""What may be told of calls to models before a study is unblinded."""

from annotation.study.policies.unblinding import is_unblinded
from generation.calls.models import GenerationRun


def is_blinded(run: GenerationRun) -> bool:
    """Whether what single calls of the run asked, got and took would tell now whose text is whose."""
    if run.purpose not in GenerationRun.ABOUT_ANSWERS:
        return False
    return run.study is None or not is_unblinded(run.study)
