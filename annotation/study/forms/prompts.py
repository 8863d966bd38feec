"""What a coordinator says about a prompt, one at a time or in a table."""

from django import forms

from annotation.platform.core import cells
from annotation.platform.core.table_import import Field
from annotation.platform.forms.fields import TopicsField
from annotation.study.core.prompt_import import CODE, DOMAIN, MAX_TEXT_LENGTH

MAX_TITLE_LENGTH = 160

# What a column of an imported table can hold.
FIELDS = (
    Field("text", "Text", cells.text(MAX_TEXT_LENGTH), is_required=True, also=("prompt", "question")),
    Field(
        "domain", "Domain", cells.matching(DOMAIN, "2 to 12 capital letters"), is_required=True, also=("source",)
    ),
    Field(
        "code",
        "Code",
        cells.matching(CODE, "1 to 24 letters, digits, hyphens and underscores, the first a letter or digit"),
        also=("id", "prompt id"),
    ),
    Field("title", "Title", cells.one_line(MAX_TITLE_LENGTH), also=("short title",)),
    Field("disciplines", "Disciplines", cells.topics, also=("discipline", "topics")),
)


class WordingForm(forms.Form):
    """A prompt's words, without its domain, which its code is made from."""

    text = forms.CharField(max_length=MAX_TEXT_LENGTH, widget=forms.Textarea(attrs={"rows": 6}), label="Prompt")
    title = forms.CharField(
        max_length=MAX_TITLE_LENGTH,
        required=False,
        label="Title",
        help_text="For you; writers and judges do not see it.",
    )
    disciplines = TopicsField(
        label="Disciplines",
        help_text="Separated by semicolons. Preferences and exclusions of people can refer to them.",
    )


class PromptForm(WordingForm):
    domain = forms.RegexField(
        rf"^{DOMAIN}$",
        label="Domain",
        help_text="2 to 12 capital letters, such as BBQ. The prompt’s code is made from it.",
        error_messages={"invalid": "Write 2 to 12 capital letters."},
        widget=forms.TextInput(attrs={"pattern": DOMAIN, "autocapitalize": "characters", "autocomplete": "off"}),
    )
    field_order = ("domain", "text", "title", "disciplines")


class PromptChangeForm(WordingForm):
    reason = forms.CharField(
        max_length=400,
        required=False,
        label="Why it is worded anew",
        help_text="Kept with the new wording. The one before stays on record.",
        widget=forms.Textarea(attrs={"rows": 2}),
    )
