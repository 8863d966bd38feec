"""How commands are told which column of a table holds what."""

from argparse import ArgumentTypeError


def field_and_column(text: str) -> tuple[str, str]:
    """What `FIELD=COLUMN` says. Raises `ArgumentTypeError`."""
    field, equals, column = text.partition("=")
    if not (field and equals and column):
        raise ArgumentTypeError(f"“{text}” does not say FIELD=COLUMN")
    return field, column
