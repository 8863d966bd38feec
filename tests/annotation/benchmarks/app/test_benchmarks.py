"""A study's benchmarks: read in whole or not at all, looked through, and removed while the study is designed."""

import io
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotation.benchmarks.core.contents import read_contents
from annotation.benchmarks.models.benchmarks import Benchmark, MechanicalFinding, Question, Story
from annotation.benchmarks.services import benchmarks as services
from annotation.platform.core.errors import Refused
from annotation.platform.models.audit import AuditEvent
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from tests.annotation.benchmarks.tomi_stories import (
    ANSWERS,
    FALSE_BELIEF,
    PAUL_LOOKS,
    SWAPPED,
    a_benchmark,
    as_generated,
)
from tests.clients import signed_in
from tests.factories import a_member, a_study, coordinator_of, locked

pytestmark = pytest.mark.django_db


def page(study: Study, address: str, *arguments: object, **query: str) -> str:
    answer = signed_in(coordinator_of(study)).get(reverse(address, args=[study.slug, *arguments]), query)
    assert answer.status_code == 200
    return answer.content.decode()


def post(study: Study, address: str, *arguments: object, **fields: object) -> Any:
    return signed_in(coordinator_of(study)).post(
        reverse(address, args=[study.slug, *arguments]), fields, follow=True
    )


def test_a_benchmark_is_read_with_what_is_found_in_it() -> None:
    study = a_study()
    answer = post(study, "benchmark_add", "tomi", name="ToMi", questions=SimpleUploadedFile("test.txt", SWAPPED))
    assert answer.status_code == 200
    assert "ToMi was read: 6 questions about 1 story, 1 finding." in answer.content.decode()
    assert Question.objects.filter(story__benchmark__study=study).count() == 6
    finding = MechanicalFinding.objects.get()
    assert (finding.kind, finding.question.text) == ("label", PAUL_LOOKS)
    assert finding.text in answer.content.decode()


def test_a_broken_file_leaves_nothing_and_names_its_lines() -> None:
    study = a_study()
    broken = SimpleUploadedFile("test.txt", b"Nora\n1 Nora entered the attic.\n")
    answer = post(study, "benchmark_add", "tomi", name="ToMi", questions=broken)
    assert answer.status_code == 400
    assert "line 1: this does not begin with a number" in answer.content.decode()
    assert not Benchmark.objects.exists()
    assert not Story.objects.exists()


def test_one_name_stands_for_one_benchmark_of_a_study() -> None:
    study = a_study()
    a_benchmark(study)
    with pytest.raises(Refused, match="already"):
        a_benchmark(study, name=" ToMi ")
    a_benchmark(a_study("another"))


def test_a_locked_study_keeps_its_benchmarks_as_they_are() -> None:
    study = a_study()
    benchmark = a_benchmark(study)
    locked(study)
    with pytest.raises(Refused, match="locked"):
        a_benchmark(study, name="another")
    with pytest.raises(Refused, match="locked"):
        services.remove_benchmark(benchmark=benchmark, by=coordinator_of(study))


def test_only_a_coordinator_of_the_study_reads_a_benchmark_in() -> None:
    study = a_study()
    judge = a_member(study, Role.JUDGE).user
    contents = read_contents("tomi", {"questions": ("test.txt", io.BytesIO(SWAPPED))})
    with pytest.raises(PermissionDenied):
        services.add_benchmark(study=study, name="ToMi", contents=contents, by=judge)


def test_a_removed_benchmark_is_gone_with_its_stories_and_stands_in_the_trail() -> None:
    study = a_study()
    post(study, "benchmark_remove", a_benchmark(study).pk)
    assert not Question.objects.exists()
    verbs = AuditEvent.objects.filter(study=study, subject="ToMi").order_by("id").values_list("verb", flat=True)
    assert list(verbs) == ["benchmark.added", "benchmark.removed"]


def test_questions_are_found_by_finding_kind_and_words() -> None:
    study = a_study()
    pk = a_benchmark(study).pk
    with_finding = page(study, "benchmark", pk, finding="label")
    assert PAUL_LOOKS in with_finding
    assert "Where is the kite really?" not in with_finding
    assert "Where is the kite really?" in page(study, "benchmark", pk, kind="reality")
    assert "No question matches." in page(study, "benchmark", pk, words="submarine")


def test_a_sound_benchmark_says_that_nothing_was_found() -> None:
    study = a_study()
    benchmark = a_benchmark(study, as_generated(FALSE_BELIEF, ANSWERS))
    assert "every label follows from its story" in " ".join(page(study, "benchmark", benchmark.pk).split())


@pytest.mark.parametrize(
    ("golds", "told"),
    [
        ("A two A", ["by letter: 2", "by words: 1"]),
        ("0 1 1", ["by number, counted from 0: 3"]),
        ("2 9 2", ["by number, counted from 1: 2", "not among the options: 1"]),
    ],
)
def test_a_table_says_how_its_right_answers_were_taken(golds: str, told: list[str]) -> None:
    study = a_study()
    table = "".join(("question,gold,options\n", *(f"Why?,{gold},one;two\n" for gold in golds.split())))
    contents = read_contents("table", {"questions": ("t.csv", io.BytesIO(table.encode()))})
    benchmark = services.add_benchmark(study=study, name="Own", contents=contents, by=coordinator_of(study))
    shown = " ".join(page(study, "benchmark", benchmark.pk).split())
    assert all(f"<dd> {each} </dd>" in shown for each in told)


def test_a_story_stands_with_all_its_questions_and_right_answers() -> None:
    study = a_study()
    shown = page(study, "benchmark_story", a_benchmark(study).pk, 1)
    assert "3 The kite is in the trunk." in shown
    assert all(question in shown for question in ANSWERS)


def test_a_story_of_another_study_is_not_found() -> None:
    benchmark = a_benchmark(a_study("another"))
    study = a_study()
    client = signed_in(coordinator_of(study))
    for address in ("benchmark", "benchmark_story"):
        arguments = [study.slug, benchmark.pk, *([1] if address == "benchmark_story" else [])]
        assert client.get(reverse(address, args=arguments)).status_code == 404


def test_the_command_reads_a_file_in_and_counts_what_it_found(tmp_path: Path) -> None:
    study = a_study()
    file = tmp_path / "test.txt"
    file.write_bytes(SWAPPED)
    output = io.StringIO()
    email = coordinator_of(study).email
    call_command("import_benchmark", study.slug, "tomi", str(file), by=email, stdout=output)
    assert output.getvalue().split()[:6] == ["6", "questions", "about", "1", "stories", "1"]
    with pytest.raises(CommandError, match="Nothing was stored"):
        call_command("import_benchmark", study.slug, "tomi", str(file), by=email)
