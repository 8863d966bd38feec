"""Where a study's prompts come from, by name and in the order in which pages list them."""

from django.db.models import QuerySet

from annotation.study.models.studies import Study
from generation.catalogue.models import Target
from generation.sources.models import Source


def sources(study: Study) -> QuerySet[Source]:
    """The sources that the study draws on."""
    return Source.objects.filter(uses__study=study).order_by("code")


def generators(study: Study) -> dict[int, str]:
    """The families of all models that ever wrote prompts for the study, by id."""
    targets = Target.objects.filter(study=study, role=Target.Role.PROMPTS).order_by("family", "pk")
    return dict(targets.values_list("pk", "family"))
