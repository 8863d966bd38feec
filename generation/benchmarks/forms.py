"""What a coordinator decides about models' part in an audit."""

from django import forms

from annotation.benchmarks.core.subsets import ORIGINAL, SUBSETS
from generation.benchmarks.core.asking import HISTORY, SINGLY
from generation.benchmarks.core.rephrasing import REPHRASED_SUBSETS

_SHORT = {"class": "short"}


class AskingForm(forms.Form):
    """Arguments of `rules.set_asking_rules`."""

    says_one_word = forms.BooleanField(
        label="Ask for one word",
        required=False,
        help_text="In a system turn, as the published audit did.",
    )
    output_tokens = forms.IntegerField(
        label="Most tokens of a reply",
        required=False,
        min_value=1,
        max_value=64_000,
        help_text="Empty for the study’s own limit. The published audit allowed 10; models that reason need more.",
        widget=forms.NumberInput(attrs=_SHORT),
    )
    temperature = forms.FloatField(
        label="Temperature",
        min_value=0,
        max_value=2,
        initial=0,
        help_text="Models that take none keep their own, which is 1.",
        widget=forms.NumberInput(attrs={**_SHORT, "step": "0.1"}),
    )


class PredictionsForm(forms.Form):
    """Arguments of `predictions.plan_predictions`."""

    mode = forms.ChoiceField(
        label="How",
        choices=[(SINGLY, "Each question by itself"), (HISTORY, "Each story as a conversation")],
        initial=SINGLY,
        widget=forms.RadioSelect,
        help_text="In a conversation each turn repeats story and question, after the model’s own earlier answers.",
    )
    subset = forms.ChoiceField(
        label="Questions", choices=[(name, name.capitalize()) for name in SUBSETS], initial=ORIGINAL
    )


class RephrasedForm(forms.Form):
    """The subset whose rephrasings are answered."""

    subset = forms.ChoiceField(
        label="Questions", choices=[(name, name.capitalize()) for name in REPHRASED_SUBSETS], initial=ORIGINAL
    )


class RephrasingsForm(forms.Form):
    """Arguments of `rephrasings.plan_rephrasings`."""

    subset = forms.ChoiceField(
        label="Questions", choices=[(name, name.capitalize()) for name in REPHRASED_SUBSETS], initial=ORIGINAL
    )
    one_each = forms.BooleanField(
        label="One call for each rephrasing",
        required=False,
        help_text="Otherwise one call gives all five, for about a third of the cost.",
    )


class ModelMarksForm(PredictionsForm):
    """Arguments of `model_marks.plan_model_marks`: whose answers are marked."""


class PeopleForm(forms.Form):
    """What people are to mark: arguments of `people_marks.give_answers_to_mark` and `give_rephrasings_to_check`."""

    share = forms.IntegerField(
        label="Share, in per cent", min_value=1, max_value=100, widget=forms.NumberInput(attrs=_SHORT)
    )
    people = forms.IntegerField(
        label="People for each", min_value=1, max_value=20, initial=1, widget=forms.NumberInput(attrs=_SHORT)
    )
