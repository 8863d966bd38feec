"""The models a study works with, as its coordinator configures them."""

from django.db.models import Exists, OuterRef, QuerySet

from annotation.study.models.studies import Study
from generation.calls.models import RunShare
from generation.catalogue.models import Target


def targets_of(study: Study) -> QuerySet[Target]:
    """The study's models at work, by role and family. `is_used`: a plan contains it, so that it stays as it is."""
    used = Exists(RunShare.objects.filter(target=OuterRef("pk")).exclude(run__state="withdrawn"))
    return Target.objects.filter(study=study, retired_at__isnull=True).annotate(is_used=used)


def retired_targets_of(study: Study) -> QuerySet[Target]:
    """Models that were in use and are not asked any more, newest first."""
    return Target.objects.filter(study=study, retired_at__isnull=False).order_by("-retired_at", "-pk")
