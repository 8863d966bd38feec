"""A mail server that fails."""

from contextlib import AbstractContextManager
from unittest import mock

from django.core.mail.backends.locmem import EmailBackend


def nobody_listens() -> AbstractContextManager[object]:
    """The server is not reached."""
    return mock.patch.object(EmailBackend, "open", side_effect=ConnectionRefusedError("nobody listens"))


def sending_meets(error: BaseException) -> AbstractContextManager[object]:
    """The server is reached, and then: `error`."""
    return mock.patch.object(EmailBackend, "send_messages", side_effect=error)
