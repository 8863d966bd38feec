"""What somebody is given to do with questions is theirs alone."""

from typing import Final, TypeVar

from django.http import Http404

Given = TypeVar("Given")

NOT_YOURS: Final = "There is no such question among yours."


def own(given: Given | None) -> Given:
    """What a selector has found of this person's; 404 where it is nothing."""
    if given is None:
        raise Http404(NOT_YOURS)
    return given
