"""Bringing benchmarks into a study, while it is being designed."""

import gzip
import hashlib
import io
import zlib
from collections.abc import Mapping, Sequence
from typing import BinaryIO, Final

from django.db import transaction

from annotation.benchmarks.core import layouts
from annotation.benchmarks.core.findings import findings
from annotation.benchmarks.core.items import Reading
from annotation.benchmarks.core.items import Story as ReadStory
from annotation.benchmarks.core.layouts import LAYOUTS, Files, LayoutName
from annotation.benchmarks.models import Benchmark, MechanicalFinding, Question, Story
from annotation.platform.core.errors import Refused
from annotation.platform.core.lifecycle import STUDY
from annotation.platform.core.limits import BENCHMARK_BYTES
from annotation.platform.core.line_files import BrokenFile
from annotation.platform.core.text import clean
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.study.models.studies import Study
from annotation.study.policies.roles import check_coordinator
from annotation.study.services import studies

ROWS_AT_ONCE: Final = 2_000


@transaction.atomic
def add_benchmark(
    *,
    study: Study,
    name: str,
    layout: LayoutName,
    files: Files,
    by: User,
    mapping: Mapping[str, str] | None = None,
    max_bytes: int = BENCHMARK_BYTES,
) -> Benchmark:
    """Read a benchmark into a study in design, with what is found in it by rule.

    Raises `Refused` for a name that the study has, and where anything is wrong with a file: then nothing is kept.
    """
    _check_designing(study, by)
    name = " ".join(clean(name).split())
    if Benchmark.objects.filter(study=study, name=name).exists():
        raise Refused(f"The study has a benchmark called “{name}” already.", field="name")
    unpacked = {slot: _unpacked(*file, max_bytes) for slot, file in files.items()}
    reading = layouts.read(LAYOUTS[layout], unpacked, mapping)
    _check_whole(unpacked["questions"][0], reading)
    benchmark = Benchmark.objects.create(
        study=study,
        name=name,
        layout=layout,
        files=[
            {"slot": slot, "name": file, "sha256": _sha256(stream)} for slot, (file, stream) in unpacked.items()
        ],
        mapping=dict(mapping or {}),
        lacking=list(reading.lacking),
        added_by=by,
    )
    questions = _keep(benchmark, reading.stories)
    audit.record(
        verb=AuditVerb.BENCHMARK_ADDED,
        by=by,
        study=study,
        subject=name,
        layout=layout,
        files=benchmark.files,
        stories=len(reading.stories),
        questions=questions,
    )
    return benchmark


@transaction.atomic
def remove_benchmark(*, benchmark: Benchmark, by: User) -> None:
    """Take a benchmark out of a study in design."""
    _check_designing(benchmark.study, by)
    audit.record(
        verb=AuditVerb.BENCHMARK_REMOVED,
        by=by,
        study=benchmark.study,
        subject=benchmark.name,
        files=benchmark.files,
    )
    benchmark.delete()


def _check_designing(study: Study, by: User) -> None:
    check_coordinator(by, study)
    studies.lock_for_update(study)
    if study.state != STUDY.initial:
        raise Refused("The design is locked, so benchmarks stay as they are.")


def _unpacked(name: str, stream: BinaryIO, most: int) -> tuple[str, BinaryIO]:
    """A file without its compression, whole in memory; refused where it has more than `most` bytes."""
    is_packed = name.endswith(".gz")
    try:
        data = (gzip.GzipFile(fileobj=stream) if is_packed else stream).read(most + 1)
    except (gzip.BadGzipFile, EOFError, zlib.error) as fault:
        raise Refused(f"{name}: the gzip data are damaged ({fault}).") from fault
    if len(data) > most:
        raise Refused(
            f"{name} has more than {most / 1_000_000:,.0f} MB{' unpacked' * is_packed}. On the server, the command "
            "import_benchmark reads files of any size."
        )
    return name.removesuffix(".gz"), io.BytesIO(data)


def _sha256(stream: BinaryIO) -> str:
    stream.seek(0)
    return hashlib.sha256(stream.read()).hexdigest()


def _check_whole(name: str, reading: Reading) -> None:
    """Raise `BrokenFile` with the first problems, in the order of their lines."""
    if reading.problems:
        problems = sorted(reading.problems, key=lambda problem: problem.line or 0)
        raise BrokenFile(name, problems)


def _keep(benchmark: Benchmark, read: Sequence[ReadStory]) -> int:
    """Store stories, questions and findings; returns the number of questions."""
    stories = Story.objects.bulk_create(
        [
            Story(
                benchmark=benchmark,
                number=number,
                key=story.key,
                text=story.text,
                kind=story.kind,
                source=story.source,
                cluster=story.cluster,
            )
            for number, story in enumerate(read, start=1)
        ],
        batch_size=ROWS_AT_ONCE,
    )
    asked = sorted(
        ((question, story) for found, story in zip(read, stories, strict=True) for question in found.questions),
        key=lambda pair: pair[0].line,
    )
    questions = Question.objects.bulk_create(
        [
            Question(
                story=story,
                number=number,
                text=question.text,
                options=list(question.options),
                gold=question.gold,
                gold_option=question.gold_option,
                kind=question.kind,
                line=question.line,
                raw=dict(question.raw),
            )
            for number, (question, story) in enumerate(asked, start=1)
        ],
        batch_size=ROWS_AT_ONCE,
    )
    by_line = {question.line: question for question in questions}
    MechanicalFinding.objects.bulk_create(
        [
            MechanicalFinding(question=by_line[finding.line], kind=finding.kind, text=finding.text)
            for finding in findings(read, benchmark.layout)
        ],
        batch_size=ROWS_AT_ONCE,
    )
    return len(questions)
