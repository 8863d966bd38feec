"""What a coordinator decides about a study."""

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import asdict
from typing import Any, Final, cast

from django import forms
from django.utils.html import format_html

from annotation.design.core import design_hash
from annotation.design.selectors.design import FIELDS, choices_of_each, presets_beside, section_opened
from annotation.design.selectors.workload import expected, gathered
from annotation.platform.core.limits import TOML_BYTES
from annotation.platform.core.text import clean, sha256_hex
from annotation.platform.forms.fields import ShortNameField, TextFileField
from annotation.platform.services.clock import database_today
from annotation.study.core import instrument
from annotation.study.core.consent import ASKS, blanks
from annotation.study.core.parameters import HELP, Section, labels_of
from annotation.study.core.workload import Counts
from annotation.study.models.studies import Study
from annotation.study.policies.design import can_change
from annotation.study.selectors.rubrics import standard_rubrics

MAX_COUNT: Final = 10_000
WIDGETS: Final[dict[str, Any]] = {
    "description": forms.Textarea(attrs={"rows": 4}),
    "consent_text": forms.Textarea(attrs={"rows": 20}),
    "ideology_instrument": forms.Textarea(attrs={"rows": 10, "class": "mono", "spellcheck": "false"}),
    "writing_due_on": forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    "judging_due_on": forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    "currency": forms.TextInput(attrs={"size": 3, "autocapitalize": "characters", "class": "short"}),
}


DUE_DAYS: Final = frozenset({"writing_due_on", "judging_due_on"})


class SectionForm(forms.Form):
    """The parameters of a section that may still change, under their own names.

    `loaded` tells their values when the form was opened; it is sent along. What was not touched since shows what it
    is now: `merged` are the names of what somebody else has changed meanwhile.
    """

    def __init__(self, section: Section, study: Study, data: Any = None) -> None:
        super().__init__(data)
        self.section, self.study = section, study
        self.loaded: str = section_opened(study, section) if data is None else data.get("loaded", "")
        self.merged: list[str] = []
        for name, label in section.labels.items():
            if can_change(study, name):
                told = section.help.get(name, HELP.get(name, str(FIELDS[name].help_text)))
                self.fields[name] = _field(name, label, told, presets_beside(study, name))
                self.initial[name] = getattr(study, name)
        if data is not None:
            self._take_over(design_hash.read_opened_on(self.loaded))

    def _take_over(self, before: Mapping[str, str]) -> None:
        """Put what is held now in the place of what was sent, where that is what the form was opened on."""
        merged = cast(Any, self.data).copy()
        for name, field in self.fields.items():
            held = getattr(self.study, name)
            is_old = before.get(name, "") not in ("", design_hash.values_sha256({name: held}))
            if is_old and _sha256_of(name, field, self.data) == before[name]:
                _send(merged, name, field, held)
                self.merged.append(name)
        self.data = merged

    def clean_ideology_instrument(self) -> str:
        toml = clean(self.cleaned_data["ideology_instrument"])
        if toml.strip():
            try:
                instrument.parse(toml)
            except instrument.InstrumentError as error:
                raise forms.ValidationError(str(error)) from error
        return toml.strip() and toml

    def clean_currency(self) -> str:
        currency = self.cleaned_data["currency"].upper()
        if not (currency.isascii() and currency.isalpha() and len(currency) == 3):
            raise forms.ValidationError("Write three letters, such as EUR.")
        return str(currency)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        for name in self.fields.keys() & DUE_DAYS & data.keys():
            day = data[name]
            if day and day != getattr(self.study, name) and day < database_today():
                self.add_error(name, "This day is over. Choose today or a later day.")
        writing, judging = data.get("writing_due_on"), data.get("judging_due_on")
        if writing and judging and judging < writing:
            self.add_error("judging_due_on", f"Judging follows writing, which is due on {writing:%-d %B %Y}.")
        low, target, high = (data.get(f"target_words{end}") for end in ("_low", "", "_high"))
        beyond = f"The band has to contain the target of {target} words."
        if target and low and low > target:
            self.add_error("target_words_low", beyond)
        if target and high and high < target:
            self.add_error("target_words_high", beyond)
        return data


def _sha256_of(name: str, field: forms.Field, data: Any) -> str:
    """The hash of the value that was sent; empty where it cannot be read."""
    try:
        value = field.clean(field.widget.value_from_datadict(data, {}, name))
    except forms.ValidationError:
        return ""
    return design_hash.values_sha256({name: clean(value) if isinstance(value, str) else value})


def _send(data: Any, name: str, field: forms.Field, held: Any) -> None:
    """Make `data`, a mutable QueryDict or a dictionary, what a form with the value `held` sends."""
    shown = field.prepare_value(held)
    if isinstance(held, bool) or shown is None:
        data.pop(name, None)
        if held:
            data[name] = "on"
    elif isinstance(held, list) and hasattr(data, "setlist"):
        data.setlist(name, held)
    else:
        data[name] = shown if isinstance(held, list) else field.widget.format_value(shown)


