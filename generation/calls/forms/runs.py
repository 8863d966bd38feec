"""What a coordinator decides about a run: what it is to ask, and how much it may spend."""

from collections.abc import Mapping, Sequence
from decimal import ROUND_CEILING, Decimal
from typing import Any, Final

from django import forms

from annotation.study.models.protocol import PanelRules
from annotation.study.models.studies import Study
from generation.calls.models import GenerationRun
from generation.calls.services.purposes import PURPOSES
from generation.catalogue.models import Target
from generation.prompts.core.diversity import MIXED, STAGES
from generation.prompts.core.quality import SCHEMES
from generation.providers.catalogue import catalogue
from generation.sources.models import Source

Purpose = GenerationRun.Purpose


class PlanForm(forms.Form):
    """What a run is to ask of which of `models`. Its fields are arguments of `planning.plan_run`.

    `expected` is how many models the study's design has for this purpose, `None` where it does not say.
    `lacks_sources`: it would ask about sources, and the study draws on none.
    """

    purpose: Purpose
    expected_in = ""
    lacks_sources = False

    targets = forms.MultipleChoiceField(
        label="Models",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one model."},
    )
    uses_batches = forms.BooleanField(
        required=False,
        label="Send in batches, where the provider takes them",
        help_text="At half price, answered within a day rather than at once.",
    )

    def __init__(self, study: Study, targets: Sequence[Target], data: Any = None) -> None:
        super().__init__(data, auto_id=f"{self.purpose}-%s", initial=self.usual(study))
        self.expected: int | None = getattr(study, self.expected_in) if self.expected_in else None
        self.models = [target for target in targets if target.role == PURPOSES[self.purpose].role]
        self._offer("targets", [(target.pk, _named(target)) for target in self.models])

    @staticmethod
    def usual(study: Study) -> dict[str, Any]:  # noqa: ARG004
        """What the study's design says of the fields."""
        return {}

    def _offer(self, name: str, choices: list[tuple[int, str]]) -> None:
        """Let people choose among these; all of them, unless they take some away."""
        field: Any = self.fields[name]
        field.choices = choices
        field.initial = [key for key, _ in choices]

    @property
    def asked_for(self) -> dict[str, Any]:
        chosen = [target for target in self.models if str(target.pk) in self.cleaned_data["targets"]]
        return {**self.cleaned_data, "purpose": self.purpose, "targets": chosen}


def _named(target: Target) -> str:
    """With whether its answers may come in batches."""
    endpoint = catalogue().endpoints.get(target.provider)
    batches = " (takes batches)" if endpoint and endpoint.batches else ""
    return f"{target.family}, {target.model_id}{batches}"


class AnswersForm(PlanForm):
    purpose = Purpose.ANSWERS
    expected_in = "model_targets_expected"

    track = forms.ChoiceField(
        label="Which answers",
        choices=GenerationRun.Track.choices,
        initial=GenerationRun.Track.MATCHED,
        widget=forms.RadioSelect,
    )
    field_order = ("track", "targets", "uses_batches")


class PanelForm(PlanForm):
    purpose = Purpose.PANEL
    expected_in = "panel_judge_models"

    mode = forms.ChoiceField(
        label="What the panel gives", choices=PanelRules.PanelMode.choices, widget=forms.RadioSelect
    )
    presentation = forms.ChoiceField(
        label="What it sees",
        choices=GenerationRun.Presentation.choices,
        initial=GenerationRun.Presentation.ALONE,
        help_text="Does not matter for scores inferred from justifications: no answer is shown for those.",
        widget=forms.RadioSelect,
    )
    field_order = ("mode", "presentation", "targets", "uses_batches")

    @staticmethod
    def usual(study: Study) -> dict[str, Any]:
        return {"mode": study.panel_mode}

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        if cleaned.get("mode") == "inferred":
            cleaned["presentation"] = GenerationRun.Presentation.AS_JUDGED
        return cleaned


class PoolForm(PlanForm):
    """What a run about prompts that are to be is narrowed down to: `only` of `planning.plan_run`."""

    sources = forms.TypedMultipleChoiceField(
        coerce=int,
        label="Sources",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one source."},
    )
    field_order: Sequence[str] = ("sources", "targets", "uses_batches")
    narrows: Sequence[str] = ("sources",)

    def __init__(self, study: Study, targets: Sequence[Target], data: Any = None) -> None:
        super().__init__(study, targets, data)
        sources = Source.objects.filter(uses__study=study).order_by("uses").values_list("pk", "name")
        self._offer("sources", list(sources))
        self.lacks_sources = not sources

    @property
    def asked_for(self) -> dict[str, Any]:
        given = super().asked_for
        narrowed = {name: given.pop(name) for name in self.narrows}
        return {**given, "only": {name: value for name, value in narrowed.items() if value is not None}}

    def clean_sources(self) -> list[int]:
        return sorted(self.cleaned_data["sources"])


class PromptsForm(PoolForm):
    purpose = Purpose.PROMPTS

    scenarios = forms.IntegerField(
        required=False,
        min_value=1,
        label="Only so many scenarios of each source",
        help_text="All, if empty. A trial: a few, spread over the source's strata. A larger number adds to them.",
        widget=forms.NumberInput(attrs={"class": "short"}),
    )
    field_order = ("sources", "scenarios", "targets", "uses_batches")
    narrows = ("sources", "scenarios")


class QualityForm(PoolForm):
    purpose = Purpose.QUALITY

    scheme = forms.ChoiceField(label="Who votes", choices=list(SCHEMES.items()), widget=forms.RadioSelect)
    field_order = ("scheme", "sources", "targets", "uses_batches")
    narrows = ("scheme", "sources")

    @staticmethod
    def usual(study: Study) -> dict[str, Any]:
        return {"scheme": study.quality_voting}


class PairsForm(PoolForm):
    purpose = Purpose.PAIRS

    stage = forms.ChoiceField(label="What is compared", choices=list(STAGES.items()), widget=forms.RadioSelect)
    scheme = forms.ChoiceField(
        label="Which votes on quality count",
        choices=list(SCHEMES.items()),
        help_text="Does not matter before the quality filter.",
        widget=forms.RadioSelect,
    )
    mixed = forms.ChoiceField(
        label="Who compares prompts of two generators", choices=list(MIXED.items()), widget=forms.RadioSelect
    )
    field_order = ("stage", "scheme", "mixed", "sources", "targets", "uses_batches")
    narrows = ("stage", "scheme", "mixed", "sources")

    @staticmethod
    def usual(study: Study) -> dict[str, Any]:
        return {
            "stage": "after" if study.diversity_after_filter else "before",
            "scheme": study.quality_voting,
            "mixed": study.mixed_pair_evaluators,
        }


PLAN_FORMS: Final[Mapping[str, type[PlanForm]]] = {
    form.purpose: form for form in (PromptsForm, QualityForm, PairsForm, AnswersForm, PanelForm)
}


class CapForm(forms.Form):
    """The most a run may spend in all; `usual` is proposed, to the next cent."""

    spend_cap = forms.DecimalField(
        label="Spend at most, in $",
        min_value=0,
        max_digits=9,
        decimal_places=2,
        widget=forms.NumberInput(attrs={"class": "short"}),
    )

    def __init__(self, data: Any = None, *, usual: Decimal | None = None) -> None:
        super().__init__(data)
        if usual is not None:
            self.initial["spend_cap"] = usual.quantize(Decimal("0.01"), ROUND_CEILING)
