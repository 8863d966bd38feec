"""What a coordinator says about a model, and a study's own wording of a template."""

from collections.abc import Collection, Mapping, Sequence
from itertools import count
from typing import Any, cast

from django import forms
from django.utils.formats import date_format

from annotation.platform.forms.fields import ShortNameField
from generation.catalogue.core.prompt_templates import MAX_CHARACTERS
from generation.catalogue.models import Target
from generation.catalogue.services.targets import listed_price
from generation.catalogue.services.templates import MAX_ORIGIN_LENGTH
from generation.providers.catalogue import catalogue
from generation.providers.core.catalogue import KnownModel
from generation.providers.core.prices import Price


class TemplateForm(forms.Form):
    text = forms.CharField(
        max_length=MAX_CHARACTERS,
        strip=False,
        label="Wording",
        widget=forms.Textarea(attrs={"rows": 16, "class": "mono", "spellcheck": "false"}),
    )
    origin = forms.CharField(
        max_length=MAX_ORIGIN_LENGTH,
        label="Where it comes from",
        help_text="For instance the paper and its page. Kept with the wording.",
    )


PRICES = ("input", "output")


def _as_seen(price: Price) -> str:
    """Where and when the table's price was read; "" where that is not known."""
    if price.seen is None:
        return ""
    where = "on its provider’s page" if price.official else "in a secondary source"
    return f", read {where} on {date_format(price.seen, 'j F Y')}"


def _providers() -> list[tuple[str, str]]:
    return [(name, endpoint.label) for name, endpoint in catalogue().endpoints.items()]


def _known_models() -> list[tuple[str, list[tuple[str, str]]]]:
    """Models of the catalogue under their provider's label."""
    return [
        (label, [(key(model), model.label) for model in catalogue().models if model.provider == name])
        for name, label in _providers()
    ]


def key(model: KnownModel) -> str:
    """How a form names a model of the catalogue."""
    return f"{model.provider} {model.model_id}"


class KnownModelForm(forms.Form):
    """A model of the catalogue to begin with."""

    known = forms.ChoiceField(
        label="A model this site knows",
        choices=lambda: [("", "Choose one"), *(group for group in _known_models() if group[1])],
        help_text="Fills in the form below with what the site knows about it. Nothing is saved yet.",
    )

    @property
    def model(self) -> KnownModel | None:
        """The chosen model; `None` where none was, or none of the catalogue."""
        chosen = self.cleaned_data["known"] if self.is_valid() else ""
        return next((model for model in catalogue().models if key(model) == chosen), None)


class TargetForm(forms.Form):
    role = forms.ChoiceField(label="What it does", widget=forms.RadioSelect)
    family = ShortNameField(
        max_length=40,
        label="Name",
        help_text=(
            "The model’s family, such as “claude”. Give a model that answers and a model of the panel the same name"
            " if they are of one family: the results then show whether the panel favours answers of its own family."
            " The name is published, beside prompts the model wrote and, once the study is unblinded, beside its"
            " answers."
        ),
    )
    provider = forms.ChoiceField(label="Provider", choices=lambda: [("", "Choose one"), *_providers()])
    model_id = forms.CharField(max_length=120, label="Model", help_text="The provider’s own name of it.")
    effort = forms.CharField(
        max_length=10, required=False, label="Effort", help_text="As the provider calls it. Empty: the study’s."
    )
    weak_temperature = forms.FloatField(
        min_value=0,
        max_value=2,
        required=False,
        label="Temperature of deliberately weak answers",
        help_text="Empty where the model takes none: it is then told to answer weakly.",
    )
    price_input = forms.DecimalField(min_value=0, required=False, label="Price of a million tokens it reads, in $")
    price_output = forms.DecimalField(
        min_value=0, required=False, label="Price of a million tokens it writes, in $"
    )
    options = forms.JSONField(
        required=False,
        initial=dict,
        label="Options",
        help_text="What only its provider understands, as JSON.",
        widget=forms.Textarea(attrs={"rows": 3, "class": "mono", "spellcheck": "false"}),
    )

    def __init__(self, roles: Sequence[tuple[str, str]], *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        cast(forms.ChoiceField, self.fields["role"]).choices = roles
        for name in PRICES:
            self.fields[f"price_{name}"].help_text = self._says_the_table(name)

    def _says_the_table(self, name: str) -> str:
        """What holds where no price is given, of the model that the form names."""
        provider, model = self["provider"].value(), self["model_id"].value()
        if not model or provider not in catalogue().endpoints:
            return "Empty: what the site’s price table says."
        price = listed_price(provider, model)
        if price is None:
            return "The site’s price table does not know this model, so its price is needed."
        return f"Empty: what the site’s price table says, ${getattr(price, name)}{_as_seen(price)}."

    def clean_options(self) -> dict[str, Any]:
        options = self.cleaned_data["options"] or {}
        if not isinstance(options, dict):
            raise forms.ValidationError('Write an object, such as {"name": "value"}.')
        return options

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        given = [name for name in PRICES if data.get(f"price_{name}") is not None]
        provider, model = data.get("provider"), data.get("model_id")
        if not given and provider and model and listed_price(provider, model) is None:
            self.add_error(
                "price_input", "What this model costs is not known here: say both prices, 0 for nothing."
            )
        if len(given) == 1:
            missing = next(name for name in PRICES if name not in given)
            self.add_error(f"price_{missing}", "Give both prices or none.")
        return data

    @property
    def fields_of_target(self) -> Mapping[str, Any]:
        """What the services take."""
        data = dict(self.cleaned_data)
        prices = {name: data.pop(f"price_{name}") for name in PRICES}
        is_priced = prices["input"] is not None
        return data | {"price": {name: str(price) for name, price in prices.items()} if is_priced else None}


def of_known(model: KnownModel, *, names: Collection[str]) -> dict[str, Any]:
    """What the form says of a model of the catalogue to begin with, under another name than these."""
    free = (name for number in count(2) if (name := f"{model.family[:36]}-{number}") not in names)
    return {
        "family": model.family if model.family not in names else next(free),
        "provider": model.provider,
        "model_id": model.model_id,
        "weak_temperature": model.weak_temperature,
        "options": dict(model.options),
    }


def of_target(target: Target) -> dict[str, Any]:
    """What the form says of a model as it is configured."""
    price = target.price or {}
    return {
        "role": target.role,
        "family": target.family,
        "provider": target.provider,
        "model_id": target.model_id,
        "effort": target.effort,
        "weak_temperature": target.weak_temperature,
        "options": target.options,
        **{f"price_{name}": price.get(name) for name in PRICES},
    }
