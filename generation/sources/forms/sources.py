"""What a coordinator says about a source, with the files it is read from."""

from typing import Any, Final

from django import forms
from django.core.files.uploadedfile import UploadedFile

from annotation.platform.forms.fields import ShortNameField
from generation.sources.core.shapes import SHAPES
from generation.sources.core.source_kinds import SOURCE_KINDS, KindName

MAX_MEGABYTES: Final = 25  # of all files together; the command import_source takes any number
CODE: Final = "[A-Z]{2,12}"
FILES_IN_WORDS: Final = {
    "bbq": "As published, one for each category, such as Age.jsonl or SES.jsonl.gz. Choose all of them together.",
    "hle": "The questions as JSON Lines or CSV, with the fields id, question, category and raw_subject. Whatever "
    "else is there is not kept.",
    "concepts": "A list of concepts in TOML, CSV or JSON Lines, and the documents they quote as text files. "
    "Without any file the concepts are written down here.",
    "table": "CSV or JSON Lines in UTF-8. On the next page you say which column holds what.",
}


class FilesInput(forms.FileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Any number of files."""

    widget = FilesInput

    def clean(self, data: Any, initial: Any = None) -> "list[UploadedFile[bytes]]":
        if self.required and not data:
            raise forms.ValidationError(self.error_messages["required"])
        files = [super(FilesField, self).clean(file, initial) for file in data or ()]
        if sum(file.size for file in files) > MAX_MEGABYTES * 1_000_000:
            raise forms.ValidationError(
                f"These are more than {MAX_MEGABYTES} MB. Compress them if the kind allows it, or have them read "
                "on the server by the command import_source."
            )
        return files


class SourceForm(forms.Form):
    """What a source of `kind` is called, and its files."""

    name = forms.CharField(max_length=120, label="Name")
    slug = ShortNameField(max_length=50, label="Short name", help_text="In addresses, such as bbq.")
    code = forms.RegexField(
        rf"\A{CODE}\Z",
        label="Code",
        help_text="2 to 12 capital letters: prompts are called by it, such as BBQ_07, and it is their domain.",
        error_messages={"invalid": "Write 2 to 12 capital letters."},
        widget=forms.TextInput(attrs={"pattern": CODE, "autocapitalize": "characters", "autocomplete": "off"}),
    )
    licence = forms.CharField(max_length=200, required=False, label="Licence", help_text="And whom to name.")
    shape = forms.ChoiceField(
        choices=[(shape.name, shape.title) for shape in SHAPES.values()],
        label="What a line holds",
        widget=forms.RadioSelect,
    )
    uploads = FilesField(label="Files", error_messages={"required": "Choose a file."})

    def __init__(self, kind: KindName, data: Any = None, files: Any = None) -> None:
        proposed = SOURCE_KINDS[kind]
        initial = {name: getattr(proposed, name) for name in ("name", "slug", "code", "licence", "shape")}
        super().__init__(data, files, initial=initial)
        if kind != "table":
            del self.fields["shape"]
        field = self.fields["uploads"]
        field.required = kind != "concepts"
        field.help_text = FILES_IN_WORDS[kind]
        field.widget.attrs["accept"] = ",".join(sorted({f".{name.rsplit('.')[-1]}" for name in proposed.suffixes}))
        field.widget.attrs["multiple"] = kind != "table"

    def has_its_file(self) -> None:
        """Note that the table was sent already: another one takes its place, but need not come."""
        self.fields["uploads"].required = False
        shown = self["uploads"]  # as pages have it, from when it was first looked at
        shown.label, shown.help_text = "Another file", "To be read instead, such as a corrected one."

    @property
    def described(self) -> dict[str, Any]:
        """Everything but the files."""
        return {name: value for name, value in self.cleaned_data.items() if name != "uploads"}
