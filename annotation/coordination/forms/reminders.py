"""Whom to remind, with which words, and when."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Any

from django import forms
from django.utils import timezone

from annotation.coordination.core.reminders import moment
from annotation.coordination.policies import why_not
from annotation.coordination.selectors.reminders import MAX_SUBJECT_LENGTH, Candidate, Preview, previews, templates
from annotation.platform.core.errors import Refused
from annotation.platform.core.mail_templates import Template
from annotation.platform.services.clock import database_now
from annotation.study.models.studies import Study

MAX_CHARACTERS = 10_000
STANDARD = "what_is_left-1"


class ChoiceForm(forms.Form):
    """People by pseudonym, and the text to begin with."""

    people = forms.MultipleChoiceField(error_messages={"required": "Choose at least one person."})
    template = forms.ChoiceField(label="Text to begin with", initial=STANDARD)

    def __init__(self, everybody: Sequence[Candidate], *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.everybody = {person.pseudonym: person for person in everybody}
        people: Any = self.fields["people"]
        people.choices = [(pseudonym, pseudonym) for pseudonym in self.everybody]
        template: Any = self.fields["template"]
        template.choices = [(template.name, template.title) for template in templates().values()]

    def chosen_template(self) -> Template:
        return templates()[self.cleaned_data["template"]]


class MessageForm(ChoiceForm):
    """The message, with what everybody would get: `due`, `previews`, and `left_out` with the reason of each."""

    subject = forms.CharField(max_length=MAX_SUBJECT_LENGTH, label="Subject")
    text = forms.CharField(max_length=MAX_CHARACTERS, label="Text", widget=forms.Textarea(attrs={"rows": 14}))
    day = forms.DateField(
        required=False, label="Day", widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    )
    hour = forms.TypedChoiceField(
        required=False,
        label="Hour",
        coerce=int,
        empty_value=None,
        choices=[("", ""), *((hour, f"{hour:02}:00") for hour in range(24))],
    )
    seen = forms.CharField(required=False)  # the time that stood on the button which was pressed; see `said`

    def __init__(self, study: Study, everybody: Sequence[Candidate], *args: Any, **options: Any) -> None:
        super().__init__(everybody, *args, **options)
        self.study = study
        self.fields["people"].widget = forms.MultipleHiddenInput()
        self.fields["template"].widget = forms.HiddenInput()
        self.due: datetime | None = None
        self.previews: list[Preview] = []
        self.left_out: list[tuple[Candidate, str]] = []

    @classmethod
    def beginning(
        cls, study: Study, everybody: Sequence[Candidate], people: Iterable[str], template: Template
    ) -> "MessageForm":
        """The form as if it had been filled in with a template, to go now."""
        filled_in = {"subject": template.subject, "text": template.text}
        return cls(study, everybody, {"people": list(people), "template": template.name, **filled_in})

    @property
    def moment(self) -> list[forms.BoundField]:
        return [self["day"], self["hour"]]

    @property
    def said(self) -> str:
        """What a button that says when the message goes sends along as `seen`."""
        return self.due.isoformat() if self.due else "now"

    def clean(self) -> dict[str, Any]:
        data, now = super().clean() or {}, database_now()
        if data.keys() >= {"day", "hour"}:
            self._set_due(data["day"], data["hour"], now)
            if not self.errors and data.get("seen") and data["seen"] != self.said:
                self.add_error(
                    None, "The time was changed. Nothing was sent; the button below says when it goes now."
                )
        if data.keys() >= {"people", "subject", "text"}:
            self._preview(data, self.due or now)
        return data

    def _set_due(self, day: date | None, hour: int | None, now: datetime) -> None:
        """Both to be sent then, neither to be sent now."""
        if day is None and hour is None:
            return
        if day is None or hour is None:
            self.add_error("day", "Say on which day and at which hour it is to be sent, or leave both empty.")
            return
        self.due = moment(day, hour, timezone.get_current_timezone())
        if self.due <= now:
            self.add_error("day", "This time has passed. Choose a later one.")

    def _preview(self, data: dict[str, Any], at: datetime) -> None:
        people = [self.everybody[pseudonym] for pseudonym in data["people"]]
        reasons = [(person, why_not(person.standing, at=at)) for person in people]
        self.left_out = [(person, reason) for person, reason in reasons if reason]
        free = [person for person, reason in reasons if not reason]
        try:
            self.previews = previews(self.study, free, subject=data["subject"], text=data["text"])
        except Refused as refusal:
            self.add_error(None, str(refusal))
