"""When a judge may open, score, submit and take back an item, and finally guess."""

from datetime import datetime, timedelta

from annotation.judging.models.judging import JudgingItem
from annotation.platform.core.errors import Refused
from annotation.platform.core.phrases import counted
from annotation.platform.core.text import clean
from annotation.study.core.phases import JUDGING_PHASE, check_open
from annotation.study.policies.participation import check_ready


def check_judging_is_open(study_state: str) -> None:
    check_open(JUDGING_PHASE, study_state, " in this study.")


def check_may_judge(item: JudgingItem) -> None:
    """Raise `Refused` where consent or profile is missing, or judging is not open."""
    check_ready(item.participation)
    check_judging_is_open(item.study.state)


def check_may_change(*, state: str, study_state: str) -> None:
    """Raise `Refused` unless an item in `state` takes scores. A lapsed one does: it is taken up again."""
    check_judging_is_open(study_state)
    if state == "assigned":
        raise Refused("This item has not been begun. Open it first.")
    if state not in ("open", "lapsed"):
        raise Refused("This item has been submitted; its scores can no longer be changed.")


MAX_CHARACTERS = 10_000  # of a justification or a note


def checked_text(text: str) -> str:
    """What a judge has written, cleaned. Raises `Refused` where it is too long."""
    text = clean(text)
    if len(text) > MAX_CHARACTERS:
        raise Refused(f"A text here has at most {MAX_CHARACTERS:,} characters; this one has {len(text):,}.")
    return text


def reopens_until(*, submitted_at: datetime, reopen_minutes: int) -> datetime:
    """The time until which a judge may take back the item submitted last."""
    return submitted_at + timedelta(minutes=reopen_minutes)


def check_may_reopen(
    *, study_state: str, until: datetime | None, now: datetime, is_last: bool, has_guessed: bool
) -> None:
    """Raise `Refused` unless a submitted item may be taken back: `until` then, and only the last one."""
    check_judging_is_open(study_state)
    if until is None or now > until:
        raise Refused("The time for taking this item back has passed. What you submitted stays.")
    if not is_last:
        raise Refused("Only the item you submitted last can be taken back.")
    if has_guessed:
        raise Refused("You have begun to guess who wrote the answers, so scores stay as they are.")


def can_reopen(
    *, study_state: str, until: datetime | None, now: datetime, is_last: bool, has_guessed: bool
) -> bool:
    try:
        check_may_reopen(study_state=study_state, until=until, now=now, is_last=is_last, has_guessed=has_guessed)
    except Refused:
        return False
    return True


def can_read_again(study_state: str, *, consented: bool) -> bool:
    """Whether a judge may look at what they submitted, answers included: while judging is open, and no longer."""
    return consented and study_state == "judging"


def check_may_guess(*, study_state: str, left: int) -> None:
    """Raise `Refused` while a judge has items `left` to submit: a guess beside scores would colour them."""
    check_judging_is_open(study_state)
    if left:
        raise Refused(f"Guesses come after your last item. You have {counted(left, 'item')} left to judge.")
