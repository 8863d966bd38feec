"""What coordinators and administrators fill in."""

from django import forms

from annotation.platform.forms.fields import ShortNameField
from annotation.study.models.studies import Study


class NewStudyForm(forms.Form):
    """A study that whoever sets it up coordinates."""

    title = forms.CharField(max_length=160, label="Title")
    slug = ShortNameField(label="Short name")
    preset = forms.ChoiceField(
        choices=Study.Preset.choices, label="Protocol", help_text="Sets every parameter to the paper’s values."
    )

    def clean_slug(self) -> str:
        slug: str = self.cleaned_data["slug"]
        if Study.objects.filter(slug=slug).exists():
            raise forms.ValidationError("This short name is taken.")
        return slug


class StudyForm(NewStudyForm):
    """A study that somebody else is invited to coordinate."""

    coordinator_name = forms.CharField(max_length=120, label="Coordinator’s name")
    coordinator_email = forms.EmailField(label="Coordinator’s address", help_text="A personal invitation is sent.")
