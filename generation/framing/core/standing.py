"""Whether one prompt's framings may be used: all of them together, or none."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from generation.framing.core.mechanical_checks import Finding
from generation.framing.core.requests import QUESTIONS, Verdict

CHECKS: Final = {"mechanical": "A program", "model": "A model that did not write them", "person": "A person"}
"""Who may have to pass framings."""

State = Literal["waiting", "passed", "failed"]


@dataclass(frozen=True)
class Standing:
    """`reason` says why framings failed or what they wait for, in a sentence; "" where they passed."""

    state: State
    reason: str = ""


def standing(
    needs: Collection[str],
    *,
    gave_up: bool,
    check_failed: bool,
    findings: Sequence[Finding] | None,
    model: Sequence[Verdict] | None,
    people: Sequence[Sequence[Verdict]],
) -> Standing:
    """What becomes of the framings of a prompt by the checks it `needs`, keys of `CHECKS`.

    `findings` is None before they are written, `gave_up` where no usable reply will come; `model` is None before a
    model has checked them, `check_failed` where it was asked to and gave no usable reply; `people` holds the
    verdicts of each person who has. The first that speaks against them is the reason.
    """
    if findings is None:
        failed = Standing("failed", "The rewriter gave no reply that could be used.")
        return failed if gave_up else Standing("waiting", "They are not written yet.")
    if "mechanical" in needs and findings:
        return Standing("failed", f"{findings[0].condition}: {findings[0].says}")
    said = {"model": () if model is None else (model,), "person": people}
    for who, checks in said.items():
        against = [verdict for verdicts in checks for verdict in verdicts if not verdict.holds]
        if who in needs and against:
            return Standing("failed", _no(against[0], who))
    if "model" in needs and model is None and check_failed:
        return Standing("failed", "The model that checks gave no reply that could be used: its run can ask again.")
    for who, checks in said.items():
        if who in needs and not checks:
            return Standing("waiting", f"A {who} has not checked them yet.")
    return Standing("passed")


def _no(verdict: Verdict, who: str) -> str:
    because = f" {verdict.reason}" if verdict.reason else ""
    return f"{verdict.about}: “{QUESTIONS[verdict.question]}” No, says a {who}.{because}"
