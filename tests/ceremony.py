"""A ceremony under way: asking for unblinding, what it changes, releases, and labels that do not fit any more."""

from typing import Any

from analysis.ceremony.models import UnblindingRequest
from analysis.ceremony.services import ceremony
from analysis.frozen.models import Freeze
from analysis.release.models import Release
from analysis.release.services import releases
from annotation.judging.models.judging import BlindedSlot, JudgingItem
from annotation.study.models.studies import Study
from annotation.texts.models.seeds import StudySeed
from tests.factories import an_unblinded_study, researchers_of
from tests.remembered import remembered


def asked(study: Study) -> UnblindingRequest:
    return ceremony.request_unblinding(study=study, reason="All is in.", by=researchers_of(study)[0])


def prepared(study: Study, k: int = 2) -> Release:
    """A release that the first researcher asked for, built."""
    release = releases.prepare_release(study=study, k=k, by=researchers_of(study)[0])
    releases.build(release.pk)
    release.refresh_from_db()
    return release


def published(study: Study, k: int = 2) -> Release:
    return releases.publish_release(release=prepared(study, k), by=researchers_of(study)[0])


@remembered
def a_prepared_release(*sizes: int, k: int = 2, **parameters: Any) -> Release:
    """The first release of an unblinded study of these sizes, built."""
    return prepared(an_unblinded_study(*sizes, **parameters), k)


@remembered
def a_published_release(*sizes: int, **parameters: Any) -> Release:
    """The first release of an unblinded study of these sizes, published."""
    release = a_prepared_release(*sizes, **parameters)
    return releases.publish_release(release=release, by=researchers_of(release.study)[0])


def state_of(study: Study) -> tuple[Any, ...]:
    """All that the ceremony changes."""
    study.refresh_from_db()
    seed = StudySeed.objects.get(study=study)
    decisions = list(UnblindingRequest.objects.filter(study=study).values_list("decision", "decided_by"))
    releases = Release.objects.filter(study=study).count()
    return study.state, Freeze.objects.filter(study=study).exists(), seed.revealed_at, decisions, releases


def labels_swapped(study: Study) -> JudgingItem:
    """Labels A and B of one item are exchanged; the scores stay with their answers."""
    item = JudgingItem.objects.filter(study=study).order_by("pk")[0]
    first, second = BlindedSlot.objects.filter(item=item, label__in="AB").order_by("label")
    for slot, label in ((first, "H"), (second, "A"), (first, "B")):
        BlindedSlot.objects.filter(pk=slot.pk).update(label=label)
    return item
