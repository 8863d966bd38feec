"""What coordinators and administrators fill in."""

from django import forms

from annotation.models.participation import Role
from annotation.models.studies import Study

DOMAIN = "[A-Z]{2,12}"


class InviteForm(forms.Form):
    name = forms.CharField(max_length=120, label="Name")
    email = forms.EmailField(label="Address", help_text="A personal link is mailed there.")
    role = forms.ChoiceField(
        choices=Role.choices, label="Role", help_text="A person has one role in a study, for good."
    )


class StudyForm(forms.Form):
    title = forms.CharField(max_length=160, label="Title")
    slug = forms.SlugField(label="Short name", help_text="Used in addresses and file names; cannot be changed.")
    preset = forms.ChoiceField(
        choices=Study.Preset.choices, label="Protocol", help_text="Sets every parameter to the paper’s values."
    )
    coordinator_name = forms.CharField(max_length=120, label="Coordinator’s name")
    coordinator_email = forms.EmailField(label="Coordinator’s address", help_text="A personal invitation is sent.")

    def clean_slug(self) -> str:
        slug: str = self.cleaned_data["slug"]
        if Study.objects.filter(slug=slug).exists():
            raise forms.ValidationError("This short name is taken.")
        return slug


class PromptForm(forms.Form):
    domain = forms.RegexField(
        rf"^{DOMAIN}$",
        label="Domain",
        help_text="2 to 12 capital letters, such as BBQ. The prompt’s code is made from it.",
        error_messages={"invalid": "Write 2 to 12 capital letters."},
        widget=forms.TextInput(attrs={"pattern": DOMAIN, "autocapitalize": "characters", "autocomplete": "off"}),
    )
    text = forms.CharField(widget=forms.Textarea(attrs={"rows": 4}), label="Prompt")


class DecisionForm(forms.Form):
    verb = forms.ChoiceField(choices=[("clear", "Clear"), ("reject", "Reject")])
    reason = forms.CharField(max_length=400, label="Reason")
