"""What a coordinator decides about a run: what it is to ask, and how much it may spend."""

from collections.abc import Sequence
from decimal import ROUND_CEILING, Decimal
from typing import Any

from django import forms

from annotation.study.models.studies import Study
from generation.calls.models import GenerationRun
from generation.calls.services.purposes import purpose_named
from generation.catalogue.models import Target
from generation.providers.catalogue import catalogue


class PlanForm(forms.Form):
    """What a run is to ask of which of `models`. Its fields are arguments of `planning.plan_run`.

    `expected` is how many models the study's design has for this purpose, `None` where it does not say.
    `lacks_sources`: it would ask about sources, and the study has none for it; `without_sources` says so.
    """

    purpose: GenerationRun.Purpose
    expected_in = ""
    lacks_sources = False
    without_sources = "The study draws on no source yet."

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
        self.models = [target for target in targets if target.role == purpose_named(self.purpose).role]
        self.offer("targets", [(target.pk, _named(target)) for target in self.models])

    @staticmethod
    def usual(study: Study) -> dict[str, Any]:  # noqa: ARG004
        """What the study's design says of the fields."""
        return {}

    def offer(self, name: str, choices: list[tuple[int, str]]) -> None:
        """Let people choose among these; all of them, unless they take some away."""
        field: Any = self.fields[name]
        field.choices = choices
        field.initial = [key for key, _ in choices]

    @property
    def asked_for(self) -> dict[str, Any]:
        chosen = [target for target in self.models if str(target.pk) in self.cleaned_data["targets"]]
        return {**self.cleaned_data, "purpose": self.purpose, "targets": chosen}


def _named(target: Target) -> str:
    """The target's name, with whether its answers may come in batches."""
    endpoint = catalogue().endpoints.get(target.provider)
    batches = " (takes batches)" if endpoint and endpoint.batches else ""
    return f"{target.family}, {target.model_id}{batches}"


PLAN_FORMS: dict[str, type[PlanForm]] = {}
"""By purpose, in the order in which they are offered."""


def add_plan_form(form: type[PlanForm]) -> None:
    """Offer runs for one more purpose."""
    PLAN_FORMS[form.purpose] = form


class SettlingForm(forms.Form):
    """What was billed for requests whose costs are assumed."""

    billed = forms.DecimalField(
        label="Billed for these, in $",
        min_value=0,
        max_digits=9,
        decimal_places=2,
        widget=forms.NumberInput(attrs={"class": "short"}),
    )


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
