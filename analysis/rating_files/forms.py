"""Bringing a file of ratings, and saying what its columns are and how it is to be analysed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final, TypeVar

from django import forms

from analysis.data.core.known_columns import BY_RATER
from analysis.data.core.parameters import Parameters
from analysis.data.core.rating_frame import OVERALL
from analysis.data.core.trials import TrialDesign
from analysis.framing.core.cut_identifiers import cut_in, is_expression, respondents_in
from analysis.rating_files.core.looking import guessed
from analysis.rating_files.core.reading import (
    FileKind,
    RatingOptions,
    codes_in,
    pairs_in,
    scales_in,
    words_in,
)
from analysis.rating_files.models import RatingFile
from analysis.report.forms import AnalysisForm
from annotation.platform.core.limits import RATING_FILE_BYTES, TOML_BYTES
from annotation.study.core.rubric import RubricError, parse

DIMENSION: Final = "dimension of the rubric"
IGNORED: Final = "ignored"
# What a column may stand for: the reader's words by what people read.
MEANINGS: Final[Mapping[FileKind, Mapping[str, str]]] = {
    "ratings": {
        "evaluator": "Rater",
        "unit": "Answer",
        "prompt": "Prompt",
        "respondent": "Who answered",
        "condition": "Condition",
        "item_type": "Item type",
        "perspective": "Perspective",
        "replicate": "Replicate",
        BY_RATER: "What the rater of this name gave",
        "value": "The rating itself",
        "dimension": "Name of the dimension rated",
        "status": "Status of the rating",
        "abstained": "Whether the rater abstained",
        DIMENSION: "Ratings on a dimension",
        IGNORED: "Nothing: leave it out",
    },
    "panel": {
        "evaluator": "Judge model",
        "perspective": "Perspective",
        "unit": "Answer",
        "prompt": "Prompt",
        "respondent": "Who answered",
        "condition": "Way of asking",
        "replicate": "Replicate",
        "status": "Status of the reply",
        "abstained": "Whether the judge model abstained",
        DIMENSION: "Scores on a dimension",
        IGNORED: "Nothing: leave it out",
    },
    "framings": {
        "evaluator": "Judge model",
        "perspective": "Perspective",
        "unit": "Answer",
        "prompt": "Prompt",
        "respondent": "Model that answered",
        "condition": "Condition: the words in which the prompt was put",
        "replicate": "Replicate",
        "status": "Status of the reply",
        "abstained": "Whether the judge model abstained",
        DIMENSION: "Scores on a dimension",
        IGNORED: "Nothing: leave it out",
    },
    "trials": {
        "evaluator": "Evaluator",
        "perspective": "Approach: how the evaluator was asked",
        "prompt": "Scenario",
        "respondent": "Model that answered",
        "condition": "Condition",
        "unit": "Answer",
        "replicate": "Repeat",
        "conclusion": "Code of what the answer recommends",
        OVERALL: "The evaluator’s own overall score",
        BY_RATER: "What the evaluator of this name gave",
        "value": "The score itself",
        "dimension": "Name of the dimension scored",
        "status": "Status of the reply",
        "abstained": "Whether the evaluator abstained",
        DIMENSION: "Scores on a dimension",
        IGNORED: "Nothing: leave it out",
    },
    "folder": {},
    "pairs": {
        "first": "First answer",
        "second": "Second answer",
        "verdict": "Verdict",
        "evaluator": "Rater",
        "prompt": "Prompt",
        IGNORED: "Nothing: leave it out",
    },
}
# What makes no sense to ask of such a file.
UNASKED: Final[Mapping[FileKind, tuple[str, ...]]] = {
    "pairs": ("constants", "low", "high", "rubric"),
    "folder": ("codes", "constants"),
    "trials": ("people", "low", "high"),
    "framings": ("people",),
}
# What is asked of files of one kind or two alone.
OF_SOME: Final[Mapping[FileKind, tuple[str, ...]]] = {
    "trials": ("scales", "baseline", "controls", "integrity", "margin", "smallest_effect"),
    "framings": ("baseline", "respondents", "cuts"),
}
THE_PROMPT_ITSELF: Final = "Condition that is the prompt itself"
ITS_NAMES: Final = "Left empty: the one that is called “baseline”, “zero_shot”, “original” or “none”, or is blank."
Value = TypeVar("Value")

ASKED: Final = ("mode", "draws", "level", "seed")  # of the parameters of an analysis
PROPOSED: Final = "Proposed by the words of the file: change it where they stand for other numbers."
BY_ITSELF: Final = "", "As its values tell"


class RatingFileForm(forms.Form):
    """The file and its kind; `content` is its bytes."""

    kind = forms.ChoiceField(
        label="What the file holds",
        choices=RatingFile.Kind.choices,
        initial=RatingFile.Kind.RATINGS,
        widget=forms.RadioSelect,
    )
    file = forms.FileField(
        label="File",
        help_text="CSV or a workbook (.xlsx, its first sheet), whose first line names the columns, or a folder as "
        f"a ZIP; up to {RATING_FILE_BYTES // 1_000_000} MB.",
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt,.xlsx,.zip"}),
    )

    content = b""

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > RATING_FILE_BYTES:
            raise forms.ValidationError(
                f"The file has more than {RATING_FILE_BYTES // 1_000_000} MB. The command analyse reads more."
            )
        self.content = file.read()
        return file


class ColumnsForm(AnalysisForm):
    """What each column of a file is, what its values mean, and how it is analysed."""

    people = forms.CharField(
        required=False,
        label="Who of those that answered are people",
        help_text="Names, separated by commas. Left empty: whoever is called “human”, “people” or “person”.",
    )
    codes = forms.CharField(
        required=False,
        label="What words in cells count as",
        help_text="Such as PASS=1, FAIL=0, or with blank cells BEST=1, WORST=-1, =0; in comparisons 1 is for the "
        "first, 0 for the second, 0.5 for a tie.",
    )
    failures = forms.CharField(
        required=False,
        label="Words that say that there is no rating",
        help_text="Separated by commas, beside “failed”, “error”, “timeout”, “refused” and “NA”.",
    )
    constants = forms.CharField(
        required=False,
        label="What holds for every row",
        help_text="Such as prompt=P1, where the file has no column for it.",
    )
    low = forms.FloatField(required=False, label="Lowest rating of the scale")
    high = forms.FloatField(
        required=False, label="Highest rating of the scale", help_text="Left empty: as the ratings suggest."
    )
    scales = forms.CharField(
        required=False,
        label="What evaluators could choose from, by approach",
        help_text="Such as A=0-1, B=0-2, D=0-100. Left empty: from the least to the most that anybody gave, and "
        "0 to 100 where there are many values or great ones.",
    )
    baseline = forms.CharField(
        required=False,
        label="Condition without a framework",
        help_text="Left empty: the one that is called “no constitution”, “baseline” or “none”.",
    )
    controls = forms.CharField(
        required=False,
        label="Conditions that were made to fail",
        help_text="Positive controls, which must score lower; separated by commas, as denied_fact, hidden_values.",
    )
    integrity = forms.CharField(
        required=False,
        label="Dimension that should stay equal",
        help_text="Left empty: the first whose name has “integrity” in it.",
    )
    margin = forms.FloatField(
        label="Points within which it counts as equal", initial=5.0, min_value=0.001, max_value=100
    )
    smallest_effect = forms.FloatField(
        label="Smallest difference of other dimensions that matters, in points",
        initial=5.0,
        min_value=0.001,
        max_value=100,
    )
    respondents = forms.CharField(
        required=False,
        label="Who of those that answered is which model under which condition",
        help_text="Such as gpt-agree=gpt:agree, gpt=gpt:baseline, where no column names conditions.",
    )
    cuts = forms.CharField(
        required=False,
        label="What identifiers are composed of",
        help_text="A line for each column, such as response_id={prompt}/{respondent}/{condition}, where prompt, "
        "model or condition stand in no column of their own; {} is anything else.",
        widget=forms.Textarea(attrs={"rows": 2, "spellcheck": "false"}),
    )
    rubric = forms.CharField(
        required=False,
        strip=False,
        label="Rubric",
        help_text="The text of a rubric’s TOML file, which gives dimensions, scale and bands.",
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false"}),
    )

    def __init__(self, columns: Sequence[str], kind: FileKind, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        self.kind, self.columns = kind, () if kind == "folder" else tuple(columns)
        taken = guessed(self.columns, kind)
        for place, column in enumerate(self.columns):
            self.fields[f"column_{place}"] = forms.ChoiceField(
                label=column,
                required=False,
                choices=[BY_ITSELF, *MEANINGS[kind].items()],
                initial=taken.get(column, ""),
            )
        own = OF_SOME.get(kind, ())
        others = {name for names in OF_SOME.values() for name in names} - set(own)
        for name in (*UNASKED.get(kind, ()), *others):
            del self.fields[name]
        if kind == "framings":
            self.fields["baseline"].label, self.fields["baseline"].help_text = THE_PROMPT_ITSELF, ITS_NAMES

    @classmethod
    def proposed(cls, columns: Sequence[str], kind: FileKind, codes: str) -> "ColumnsForm":
        """The form with what words of the file seem to count as; nobody has said so."""
        form = cls(columns, kind)
        if codes and "codes" in form.fields:
            form.initial = {"codes": codes}
            form.fields["codes"].help_text = PROPOSED
        return form

    @classmethod
    def filled(
        cls, columns: Sequence[str], kind: FileKind, options: RatingOptions, asked: Parameters
    ) -> "ColumnsForm":
        """The form as it was filled in for this."""
        form = cls(columns, kind)
        low, high = options.scale or (None, None)
        form.initial = {
            "people": ", ".join(options.people),
            "codes": _as_list(options.codes),
            "failures": ", ".join(options.failures),
            "constants": _as_list(options.constants),
            "low": low,
            "high": high,
            "rubric": options.rubric,
            "scales": ", ".join(f"{name}={low:g}-{high:g}" for name, (low, high) in options.scales.items()),
            **asdict(options.design),
            "controls": ", ".join(options.design.controls),
            "respondents": _as_list({name: ":".join(each) for name, each in options.respondents.items()}),
            "cuts": "\n".join(f"{column}={how}" for column, how in options.cuts.items()),
            **{name: getattr(asked, name) for name in ASKED},
        }
        said = {
            **options.columns,
            **dict.fromkeys(options.dimensions, DIMENSION),
            **dict.fromkeys(options.ignored, IGNORED),
        }
        form.initial |= {f"column_{place}": said.get(name, "") for place, name in enumerate(form.columns)}
        return form

    @property
    def column_fields(self) -> list[forms.BoundField]:
        return [self[f"column_{place}"] for place in range(len(self.columns))]

    @property
    def value_fields(self) -> list[forms.BoundField]:
        """What the file's values mean."""
        return [field for field in self if not field.name.startswith("column_") and field.name not in ASKED]

    @property
    def analysis_fields(self) -> list[forms.BoundField]:
        """What every analysis is asked."""
        return [self[name] for name in ASKED]

    @property
    def is_usual(self) -> bool:
        """Whether the analysis is asked for as it usually is, so far as it was understood."""
        if not self.is_bound:
            return all(
                self.get_initial_for_field(self.fields[name], name) == self.fields[name].initial for name in ASKED
            )
        return not any(self.errors.get(name) for name in ASKED) and not set(ASKED) & set(self.changed_data)

    def clean_codes(self) -> dict[str, float]:
        return _listed(str(self.cleaned_data["codes"]), codes_in)

    def clean_constants(self) -> dict[str, str]:
        return _listed(str(self.cleaned_data["constants"]), pairs_in)

    def clean_scales(self) -> dict[str, tuple[float, float]]:
        return _listed(str(self.cleaned_data["scales"]), scales_in)

    def clean_respondents(self) -> dict[str, tuple[str, str]]:
        return _listed(str(self.cleaned_data["respondents"]), respondents_in)

    def clean_cuts(self) -> dict[str, str]:
        text = str(self.cleaned_data["cuts"])
        if is_expression(text):
            raise forms.ValidationError("Regular expressions are for the command; write {prompt}/{respondent}.")
        return _listed(text, lambda lines: dict(cut_in(line) for line in lines.splitlines() if line.strip()))

    def clean_rubric(self) -> str:
        text: str = self.cleaned_data["rubric"]
        if len(text) > TOML_BYTES:
            raise forms.ValidationError(f"A rubric has at most {TOML_BYTES // 1000} kB.")
        try:
            if text.strip():
                parse(text)
        except RubricError as error:
            raise forms.ValidationError(str(error)) from error
        return text

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        low, high = given.get("low"), given.get("high")
        if (low is None) != (high is None):
            self.add_error("low" if low is None else "high", "Give both ends of the scale, or neither.")
        elif low is not None and high is not None and low >= high:
            self.add_error("high", "The highest rating lies above the lowest.")
        return given

    @property
    def options(self) -> RatingOptions:
        given = self.cleaned_data
        chosen = {column: given[f"column_{place}"] for place, column in enumerate(self.columns)}
        named = {column: ours for column, ours in chosen.items() if ours not in ("", DIMENSION, IGNORED)}
        left_out = [column for column, ours in chosen.items() if ours == IGNORED]
        ends = given.get("low"), given.get("high")
        return RatingOptions(
            columns=named,
            constants=given.get("constants") or {},
            codes=given.get("codes") or {},
            failures=words_in(given["failures"]),
            people=words_in(given.get("people") or ""),
            dimensions=tuple(column for column, ours in chosen.items() if ours == DIMENSION),
            ignored=tuple(left_out),
            scale=None if None in ends else ends,  # type: ignore[arg-type]
            rubric=(given.get("rubric") or "").strip(),
            scales=given.get("scales") or {},
            design=self._design,
            respondents=given.get("respondents") or {},
            cuts=given.get("cuts") or {},
        )

    @property
    def _design(self) -> TrialDesign:
        given = self.cleaned_data
        if self.kind != "trials":
            return TrialDesign(baseline=given.get("baseline", ""))
        return TrialDesign(
            baseline=given["baseline"],
            controls=words_in(given["controls"]),
            integrity=given["integrity"],
            margin=given["margin"],
            smallest_effect=given["smallest_effect"],
        )

    @property
    def parameters(self) -> Parameters:
        return Parameters(**{name: self.cleaned_data[name] for name in ASKED})


def _as_list(values: Mapping[str, object]) -> str:
    return ", ".join(f"{name}={value}" for name, value in values.items())


def _listed(text: str, read: Callable[[str], dict[str, Value]]) -> dict[str, Value]:
    try:
        return read(text) if text.strip() else {}
    except ValueError as error:
        raise forms.ValidationError(str(error)) from error
