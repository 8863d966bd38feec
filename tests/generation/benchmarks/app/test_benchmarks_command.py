"""Models' part in an audit in one command: once, within the limit, and on from wherever it was left."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.benchmarks.models.benchmarks import Benchmark
from generation.benchmarks.models import Prediction
from generation.calls.models import Attempt
from generation.management.commands.benchmarks import AuditChain
from tests.factories import coordinator_of
from tests.generation.benchmarks.asked import an_asked_audit

pytestmark = pytest.mark.django_db


def benchmarks(benchmark: Benchmark, *arguments: str) -> str:
    said = StringIO()
    given = [benchmark.study.slug, "--at-most=100", f"--by={coordinator_of(benchmark.study).email}"]
    call_command("benchmarks", *given, *arguments, stdout=said)
    return said.getvalue()


def test_broken_off_it_goes_on_and_pays_for_nothing_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    benchmark = an_asked_audit(models=("claude",))
    with pytest.raises(CommandError, match=r"no such benchmark\. It has: ToMi"):
        benchmarks(benchmark, "--benchmark=Other")
    have_done, steps = AuditChain.have_done, []

    def breaks(chain: AuditChain, *given: object, **named: object) -> None:
        steps.append(given)
        if len(steps) == 2:
            raise KeyboardInterrupt
        have_done(chain, *given, **named)  # type: ignore[arg-type]

    with monkeypatch.context() as broken:
        broken.setattr(AuditChain, "have_done", breaks)
        with pytest.raises((KeyboardInterrupt, CommandError)):
            benchmarks(benchmark)
    assert Prediction.objects.filter(mode="singly").count() == 6
    said = benchmarks(benchmark)
    assert "ToMi, history: 6 replies" in said
    assert Prediction.objects.filter(mode="history").count() == 6
    benchmarks(benchmark)
    assert Attempt.objects.count() == 12
