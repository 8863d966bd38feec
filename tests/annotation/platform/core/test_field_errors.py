"""What Django says of a field says which field."""

from decimal import Decimal
from typing import Any

import pytest
from django import forms
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.platform.core.field_errors import said_of

FILE = SimpleUploadedFile("a-long-name.csv", b"a,b")


@pytest.mark.parametrize(
    ("field", "given", "said"),
    [
        (forms.CharField(), "", "“Fee” cannot be left empty."),
        (forms.IntegerField(min_value=2), "1", "“Fee” has to be 2 or more."),
        (forms.DecimalField(max_value=Decimal("9.5")), "10", "“Fee” has to be 9.5 or less."),
        (forms.IntegerField(step_size=5), "7", "“Fee” has to be a multiple of 5."),
        (forms.CharField(max_length=3), "four", "“Fee” can have at most 3 characters (it has 4)."),
        (forms.CharField(min_length=5), "four", "“Fee” needs at least 5 characters (it has 4)."),
        (forms.DecimalField(decimal_places=2), "1.234", "“Fee” can have no more than 2 decimal places."),
        (forms.DecimalField(max_digits=2), "123", "“Fee” can have no more than 2 digits in total."),
        (
            forms.FileField(max_length=3),
            FILE,
            "“Fee” needs a file whose name has at most 3 characters (it has 15).",
        ),
        (
            forms.SlugField(),
            "a b",
            "“Fee” takes letters without accents, digits, hyphens and underscores, and no spaces.",
        ),
        (forms.IntegerField(), "x", "Enter a whole number."),  # of nothing else but what was typed
    ],
)
def test_what_django_says_of_a_field_is_said_by_its_label(field: forms.Field, given: Any, said: str) -> None:
    form = type("OneField", (forms.Form,), {"fee": field})({"fee": given}, {"fee": given})
    assert list(form["fee"].errors) == [said]
    assert form["fee"].faults == [said if "Fee" in said else f"Fee: {said}"]


def test_an_empty_column_is_said_by_its_label_too() -> None:
    assert said_of("Name", "This field cannot be blank.") == "“Name” cannot be left empty."
    assert said_of("Name", "Say why.") == "Say why."
