"""The steps of an audit of benchmarks that are people's, for its checklist."""

from collections.abc import Iterator
from typing import Final

from annotation.benchmarks.selectors.progress import AuditAmounts
from annotation.coordination.core.checklist import Amount, Duty
from annotation.platform.core.phrases import counted

COORDINATOR: Final = "Coordinator"
PAGE: Final = "benchmarks"


def before_locking(found: AuditAmounts) -> Iterator[Duty]:
    yield Duty(
        title="Read the benchmarks in",
        who=COORDINATOR,
        begins="design",
        ends="writing",
        page=PAGE,
        is_settled=found.benchmarks > 0,
        note=f"{counted(found.benchmarks, 'benchmark')}, {counted(found.questions, 'question')}",
    )


def after_locking(found: AuditAmounts) -> Iterator[Duty]:
    yield Duty(title="Open the audit", who=COORDINATOR, begins="writing", ends="judging", page="preflight")

    def step(title: str, who: str, done: int, total: int, noun: str) -> Duty:
        return Duty(
            title=title,
            who=who,
            begins="judging",
            ends="closed",
            page=PAGE,
            is_settled=0 < total == done,
            amount=Amount(done, total, noun),
        )

    yield step("Annotate", "Annotators", found.reviewed, found.reviews, "review")
    yield step("Open adjudication", COORDINATOR, found.opened, found.benchmarks, "benchmark")
    yield step("Rule on what is disputed", "Adjudicator", found.ruled, found.rulings, "ruling")
    yield step("Freeze the subsets", COORDINATOR, found.frozen, found.benchmarks, "benchmark")
    if found.marks:
        yield step("Mark answers", "Annotators and adjudicator", found.marked, found.marks, "mark")
