"""Votes of a model that was replaced stand until its successor's come; two prompts are shown in either order."""

from typing import Any

from django.db import migrations, models
from django.db.models import Exists, F, OuterRef, Q

STANDS = models.BooleanField(
    default=True, help_text="Until the model that took this one's place has voted on the same."
)


def let_newest_stand(apps: Any, _schema_editor: Any) -> None:
    """Of every two models of one name in a study the later one's votes stand."""
    for model, same in (("QualityVote", ["candidate"]), ("PairVote", ["first", "second"])):
        votes = apps.get_model("generation", model).objects
        successors = votes.filter(
            **{name: OuterRef(name) for name in same},
            target__study=OuterRef("target__study"),
            target__family=OuterRef("target__family"),
            target__gt=OuterRef("target"),
        )
        votes.filter(Exists(successors)).update(stands=False)


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0049_order_of_pairs"),
        ("generation", "0020_predictions"),
    ]

    operations = [
        migrations.AddField(model_name="qualityvote", name="stands", field=STANDS),
        migrations.AddField(model_name="pairvote", name="stands", field=STANDS.clone()),
        migrations.RunPython(let_newest_stand, migrations.RunPython.noop, elidable=True),
        migrations.AddField(
            model_name="pairvote",
            name="is_swapped",
            field=models.BooleanField(default=False, help_text="The second stood before the first."),
        ),
        migrations.RemoveConstraint(model_name="pairvote", name="pair_vote_of_target_unique"),
        migrations.AddConstraint(
            model_name="pairvote",
            constraint=models.UniqueConstraint(
                fields=["first", "second", "target", "is_swapped"], name="pair_vote_of_target_unique"
            ),
        ),
        migrations.RemoveConstraint(model_name="call", name="call_beside_in_order"),
        migrations.AddConstraint(
            model_name="call",
            constraint=models.CheckConstraint(
                condition=Q(beside__isnull=True) | ~Q(candidate=F("beside")), name="call_beside_is_another"
            ),
        ),
    ]
