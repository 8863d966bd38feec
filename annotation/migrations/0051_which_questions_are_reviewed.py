"""Which questions of a benchmark annotators review, and that these are annotators of its study, two for each.

A review names neither study nor role, so a trigger looks both up.
"""

import django.db.models.deletion
from django.db import migrations, models

REVIEWERS = """
CREATE FUNCTION annotation_check_reviewer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM annotation_question question
            JOIN annotation_story story ON story.id = question.story_id
            JOIN annotation_benchmark benchmark ON benchmark.id = story.benchmark_id
            JOIN annotation_participation annotator USING (study_id)
        WHERE question.id = NEW.question_id AND annotator.id = NEW.annotator_id AND annotator.role = 'annotator'
    ) THEN
        RAISE EXCEPTION 'a question is reviewed by annotators of its study' USING ERRCODE = 'foreign_key_violation';
    END IF;
    PERFORM FROM annotation_question WHERE id = NEW.question_id FOR NO KEY UPDATE;
    IF (
        SELECT count(*) FROM annotation_review
        WHERE question_id = NEW.question_id AND id IS DISTINCT FROM NEW.id
    ) > 1 THEN
        RAISE EXCEPTION 'a question is reviewed by two' USING ERRCODE = 'exclusion_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER review_by_two_annotators BEFORE INSERT OR UPDATE OF annotator_id, question_id ON annotation_review
    FOR EACH ROW EXECUTE FUNCTION annotation_check_reviewer();
"""
UNDONE = """
DROP TRIGGER review_by_two_annotators ON annotation_review;
DROP FUNCTION annotation_check_reviewer();
"""


class Migration(migrations.Migration):
    dependencies = [("annotation", "0050_marks")]

    operations = [
        migrations.CreateModel(
            name="DrawnQuestion",
            fields=[
                (
                    "question",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="drawn",
                        serialize=False,
                        to="annotation.question",
                    ),
                ),
                ("weight", models.FloatField()),
                (
                    "is_sampled",
                    models.BooleanField(help_text="Whether it is one of those that no model missed."),
                ),
                ("answer", models.TextField(blank=True)),
            ],
            options={
                "ordering": ("question",),
            },
        ),
        migrations.AddField(
            model_name="benchmark",
            name="never_missed_sampled",
            field=models.PositiveSmallIntegerField(
                default=10,
                db_default=10,
                help_text="Per cent of the questions that no model missed which are reviewed too.",
            ),
        ),
        migrations.AddField(
            model_name="benchmark",
            name="reviewed",
            field=models.CharField(
                choices=[
                    ("all", "All questions"),
                    ("missed", "What at least one model missed, and a random sample of the rest"),
                ],
                default="all",
                db_default="all",
                max_length=6,
            ),
        ),
        migrations.AddField(
            model_name="benchmark",
            name="shows_answers",
            field=models.BooleanField(
                default=False,
                db_default=False,
                help_text="Whether annotators see an answer that a model gave, where not all is reviewed.",
            ),
        ),
        migrations.AddConstraint(
            model_name="benchmark",
            constraint=models.CheckConstraint(
                condition=models.Q(("reviewed__in", ["all", "missed"])), name="benchmark_reviewed_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="benchmark",
            constraint=models.CheckConstraint(
                condition=models.Q(("shows_answers", False), ("reviewed", "missed"), _connector="OR"),
                name="benchmark_shows_answers_to_what_was_missed",
            ),
        ),
        migrations.AddConstraint(
            model_name="benchmark",
            constraint=models.CheckConstraint(
                condition=models.Q(("never_missed_sampled__gte", 1), ("never_missed_sampled__lte", 100)),
                name="benchmark_sample_is_a_share",
            ),
        ),
        migrations.AddConstraint(
            model_name="drawnquestion",
            constraint=models.CheckConstraint(
                condition=models.Q(("weight__gte", 1)), name="drawn_question_weighs_one_at_least"
            ),
        ),
        migrations.RunSQL(REVIEWERS, UNDONE),
    ]
