"""What a coordinator decides about prompts under pressure: which, by which checks, what they hold of framings."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms

from annotation.platform.core.errors import Refused
from annotation.platform.core.limits import TOML_BYTES
from annotation.platform.forms.fields import TextFileField, WrittenField
from generation.framing.core.conditions import MAX_CONDITIONS, SHIPPED_TOML, Conditions, read_conditions
from generation.framing.core.requests import IN_TENSION, QUESTIONS, Verdict, questions_of
from generation.framing.core.standing import CHECKS
from generation.framing.models import FramingSet
from generation.framing.services.reviews import MAX_REASON_LENGTH, MAX_TEXT_LENGTH
from generation.framing.services.scores import SHOWN
from generation.framing.services.sets import MAX_PROMPTS
from generation.prompts.forms.reviews import YesOrNo

_SHORT = {"class": "short"}


class SetForm(forms.Form):
    """Arguments of `sets.make_set`."""

    number = forms.IntegerField(
        label="Prompts",
        min_value=1,
        max_value=MAX_PROMPTS,
        initial=30,
        help_text="Drawn evenly from the study’s sources, and within them from their categories.",
        widget=forms.NumberInput(attrs=_SHORT),
    )
    seed = forms.IntegerField(
        label="Seed", min_value=0, max_value=2**31 - 1, initial=42, widget=forms.NumberInput(attrs=_SHORT)
    )
    origin = forms.ChoiceField(
        label="Drawn from",
        choices=FramingSet.Origin.choices,
        initial=FramingSet.Origin.STUDY,
        help_text="Prompts of the pool have no answers of the study yet: models are asked for these anew.",
        widget=forms.RadioSelect,
    )
    conditions = TextFileField(
        what="A file of framings",
        max_bytes=TOML_BYTES,
        label="Framings",
        required=False,
        help_text=f"A TOML file of one to {MAX_CONDITIONS} framings. Left empty: the four that come with the site.",
        widget=forms.FileInput(attrs={"accept": ".toml"}),
    )
    needs = forms.MultipleChoiceField(
        label="Who has to find nothing wrong",
        choices=list(CHECKS.items()),
        initial=list(CHECKS),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one check."},
    )

    def clean_conditions(self) -> str:
        """The file's text, or that of the one that comes with the site."""
        toml: str | None = self.cleaned_data["conditions"]
        if toml is None:
            return SHIPPED_TOML
        try:
            read_conditions(toml)
        except Refused as refusal:
            raise forms.ValidationError(str(refusal)) from refusal
        return toml


class AnswersForm(forms.Form):
    """Argument of `answers.plan_answers`."""

    again = forms.BooleanField(
        label="Have the prompts themselves answered twice",
        required=False,
        help_text="The difference between two answers to one prompt shows how much of Δ is noise.",
    )


class ScoresForm(forms.Form):
    """Arguments of `scores.plan_scores`."""

    way = forms.ChoiceField(
        label="Answers that were asked for",
        choices=[("instructed", "With the instruction about the length"), ("alone", "By the framings alone")],
        initial="instructed",
        widget=forms.RadioSelect,
    )
    shows = forms.ChoiceField(
        label="What judges read above an answer",
        choices=list(SHOWN.items()),
        initial="framing",
        help_text="They are never told the name of a condition.",
        widget=forms.RadioSelect,
    )

    def asked_for(self) -> dict[str, Any]:
        return {"instructed": self.cleaned_data["way"] == "instructed", "shows": self.cleaned_data["shows"]}


class CheckForm(forms.Form):
    """A person's answers to every question of the conditions, a pair of buttons each, and why."""

    seen = forms.CharField(widget=forms.HiddenInput)

    def __init__(
        self, conditions: Conditions, data: Any = None, *, said: Sequence[Verdict] = (), seen: str = ""
    ) -> None:
        super().__init__(data, initial={"seen": seen, "reason": next((each.reason for each in said), "")})
        own = {(each.about, each.question): each.holds for each in said}
        names = {each.key: each.name for each in conditions.conditions}
        self.conditions = conditions
        for about, question in questions_of(conditions):
            of = " and ".join(names[key] for key in conditions.pairs.get(about, (about,)))
            self.fields[_name(about, question)] = YesOrNo(
                yes="Yes", no="No", label=f"{of}: {QUESTIONS[question]}", initial=own.get((about, question))
            )
        self.fields["reason"] = WrittenField(
            max_length=MAX_REASON_LENGTH,
            required=False,
            label="In your words",
            help_text="What is wrong, where something is.",
            widget=forms.Textarea(attrs={"rows": 2}),
        )

    def verdicts(self) -> list[Verdict]:
        """What the form, which is filled in well, says."""
        said = self.cleaned_data
        return [
            Verdict(about, question, said[_name(about, question)], said["reason"])
            for about, question in questions_of(self.conditions)
        ]

    def about(self, key: str) -> Iterator[forms.BoundField]:
        """The fields about one framing."""
        return (self[_name(about, question)] for about, question in questions_of(self.conditions) if about == key)

    @property
    def pairs(self) -> list[forms.BoundField]:
        return [self[_name(about, IN_TENSION)] for about in self.conditions.pairs]


class EditForm(forms.Form):
    """New words for framings, and why."""

    seen = forms.CharField(widget=forms.HiddenInput)

    def __init__(
        self, conditions: Conditions, data: Any = None, *, texts: Mapping[str, str] | None = None, seen: str = ""
    ) -> None:
        initial = {_text(key): text for key, text in (texts or {}).items()}
        super().__init__(data, auto_id="edit-%s", initial={"seen": seen, **initial})
        self.conditions = conditions
        for each in conditions.conditions:
            self.fields[_text(each.key)] = WrittenField(
                max_length=MAX_TEXT_LENGTH, label=each.name, widget=forms.Textarea(attrs={"rows": 4})
            )
        self.fields["reason"] = WrittenField(
            max_length=MAX_REASON_LENGTH,
            label="Reason",
            help_text="Kept in the audit trail, next to your name.",
            error_messages={"required": "Say why, so that the change can be understood later."},
            widget=forms.Textarea(attrs={"rows": 2}),
        )

    @property
    def asked_for(self) -> dict[str, Any]:
        said = self.cleaned_data
        return {
            "texts": {key: said[_text(key)] for key in self.conditions.keys},
            "reason": said["reason"],
            "seen": said["seen"],
        }


def _text(key: str) -> str:
    """A condition may be called as another field is."""
    return f"text-{key}"


def _name(about: str, question: str) -> str:
    return f"{about}-{question}"
