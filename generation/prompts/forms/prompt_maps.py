"""Asking for a map of prompts, and what of one is shown."""

from collections.abc import Mapping
from itertools import product
from typing import Any

from django import forms

from annotation.study.models.studies import Study
from generation.prompts.core.map_picture import Shown
from generation.prompts.core.prompt_map import Drawing
from generation.prompts.providers.embeddings import LEXICAL, PCA, Method, Projection, methods, projections
from generation.prompts.selectors.prompt_maps import sources_with_prompts
from generation.prompts.services.prompt_maps import expected_cost
from generation.providers.core.money import at_least
from generation.sources.models import Source


def _ready(known: Mapping[str, Method] | Mapping[str, Projection]) -> list[tuple[str, str]]:
    return [(name, way.label) for name, way in known.items() if not way.missing]


class MapForm(forms.Form):
    source = forms.ModelChoiceField(Source.objects.none(), empty_label=None)
    method = forms.ChoiceField(
        label="How texts become numbers",
        initial=LEXICAL,
        widget=forms.RadioSelect,
        help_text="Texts that were sent to a model once are not sent again. No run’s limit covers what that costs.",
    )
    projection = forms.ChoiceField(label="How these become a plane", initial=PCA, widget=forms.RadioSelect)

    def __init__(self, study: Study, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.study = study
        self.sources = sources_with_prompts(study)
        self.fields["source"].queryset = self.sources  # type: ignore[attr-defined]
        self.fields["method"].choices = _ready(methods())  # type: ignore[attr-defined]
        self.fields["projection"].choices = _ready(projections())  # type: ignore[attr-defined]

    @property
    def missing(self) -> list[Method | Projection]:
        """Optional methods that this site lacks."""
        ways: list[Method | Projection] = [*methods().values(), *projections().values()]
        return [way for way in ways if way.missing]

    @property
    def costs(self) -> list[tuple[Source, Method, str]]:
        """What models that have a price would probably be paid, in words, by source."""
        priced = [method for method in methods().values() if method.price and not method.missing]
        return [
            (source, method, at_least(expected_cost(study=self.study, source=source, method=method)))
            for source, method in product(self.sources, priced)
        ]


class ShownForm(forms.Form):
    """What of a drawing is shown: all of it unless the address says otherwise (`shown`)."""

    generator = forms.TypedMultipleChoiceField(coerce=int, required=False)
    stratum = forms.TypedChoiceField(coerce=int, required=False, empty_value=None)
    arms = forms.BooleanField(required=False)
    hulls = forms.BooleanField(required=False)

    def __init__(self, drawing: Drawing, data: Mapping[str, Any]) -> None:
        super().__init__(data if "shown" in data else None)
        self._all = frozenset(range(len(drawing.generators)))
        generators = [(number, spread.family) for number, spread in enumerate(drawing.generators)]
        strata = [("", "All"), *enumerate(drawing.strata)]
        self.fields["generator"].choices = generators  # type: ignore[attr-defined]
        self.fields["stratum"].choices = strata  # type: ignore[attr-defined]

    def taken(self) -> Shown:
        """The cleaned choices; all of them where they are invalid."""
        if not self.is_valid():
            return Shown(self._all)
        said = self.cleaned_data
        return Shown(frozenset(said["generator"]), said["stratum"], said["arms"], said["hulls"])
