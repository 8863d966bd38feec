"""What a coordinator says about a benchmark, with its files."""

from typing import Any

from django import forms

from annotation.benchmarks.core.drawing import REVIEWED
from annotation.benchmarks.core.layouts import Files, Layout
from annotation.benchmarks.core.mapped_file import FIELDS
from annotation.platform.core.limits import BENCHMARK_BYTES


class BenchmarkForm(forms.Form):
    """A name, the files of a layout and, of a table, which column holds what."""

    name = forms.CharField(max_length=120, label="Name")
    columns = forms.CharField(
        required=False,
        label="Columns",
        help_text="Only for columns with names of their own: a line for each, such as gold = correct_answer, or "
        "options = first, second, third. A "
        f"table can hold {', '.join(field.name for field in FIELDS)}.",
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false"}),
    )

    def __init__(self, layout: Layout, data: Any = None, files: Any = None) -> None:
        super().__init__(data, files, initial={"name": "" if layout.name == "table" else layout.label})
        self.layout = layout
        if layout.name != "table":
            del self.fields["columns"]
        most = f"{BENCHMARK_BYTES // 1_000_000} MB at most; plain, or compressed as .gz."
        for slot in layout.slots:
            self.fields[slot.name] = forms.FileField(
                label=slot.label,
                required=slot.is_required,
                help_text=f"{' or '.join(slot.suffixes)}, {most}",
                error_messages={"required": f"Choose the file with the {slot.label.lower()}."},
                widget=forms.FileInput(attrs={"accept": ",".join((*slot.suffixes, ".gz"))}),
            )

    def clean_columns(self) -> dict[str, str]:
        mapping = {}
        for line in filter(str.strip, self.cleaned_data["columns"].splitlines()):
            field, equals, column = (part.strip() for part in line.partition("="))
            if not (field and equals and column):
                raise forms.ValidationError(f"“{line.strip()}” does not say what = column.")
            mapping[field] = column
        return mapping

    def files_given(self) -> dict[str, Any]:
        """What is to be read: layout, files, mapping."""
        files: Files = {
            slot.name: (file.name, file) for slot in self.layout.slots if (file := self.cleaned_data.get(slot.name))
        }
        return {
            "layout": self.layout.name,
            "files": files,
            "mapping": self.cleaned_data.get("columns", {}),
        }


class RulesForm(forms.Form):
    """How a benchmark's questions are annotated and ruled on."""

    several_flaws = forms.BooleanField(required=False)
    agreements_adjudicated = forms.IntegerField(min_value=0, max_value=100)
    reviewed = forms.ChoiceField(choices=[*REVIEWED.items()])
    shows_answers = forms.BooleanField(required=False)
    never_missed_sampled = forms.IntegerField(min_value=1, max_value=100)
