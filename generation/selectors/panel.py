"""What the panel has said of a study's answers, and how complete that is."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet

from annotation.models.judging import BlindedSlot
from annotation.models.studies import Study
from generation.core.panel import Scores
from generation.models.panel import PanelScore
from generation.models.runs import Call, GenerationRun


@dataclass(frozen=True)
class Setting:
    """A way in which the panel was asked. The newest run of its kind says with which wordings."""

    mode: str
    presentation: str
    template_version: str

    @property
    def label(self) -> str:
        run = GenerationRun(mode=self.mode, presentation=self.presentation)
        return f"{run.get_mode_display()}. {run.get_presentation_display()}"


@dataclass(frozen=True)
class Opinion:
    """One reply's scores of one answer. `judge` is the family of the model that gave them."""

    response: UUID
    judge: str
    perspective: str
    scores: Scores


def panel_settings(study: Study) -> list[Setting]:
    """Every way in which the panel was asked about the study, by the newest wording; the study's own mode first."""
    runs = GenerationRun.objects.filter(
        Exists(Call.objects.filter(run=OuterRef("pk"))), study=study, purpose="panel"
    )
    newest = runs.order_by("mode", "presentation", "-pk").distinct("mode", "presentation")
    settings = [Setting(*row) for row in newest.values_list("mode", "presentation", "template_version")]
    return sorted(settings, key=lambda setting: setting.mode != study.panel_mode)


def opinions(study: Study, setting: Setting) -> list[Opinion]:
    """Everything that was said in this setting."""
    scores = PanelScore.objects.filter(call__in=_calls(study, setting), response__isnull=False)
    rows = scores.order_by("response", "call").values_list(
        "response_id", "call__target__family", "call__perspective", "scores", "abstained", "mentioned"
    )
    return [
        Opinion(response, judge, perspective, Scores(values, abstained, tuple(mentioned)))
        for response, judge, perspective, values, abstained, mentioned in rows
    ]


def expected_opinions(study: Study, setting: Setting) -> Mapping[UUID, int]:
    """How many replies were asked for about each response, whatever became of them."""
    counts: dict[UUID, int] = defaultdict(int)
    calls = _calls(study, setting)
    for response in calls.filter(response__isnull=False).values_list("response_id", flat=True):
        counts[response] += 1
    shown = BlindedSlot.objects.filter(item__in=calls.values("item"))
    by_item: dict[int, list[UUID]] = defaultdict(list)
    for item, response in shown.values_list("item_id", "response_id"):
        by_item[item].append(response)
    for item in calls.filter(item__isnull=False).values_list("item_id", flat=True):
        for response in by_item[item]:
            counts[response] += 1
    return counts


def _calls(study: Study, setting: Setting) -> QuerySet[Call]:
    return Call.objects.filter(
        run__study=study,
        run__mode=setting.mode,
        run__presentation=setting.presentation,
        run__template_version=setting.template_version,
    )
