"""What the panel has said of a study's answers, and how complete that is."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.judging.models.judging import BlindedSlot
from annotation.study.models.studies import Study
from generation.calls.models import Call, GenerationRun
from generation.catalogue.models import Target
from generation.panel.core.panel import Scores
from generation.panel.core.perspectives import PERSPECTIVES
from generation.panel.models import PanelScore
from generation.panel.selectors.panel_subjects import items_read, judged_items, scored_texts


@dataclass(frozen=True)
class Setting:
    """A way in which the panel was asked. The newest run of its kind with scores says with which wordings."""

    mode: str
    presentation: str
    template_version: str

    @property
    def is_about_items(self) -> bool:
        return self.presentation == GenerationRun.Presentation.AS_JUDGED

    @property
    def seats(self) -> int:
        """Replies of a judge about each text or item: justifications are read, not judged, so once."""
        return 1 if self.mode == "inferred" else len(PERSPECTIVES)

    @property
    def label(self) -> str:
        run = GenerationRun(mode=self.mode, presentation=self.presentation)
        mode = run.get_mode_display()
        return mode if self.mode == "inferred" else f"{mode}. {run.get_presentation_display()}"


class Opinion(NamedTuple):
    """One reply's scores of one answer. `judge` is the id of the target that gave them.

    `person` is the pseudonym of the judge whose item or words it is about, "" where it is about a text alone.
    """

    response: UUID
    judge: int
    person: str
    perspective: str
    scores: Scores


@dataclass(frozen=True)
class _Judges:
    """A study's judge models, the retired ones among them."""

    standing: Collection[int]
    retired: Sequence[int]  # the last to go first
    wanted: int

    def heard(self, judges: Collection[int]) -> Collection[int]:
        """Whose words count of those who said something of the same: what a retired model said stands until as many
        others have said it as the panel has members.
        """
        standing = [judge for judge in judges if judge in self.standing]
        retired = [judge for judge in self.retired if judge in judges]
        return {*standing, *retired[: max(0, self.wanted - len(standing))]}


def all_judges(study: Study) -> QuerySet[Target]:
    """The models that are or were on the study's panel."""
    return Target.objects.filter(study=study, role=Target.Role.PANEL)


def standing_judges(study: Study) -> QuerySet[Target]:
    """The models on the study's panel, without those retired from it; each has a name of its own."""
    return all_judges(study).filter(retired_at__isnull=True)


def panel_settings(study: Study) -> list[Setting]:
    """Every way in which the panel has given scores, by the newest wording; the study's own mode first."""
    runs = GenerationRun.objects.filter(
        Exists(PanelScore.objects.filter(call__run=OuterRef("pk"))), study=study, purpose="panel"
    )
    newest = runs.order_by("mode", "presentation", "-pk").distinct("mode", "presentation")
    settings = [Setting(*row) for row in newest.values_list("mode", "presentation", "template_version")]
    return sorted(settings, key=lambda setting: setting.mode != study.panel_mode)


def opinions(study: Study, setting: Setting) -> list[Opinion]:
    """What judges said in this setting of texts, and of items that still count; a retired one until others have."""
    said = _everything_said(study, setting)
    judges: defaultdict[tuple[UUID, str, str], list[int]] = defaultdict(list)
    for each in said:
        judges[each.response, each.person, each.perspective].append(each.judge)
    panel = _judges(study)
    heard = {what: panel.heard(who) for what, who in judges.items()}
    return [each for each in said if each.judge in heard[each.response, each.person, each.perspective]]


def _judges(study: Study) -> _Judges:
    models = all_judges(study).order_by("-retired_at", "-pk").values_list("pk", "retired_at")
    standing = {pk for pk, retired_at in models if retired_at is None}
    return _Judges(standing, [pk for pk, _ in models if pk not in standing], study.panel_judge_models)


def _everything_said(study: Study, setting: Setting) -> list[Opinion]:
    calls = Call.objects.filter(
        Q(item__isnull=True) | Q(item__in=judged_items(study)),
        run__study=study,
        run__mode=setting.mode,
        run__presentation=setting.presentation,
        run__template_version=setting.template_version,
    )
    scores = PanelScore.objects.filter(call__in=calls, response__isnull=False)
    rows = scores.order_by("response", "call").values_list(
        "response_id",
        "call__target",
        "call__item__participation__pseudonym",
        "call__perspective",
        "scores",
        "abstained",
        "mentioned",
        "reasons",
    )
    return [
        Opinion(response, judge, person or "", perspective, Scores(values, abstained, tuple(mentioned), reasons))
        for response, judge, person, perspective, values, abstained, mentioned, reasons in rows
    ]


def expected_opinions(study: Study, setting: Setting) -> Mapping[UUID, int]:
    """How many replies the design wants about each response, whether they were asked for or not."""
    if setting.is_about_items:
        shown = BlindedSlot.objects.filter(item__in=items_read(study, setting.mode))
        times = Counter(shown.values_list("response_id", flat=True))
    else:
        times = Counter(scored_texts(study).values_list("response_id", flat=True))
    replies = study.panel_judge_models * setting.seats
    return {response: number * replies for response, number in times.items()}
