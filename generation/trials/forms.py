"""What a coordinator decides about trials."""

from collections.abc import Sequence
from typing import Any

from django import forms

from annotation.platform.core.errors import Refused
from annotation.platform.core.limits import TOML_BYTES
from annotation.platform.core.table_import import MAX_BYTES
from annotation.platform.forms.fields import TextFileField, WrittenField
from generation.catalogue.core.toml_tables import MAX_KEY_LENGTH, TEXT_LENGTH
from generation.trials.core.conditions import TURNS
from generation.trials.core.scenarios import MAX_TITLE, NewScenario, checked_scenario, read_scenarios
from generation.trials.services import answers, scores

_SHORT = {"class": "short"}
_LINES = forms.Textarea(attrs={"rows": 5})


class ScenarioForm(forms.Form):
    """A scenario; `scenario` is what it says, once it is valid."""

    key = forms.CharField(
        label="Key",
        max_length=MAX_KEY_LENGTH,
        help_text="Small letters, digits and underscores, such as ferry_timetable. It is published.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    title = forms.CharField(label="Title", max_length=MAX_TITLE, help_text="For people who coordinate.")
    situation = WrittenField(
        label="Situation",
        max_length=TEXT_LENGTH,
        help_text="Who decides, and where.",
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    facts = WrittenField(
        label="Established facts",
        help_text="One in each line. They are numbered, and true for the purpose of the trial.",
        widget=_LINES,
    )
    question = WrittenField(
        label="Question",
        max_length=TEXT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="What is to be decided.",
    )
    tensions = WrittenField(
        label="Tensions",
        required=False,
        help_text="One in each line, for those who code conclusions. They are sent to no model.",
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    is_new = forms.BooleanField(label="Written for this study", required=False, initial=True)

    scenario: NewScenario

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if not self.errors:
            lines = {name: data[name].splitlines() for name in ("facts", "tensions")}
            said = {name: [line for line in each if line.strip()] for name, each in lines.items()}
            try:
                self.scenario = checked_scenario({**data, **said})
            except Refused as refusal:
                raise forms.ValidationError(str(refusal)) from refusal
        return data


class ScenarioFileForm(forms.Form):
    """A file of scenarios; `scenarios` are those in it, once it is valid."""

    file = forms.FileField(
        label="File",
        help_text=(
            "CSV, JSON Lines or TOML in UTF-8, with key, title, situation, facts, question and, if wanted, "
            "tensions and is_new. In a cell, facts stand in lines of their own or are separated by semicolons; in "
            "JSON Lines they may be a list."
        ),
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.jsonl,.ndjson,.json,.toml"}),
    )

    scenarios: Sequence[NewScenario] = ()

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        try:
            self.scenarios = read_scenarios(file.read(MAX_BYTES + 1))
        except Refused as refusal:
            raise forms.ValidationError(str(refusal)) from refusal
        return file


class DesignForm(forms.Form):
    """Settings of `TrialDesign`, and another file of conditions, if any."""

    turn = forms.ChoiceField(
        label="Where a model is told the framework", choices=list(TURNS.items()), widget=forms.RadioSelect
    )
    models_per_new = forms.IntegerField(
        label="Models for a new scenario", min_value=1, max_value=20, widget=forms.NumberInput(attrs=_SHORT)
    )
    models_per_known = forms.IntegerField(
        label="Models for any other scenario", min_value=1, max_value=20, widget=forms.NumberInput(attrs=_SHORT)
    )
    seed = forms.IntegerField(
        label="Seed",
        min_value=0,
        max_value=2**31 - 1,
        help_text="Of who answers what, and of the order of cases.",
        widget=forms.NumberInput(attrs=_SHORT),
    )
    margin = forms.FloatField(
        label="Margin of equal integrity",
        min_value=0.1,
        max_value=100,
        help_text="In points from 0 to 100. Fixed with the design, before any score is known.",
        widget=forms.NumberInput(attrs=_SHORT),
    )
    smallest_effect = forms.FloatField(
        label="Smallest difference of transparency that matters",
        min_value=0.1,
        max_value=100,
        help_text="In points.",
        widget=forms.NumberInput(attrs=_SHORT),
    )
    file = TextFileField(
        what="A file of conditions",
        max_bytes=TOML_BYTES,
        label="Other conditions",
        required=False,
        help_text="A TOML file in UTF-8 instead of the present one: 2 to 8 conditions, one without a framework.",
        widget=forms.FileInput(attrs={"accept": ".toml"}),
    )

    def asked_for(self) -> dict[str, Any]:
        said = dict(self.cleaned_data)
        return {"conditions": said.pop("file"), **said}


class AnswersForm(forms.Form):
    """Arguments of `answers.plan_answers`."""

    repeats = forms.IntegerField(
        label="Answers of each condition",
        min_value=1,
        max_value=answers.MAX_REPEATS,
        initial=1,
        help_text=(
            "With more than one, the report tells how often a model concludes differently under one and the same "
            "condition."
        ),
        widget=forms.NumberInput(attrs=_SHORT),
    )


class ScoresForm(forms.Form):
    """Arguments of `scores.plan_scores`."""

    def __init__(self, approaches: Sequence[tuple[str, str, str, int]], data: Any = None) -> None:
        super().__init__(data)
        choices = [(key, f"{letter}: {name}") for letter, key, name, _ in approaches]
        self.fields["approaches"] = forms.MultipleChoiceField(
            label="Approaches",
            choices=choices,
            initial=[key for key, _ in choices],
            widget=forms.CheckboxSelectMultiple,
            error_messages={"required": "Choose at least one approach."},
        )
        self.fields["repeats"] = forms.IntegerField(
            label="Times each evaluator scores an answer",
            min_value=1,
            max_value=scores.MAX_REPEATS,
            initial=1,
            widget=forms.NumberInput(attrs=_SHORT),
        )
