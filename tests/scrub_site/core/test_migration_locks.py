"""Migrations that make people wait, or that the version before cannot run beside, are named."""

import pytest
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.migrations.operations.base import Operation

from scrub_site.database.migration_locks import LARGE, concerns

INDEX = models.Index(fields=["at"], name="by_time")
CHECK = models.CheckConstraint(name="later", condition=models.Q(at__gt=0))
TEXT = models.TextField


def told(*operations: Operation, rows: int = LARGE) -> list[str]:
    migration = migrations.Migration("0002_next", "annotation")
    vars(migration)["operations"] = list(operations)
    return list(concerns([migration], {"annotation_draft": rows}))


@pytest.mark.parametrize(
    "operation",
    [
        migrations.AddIndex("Draft", INDEX),
        migrations.AddConstraint("Draft", CHECK),
        migrations.AlterField("Draft", "text", models.CharField(max_length=9)),
        migrations.AddField("Draft", "key", TEXT(null=True, unique=True)),
        migrations.AddField("Draft", "by", models.ForeignKey("annotation.User", models.PROTECT, null=True)),
        migrations.SeparateDatabaseAndState([migrations.AddIndex("Draft", INDEX)]),
    ],
)
def test_what_reads_every_row_of_a_large_table_locks_it_and_of_a_small_one_does_not_matter(
    operation: Operation,
) -> None:
    [fault] = told(operation)
    assert fault.startswith("annotation.0002_next: ")
    assert fault.endswith("it locks annotation_draft, which has about 100,000 rows")
    assert told(operation, rows=LARGE - 1) == []


@pytest.mark.parametrize(
    "operation",
    [
        migrations.RemoveField("Draft", "text"),
        migrations.RenameField("Draft", "text", "words"),
        migrations.DeleteModel("Draft"),
        migrations.RenameModel("Draft", "Sketch"),
        migrations.AddField("Draft", "words", TEXT(default="")),
    ],
)
def test_what_the_version_before_would_miss_is_named_however_few_rows_there_are(operation: Operation) -> None:
    [fault] = told(operation, rows=0)
    assert "the version before" in fault


@pytest.mark.parametrize(
    "operation",
    [
        migrations.AddField("Draft", "words", TEXT(null=True)),
        migrations.AddField("Draft", "words", TEXT(db_default="")),
        AddIndexConcurrently("Draft", INDEX),
        migrations.AlterModelOptions("Draft", {"ordering": ("id",)}),
    ],
)
def test_what_only_adds_without_reading_is_no_concern(operation: Operation) -> None:
    assert told(operation) == []


def test_what_is_written_by_hand_is_to_be_read_and_a_new_table_is_nobodys_concern() -> None:
    assert "written by hand" in told(migrations.RunSQL("SELECT 1"))[0]
    fields: list[tuple[str, models.Field[object, object]]] = [
        ("id", models.BigAutoField(primary_key=True)),
        ("at", models.IntegerField()),
    ]
    assert told(migrations.CreateModel("Draft", fields), migrations.AddIndex("Draft", INDEX)) == []
