"""Django's own words about a field, said of the field by its label."""

from typing import Final

_EMPTY: Final = ("This field is required.", "This field cannot be blank.", "This field cannot be null.")

# How Django's sentence begins, and what stands around the rest of it. “Ensure this value …” says of no field which.
_SAID: Final = (
    ("Ensure this value is greater than or equal to ", "“{label}” has to be {rest} or more."),
    ("Ensure this value is less than or equal to ", "“{label}” has to be {rest} or less."),
    ("Ensure this value is a multiple of step size ", "“{label}” has to be a multiple of {rest}."),
    ("Ensure this value has at least ", "“{label}” needs at least {rest}."),
    ("Ensure this value has at most ", "“{label}” can have at most {rest}."),
    ("Ensure this filename has at most ", "“{label}” needs a file whose name has at most {rest}."),
    ("Ensure that there are no more than ", "“{label}” can have no more than {rest}."),
)


def said_of(label: str, message: str) -> str:
    """`message` as a sentence about the field called `label`; unchanged where it does not speak of “this” one."""
    if message in _EMPTY:
        return f"“{label}” cannot be left empty."
    if message.startswith("Enter a valid “slug”"):
        return f"“{label}” takes letters without accents, digits, hyphens and underscores, and no spaces."
    for beginning, sentence in _SAID:
        if message.startswith(beginning):
            return sentence.format(label=label, rest=message.removeprefix(beginning).removesuffix("."))
    return message
