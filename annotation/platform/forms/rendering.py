"""How every form of the site shows its fields: what is wrong with one is said by its label."""

from typing import cast

from django.forms.boundfield import BoundField
from django.forms.renderers import DjangoTemplates
from django.forms.utils import ErrorList
from django.utils.html import format_html

from annotation.platform.core.field_errors import said_of


class LabelledField(BoundField):
    @property
    def errors(self) -> ErrorList:
        """What is wrong with the field, in sentences that can stand beside others about other fields."""
        found = super().errors
        said = [said_of(str(self.label), message) for message in _messages(found)]
        return self.form.error_class(said, renderer=self.form.renderer, field_id=getattr(found, "field_id", None))

    @property
    def faults(self) -> list[str]:
        """What is wrong with the field, for a list of what is wrong with the form: each names the field."""
        named = f"“{self.label}”"
        said = [said_of(str(self.label), message) for message in _messages(super().errors)]
        return [each if named in each else format_html("{}: {}", self.label, each) for each in said]


def _messages(errors: ErrorList) -> list[str]:
    """Messages as they are shown; what is safe to show as markup stays it."""
    return [cast(str, message) for message in errors]


class FormRenderer(DjangoTemplates):
    bound_field_class = LabelledField
