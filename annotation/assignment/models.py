"""When work was given out and to whom, and how it changed hands since."""

from typing import Final

from django.db import models
from django.db.models.functions import Now

from annotation.assignment.core.repair_plan import JUDGING, WRITING
from annotation.platform.models.fields import one_of

TASKS: Final = (WRITING, JUDGING)


class WorkGivenOut(models.Model):
    """The record that the work of a task was given out, once for each task of a study.

    `people` are those who could take some, with their limits and preferences of that moment, as
    `annotation.assignment.core.preferences` keeps them.
    """

    study = models.ForeignKey("annotation.Study", on_delete=models.PROTECT, related_name="+")
    task = models.CharField(max_length=7)
    at = models.DateTimeField(db_default=Now())
    people = models.JSONField(default=list)

    class Meta:
        ordering = ("id",)
        constraints = [
            models.UniqueConstraint(fields=["study", "task"], name="work_given_out_once"),
            one_of("task", TASKS, name="work_given_out_task_known"),
        ]

    def __str__(self) -> str:
        return f"{self.task} of {self.study_id}"


class AssignmentRepair(models.Model):
    """A repair that was made: its plan by its digest, the moves, and the people as the plan found them."""

    study = models.ForeignKey("annotation.Study", on_delete=models.PROTECT, related_name="+")
    task = models.CharField(max_length=7)
    at = models.DateTimeField(db_default=Now())
    reason = models.TextField()
    digest = models.CharField(max_length=64)
    moves = models.JSONField(default=list)
    people = models.JSONField(default=list)

    class Meta:
        ordering = ("id",)
        constraints = [
            models.UniqueConstraint(fields=["study", "digest"], name="assignment_repair_made_once"),
            one_of("task", TASKS, name="assignment_repair_task_known"),
        ]

    def __str__(self) -> str:
        return f"repair of {self.task} of {self.study_id}"
