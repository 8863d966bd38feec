"""What models do in an audit of benchmarks, as steps of its checklist."""

from collections.abc import Iterator

from annotation.benchmarks.selectors.progress import audit_amounts, reviews_missed
from annotation.coordination.core.checklist import Duty
from annotation.platform.core.phrases import counted, listed
from annotation.study.models.studies import Study
from generation.calls.models import GenerationRun
from generation.calls.selectors.steps import step_of_runs
from generation.catalogue.models import Target


def steps_of_audits(study: Study) -> Iterator[Duty]:
    """The steps of an audit from models to their answers; nothing where the study is of another kind."""
    if not study.audits_benchmarks:
        return
    models = Target.objects.filter(study=study, role=Target.Role.ANSWERS, retired_at__isnull=True).count()
    yield Duty(
        title="Say which models answer",
        who="Coordinator",
        begins="design",
        ends="released",
        page="study_models",
        is_settled=models > 0,
        note=counted(models, "model"),
    )
    yield step_of_runs(
        study,
        GenerationRun.Purpose.PREDICTION,
        title="Have the models answer the questions",
        begins="writing",
        ends="released",
        page="benchmarks",
        noun="answer",
    )
    if reviews_missed(study):
        undrawn = audit_amounts(study).undrawn
        yield Duty(
            title="Draw the questions that are reviewed",
            who="Coordinator",
            begins="writing",
            ends="judging",
            page="benchmarks",
            is_settled=not undrawn,
            note=f"not drawn of {listed(undrawn)}" if undrawn else "",
        )
