"""When a model is asked nothing more: its first requests were all refused for the same reason, for good."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

# So many refusals alike, and nothing else, before a model is asked nothing more.
ALIKE = 20
# Before a server's words stand its codes, and in quotes the field that it names.
_FIELD: Final = re.compile(r"[^:“]{0,200}(“[^”]{1,200}”):")


@dataclass(frozen=True, slots=True)
class Refusal:
    """A request that can never succeed, with HTTP's status (None: no reply had one) and the provider's words."""

    status: int | None
    detail: str

    @property
    def kind(self) -> tuple[int | None, str]:
        """What is the same for refusals that mean the same: the field that they name, whatever else is said of it,
        or their words without numbers and references.
        """
        if named := _FIELD.match(self.detail):
            return self.status, re.sub(r"\d+", "#", named[1])
        words = self.detail.split()
        return self.status, " ".join("#" if any(map(str.isdigit, word)) else word for word in words)


def why_stopped(family: str, refusals: Sequence[Refusal]) -> str:
    """Why a model that did nothing else than refuse so is asked nothing more, in words; "" while it is."""
    if len(refusals) < ALIKE or len({refusal.kind for refusal in refusals}) > 1:
        return ""
    newest = refusals[0]
    return (
        f"“{family}” is asked nothing more: all of its first {len(refusals)} requests were refused alike. "
        f"{newest.detail} {_to_mend(newest.status)} Then let the run go on."
    )


def _to_mend(status: int | None) -> str:
    match status:
        case 404 | 410:
            return "Does the provider know the model by this name? Otherwise retire it and add it anew."
        case 405:
            return "The address of the provider takes no calls: ask whoever runs this site to correct it."
        case 301 | 302 | 303 | 307 | 308:
            return "The address of the provider leads elsewhere: ask whoever runs this site to correct it."
        case _:
            return (
                "Look at its effort, temperature and options; where one is wrong, retire the model and add it anew."
            )
