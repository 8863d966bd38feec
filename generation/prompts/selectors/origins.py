"""Where a study's prompts come from, by name and in the order in which pages list them."""

from typing import Final

from django.db.models import QuerySet

from annotation.study.models.studies import Study
from generation.catalogue.models import Target
from generation.sources.models import Source

PUBLISHED: Final = "published"  # where models are that wrote the prompts of a pool; none is asked there


def sources(study: Study) -> QuerySet[Source]:
    """The sources that the study draws on."""
    return Source.objects.filter(uses__study=study).order_by("code")


def generators(study: Study) -> dict[int, str]:
    """The families of all models that ever wrote prompts for the study, by id; of those of a published pool, that
    they are of one where the study has a model of the same family.
    """
    targets = Target.objects.filter(study=study, role=Target.Role.PROMPTS).order_by("family", "pk")
    found = list(targets.values_list("pk", "family", "provider"))
    own = {family for _, family, provider in found if provider != PUBLISHED}
    return {
        pk: f"{family}, of a pool" if provider == PUBLISHED and family in own else family
        for pk, family, provider in found
    }
