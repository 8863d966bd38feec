"""Delivering a mail to the server, which accepts it, refuses it, or leaves the outcome unknown."""

import logging
from collections.abc import Callable
from smtplib import SMTPException, SMTPRecipientsRefused, SMTPResponseException, SMTPSenderRefused
from typing import Final

from annotation.platform.services.work import Hopeless

log = logging.getLogger(__name__)

# The server has said no: nothing was delivered.
REFUSALS: Final = (SMTPResponseException, SMTPRecipientsRefused, SMTPSenderRefused, Hopeless)
PERMANENT: Final = 500  # codes from here on are not to be tried again (RFC 5321, 4.2.1)


def deliver(send: Callable[[], object], *, may_come_twice: bool = False) -> None:
    """Call `send`, which sends one mail over a connection that is open; only a refusal by the server is raised.

    Raises `Hopeless`, in one line, where the server says for good that there is no such address. Where the
    connection breaks, or the server does not answer in time, the mail may have been delivered: that counts as sent,
    because sent again it could come twice. Where that does no harm, the error is raised.
    """
    try:
        send()
    except SMTPRecipientsRefused as error:
        if all(code >= PERMANENT for code, _ in error.recipients.values()):
            said = "; ".join(
                f"{address} ({code} {' '.join(reason.decode(errors='replace').split())})"
                for address, (code, reason) in error.recipients.items()
            )
            raise Hopeless(f"The mail server refuses the address: {said}") from error
        raise
    except REFUSALS:
        raise
    except (SMTPException, OSError) as error:
        if may_come_twice:
            raise
        log.warning("A mail may not have been delivered: %s", error)
