"""The kinds of work on people's mails, as the task table has them."""

from typing import Final

MAIL_INVITATION: Final = "mail_invitation"  # its subject is the invitation's id
MAIL_ACCOUNT: Final = "mail_account"