class ConsentBlanksForm(forms.Form):
    """What stands in each blank of the consent text that is still open, or that the study has no need of it."""

    def __init__(self, study: Study, data: Any = None) -> None:
        super().__init__(data)
        self.blanks = blanks(study.consent_text)
        self.loaded = sha256_hex(study.consent_text)
        for number, name in enumerate(self.blanks):
            self.fields[f"said-{number}"] = forms.CharField(
                label=name[0].upper() + name[1:],
                help_text=ASKS.get(name, ""),
                required=False,
                max_length=1000,
                widget=forms.Textarea(attrs={"rows": 2}),
            )
            self.fields[f"unneeded-{number}"] = forms.BooleanField(
                label=f"Not needed in this study: leave out the line about “{name}”",
                required=False,
            )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        for number in range(len(self.blanks)):
            said, unneeded = data.get(f"said-{number}", ""), data.get(f"unneeded-{number}")
            if said and unneeded:
                self.add_error(f"said-{number}", "Either fill this in or say that it is not needed.")
            elif blanks(said):
                self.add_error(f"said-{number}", "Write what is to stand here, without the brackets.")
        if not self.errors and not any(data.values()):
            raise forms.ValidationError("Fill in at least one blank, or say that it is not needed.")
        return data

    @property
    def rows(self) -> list[dict[str, forms.BoundField]]:
        """The two fields of each blank, of which one is to be filled in."""
        return [
            {"said": self[f"said-{number}"], "unneeded": self[f"unneeded-{number}"]}
            for number in range(len(self.blanks))
        ]

    @property
    def said(self) -> dict[str, str]:
        """What is said, by name, in one line each, as they stand within a sentence or a line of their own."""
        given = {name: self.cleaned_data[f"said-{number}"] for number, name in enumerate(self.blanks)}
        return {name: " ".join(clean(text).split()) for name, text in given.items() if text}

    @property
    def unneeded(self) -> list[str]:
        return [name for number, name in enumerate(self.blanks) if self.cleaned_data[f"unneeded-{number}"]]


def _field(name: str, label: str, told: str, presets: str) -> forms.Field:
    """A parameter's form field; its help says which values the presets have where they differ."""
    parameter = FIELDS[name]
    options: dict[str, Any] = {"label": label, "help_text": told}
    if presets:
        options["help_text"] = format_html('{} <span class="preset">{}</span>', options["help_text"], presets)
    if choices := choices_of_each(name):
        return forms.MultipleChoiceField(
            choices=list(choices.items()), required=False, widget=forms.CheckboxSelectMultiple, **options
        )
    if name in WIDGETS:
        options["widget"] = WIDGETS[name]
    if name == "consent_text":
        options |= {"required": True, "strip": False}
    limits = {type(v).__name__: v.limit_value for v in parameter.validators if hasattr(v, "limit_value")}
    if "MinValueValidator" in limits and "MaxValueValidator" in limits:
        low, high = limits["MinValueValidator"], limits["MaxValueValidator"]
        beyond = f"Choose a whole number from {low} to {high}."
        options |= {"min_value": low, "max_value": high}
        options["error_messages"] = dict.fromkeys(("min_value", "max_value", "invalid"), beyond)
    return cast(forms.Field, parameter.formfield(**options))


def as_typed(study: Study, typed: Iterable[SectionForm]) -> tuple[Study, Sequence[str]]:
    """The study as it would be with what was typed, unsaved; and the labels of what cannot be read.

    What was not sent stays as it is.
    """
    draft, unread = copy(study), []
    for form in typed:
        form.is_valid()
        for name in form.fields:
            if name in form.cleaned_data:
                setattr(draft, name, form.cleaned_data[name])
            elif name in form.data:
                unread.append(labels_of(study.preset)[name])
    return draft, unread


class CountsForm(forms.Form):
    """How many prompts and people a preview counts on; `form_id` is the form that its fields are sent with.

    What was not sent is what can be expected of the study; `draft` is the study with what was typed. A field stays
    empty where there is nobody yet, so that it follows the number of answers or ratings that is typed.
    """

    prompts = forms.IntegerField(min_value=0, max_value=MAX_COUNT, required=False, label="Prompts")
    writers = forms.IntegerField(min_value=0, max_value=MAX_COUNT, required=False, label="Writers")
    judges = forms.IntegerField(min_value=0, max_value=MAX_COUNT, required=False, label="Judges")

    def __init__(self, draft: Study, data: Any, *, form_id: str) -> None:
        found = gathered(draft)
        joined, invited = asdict(found.joined), asdict(found.invited)
        self.usual = asdict(expected(draft, found))
        there = {name: self.usual[name] for name in joined if joined[name] or invited[name]}
        super().__init__({name: data.get(name) or there.get(name, "") for name in joined})
        for name, field in self.fields.items():
            field.widget.attrs["form"] = form_id
            field.help_text = f"{joined[name]} so far" + (f", {invited[name]} invited" if invited[name] else "")

    @property
    def counts(self) -> Counts:
        """What to count on; a number that is missing or cannot be read is what can be expected."""
        self.is_valid()
        read = {name: number for name, number in self.cleaned_data.items() if number is not None}
        return Counts(**(self.usual | read))


class RubricFileForm(forms.Form):
    """An uploaded rubric; gives its `toml`."""

    file = TextFileField(
        what="A rubric",
        max_bytes=TOML_BYTES,
        label="Rubric file",
        help_text="A TOML file in UTF-8; see the standard rubrics.",
    )

    @property
    def toml(self) -> str:
        return str(self.cleaned_data["file"])


class StandardRubricForm(forms.Form):
    """One of the rubrics that come with the site; gives its `toml`."""

    standard = forms.ChoiceField(choices=lambda: [(name, name) for name in standard_rubrics()])

    @property
    def toml(self) -> str:
        return standard_rubrics()[self.cleaned_data["standard"]].toml


class CloneForm(forms.Form):
    title = forms.CharField(max_length=160, label="Title")
    slug = ShortNameField(label="Short name")
    with_prompts = forms.BooleanField(
        required=False,
        initial=True,
        label="Copy the prompts, in the words accepted for the next round",
    )

    def __init__(self, study: Study, data: Any = None) -> None:
        super().__init__(data, initial={"title": study.title})
        if study.audits_benchmarks:
            del self.fields["with_prompts"]

    def clean(self) -> dict[str, Any]:
        return {"with_prompts": False} | (super().clean() or {})
