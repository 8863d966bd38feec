"""How attempts end, as people read it."""

from collections.abc import Mapping
from typing import Final

OUTCOMES_IN_WORDS: Final[Mapping[str, str]] = {
    "ok": "complete",
    "truncated": "cut off at the output cap",
    "refused": "declined by the model",
    "filtered": "withheld by the provider",
    "empty": "without any text",
    "over_limit": "over the word limit, asked again",
    "unreadable": "not in the form asked for",
    "untagged": "not in the tags asked for",
    "not_five": "another number of prompts than asked for",
    "label_length": "an underlying issue too short or too long",
    "question_length": "a question too short or too long",
    "odd": "ended for an unusual reason",
    "retryable": "failed for the moment",
    "unreachable": "provider not reached",
    "final_request": "request not accepted",
    "final_account": "account not accepted",
    "lost": "no reply came back",
    "superseded": "came too late to be used",
}
