"""Asking for an analysis, and choosing two to compare."""

from typing import TYPE_CHECKING, Any

from django import forms

from analysis.report.models import AnalysisRun
from analysis.report.selectors.runs import RANKS, runs_of
from analysis.sections.exhibits.wording import level_name
from analysis.uncertainty.core.resampling import MAX_DRAWS, MIN_DRAWS
from annotation.study.models.studies import Study

MODES = tuple((mode, f"Ranks {words}") for mode, words in RANKS.items())
LEVELS = tuple((level, level_name(level)) for level in (0.9, 0.95, 0.99))

# Which model a field chooses from is declared to the type checker alone: at run time the class takes no parameters.
if TYPE_CHECKING:
    RunChoice = forms.ModelChoiceField[AnalysisRun]
else:
    RunChoice = forms.ModelChoiceField


class AnalysisForm(forms.Form):
    mode = forms.ChoiceField(label="Ranks", choices=MODES, initial="default", widget=forms.RadioSelect)
    draws = forms.IntegerField(
        label="Resamples for intervals",
        initial=2000,
        min_value=MIN_DRAWS,
        max_value=MAX_DRAWS,
        help_text=f"From {MIN_DRAWS:,} to {MAX_DRAWS:,}. More take longer; the ends of intervals get steadier.",
    )
    level = forms.TypedChoiceField(label="Level of intervals", choices=LEVELS, initial=0.95, coerce=float)
    seed = forms.IntegerField(
        label="Seed of the resamples",
        initial=42,
        min_value=0,
        max_value=2**32 - 1,
        help_text="Whoever gives the same one again gets the same intervals and p by permutation.",
    )


class RunField(RunChoice):
    def label_from_instance(self, obj: AnalysisRun) -> str:
        return f"Run {obj.number}"


class ComparisonForm(forms.Form):
    """Two finished runs of a study, by their numbers: at first the newest two."""

    one = RunField(AnalysisRun.objects.none(), to_field_name="number", empty_label=None, label="One run")
    other = RunField(AnalysisRun.objects.none(), to_field_name="number", empty_label=None, label="Another run")

    def __init__(self, study: Study, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        finished = runs_of(study).filter(finished_at__isnull=False)
        for field in self.fields.values():
            field.queryset = finished  # type: ignore[attr-defined]
        for name, run in zip(("other", "one"), finished[:2], strict=False):
            self.initial.setdefault(name, run.number)

    def clean(self) -> dict[str, Any]:
        chosen = super().clean() or {}
        if chosen.get("one") and chosen.get("one") == chosen.get("other"):
            self.add_error("other", "Choose another run than the first.")
        return chosen
