"""What a study mails on an occasion."""

from django import forms

from annotation.notifications.core.occasions import SUBJECT_CHARACTERS, Wording
from annotation.platform.forms.fields import WrittenField


class WordingForm(forms.Form):
    is_on = forms.BooleanField(required=False, label="Send this mail")
    subject = forms.CharField(max_length=SUBJECT_CHARACTERS, label="Subject")
    text = WrittenField(max_length=10_000, label="Text", widget=forms.Textarea(attrs={"rows": 14}))

    @classmethod
    def beginning(cls, wording: Wording) -> "WordingForm":
        return cls({"is_on": wording.is_on, "subject": wording.subject, "text": wording.text})

    @property
    def wording(self) -> Wording:
        """What a valid form says."""
        return Wording(self.cleaned_data["is_on"], self.cleaned_data["subject"], self.cleaned_data["text"])
