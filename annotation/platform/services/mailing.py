"""Delivering a mail to the server, which accepts it, refuses it, or leaves the outcome unknown."""

import logging
from collections.abc import Callable
from smtplib import SMTPException, SMTPRecipientsRefused, SMTPResponseException, SMTPSenderRefused
from typing import Final

log = logging.getLogger(__name__)

# The server has said no: nothing was delivered.
REFUSALS: Final = (SMTPResponseException, SMTPRecipientsRefused, SMTPSenderRefused)


def deliver(send: Callable[[], object]) -> None:
    """Call `send`, which sends one mail over a connection that is open; only a refusal by the server is raised.

    Where the connection breaks, or the server does not answer in time, the mail may have been delivered: that
    counts as sent, because sent again it could come twice.
    """
    try:
        send()
    except REFUSALS:
        raise
    except (SMTPException, OSError) as error:
        log.warning("A mail may not have been delivered: %s", error)
