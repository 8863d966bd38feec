"""A table that somebody brings along: the table itself, and which column holds what."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms

from annotation.platform.core.table_import import MAX_BYTES, MAX_ROWS, Field, suggest


class TableForm(forms.Form):
    """A file, or the table as text; `content` is the bytes of whichever was given, the file going first."""

    file = forms.FileField(
        required=False,
        allow_empty_file=True,
        label="File",
        help_text=f"CSV or JSON Lines, best in UTF-8, up to {MAX_BYTES // 1000} kB and {MAX_ROWS:,} lines.",
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt,.json,.jsonl,.ndjson"}),
    )
    source = forms.CharField(
        required=False,
        strip=False,
        label="Or the table itself",
        help_text="Copied from a spreadsheet, for instance. The first line names the columns.",
        widget=forms.Textarea(attrs={"rows": 8, "wrap": "off", "spellcheck": "false"}),
    )

    content = b""

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if file := data.get("file"):
            self.content = file.read(MAX_BYTES + 1)
        else:
            self.content = data.get("source", "").encode()
        if not self.content.strip() and not file:
            raise forms.ValidationError("Choose a file, or paste the table.")
        return data


class MappingForm(forms.Form):
    """The column for each of `fields`; `chosen` is what was posted, or for a new table what its names suggest."""

    def __init__(self, fields: Iterable[Field], columns: Sequence[str], chosen: Mapping[str, str]) -> None:
        super().__init__(chosen, prefix="column")
        for field in fields:
            self.fields[field.name] = forms.ChoiceField(
                label=field.label,
                choices=[("", "not in this table"), *zip(columns, columns, strict=True)],
                required=field.is_required,
                error_messages={
                    "required": "Choose the column that holds it.",
                    "invalid_choice": "There is no column “%(value)s” any more.",
                },
            )

    @classmethod
    def suggested(cls, fields: Sequence[Field], columns: Sequence[str]) -> "MappingForm":
        return cls(fields, columns, {f"column-{name}": column for name, column in suggest(columns, fields).items()})
