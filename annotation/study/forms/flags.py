"""What is pointed out to the coordinator, and what became of it."""

from collections.abc import Mapping, Sequence

from django import forms

from annotation.study.models.flags import Flag

MAX_CHARACTERS = 2000
QUESTION = "question"


class FlagForm(forms.Form):
    """About the question or, where there are `labels`, an answer by its letter, at first `about`."""

    about = forms.ChoiceField(label="What is it about?")
    kind = forms.ChoiceField(
        label="What is the matter?", choices=Flag.Kind.choices, widget=forms.RadioSelect, initial=None
    )
    words = forms.CharField(
        label="In a few words", max_length=MAX_CHARACTERS, widget=forms.Textarea(attrs={"rows": 4, "dir": "auto"})
    )

    def __init__(
        self, data: Mapping[str, object] | None = None, *, labels: Sequence[str] = (), about: str = ""
    ) -> None:
        super().__init__(data)
        if labels:
            answers = [(label, f"Answer {label}") for label in labels]
            choices = [("", "Choose …"), *answers, (QUESTION, "The question")]
            self.fields["about"] = forms.ChoiceField(label="What is it about?", choices=choices, initial=about)
            self.fields["words"].help_text = (
                "In your own words: what is quoted from an answer, and what could tell who wrote it, is left out "
                "before the coordinator reads it."
            )
        else:
            del self.fields["about"]
            kinds = [choice for choice in Flag.Kind.choices if choice[0] not in ("tells", "broken")]
            self.fields["kind"] = forms.ChoiceField(
                label="What is the matter with the question?", choices=kinds, widget=forms.RadioSelect
            )

    @property
    def said(self) -> dict[str, str]:
        about = self.cleaned_data.get("about", QUESTION)
        label = "" if about == QUESTION else about
        return {"label": label, "kind": self.cleaned_data["kind"], "words": self.cleaned_data["words"]}


class SettleForm(forms.Form):
    note = forms.CharField(label="What became of it", max_length=1000, required=False)
