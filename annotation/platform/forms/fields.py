"""Fields and forms that several subjects ask by."""

from typing import Any

from django import forms

from annotation.platform.core import cells
from annotation.platform.core.errors import Refused
from annotation.platform.core.line_files import as_text
from annotation.platform.core.text import clean


class TopicsField(forms.CharField):
    """Codes, domains or disciplines, separated by semicolons; gives them as a tuple."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, widget=forms.TextInput(attrs={"autocomplete": "off"}), **options)

    def clean(self, value: Any) -> tuple[str, ...]:
        try:
            return cells.topics(super().clean(value))
        except Refused as refusal:
            raise forms.ValidationError(f"These {refusal}.") from refusal

    def prepare_value(self, value: Any) -> Any:
        return value if isinstance(value, str) else "; ".join(value or ())


class WrittenField(forms.CharField):
    """Several lines, measured as they are kept: a browser counts a line end as one character and sends two."""

    def to_python(self, value: Any) -> Any:
        return super().to_python(clean(value) if isinstance(value, str) else value)


class TextFileField(forms.FileField):
    """A file of UTF-8 text; gives the text, or `None` where no file was chosen.

    `what` it is called where it has more than `max_bytes`.
    """

    def __init__(self, *, what: str, max_bytes: int, **options: Any) -> None:
        super().__init__(**options)
        self.what, self.max_bytes = what, max_bytes

    def clean(self, data: Any, initial: Any = None) -> str | None:
        file = super().clean(data, initial)
        if not file:
            return None
        if file.size > self.max_bytes:
            raise forms.ValidationError(f"{self.what} has at most {self.max_bytes // 1000} kB.")
        try:
            return as_text(file.read())
        except Refused as refusal:
            raise forms.ValidationError(str(refusal)) from refusal


class ShortNameField(forms.SlugField):
    """A word for addresses and file names, refused in words that speak of no “slug”."""

    default_error_messages = {
        "invalid": "Use letters without accents, digits, hyphens and underscores, and no spaces."
    }

    def __init__(self, **options: Any) -> None:
        told = "For addresses and file names: letters without accents, digits and hyphens. It cannot be changed."
        super().__init__(**{"help_text": told, **options})


class ReasonForm(forms.Form):
    reason = WrittenField(
        max_length=400,
        label="Reason",
        help_text="Kept in the audit trail, next to your name.",
        error_messages={"required": "Say why, so that the decision can be understood later."},
        widget=forms.Textarea(attrs={"rows": 2}),
    )
