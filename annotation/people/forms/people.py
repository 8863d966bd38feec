"""Forms about the person: opening an account, consent, intake profile, settings."""

from typing import Any

from django import forms
from django.contrib.auth import password_validation

from annotation.people.core.countries import countries
from annotation.people.core.time_zones import grouped_time_zones
from annotation.platform.core.text import sha256_hex
from annotation.platform.models.users import User
from annotation.study.core.instrument import Instrument, parse
from annotation.study.models.participation import Profile
from annotation.study.models.protocol import Degree, ProfileQuestion
from annotation.study.models.studies import Study

# Groups, not departments: large enough that naming one singles nobody out.
DISCIPLINES = (
    "Anthropology",
    "Communication and media",
    "Economics",
    "Education",
    "History",
    "Law",
    "Linguistics",
    "Literature and languages",
    "Philosophy",
    "Political science",
    "Psychology",
    "Public policy and administration",
    "Religious studies and theology",
    "Science and technology studies",
    "Social work",
    "Sociology",
    "Another field of the humanities",
    "Another social science",
    "A natural science, mathematics or engineering",
    "Medicine or health",
    "Another field",
)
NO_DOCTORATE = "none"


def time_zone_field() -> forms.ChoiceField:
    """`data-time-zone` lets the browser's own zone be chosen by static/people/time_zone.js."""
    return forms.ChoiceField(
        label="Time zone",
        choices=grouped_time_zones,
        initial="UTC",
        help_text="Deadlines and times are shown in this zone.",
        widget=forms.Select(attrs={"autocomplete": "off", "data-time-zone": ""}),
    )


def name_field() -> forms.CharField:
    return forms.CharField(
        label="Name",
        max_length=120,
        help_text="For the coordinator and messages to you. It is never published.",
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )


class AccountForm(forms.Form):
    """What an invited person who has no account yet is asked."""

    name = name_field()
    password = forms.CharField(
        label="Password",
        strip=False,
        help_text="At least 10 characters. Not a common password, nor one close to your name or address.",
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    time_zone = time_zone_field()

    def __init__(self, *args: Any, email: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.email = email

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if "password" in data:
            owner = User(email=self.email, name=data.get("name", ""))
            try:
                password_validation.validate_password(data["password"], owner)
            except forms.ValidationError as error:
                self.add_error("password", error)
        return data


class SettingsForm(forms.Form):
    name = name_field()
    time_zone = time_zone_field()


class ConsentForm(forms.Form):
    """Agreement to the text that was on the page."""

    agreed = forms.BooleanField(
        label="I have read this text, I understand it, and I agree to take part.",
        error_messages={"required": "Tick the box if you agree. If you do not, simply leave this page."},
    )
    text_sha256 = forms.CharField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["text_sha256"] = sha256_hex(study.consent_text)


class ProfileForm(forms.Form):
    """The intake form: those of the declared questions that the study asks, all of them required.

    The items of an ideology instrument follow where the study has one; they may be left unanswered.
    """

    highest_degree = forms.ChoiceField(
        label=ProfileQuestion.DEGREE.label, choices=Degree.choices, widget=forms.RadioSelect
    )
    r1_institution = forms.ChoiceField(
        label="Was your doctorate awarded by a research-intensive university?",
        help_text="In the United States, Carnegie class R1; elsewhere, a university of comparable activity.",
        choices=(("yes", "Yes"), ("no", "No"), (NO_DOCTORATE, "I do not hold a doctorate")),
        widget=forms.RadioSelect,
    )
    discipline = forms.ChoiceField(
        label="Discipline",
        help_text="The group closest to most of your work.",
        choices=[("", "Choose…"), *((name, name) for name in DISCIPLINES)],
    )
    years_experience = forms.IntegerField(
        label=ProfileQuestion.YEARS.label,
        help_text="Full years, counted from the start of your postgraduate research.",
        min_value=0,
        max_value=80,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    country = forms.ChoiceField(
        label="Country",
        help_text="Where you work now.",
        choices=[("", "Choose…"), *((name, name) for name in countries())],
        widget=forms.Select(attrs={"autocomplete": "country-name"}),
    )

    def __init__(self, *args: Any, study: Study, profile: Profile | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if profile:
            self.initial.update(_as_initial(profile))
        for name in list(self.fields):
            if name not in study.profile_questions:
                del self.fields[name]
        self.instrument: Instrument | None = None
        if ProfileQuestion.IDEOLOGY in study.profile_questions and study.ideology_instrument:
            self.instrument = parse(study.ideology_instrument)
            self.fields |= _item_fields(self.instrument)

    @property
    def questions(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name in ProfileQuestion.values]

    @property
    def ideology_items(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name not in ProfileQuestion.values]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        degree, r1 = data.get("highest_degree"), data.get("r1_institution")
        if degree == Degree.DOCTORATE and r1 == NO_DOCTORATE:
            self.add_error("r1_institution", "You named a doctorate as your highest degree: please say yes or no.")
        if degree in (Degree.NONE, Degree.MASTER) and r1 in ("yes", "no"):
            self.add_error("r1_institution", "You named no doctorate: please choose the last answer.")
        return data

    def answers(self) -> dict[str, Any]:
        """The cleaned answers by field of `Profile`.

        An institution's class is empty without a doctorate; an item that was left out is kept as such.
        """
        data = self.cleaned_data
        answers = {name: data[name] for name in ProfileQuestion.values if name in data}
        if "r1_institution" in answers:
            answers["r1_institution"] = {"yes": True, "no": False}.get(answers["r1_institution"])
        if self.instrument:
            given = {item.key: data[_item_name(item.key)] for item in self.instrument.items}
            answers["ideology"] = {key: int(value) if value else None for key, value in given.items()}
        return answers


def _as_initial(profile: Profile) -> dict[str, Any]:
    r1 = {True: "yes", False: "no", None: NO_DOCTORATE}[profile.r1_institution]
    items = {_item_name(key): str(value or "") for key, value in profile.ideology.items()}
    return {
        "highest_degree": profile.highest_degree,
        "r1_institution": r1,
        "discipline": profile.discipline,
        "years_experience": profile.years_experience,
        "country": profile.country,
        **items,
    }


def _item_name(key: str) -> str:
    return f"item_{key}"


def _item_fields(instrument: Instrument) -> dict[str, forms.ChoiceField]:
    choices = [("", "I would rather not say")]
    choices += [(str(number), label) for number, label in enumerate(instrument.labels, start=1)]
    return {
        _item_name(item.key): forms.ChoiceField(
            label=item.text, choices=choices, required=False, widget=forms.RadioSelect
        )
        for item in instrument.items
    }
